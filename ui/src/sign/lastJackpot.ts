// The last jackpot that a sign saw paid at its table: kept in this browser, so that a sign that is
// started again still shows it.

const address = (table: string) => `boxman.jackpot.${table}`;

/** In cents; nothing where none is known. */
export function lastJackpot(table: string): number | null {
  try {
    const cents = Number(localStorage.getItem(address(table)));
    return Number.isSafeInteger(cents) && cents > 0 ? cents : null;
  } catch {
    return null;
  }
}

export function keepJackpot(table: string, cents: number): void {
  try {
    localStorage.setItem(address(table), String(cents));
  } catch {
    // A browser that keeps nothing forgets this with the page.
  }
}
