// How unusual a stretch of rolls is, in words that promise nothing about the next one.

/** How many of the 36 rolls of two dice make each total, 2 to 12. */
export const WAYS = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];

/** With fewer rolls the measure below says nothing: the rare totals have hardly had a chance. */
const ENOUGH = 90;

/** How often each total comes on average. */
export function average(rolls: number): number[] {
  return WAYS.map((ways) => (rolls * ways) / 36);
}

/** The chance that fair dice look at least as uneven (Pearson's χ², ten degrees of freedom). */
export function chance(counts: readonly number[]): number {
  const rolls = counts.reduce((sum, count) => sum + count, 0);
  if (rolls === 0) return 1;
  const squares = average(rolls).map((mean, place) => ((counts[place] ?? 0) - mean) ** 2 / mean);
  const half = squares.reduce((sum, square) => sum + square, 0) / 2;
  // For an even number of degrees the tail is a short sum.
  let term = 1;
  let sum = 1;
  for (let place = 1; place < 5; place += 1) {
    term *= half / place;
    sum += term;
  }
  return Math.min(1, Math.exp(-half) * sum);
}

/** The same, said to people. */
export function inWords(counts: readonly number[]): string {
  const rolls = counts.reduce((sum, count) => sum + count, 0);
  if (rolls < ENOUGH)
    return `Too few rolls to call anything unusual: that takes ${ENOUGH} or more.`;
  const likely = chance(counts);
  if (likely >= 0.1) return `Nothing unusual: ${often(likely)} look at least this uneven.`;
  if (likely >= 0.01) return `A little uneven: ${often(likely)} do as much.`;
  return `Rare: ${often(likely)} are this uneven. Whoever looks at many will meet some; the dice check tells whether anybody touched the dice.`;
}

/** `about 4 in 10 stretches of fair dice`. */
function often(likely: number): string {
  const fair = "stretches of fair dice";
  if (likely >= 0.95) return `almost all ${fair}`;
  if (likely >= 0.15) return `about ${Math.round(likely * 10)} in 10 ${fair}`;
  const one = 1 / likely;
  const size = one < 100 ? 5 : one < 1_000 ? 50 : 1_000;
  if (one > 100_000) return `fewer than 1 in 100,000 ${fair}`;
  const about = Math.max(size, Math.round(one / size) * size);
  return `about 1 in ${about.toLocaleString("en-US")} ${fair}`;
}
