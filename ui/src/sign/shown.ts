// What a sign shows on the way to an amount. A sign that shows more than the meter would pay is
// a promise nobody made: digits climb from below, and fall at once.

/** How long digits climb, in milliseconds. */
export const CLIMB = 1_600;

/** The cents shown at `t`, from 0 to 1, of the way from what was shown to the amount. */
export function shown(previous: number, amount: number, t: number): number {
  const most = Math.floor(amount);
  if (!(previous < most) || !(t < 1)) return most;
  const way = 1 - (1 - Math.max(0, t)) ** 3;
  return Math.min(most, Math.floor(previous + (most - previous) * way));
}

/** `$12,345.67`: a sign always shows its cents. */
export function digits(cents: number): string {
  const both = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${(Math.floor(cents) / 100).toLocaleString("en-US", both)}`;
}

/** What a meter says of awards that are claimed and not confirmed yet: nobody has won them. */
export function claimed(hits: readonly number[]): string {
  const amounts = hits.length > 0 ? `: ${hits.map(digits).join(" and ")}` : "";
  return `Jackpot claimed, being verified${amounts}`;
}

/** How wide an amount is, in ems, where a digit takes `DIGIT` and a comma or a full stop `MARK`. */
export function ems(text: string): number {
  const marks = [...text].filter((letter) => letter === "," || letter === ".").length;
  return (text.length - marks) * DIGIT + marks * MARK;
}

export const DIGIT = 0.745;
export const MARK = 0.32;
