// The dice as they are keyed: two faces, each shown before anything is confirmed.

/** What has been keyed so far. */
export type Keyed = readonly [first: number | null, second: number | null];

export const NOTHING: Keyed = [null, null];

/** A digit from the keyboard: first die, second die, then from the beginning again. */
export function digit(keyed: Keyed, face: number): Keyed {
  const [first, second] = keyed;
  if (first === null) return [face, second];
  return second === null ? [first, face] : [face, null];
}

/** One die of the pad. */
export function choose(keyed: Keyed, die: 0 | 1, face: number): Keyed {
  return die === 0 ? [face, keyed[1]] : [keyed[0], face];
}

/** `3-4` once both are there. */
export function dice(keyed: Keyed): string | null {
  const [first, second] = keyed;
  return first === null || second === null ? null : `${first}-${second}`;
}

/** Whether a pressed key is meant for the table's dice: the keyboard is on the panel of the dice, on
 * a work list that is being ticked off, or on nothing at all. `page` is the document. */
export function isForDice(
  target: EventTarget | null,
  panel: Pick<Node, "contains"> | undefined,
  page: Pick<Document, "body" | "documentElement" | "querySelector">,
): boolean {
  if (page.querySelector("dialog[open]")) return false;
  if (target === page.body || target === page.documentElement) return true;
  const on = target as Partial<Element> | null;
  if (on?.closest?.("[data-list]")) return true;
  return panel?.contains(target as Node | null) ?? false;
}
