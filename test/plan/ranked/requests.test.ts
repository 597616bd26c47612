/** What the steps of a rule list's transition come to as requests, above all what each expects to stand in its row. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { type Request, rankedRequests } from "../../../src/plan/ranked/requests.ts";
import { rule as ruleOf } from "../../../src/plan/ranked/rule.ts";
import type { RankedStep } from "../../../src/plan/ranked/rule-list.ts";
import { configured } from "../../support/configured.ts";
import { stateOf } from "../../support/planned.ts";

const when = (...value: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value });
const rule = (service: string, outcome: Fields = { action: "drop" }): Fields => ({
  conditions: [when(service)],
  outcome,
  enabled: true,
});

/** The requests of steps between two lists of the workspace; secrets by the place of the rule. */
function requestsOf(
  live: readonly Fields[],
  rules: readonly Fields[],
  steps: readonly RankedStep[],
  secrets: Readonly<Record<string, readonly string[]>> = {},
): readonly Request[] {
  const document = { severities: [{ slug: "new", name: "New" }], routing_rules: { workspace: rules } };
  const state = stateOf(document, { live: { severities: [], routing_rules: live } });
  const kind = state.kinds.get("routing_rules");
  if (kind === undefined) throw new Error("there are rules");
  const declared = configured(document)
    .declared.filter((entry) => entry.kind === kind)
    .map((entry) => ({ ...entry, secrets: secrets[entry.key] ?? [] }));
  const wanted = declared.map(({ fields }) => fields);
  const entries = state.live(kind.name) ?? [];
  const [before, after] = [entries.map(({ fields }) => fields), wanted].map((all) =>
    all.map((one) => ruleOf(kind, one)),
  );
  const around = { holding: { action: "notify_only" } };
  return rankedRequests(
    { state, kind, scope: "", live: entries, declared, wanted, before: before ?? [], after: after ?? [], around },
    steps,
  );
}

const write = (row: number, at: number, of: "live" | "declared" = "declared"): RankedStep => ({
  does: "write",
  row,
  text: { of, rule: at },
});
const append = (row: number, at: number): RankedStep => ({ does: "append", row, text: { of: "declared", rule: at } });
const remove = (row: number): RankedStep => ({ does: "delete", row });

const rows = (requests: readonly Request[]) => requests.map(({ request }) => request.guard?.row);

describe("the row that a request expects", () => {
  const declares = { action: "auto_create_incident", severity: "new" };

  test("is the live one at first, and then what this plan has written there", () => {
    const found = requestsOf(
      [rule("a")],
      [rule("b", { action: "drop", note: null }), rule("c")],
      [write(0, 0), write(0, 1), remove(0)],
    );
    expect(rows(found)).toEqual([
      { priority: 1, ...rule("a") },
      { priority: 1, ...rule("b", { action: "drop", note: null }) },
      { priority: 1, ...rule("c") },
    ]);
  });

  test("leaves out what is known only once a severity exists, in whatever it stands", () => {
    const found = requestsOf([rule("a")], [rule("b", declares), rule("c")], [write(0, 0), write(0, 1)]);
    expect(rows(found)[1]).toEqual({ priority: 1, conditions: [when("b")], enabled: true });
  });

  test("leaves out what is secret", () => {
    const secret = { "1": ["/conditions/0/value/0"] };
    const found = requestsOf([rule("a")], [rule("b"), rule("c")], [write(0, 0), write(0, 1)], secret);
    expect(rows(found)[1]).toEqual({ priority: 1, outcome: { action: "drop" }, enabled: true });
  });

  test("keeps the conditions where only the outcome is sent, and forgets the old outcome", () => {
    const found = requestsOf([rule("a")], [rule("a", declares), rule("c")], [write(0, 0), write(0, 1)]);
    expect(Object.keys(found[0]?.request.body ?? {})).toEqual(["outcome"]);
    expect(rows(found)[1]).toEqual({ priority: 1, conditions: [when("a")], enabled: true });
    expect(Object.keys(found[1]?.request.body ?? {}).sort()).toEqual(["conditions", "enabled", "outcome"]);
  });

  test("is none for a row that the plan makes, which is reached by what its creation answers", () => {
    const found = requestsOf([rule("a")], [rule("b"), rule("c")], [append(1, 0), write(1, 1), remove(1)]);
    expect(rows(found)).toEqual([undefined, undefined, undefined]);
    expect(found.map(({ request }) => request.unknown !== undefined)).toEqual([false, true, true]);
  });
});

describe("the address of a request", () => {
  test("is that of the rule that ends in the row, of the live one that goes, or a number of its own", () => {
    const found = requestsOf(
      [rule("a"), rule("b")],
      [rule("b"), rule("c"), rule("d")],
      [append(2, 2), append(3, 1), write(1, 1), write(0, 1, "live"), remove(3)],
    );
    expect(found.map(({ request }) => request.address)).toEqual([
      "routing_rules/workspace/3",
      "routing_rules/workspace/7",
      "routing_rules/workspace/2",
      "routing_rules/workspace/1",
      "routing_rules/workspace/7",
    ]);
    expect(found[3]?.request.body).toMatchObject({ conditions: [when("b")] });
  });
});

describe("why a request is made", () => {
  test("says whether the rule stays where it is written, and what holds meanwhile", () => {
    const holding = { of: "holding" } as const;
    const found = requestsOf(
      [rule("a")],
      [rule("b"), rule("c")],
      [
        { does: "append", row: 1, text: holding },
        { does: "write", row: 0, text: holding },
        write(0, 1),
        write(0, 0),
        write(1, 1),
        append(2, 0),
        append(3, 1),
        remove(2),
      ],
    );
    expect(found.map(({ request }) => request.why)).toEqual([
      "hold every alert on one outcome meanwhile",
      "hold every alert on one outcome meanwhile",
      "turn the holding rule into the first rule",
      "write the rule where it is to stand",
      "turn the holding rule into the first rule",
      "append a copy for the time being, to make room above it",
      "append the rule",
      "delete the rule",
    ]);
    expect(found[1]?.request.body).toEqual({ outcome: { action: "notify_only" }, conditions: [], enabled: true });
  });
});
