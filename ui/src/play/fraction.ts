// Exact fractions. Edges come from the server as fractions, and what they add up to is rounded
// only where it is shown.

export interface Fraction {
  num: bigint;
  den: bigint;
}

export const ZERO: Fraction = { num: 0n, den: 1n };

/** `7/495`, `-1/20`, `0`: as the server writes them, and as they are kept. */
export function parse(text: string): Fraction | null {
  const match = /^(-?\d+)(?:\/(\d+))?$/.exec(text);
  if (!match) return null;
  const den = BigInt(match[2] ?? 1);
  return den === 0n ? null : reduced(BigInt(match[1] ?? 0), den);
}

export function text({ num, den }: Fraction): string {
  return den === 1n ? String(num) : `${num}/${den}`;
}

export function add(one: Fraction, other: Fraction): Fraction {
  return reduced(one.num * other.den + other.num * one.den, one.den * other.den);
}

export function negative({ num, den }: Fraction): Fraction {
  return { num: -num, den };
}

/** So many times a fraction. */
export function times({ num, den }: Fraction, many: number): Fraction {
  return reduced(num * BigInt(many), den);
}

/** The nearest whole number; halves go away from zero. */
export function rounded({ num, den }: Fraction): number {
  const size = num < 0n ? -num : num;
  const whole = Number((2n * size + den) / (2n * den));
  return num < 0n && whole !== 0 ? -whole : whole;
}

function reduced(num: bigint, den: bigint): Fraction {
  let [a, b] = [num < 0n ? -num : num, den];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? ZERO : { num: num / a, den: den / a };
}
