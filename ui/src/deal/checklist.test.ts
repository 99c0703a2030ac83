import type { CheckView } from "$wire";
import { expect, test } from "vitest";
import { clock } from "../history/inWords.ts";
import { checkedBy, missing } from "./checklist.ts";

const open = (item: CheckView["item"]): CheckView => ({ item, by: null, name: null, at: null });

test("what nobody has checked is missing", () => {
  const done: CheckView = { item: "dice", by: "p-2", name: "Dee", at: 1_000 };
  expect(missing({ checklist: [done, open("surveillance"), open("form")] })).toEqual([
    "surveillance",
    "form",
  ]);
  expect(missing({ checklist: [done] })).toEqual([]);
});

test("a check says who and when", () => {
  expect(checkedBy({ item: "dice", by: "p-2", name: "Dee", at: 1_000 })).toBe(
    `Dee, ${clock(1_000)}`,
  );
  expect(checkedBy({ item: "dice", by: "p-2", name: null, at: 1_000 })).toContain(
    "one of the crew",
  );
});
