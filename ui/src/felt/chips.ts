// Chips: what they are worth, their colours, and how an amount is stacked.

export interface Chip {
  /** Cents. */
  value: number;
  /** What is printed on it. */
  text: string;
  color: string;
  /** The blocks around its rim. */
  edge: string;
  ink: string;
}

/** The house's chips, the dearest first. Colours as in most houses; numerals for everybody. */
export const CHIPS: readonly Chip[] = [
  {
    value: 500_000,
    text: "5K",
    color: "var(--chip-brown)",
    edge: "var(--chip-brown-edge)",
    ink: "var(--chip-brown-ink)",
  },
  {
    value: 100_000,
    text: "1K",
    color: "var(--chip-yellow)",
    edge: "var(--chip-yellow-edge)",
    ink: "var(--chip-yellow-ink)",
  },
  {
    value: 50_000,
    text: "500",
    color: "var(--chip-purple)",
    edge: "var(--chip-purple-edge)",
    ink: "var(--white)",
  },
  {
    value: 10_000,
    text: "100",
    color: "var(--chip-black)",
    edge: "var(--chip-black-edge)",
    ink: "var(--white)",
  },
  {
    value: 2_500,
    text: "25",
    color: "var(--chip-green)",
    edge: "var(--chip-green-edge)",
    ink: "var(--white)",
  },
  {
    value: 500,
    text: "5",
    color: "var(--chip-red)",
    edge: "var(--chip-red-edge)",
    ink: "var(--white)",
  },
  {
    value: 100,
    text: "1",
    color: "var(--chip-white)",
    edge: "var(--chip-white-edge)",
    ink: "var(--chip-white-ink)",
  },
  {
    value: 1,
    text: "¢",
    color: "var(--chip-grey)",
    edge: "var(--chip-grey-edge)",
    ink: "var(--chip-grey-ink)",
  },
];

/** The chips a stack is made of, the dearest at the bottom, at most `most` of them. */
export function stack(cents: number, most: number): Chip[] {
  const chips: Chip[] = [];
  let left = cents;
  for (const chip of CHIPS) {
    while (left >= chip.value && chips.length < most) {
      chips.push(chip);
      left -= chip.value;
      if (chip.value === 1) left = 0;
    }
  }
  return chips;
}

/** The symbol a chip is drawn with. */
export const symbol = (chip: Chip) => `chip-${chip.value}`;

/** How large an amount is written on a chip, in radii: it may touch the rim, but is never too small
 * to read. The others' chips are smaller, and so their amounts take more of them. */
export function lettering(text: string, mine: boolean): number {
  const [short, three, long] = mine ? [0.92, 0.78, 0.76] : [1.2, 1.02, 0.86];
  if (text.length < 3) return short;
  if (text.length === 3) return three;
  return text.length < 6 ? long : long * 0.8;
}
