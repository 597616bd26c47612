import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PositionModel, resourcesToMove } from "../../../src/plan/order/reorder.ts";

/** The service's rule, stated independently: remove the resource, limit the position to the list, insert the resource. */
function placed(list: readonly string[], resource: string, position: number): readonly string[] {
  const rest = list.filter((other) => other !== resource);
  const at = Math.min(Math.max(position, 1), rest.length + 1) - 1;
  return [...rest.slice(0, at), resource, ...rest.slice(at)];
}

function relative(list: readonly string[], members: readonly string[]): readonly string[] {
  return list.filter((resource) => members.includes(resource));
}

/** The smallest number of moves that brings the declared resources in order, by brute force. */
function fewest(live: readonly string[], declared: readonly string[]): number {
  let frontier = new Set([live.join()]);
  for (let moves = 0; ; moves++) {
    for (const text of frontier) if (relative(text.split(","), declared).join() === declared.join()) return moves;
    const next = new Set<string>();
    for (const text of frontier) {
      const list = text.split(",");
      for (const resource of declared)
        for (let at = 1; at <= list.length; at++) next.add(placed(list, resource, at).join());
    }
    frontier = next;
  }
}

function run(live: readonly string[], declared: readonly string[], removed: readonly string[] = []) {
  const model = new PositionModel(live, declared);
  const moved = resourcesToMove(live, declared);
  let list: readonly string[] = live;
  let writes = 0;
  for (const resource of declared) {
    if (live.includes(resource) && !moved.has(resource)) continue;
    list = placed(list, resource, model.place(resource));
    writes += live.includes(resource) ? 1 : 0;
  }
  for (const resource of removed) {
    model.remove(resource);
    list = list.filter((other) => other !== resource);
  }
  return { list, writes, model: model.list };
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
          const declared = all.slice(0, Math.max(1, all.length - 1));
          const { list, writes } = run(live, declared);
          expect(relative(list, declared)).toEqual(declared);
          expect(writes).toBe(fewest(live, declared));
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
      fc.property(lists, ([live, declared, removable]) => {
        const unmanaged = live.filter((resource) => !declared.includes(resource));
        const removed = [...new Set(removable.map((at) => unmanaged[at % Math.max(1, unmanaged.length)] ?? ""))];
        const { list, model } = run(live, declared, removed);
        expect(relative(list, declared)).toEqual(declared);
        expect(relative(list, unmanaged)).toEqual(unmanaged.filter((resource) => !removed.includes(resource)));
        expect(model).toEqual(list);
      }),
      { numRuns: 200 },
    );
  });

  test("the order is reached in any sequence of placements", () => {
    fc.assert(
      fc.property(shuffled(7), shuffled(7), shuffled(7), (live, declared, turn) => {
        const model = new PositionModel(live.slice(0, 5), declared);
        const moved = resourcesToMove(live.slice(0, 5), declared);
        let list: readonly string[] = live.slice(0, 5);
        for (const resource of turn) {
          if (live.slice(0, 5).includes(resource) && !moved.has(resource)) continue;
          list = placed(list, resource, model.place(resource));
        }
        expect(list).toEqual(declared);
      }),
    );
  });
});
