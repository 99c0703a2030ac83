// Money is whole cents everywhere; these are the only places that turn it into words and back.

/** Lines break after a sign unless this stands behind it: it has no width and joins words. */
const JOINED = "\u2060";

/** `$1,250` or `$17.50`; a minus sign stands before the dollar sign and never parts from it. */
export function dollars(cents: number): string {
  const whole = cents % 100 === 0;
  const amount = (Math.abs(cents) / 100).toLocaleString("en-US", {
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  });
  return `${cents < 0 ? `−${JOINED}` : ""}$${amount}`;
}

/** `+$12`, `−$5`, `$0`: for results. */
export function signed(cents: number): string {
  return cents > 0 ? `+${JOINED}${dollars(cents)}` : dollars(cents);
}

/** What fits on a chip: `5`, `7.50`, `1.25K`, `12K`, `3M`. */
export function onChip(cents: number): string {
  const amount = cents / 100;
  if (amount >= 1_000_000) return `${trim(amount / 1_000_000)}M`;
  if (amount >= 10_000) return `${trim(amount / 1_000)}K`;
  return cents % 100 === 0 ? String(amount) : amount.toFixed(2);
}

function trim(amount: number): string {
  return (Math.floor(amount * 10) / 10).toString();
}

/** `12`, `12.50`, `$1,234.50`: what a person typed, in cents. Nothing if it is no such amount: a
 * comma stands before three digits only, so `12,50` is not $1,250. */
export function cents(text: string): number | null {
  const match = /^\$?(\d{1,9}|[1-9]\d{0,2}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match?.[1]) return null;
  return Number(match[1].replaceAll(",", "")) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** Why what a person typed is no amount to be moved, and how amounts are written. */
export function notAnAmount(text: string): string {
  const typed = text.trim();
  const how = "12.50 or 1,234.50";
  if (typed === "") return `Give an amount in dollars, such as ${how}.`;
  if (cents(typed) === 0) return "The amount must be more than $0.";
  return `“${typed}” is not an amount in dollars. Write it as ${how}.`;
}

/** What the house says, with its amounts as they are written here: `$5000.00` is `$5,000`. */
export function withDollars(text: string): string {
  const written = /(?<![\d.,])\$?(\d+\.\d\d)(?![\d.%])/g;
  return text.replace(written, (_, amount: string) => dollars(Math.round(Number(amount) * 100)));
}

/** Whole dollars of a paytable as they are written here: `$1000 each` is `$1,000 each`. */
export function grouped(text: string): string {
  return text.replace(/\$(\d+)(?![\d.])/g, (_, whole: string) => dollars(Number(whole) * 100));
}
