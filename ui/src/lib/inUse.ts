// When a person last touched this browser, for all its tabs: a console that is left alone in one
// tab is not idle while its person works in another.

const KEPT = "boxman.inUse";
const PROOF = "boxman.proof";
/** How often the time is written at most, in milliseconds. */
const STEP = 500;

/** How long a person has been using this browser without a pause. */
export interface Use {
  person: string;
  /** When it began, in milliseconds since 1970: 0 if it began with their password. */
  since: number;
  /** The last touch. */
  at: number;
}

/** The use after one more touch. A pause of `pause` milliseconds ends it, and another begins. */
export function touched(use: Use | null, person: string, now: number, pause: number): Use {
  const goesOn = use?.person === person && now - use.at < pause;
  return { person, since: goesOn ? use.since : now, at: now };
}

/** The last touch by this person, as a tab knows it that knew of one at `last`. A pause that the
 * tab did not see, as while it slept, is a pause all the same. */
export function lastTouch(last: number, use: Use | null, person: string, pause: number): number {
  if (use?.person !== person || use.at <= last) return last;
  return use.since - last < pause ? use.at : last;
}

/** Who used this browser last, as any of its tabs has written it. */
export function read(): Use | null {
  try {
    const { person, since, at } = JSON.parse(localStorage.getItem(KEPT) ?? "") as Use;
    return typeof person === "string" && Number.isFinite(since + at) ? { person, since, at } : null;
  } catch {
    return null;
  }
}

function write(key: string, what: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(what));
  } catch {
    // If a browser keeps nothing, each of its tabs counts alone.
  }
}

/** A person touched this tab. */
export function touch(person: string, pause: number): void {
  const now = Date.now();
  const use = read();
  if (use?.person === person && now >= use.at && now - use.at < STEP) return;
  write(KEPT, touched(use, person, now, pause));
}

/** A person gave their password in this tab. */
export function prove(person: string): void {
  const at = Date.now();
  write(KEPT, { person, since: 0, at });
  write(PROOF, { person, at });
}

/** Calls back when a person gave their password in another tab. */
export function onProof(heard: (person: string) => void): () => void {
  const changed = ({ key, newValue }: StorageEvent) => {
    if (key === PROOF && newValue !== null) heard((JSON.parse(newValue) as Use).person);
  };
  addEventListener("storage", changed);
  return () => removeEventListener("storage", changed);
}

/** What counts as a touch. */
const INPUT = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/** Calls back with every touch of this tab. */
export function onTouch(heard: () => void): () => void {
  for (const input of INPUT) addEventListener(input, heard, { passive: true });
  return () => {
    for (const input of INPUT) removeEventListener(input, heard);
  };
}
