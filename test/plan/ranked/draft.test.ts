import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { fingerprint } from "../../../src/plan/model/plan.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

const to = (channel_id: string): Fields => ({ action: "notify_only", notify: { type: "channel", channel_id } });
const when = (...services: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value: services });
const rule = (outcome: Fields, ...conditions: readonly Fields[]): Fields => ({ conditions, outcome, enabled: true });
const source = { name: "Datadog", endpoint_path: "dd" };
const sources = { alert_sources: [{ name: "Datadog" }] };

/** The requests with the outcomes in their bodies, and the window that the plan warns of. */
function change(document: Fields, given: PlanInput): readonly string[] {
  const { operations, warnings } = planned(document, given);
  return [
    ...operations.map(({ method, path, body }) => {
      const outcome = body === null ? "" : ` ${JSON.stringify(body.outcome)}`;
      return `${method} ${path.split("/").slice(3).join("/")}${outcome}`;
    }),
    ...warnings.map(({ code, message }) => `${code} ${/during \d+ writes/.exec(message)?.[0]}`),
  ];
}

describe("the first rules of a source", () => {
  const live = { alert_sources: [source], routing_rules: [rule(to("ALL"))], "routing_rules Datadog": [] };
  const rules = [rule(to("WEB"), when("web")), rule(to("REST"))];

  test("are written below a holding rule with the outcome of the declared catch-all rule", () => {
    const [hold, ...others] = change({ ...sources, routing_rules: { sources: { Datadog: rules } } }, { live });
    expect(hold).toBe(`POST routing_rules ${JSON.stringify(to("REST"))}`);
    expect(others.at(-1)).toMatch(/^W_ROUTING_WINDOW during \d writes$/);
    expect(others.at(-2)).toMatch(/^PATCH routing_rules\/.*"WEB"/);
  });

  test("are written below a holding rule with the outcome of the settings if none matches everything", () => {
    const wanted = [rule(to("WEB"), when("web")), rule(to("DB"), when("db"))];
    const settings = { holdingOutcome: to("DESK") };
    const [hold] = change({ ...sources, routing_rules: { sources: { Datadog: wanted } } }, { live, settings });
    expect(hold).toBe(`POST routing_rules ${JSON.stringify(to("DESK"))}`);
  });

  test("need no window if the source falls back to no rules", () => {
    const bare = { ...live, routing_rules: [] };
    expect(change({ ...sources, routing_rules: { sources: { Datadog: rules } } }, { live: bare })).toEqual([
      `POST routing_rules ${JSON.stringify(to("WEB"))}`,
      `POST routing_rules ${JSON.stringify(to("REST"))}`,
    ]);
  });
});

describe("a list of rules", () => {
  const live = { routing_rules: [rule(to("A"), when("a")), rule(to("B"), when("b")), rule(to("C"))] };
  const swapped = { routing_rules: { workspace: [rule(to("B"), when("b")), rule(to("A"), when("a")), rule(to("C"))] } };

  test("is summed up with its writes, temporary copies included", () => {
    expect(planned(swapped, { live }).transitions).toEqual([
      {
        address: "routing_rules/workspace",
        kind: "routing_rules",
        added: 0,
        edited: 0,
        moved: 1,
        removed: 0,
        writes: 3,
        window: 0,
        exposed: [],
        order: [
          { name: "routing_rules/workspace/1", before: 2, after: 1 },
          { name: "routing_rules/workspace/2", before: 1, after: 2 },
          { name: "routing_rules/workspace/3", before: 3, after: 3 },
        ],
      },
    ]);
  });

  test("changes as a whole or not at all if --target names one of its rules", () => {
    const only = (address: string) => address === "routing_rules/workspace/1";
    const reversed = { routing_rules: { workspace: [rule(to("X")), ...swapped.routing_rules.workspace.slice(0, 2)] } };
    const narrow = planned(reversed, { live, only });
    expect(narrow.operations).toEqual([]);
    expect(narrow.transitions).toBeUndefined();
    expect(narrow.warnings).toMatchObject([{ code: "W_TARGET", address: "routing_rules/workspace" }]);
    const whole = planned(reversed, { live, only: (address) => address.startsWith("routing_rules/workspace") });
    expect(whole.operations).toEqual(planned(reversed, { live }).operations);
  });

  test("says why a rule that keeps its position moves", () => {
    const turned = { routing_rules: { workspace: [...live.routing_rules].reverse() } };
    const reasons = planned(turned, { live }).changes.map(({ reason }) => reason);
    expect(reasons).toContain("stays at position 2 while the rules around it change places");
    expect(reasons).toContain("moves from position 3 to 1");
    expect(reasons.some((reason) => /from position (\d+) to \1$/.test(reason))).toBe(false);
  });

  test("expects in each row what earlier writes of the plan have left there", () => {
    const fallen = {
      alert_sources: [source],
      routing_rules: [rule(to("ALL"))],
      "routing_rules Datadog": live.routing_rules,
    };
    const { operations } = planned({ ...sources, routing_rules: { sources: { Datadog: [] } } }, { live: fallen });
    const [cover, ...deletes] = operations;
    expect(cover).toMatchObject({ method: "PATCH", body: { conditions: [], outcome: to("C") } });
    expect(deletes.at(-1)?.guard?.held?.outcome).toBe(fingerprint(to("C")));
  });
});

test("a resource of an ordered list that keeps its position while others change places shows no position", () => {
  const severities = ["a", "b", "c"].map((slug) => ({ slug, name: slug }));
  const rows = severities.map((one, at) => ({ ...one, id: one.slug, enabled: true, position: at + 1, rank: 3 - at }));
  const { changes } = planned({ severities: [...severities].reverse() }, { live: { severities: rows } });
  const positions = changes.flatMap(({ fields }) => fields.filter(({ path }) => path === "/position"));
  expect(positions.length).toBeGreaterThan(0);
  expect(positions.filter(({ before, after }) => before === after)).toEqual([]);
});
