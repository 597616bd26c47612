import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/core/json.ts";
import { optionListSteps as stepsOf } from "../../../src/plan/diff/option-list.ts";

/** The steps for lists of at most a hundred options. */
const optionListSteps = (live: readonly string[], declared: readonly Json[]) => stepsOf(live, declared, 100);

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
        for (const { list } of optionListSteps(live, declared)) {
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
        for (const { list } of optionListSteps(live, declared)) now = serve(now, list);
        expect(now.map(({ label }) => label)).toEqual(declared);
        for (const { id, label } of now) {
          const former = before.find((option) => option.label === label);
          if (former === undefined) expect(before.map((option) => option.id)).not.toContain(id);
          else expect(id).toBe(former.id);
        }
      }),
    );
  });

  test("a removal that is refused leaves everything else as declared", () => {
    fc.assert(
      fc.property(labels, labels, (live, declared) => {
        const steps = optionListSteps(live, declared);
        const last = steps.at(-1);
        if (last?.action !== "remove" || live.every((label) => !declared.includes(label))) return;
        const left = steps.at(-2)?.list ?? live;
        expect(left.filter((label) => new Set<string>(declared).has(label))).toEqual(declared);
      }),
    );
    expect(
      optionListSteps(["eu", "LATAM", "US"], ["LATAM", "eu"]).map(({ action, list }) => [action, ...list]),
    ).toEqual([
      ["order", "LATAM", "eu", "US"],
      ["remove", "LATAM", "eu"],
    ]);
  });

  test("a declared rename is a request of its own, before additions and removals", () => {
    const steps = optionListSteps(["EU", "US", "MEA"], ["EU", { label: "North America", renamed_from: "US" }, "APAC"]);
    expect(steps.map(({ action, list }) => [action, ...list])).toEqual([
      ["rename", "EU", "North America", "MEA"],
      ["add", "EU", "North America", "APAC", "MEA"],
      ["remove", "EU", "North America", "APAC"],
    ]);
  });

  test("a rename that is done needs no request", () => {
    expect(optionListSteps(["EU", "North America"], ["EU", { label: "North America", renamed_from: "US" }])).toEqual(
      [],
    );
  });

  test("a former label that another option now has is not renamed", () => {
    const steps = optionListSteps(["EU", "US"], ["EU", { label: "Europe", renamed_from: "EU" }, "US"]);
    expect(steps.map(({ action, list, labels }) => [action, list, labels])).toEqual([
      ["add", ["EU", "Europe", "US"], ["Europe"]],
    ]);
  });

  test("a former label that is missing, or whose new label exists, is not renamed", () => {
    const renamed = { label: "Europe", renamed_from: "EU" };
    expect(optionListSteps(["US"], ["US", renamed]).map(({ action, list }) => [action, ...list])).toEqual([
      ["add", "US", "Europe"],
    ]);
    expect(optionListSteps(["EU", "Europe"], [renamed]).map(({ action, list }) => [action, ...list])).toEqual([
      ["remove", "Europe"],
    ]);
  });

  test("each rename is a request with both labels", () => {
    const declared = [
      { label: "Europe", renamed_from: "EU" },
      { label: "America", renamed_from: "US" },
    ];
    expect(optionListSteps(["EU", "US"], declared)).toEqual([
      { action: "rename", list: ["Europe", "US"], labels: ["EU", "Europe"] },
      { action: "rename", list: ["Europe", "America"], labels: ["US", "America"] },
    ]);
  });

  test("additions come before removals, and each request lists its labels", () => {
    expect(optionListSteps(["EU", "US", "MEA"], ["US", "APAC", "LATAM"])).toEqual([
      { action: "add", list: ["US", "APAC", "LATAM", "EU", "MEA"], labels: ["APAC", "LATAM"] },
      { action: "remove", list: ["US", "APAC", "LATAM"], labels: ["EU", "MEA"] },
    ]);
    expect(optionListSteps(["EU", "US"], ["US"])).toEqual([{ action: "remove", list: ["US"], labels: ["EU"] }]);
    expect(optionListSteps(["EU"], ["EU", "US"])).toEqual([{ action: "add", list: ["EU", "US"], labels: ["US"] }]);
    expect(optionListSteps(["EU"], ["EU"])).toEqual([]);
  });

  test("a new order is one request", () => {
    expect(optionListSteps(["EU", "US"], ["US", "EU"])).toEqual([{ action: "order", list: ["US", "EU"], labels: [] }]);
  });

  test("if the list would exceed a hundred options, removals come first, and it is never empty", () => {
    const live = Array.from({ length: 99 }, (_unused, index) => `old ${index}`);
    const declared = ["old 0", "new 1", "new 2"];
    expect(optionListSteps(live, declared).map(({ action }) => action)).toEqual(["remove", "add"]);
    const exactly = optionListSteps(live, declared.slice(0, 2));
    expect(exactly.map(({ action, list }) => [action, list.length])).toEqual([
      ["add", 100],
      ["remove", 2],
    ]);
  });

  test("if all of a hundred options are replaced, no list is longer, and none looks like a rename", () => {
    const live = Array.from({ length: 100 }, (_unused, index) => `old ${index}`);
    const declared = Array.from({ length: 100 }, (_unused, index) => `new ${index}`);
    const steps = optionListSteps(live, declared);
    expect(steps.map(({ action, list }) => [action, list.length])).toEqual([
      ["remove", 1],
      ["add", 100],
      ["remove", 99],
      ["add", 100],
    ]);
    let now: readonly string[] = live;
    for (const { list } of steps) {
      const [before, after] = [now, list];
      expect(before.every((label) => after.includes(label)) || after.every((label) => before.includes(label))).toBe(
        true,
      );
      now = list;
    }
    expect(now).toEqual(declared);
    expect(optionListSteps(live, ["new 1", "new 2"]).map(({ action }) => action)).toEqual(["remove", "add", "remove"]);
  });
});
