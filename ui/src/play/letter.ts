// Charts are drawn in pixels and follow the size of the page's letters.

import type { Attachment } from "svelte/attachments";

/** Tells how large a letter is, and tells it again when the window changes. */
export function measured(tell: (size: number) => void): Attachment<HTMLElement> {
  return () => {
    const look = () => tell(parseFloat(getComputedStyle(document.documentElement).fontSize));
    look();
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  };
}
