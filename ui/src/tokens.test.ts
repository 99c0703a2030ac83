// Colours are written in tokens.css and nowhere else, and everything there is used.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = "src";
const TOKENS = join(SOURCE, "tokens.css");

/** The names CSS knows colours by; what a colour is taken from elsewhere has none of its own. */
const NAMED = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet
  brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue
  darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange
  darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise
  darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen
  fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred
  indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen
  lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta
  maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
  mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin
  navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen
  paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red
  rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue
  slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white
  whitesmoke yellow yellowgreen`.split(/\s+/),
);

/** A colour in figures, where it stands for itself: in a style, an attribute or a string. */
const FIGURES = /(?<=[\s"'`(,:])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?![-\w])/gi;
const FUNCTIONS = /\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(/gi;
/** What a style or an attribute says of how something is painted. */
const PAINTED =
  /(?:^|[\s"'{;])(?:color|background|background-color|fill|stroke|stop-color|outline|border(?:-\w+)*|(?:box|text)-shadow|accent-color)(?::\s*|=["'])([^;"'}]*)/gim;

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.(svelte|ts|css)$/.test(path) && !path.endsWith(".test.ts") ? [path] : [];
  });
}

/** The colours a text writes out itself. */
function literals(text: string): string[] {
  // The charts of a report are drawn by the server; a selector finds them by its colours.
  const own = text.replace(/\[(?:fill|stroke)="#\w+"\]/g, "");
  const painted = [...own.matchAll(PAINTED)].flatMap(([, value = ""]) =>
    value.replace(/var\([^)]*\)/g, "").match(/[a-z]+/gi),
  );
  const named = painted.filter((word) => word !== null && NAMED.has(word.toLowerCase()));
  return [...(own.match(FIGURES) ?? []), ...(own.match(FUNCTIONS) ?? []), ...named].map(String);
}

const tokens = [...readFileSync(TOKENS, "utf8").matchAll(/^ {2}(--[\w-]+):/gm)].map(
  ([, name = ""]) => name,
);
const others = files(SOURCE).filter((path) => path !== TOKENS);

test.each([
  ["a { color: #fff; }", ["#fff"]],
  ["a { box-shadow: 0 0 2px rgb(0 0 0 / 5%); }", ["rgb("]],
  ["a { border: 1px solid Gold; color: var(--gold); white-space: nowrap }", ["Gold"]],
  ['<rect fill="#c8281f" stroke="red" class="gold" />', ["#c8281f", "red"]],
  ['const ink = "#ffffff";', ["#ffffff"]],
  ['{#each all as one}<b style:color="var(--red)">{one}</b>{/each} this.#add(1)', []],
  ['figure :global([fill="#1b7f5c"]) { fill: var(--chart); }', []],
  ["a { background: none; border-color: transparent; fill: currentcolor }", []],
])("%s", (text, found) => expect(literals(text)).toEqual(found));

test.each(others)("%s takes its colours from tokens.css", (path) => {
  expect(literals(readFileSync(path, "utf8"))).toEqual([]);
});

test("every token is used, and none twice", () => {
  const used = others.map((path) => readFileSync(path, "utf8")).join("\n");
  const idle = tokens.filter((name) => !new RegExp(`${name}(?![\\w-])`).test(used));
  expect(idle).toEqual([]);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test("no token is taken that there is not", () => {
  for (const path of others) {
    const text = readFileSync(path, "utf8");
    const taken = [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name);
    const own = (name: string) => text.includes(`${name}:`) || text.includes(`style:${name}`);
    expect(
      taken.filter((name) => !tokens.includes(name) && !own(name)),
      path,
    ).toEqual([]);
  }
});
