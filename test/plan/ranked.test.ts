import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entering, leaving, type RankedStep, type Rule, transition } from "../../src/plan/ranked.ts";

/** Conditions as opaque bits: which of six classes of alerts a rule matches. */
interface Bits extends Rule {
  readonly bits: number;
}

const CLASSES = 6;
const rule = (bits: number, outcome: string): Bits => ({ bits, match: `m${bits}`, outcome });
const EVERYTHING = 2 ** CLASSES - 1;

function answer(rules: readonly Bits[], alert: number): string {
  return rules.find(({ bits }) => (bits & (1 << alert)) !== 0)?.outcome ?? "none";
}

/** Every list that the service holds while the requests run, the first and the last included. */
function states(
  live: readonly Bits[],
  declared: readonly Bits[],
  steps: readonly RankedStep[],
  holding = "hold",
): readonly (readonly Bits[])[] {
  const hold = rule(EVERYTHING, holding);
  let list: readonly { readonly rule: Bits; readonly from: number }[] = live.map((one, from) => ({ rule: one, from }));
  const all = [live];
  const put = (from: number, one: Bits | undefined) => {
    list = list.map((row) => (row.from === from && one !== undefined ? { rule: one, from } : row));
  };
  for (const step of steps) {
    const wanted = "declared" in step ? declared[step.declared] : undefined;
    if (step.does === "append") list = [...list, { rule: wanted ?? hold, from: -2 - step.declared }];
    if (step.does === "hold") list = [...list, { rule: hold, from: -1 }];
    if (step.does === "release") put(-1, wanted);
    if (step.does === "rewrite") put(step.live, wanted);
    if (step.does === "cover") put(step.live, hold);
    if (step.does === "outcome") {
      const before = live[step.live];
      put(step.live, before === undefined || wanted === undefined ? undefined : rule(before.bits, wanted.outcome));
    }
    if (step.does === "delete") list = list.filter((row) => row.from !== step.live);
    all.push(list.map((row) => row.rule));
  }
  return all;
}

const rules = fc
  .array(fc.tuple(fc.integer({ min: 0, max: EVERYTHING }), fc.constantFrom("page", "note", "drop")), { maxLength: 6 })
  .map((all) => all.map(([bits, outcome]) => rule(bits, outcome)));
/** A declared list near the live one, so that kept, edited, moved and new rules all occur. */
const near = rules.chain((live) =>
  fc
    .tuple(
      fc.shuffledSubarray(live.length === 0 ? [rule(1, "page")] : [...live]),
      rules,
      fc.constantFrom("page", "note", "drop"),
      fc.nat(6),
    )
    .map(([kept, more, outcome, at]) => {
      const mixed = [...kept.slice(0, at), ...more.slice(0, 2), ...kept.slice(at)].slice(0, 6);
      return { live, declared: mixed.map((one, index) => (index === at ? rule(one.bits, outcome) : one)) };
    }),
);

/** The live list with some of its rules changed where they stand. */
const edited = rules.chain((live) =>
  fc
    .tuple(
      ...live.map((one) => fc.option(fc.constantFrom(rule(one.bits, "page"), rule(one.bits, "drop"), rule(5, "note")))),
    )
    .map((edits) => ({ live, declared: live.map((one, index) => edits[index] ?? one) })),
);

describe("the transition of a first-match-wins list", () => {
  test("at every moment every alert gets its old or its new answer, and the declared list is reached", () => {
    fc.assert(
      fc.property(fc.oneof(near, edited, fc.record({ live: rules, declared: rules })), ({ live, declared }) => {
        const { steps, window } = transition(live, declared);
        const all = states(live, declared, steps);
        expect(window).toBe(0);
        expect(all.at(-1)?.map(({ bits, outcome }) => [bits, outcome])).toEqual(
          declared.map(({ bits, outcome }) => [bits, outcome]),
        );
        const alerts = Array.from({ length: CLASSES }, (_unused, alert) => alert);
        const third = all.flatMap((list) =>
          alerts.filter((alert) => {
            const given = answer(list, alert);
            return given !== answer(live, alert) && given !== answer(declared, alert);
          }),
        );
        expect(third).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test("equal lists need nothing", () => {
    fc.assert(
      fc.property(rules, (live) => {
        expect(transition(live, live).steps).toEqual([]);
      }),
    );
  });

  test("one changed rule is one request", () => {
    const live = [rule(1, "page"), rule(2, "note"), rule(4, "drop")];
    expect(transition(live, [rule(1, "page"), rule(8, "note"), rule(4, "drop")]).steps).toEqual([
      { does: "rewrite", live: 1, declared: 1 },
    ]);
    expect(transition(live, [rule(1, "page"), rule(2, "page"), rule(4, "drop")]).steps).toEqual([
      { does: "outcome", live: 1, declared: 1 },
    ]);
    expect(transition(live, live.slice(0, 2)).steps).toEqual([{ does: "delete", live: 2 }]);
    expect(transition(live, [...live, rule(8, "page")]).steps).toEqual([{ does: "append", declared: 3 }]);
  });

  test("a rule rewritten beneath changed outcomes is still rewritten in place, after them", () => {
    const live = [rule(1, "page"), rule(2, "note"), rule(4, "drop"), rule(8, "note")];
    expect(transition(live, [rule(1, "drop"), rule(2, "page"), rule(16, "drop"), rule(8, "note")]).steps).toEqual([
      { does: "outcome", live: 0, declared: 0 },
      { does: "outcome", live: 1, declared: 1 },
      { does: "rewrite", live: 2, declared: 2 },
    ]);
  });

  test("a rule rewritten above a changed outcome is never rewritten in place: an alert could get a third answer", () => {
    const live = [rule(1, "page"), rule(3, "note")];
    const { steps } = transition(live, [rule(2, "page"), rule(3, "drop")]);
    expect(steps.map(({ does }) => does)).not.toContain("rewrite");
  });

  test("doomed rules go from the bottom up", () => {
    const deletes = transition([rule(1, "a"), rule(2, "b"), rule(4, "c")], [rule(8, "d")]).steps.filter(
      ({ does }) => does === "delete",
    );
    expect(deletes).toEqual([
      { does: "delete", live: 2 },
      { does: "delete", live: 1 },
      { does: "delete", live: 0 },
    ]);
  });
});

describe("a scope that gets its first rules, or loses its last ones", () => {
  const fallback = [rule(3, "old"), rule(EVERYTHING, "rest")];

  test("with a holding rule every alert gets its old, its new or the holding answer, and the declared list is reached", () => {
    fc.assert(
      fc.property(
        rules.filter((all) => all.length > 0),
        (declared) => {
          const { steps, window } = entering(declared, (index) => declared[index]?.bits === EVERYTHING, true);
          const all = states([], declared, steps);
          expect(all.at(-1)?.map(({ bits }) => bits)).toEqual(declared.map(({ bits }) => bits));
          for (const list of all.slice(1)) {
            for (let alert = 0; alert < CLASSES; alert++) {
              const fair = [answer(fallback, alert), answer(declared, alert), ...(window > 0 ? ["hold"] : [])];
              expect(fair).toContain(answer(list, alert));
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test("one rule, or a first rule that matches everything, needs no window", () => {
    expect(entering([rule(1, "a")], () => false, true).window).toBe(0);
    expect(entering([rule(EVERYTHING, "a"), rule(1, "b")], (index) => index === 0, true).window).toBe(0);
    expect(leaving([rule(1, "a")], () => false, true).window).toBe(0);
  });

  test("without an outcome to hold on, the window is every request after the first", () => {
    expect(entering([rule(1, "a"), rule(2, "b"), rule(4, "c")], () => false, false)).toMatchObject({ window: 2 });
    expect(leaving([rule(1, "a"), rule(2, "b"), rule(4, "c")], () => false, false)).toMatchObject({ window: 2 });
  });
});
