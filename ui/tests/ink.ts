// How well the words on a page can be read, measured on a picture of it: the colour of their ink
// against what lies under it, whatever was drawn between and above.

import type { Page } from "playwright-core";

/** A text of a page and what was measured. */
export interface Ink {
  text: string;
  /** What it stands in. */
  where: string;
  /** As drawn, in css pixels. */
  size: number;
  bold: boolean;
  /** Contrast, 1 to 21. */
  ratio: number;
}

interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Contrast that small and large letters need, by WCAG 2. */
export const needs = ({ size, bold }: Ink) => (size >= 24 || (bold && size >= 18.66) ? 3 : 4.5);

/** Colour in the letters, and none; lines around drawn letters stay as they are. */
const letters = (colour: string) =>
  `* { -webkit-text-fill-color: ${colour} !important; text-shadow: none !important }
   text, tspan { fill: ${colour} !important }`;

/**
 * The texts in sight within what a selector finds, with what was measured of each. Pictures are
 * read on a blank page.
 */
export async function inks(page: Page, within: string, blank: Page): Promise<Ink[]> {
  for (;;) {
    const texts = await page.evaluate(inSight, within);
    const shots = [];
    for (const style of ["", letters("#f0f"), letters("transparent")]) {
      await page.evaluate((style) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style);
        document.adoptedStyleSheets = [sheet];
      }, style);
      shots.push((await page.screenshot({ animations: "disabled" })).toString("base64"));
    }
    await page.evaluate(() => (document.adoptedStyleSheets = []));
    // A notice that went meanwhile is on one picture and not on the next.
    const after = await page.evaluate(inSight, within);
    if (JSON.stringify(after) !== JSON.stringify(texts)) continue;

    const ratios = await blank.evaluate(measure, { shots, boxes: texts.map(({ box }) => box) });
    return texts.flatMap((text, at) => {
      const ratio = ratios[at] ?? null;
      return ratio === null ? [] : [{ ...text, ratio }];
    });
  }
}

/** In the page: its texts, and where they are. */
function inSight(within: string): (Omit<Ink, "ratio"> & { box: Place })[] {
  const found = [];
  for (const root of document.querySelectorAll(within)) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = (node.textContent ?? "").trim().replace(/\s+/g, " ");
      const parent = node.parentElement!;
      if (!text || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        continue;
      // What is for the ear alone is not drawn.
      if (parent.closest(".hidden")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { x, y, width, height } = range.getBoundingClientRect();
      const style = getComputedStyle(parent);
      const drawn = parent.closest("text")?.getScreenCTM();
      found.push({
        text,
        where: parent.closest("[class]")?.getAttribute("class") ?? "",
        size: parseFloat(style.fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1),
        bold: Number(style.fontWeight) >= 700,
        box: { x, y, width, height },
      });
    }
  }
  return found;
}

/**
 * In a browser, which reads pictures: the contrast in each box, of the core of its letters as they
 * are shown, against the same pixels without letters. The letters are where a third picture has
 * them in a colour that nothing else has. Nothing of what lies under chips.
 */
async function measure(told: { shots: string[]; boxes: Place[] }): Promise<(number | null)[]> {
  const [shown, marked, bare] = await Promise.all(
    told.shots.map(async (shot) => {
      const bytes = Uint8Array.from(atob(shot), (letter) => letter.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext("2d", { willReadFrequently: true })!;
      context.drawImage(picture, 0, 0);
      return context;
    }),
  );
  const light = (data: Uint8ClampedArray, at: number) => {
    const part = (value: number) =>
      value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const [red, green, blue] = [0, 1, 2].map((one) => part(data[at + one]! / 255));
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  return told.boxes.map(({ x, y, width, height }) => {
    const [left, top] = [Math.floor(Math.max(x, 0)), Math.floor(Math.max(y, 0))];
    const right = Math.ceil(Math.min(x + width, shown!.canvas.width));
    const bottom = Math.ceil(Math.min(y + height, shown!.canvas.height));
    if (right <= left || bottom <= top) return null;
    const [ink, mark, ground] = [shown!, marked!, bare!].map(
      (context) => context.getImageData(left, top, right - left, bottom - top).data,
    );
    let most = 0;
    const covered = [];
    for (let at = 0; at < ink!.length; at += 4) {
      const off = [0, 1, 2].reduce(
        (sum, one) => sum + Math.abs(mark![at + one]! - ground![at + one]!),
        0,
      );
      covered.push({ at, off });
      most = Math.max(most, off);
    }
    if (most < 60) return null;
    const ratios = covered
      .filter(({ off }) => off > most * 0.85)
      .map(({ at }) => {
        const [one, other] = [light(ink!, at), light(ground!, at)];
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      })
      .sort((one, other) => one - other);
    return ratios[Math.floor(ratios.length / 2)] ?? null;
  });
}
