import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { choiceSteps } from "../../src/plan/choices.ts";

interface Option {
  readonly id: number;
  readonly label: string;
}

/** The dialect in which an unmatched sent label takes over an unmatched live option and keeps its id. */
function renaming(live: readonly Option[], sent: readonly string[]): readonly Option[] {
  const free = live.filter(({ label }) => !sent.includes(label));
  let next = Math.max(0, ...live.map(({ id }) => id)) + 1;
  return sent.map(
    (label) => live.find((option) => option.label === label) ?? { id: free.shift()?.id ?? next++, label },
  );
}

/** The dialect in which unmatched live options go and unmatched sent labels are new. */
function replacing(live: readonly Option[], sent: readonly string[]): readonly Option[] {
  let next = Math.max(0, ...live.map(({ id }) => id)) + 1;
  return sent.map((label) => live.find((option) => option.label === label) ?? { id: next++, label });
}

const labels = fc.uniqueArray(fc.constantFrom("EU", "US", "APAC", "LATAM", "MEA"), { minLength: 1 });

describe("options by label", () => {
  test("no list holds both an unmatched live label and an unmatched sent one", () => {
    fc.assert(
      fc.property(labels, labels, (live, declared) => {
        let now: readonly string[] = live;
        for (const { list } of choiceSteps(live, declared)) {
          const dropped = now.some((label) => !list.includes(label));
          const added = list.some((label) => !now.includes(label));
          expect(dropped && added).toBe(false);
          now = list;
        }
        expect(now).toEqual(declared);
      }),
    );
  });

  test.each([
    ["rename", renaming],
    ["replace", replacing],
  ] as const)("under %s no kept option changes its id", (_dialect, serve) => {
    fc.assert(
      fc.property(labels, labels, (live, declared) => {
        const before = live.map((label, id) => ({ id, label }));
        let now: readonly Option[] = before;
        for (const { list } of choiceSteps(live, declared)) now = serve(now, list);
        expect(now.map(({ label }) => label)).toEqual(declared);
        for (const { id, label } of now) {
          const former = before.find((option) => option.label === label);
          if (former === undefined) expect(before.map((option) => option.id)).not.toContain(id);
          else expect(id).toBe(former.id);
        }
      }),
    );
  });

  test("a declared rename is a request of its own, before additions and removals", () => {
    const steps = choiceSteps(["EU", "US", "MEA"], ["EU", { label: "North America", renamed_from: "US" }, "APAC"]);
    expect(steps.map(({ does, list }) => [does, ...list])).toEqual([
      ["rename", "EU", "North America", "MEA"],
      ["add", "EU", "North America", "APAC", "MEA"],
      ["remove", "EU", "North America", "APAC"],
    ]);
  });

  test("a rename that has been made already needs nothing", () => {
    expect(choiceSteps(["EU", "North America"], ["EU", { label: "North America", renamed_from: "US" }])).toEqual([]);
  });

  test("a new order is one request", () => {
    expect(choiceSteps(["EU", "US"], ["US", "EU"])).toEqual([{ does: "order", list: ["US", "EU"], labels: [] }]);
  });

  test("beyond a hundred options removals come first, and the list is never empty", () => {
    const live = Array.from({ length: 99 }, (_unused, index) => `old ${index}`);
    const declared = ["old 0", "new 1", "new 2"];
    expect(choiceSteps(live, declared).map(({ does }) => does)).toEqual(["remove", "add"]);
  });
});
