import { expect, test } from "vitest";
import type { RulebookView } from "$wire";
import {
  edgesAddress,
  groups,
  keyOf,
  pickedTables,
  practiceOptions,
  practiceTable,
  rulesOf,
  usualPick,
} from "./choice.ts";

const rulebook = {
  name: "nevada",
  default_paytables: ["BC-3"],
  paytables: [
    { name: "BC-3", wagers: ["all-small", "all-tall"], progressive: false },
    { name: "FUP-1", wagers: ["fired-up"], progressive: true },
    { name: "FUP-2", wagers: ["fired-up"], progressive: true },
  ],
} as unknown as RulebookView;
const [bonus, fired] = groups(rulebook) as [
  ReturnType<typeof groups>[0],
  ReturnType<typeof groups>[0],
];

test("paytables of the same wagers are one choice", () => {
  expect(bonus).toMatchObject({ paytables: ["BC-3"], usual: "BC-3" });
  expect(fired).toMatchObject({ paytables: ["FUP-1", "FUP-2"], usual: null });
});

test("everything of the first side bets is picked to start with", () => {
  expect(Object.values(usualPick([rulebook]))).toEqual(["BC-3", "FUP-1"]);
  expect(usualPick([])).toEqual({});
});

test("rules name what is picked", () => {
  const all = [bonus, fired];
  expect(rulesOf("base", all, {})).toEqual(["base"]);
  expect(rulesOf("base", all, { [keyOf(bonus)]: "BC-3", [keyOf(fired)]: "FUP-2" })).toEqual([
    "base",
    "nevada:BC-3,FUP-2",
  ]);
});

test("what is picked is found again, and its edges with the options of its meter", () => {
  const named = (picked: Record<string, string>) =>
    pickedTables([rulebook], [bonus, fired], picked).map((table) => table.name);
  expect(named({})).toEqual([]);
  expect(named({ [keyOf(bonus)]: "BC-3", [keyOf(fired)]: "FUP-2" })).toEqual(["BC-3", "FUP-2"]);
  expect(edgesAddress(["a"], {})).toBe("/api/edges?rules=a");
  expect(edgesAddress(["a", "b:C"], { "fired-up.meter.seed": "500", x: "15%" })).toBe(
    "/api/edges?rules=a+b%3AC&options=fired-up.meter.seed%3D500+x%3D15%25",
  );
});

test("a practice table has place bets that may be called on, where its base game knows that", () => {
  const base = {
    name: "base",
    base: true,
    paytables: [],
    default_paytables: [],
    options: [["place-may-be-called-on", "off"]],
  } as unknown as RulebookView;
  expect(practiceOptions({ ...base, options: [] })).toEqual({});
  expect(practiceOptions(undefined)).toEqual({});
  const metered = {
    ...rulebook,
    paytables: rulebook.paytables.map((paytable) => ({
      ...paytable,
      suggested: paytable.progressive ? { "fired-up.meter.seed": "1000" } : {},
    })),
  } as unknown as RulebookView;
  expect(practiceTable([metered, base])).toMatchObject({
    rules: ["base", "nevada:BC-3,FUP-1"],
    options: { "place-may-be-called-on": "on", "fired-up.meter.seed": "1000" },
    dice: "house",
    practice: true,
  });
});
