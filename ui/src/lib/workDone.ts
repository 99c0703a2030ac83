// The work lists after an update that marks some of them done. The server's lists follow it, and
// until they are here the console must not offer to mark the same list again.

import type { Update, WorkListView } from "$wire";

/** `round` is the betting round as the update leaves it. Of a list that is done only what is held
 * is left. */
export function workDone(
  lists: readonly WorkListView[],
  update: Update,
  round: number,
): readonly WorkListView[] {
  const opened = update.events.some(({ event }) => event === "betting-opened");
  const ended = update.events.flatMap((event) => (event.event === "work-done" ? [event.list] : []));
  const isDone = (list: WorkListView) =>
    (opened && list.list >= round && list.of_the_dice) || ended.includes(list.list);
  if (!lists.some(isDone)) return lists;
  return lists
    .map((list) =>
      isDone(list)
        ? { ...list, done: true, items: list.items.filter(({ kind }) => kind === "hold") }
        : list,
    )
    .filter(({ done, items }) => !done || items.length > 0);
}
