import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PositionModel, resourcesToMove } from "../../../src/plan/order/reorder.ts";

/** The service's own rule, stated independently: take the entry out, clamp, put it in. */
function served(list: readonly string[], entry: string, position: number): readonly string[] {
  const rest = list.filter((other) => other !== entry);
  const at = Math.min(Math.max(position, 1), rest.length + 1) - 1;
  return [...rest.slice(0, at), entry, ...rest.slice(at)];
}

function relative(list: readonly string[], members: readonly string[]): readonly string[] {
  return list.filter((entry) => members.includes(entry));
}

/** The fewest single moves of managed entries that bring them in order, by trying every number of moves. */
function fewest(live: readonly string[], wanted: readonly string[]): number {
  let frontier = new Set([live.join()]);
  for (let moves = 0; ; moves++) {
    for (const text of frontier) if (relative(text.split(","), wanted).join() === wanted.join()) return moves;
    const next = new Set<string>();
    for (const text of frontier) {
      const list = text.split(",");
      for (const entry of wanted) for (let at = 1; at <= list.length; at++) next.add(served(list, entry, at).join());
    }
    frontier = next;
  }
}

function run(live: readonly string[], wanted: readonly string[], removed: readonly string[] = []) {
  const places = new PositionModel(live, wanted);
  const moving = resourcesToMove(live, wanted);
  let list: readonly string[] = live;
  let writes = 0;
  for (const entry of wanted) {
    if (live.includes(entry) && !moving.has(entry)) continue;
    list = served(list, entry, places.place(entry));
    writes += live.includes(entry) ? 1 : 0;
  }
  for (const entry of removed) {
    places.remove(entry);
    list = list.filter((other) => other !== entry);
  }
  return { list, writes, model: places.list };
}

const shuffled = (size: number) =>
  fc.shuffledSubarray([..."abcdefg"].slice(0, size), { minLength: size, maxLength: size });

describe("order by position", () => {
  test("the longest run in declared order stays: only one of four resources moves", () => {
    expect([...resourcesToMove(["a", "b", "c", "d"], ["d", "a", "b", "c"])]).toEqual(["d"]);
  });

  test("the moves reach the order and are as few as brute force finds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((size) => fc.tuple(shuffled(size), shuffled(size))),
        ([live, all]) => {
          const wanted = all.slice(0, Math.max(1, all.length - 1));
          const { list, writes } = run(live, wanted);
          expect(relative(list, wanted)).toEqual(wanted);
          expect(writes).toBe(fewest(live, wanted));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("mixed creates, moves and deletes of up to 200 resources reach the order, and unmanaged resources keep theirs", () => {
    const names = Array.from({ length: 200 }, (_unused, index) => `e${index}`);
    const lists = fc.tuple(
      fc.shuffledSubarray(names),
      fc.shuffledSubarray(names),
      fc.array(fc.nat(), { maxLength: 20 }),
    );
    fc.assert(
      fc.property(lists, ([live, wanted, doomed]) => {
        const unmanaged = live.filter((entry) => !wanted.includes(entry));
        const removed = [...new Set(doomed.map((at) => unmanaged[at % Math.max(1, unmanaged.length)] ?? ""))];
        const { list, model } = run(live, wanted, removed);
        expect(relative(list, wanted)).toEqual(wanted);
        expect(relative(list, unmanaged)).toEqual(unmanaged.filter((entry) => !removed.includes(entry)));
        expect(model).toEqual(list);
      }),
      { numRuns: 200 },
    );
  });

  test("the order is reached in any sequence of placements", () => {
    fc.assert(
      fc.property(shuffled(7), shuffled(7), shuffled(7), (live, wanted, turn) => {
        const places = new PositionModel(live.slice(0, 5), wanted);
        const moving = resourcesToMove(live.slice(0, 5), wanted);
        let list: readonly string[] = live.slice(0, 5);
        for (const entry of turn) {
          if (live.slice(0, 5).includes(entry) && !moving.has(entry)) continue;
          list = served(list, entry, places.place(entry));
        }
        expect(list).toEqual(wanted);
      }),
    );
  });
});
