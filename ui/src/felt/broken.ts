/** A sentence in so many lines, of which the longest is as short as it can be. */
export function broken(text: string, lines: number): string[] {
  const words = text.split(" ");
  if (lines < 2 || words.length < 2) return [text];
  const cuts = words
    .slice(1)
    .map((_, at) => [
      words.slice(0, at + 1).join(" "),
      ...broken(words.slice(at + 1).join(" "), lines - 1),
    ]);
  const longest = (all: string[]) => Math.max(...all.map(({ length }) => length));
  return cuts.reduce((best, cut) => (longest(cut) < longest(best) ? cut : best));
}
