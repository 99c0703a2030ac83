import type { Happened, TableView, Update } from "$wire";
import { expect, test, vi } from "vitest";
import { ChipNews } from "./chipNews.svelte.ts";

const table = { id: "t", seq: 5, seats: [], hand: {}, config: {}, recent: [] };
const update = (seq: number, event: object): Update =>
  ({ seq, at: 0, seats: [], hand: null, events: [event as Happened] }) as unknown as Update;

test("chips that came after a change of rules are found again", async () => {
  const pages = [
    { table, updates: [update(4, { event: "configured", config: {} })] },
    { table, updates: [update(5, { event: "filled", amount: 50_000 })] },
  ];
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(pages.shift()))));
  const news = new ChipNews();
  await news.recover(table as unknown as TableView);
  expect(news.all.map(({ what }) => what)).toEqual(["Fill of $500"]);
});
