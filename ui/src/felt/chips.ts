// Chips: what they are worth, their colours, and how an amount is stacked.

export interface Chip {
  /** Cents. */
  value: number;
  /** What is printed on it. */
  text: string;
  color: string;
  spots: string;
  ink: string;
}

/** The house's chips, the dearest first. Colours as in most houses; numerals for everybody. */
export const CHIPS: readonly Chip[] = [
  { value: 500_000, text: "5K", color: "#7a4a21", spots: "#f4e6c8", ink: "#fff7e6" },
  { value: 100_000, text: "1K", color: "#e6b422", spots: "#5b3a00", ink: "#2b1c00" },
  { value: 50_000, text: "500", color: "#6b3fa0", spots: "#f2e9ff", ink: "#ffffff" },
  { value: 10_000, text: "100", color: "#1d1d22", spots: "#e8e8ee", ink: "#ffffff" },
  { value: 2_500, text: "25", color: "#177245", spots: "#eafff3", ink: "#ffffff" },
  { value: 500, text: "5", color: "#c62f2f", spots: "#fff1f0", ink: "#ffffff" },
  { value: 100, text: "1", color: "#f1efe8", spots: "#2f5fb3", ink: "#17233d" },
  { value: 1, text: "¢", color: "#7e8b97", spots: "#f2f6fa", ink: "#0d1419" },
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
