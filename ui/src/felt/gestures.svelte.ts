// What a mouse or a finger does with chips: a tap is a click, a finger that stays takes a chip
// back, and what is dragged goes to the spot where it is let go.

/** A finger that stays so many milliseconds takes. */
const LONG = 480;
/** A press that strays so many pixels is a drag. */
const FAR = 9;

/** What comes of the gestures on some things: spots of the felt, chips of the rack. */
export interface Meaning<T> {
  /** Whether this may be dragged, by a mouse, a pen or a finger. */
  mayDrag: (what: T, pointer: string) => boolean;
  /** It leaves its place. */
  onlift?: (what: T) => void;
  /** It is let go over a spot, or over none. */
  ondrop: (what: T, spot: string | null) => void;
  /** A finger has stayed on it. */
  onlong?: (what: T) => void;
}

export class Gestures<T> {
  /** What is being dragged, and where in the window. */
  drag = $state.raw<{ what: T; x: number; y: number } | null>(null);
  readonly #meaning: Meaning<T>;
  #press: { what: T; x: number; y: number; id: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #spent = false;

  constructor(meaning: Meaning<T>) {
    this.#meaning = meaning;
  }

  /** A button or a finger goes down on something. */
  down(event: PointerEvent, what: T): void {
    this.#spent = false;
    if (event.button !== 0) return;
    this.#press = { what, x: event.clientX, y: event.clientY, id: event.pointerId };
    clearTimeout(this.#timer);
    const { onlong } = this.#meaning;
    if (event.pointerType === "mouse" || !onlong) return;
    this.#timer = setTimeout(() => {
      if (!this.#press) return;
      this.cancel();
      this.#spent = true;
      onlong(what);
    }, LONG);
  }

  move = (event: PointerEvent): void => {
    const press = this.#press;
    if (!press || event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR;
    if (!far && !this.drag) return;
    clearTimeout(this.#timer);
    if (!this.#meaning.mayDrag(press.what, event.pointerType)) return this.cancel();
    if (!this.drag) this.#meaning.onlift?.(press.what);
    this.drag = { what: press.what, x: event.clientX, y: event.clientY };
  };

  up = (event: PointerEvent): void => {
    const { drag } = this;
    this.cancel();
    if (!drag) return;
    this.#spent = true;
    this.#meaning.ondrop(drag.what, spotAt(event.clientX, event.clientY));
  };

  cancel = (): void => {
    clearTimeout(this.#timer);
    this.#press = null;
    this.drag = null;
  };

  /** Whether a click or a context menu is only what is left of a drag or of a finger that stayed.
   * The click is the last that is heard of it. */
  isOver(event: MouseEvent): boolean {
    const spent = this.#spent;
    if (event.type === "click") this.#spent = false;
    return spent;
  }
}

/** The spot of the felt under a place in the window. */
function spotAt(x: number, y: number): string | null {
  const under = document.elementFromPoint(x, y)?.closest<SVGElement>("[data-spot]");
  return under?.dataset.spot ?? null;
}
