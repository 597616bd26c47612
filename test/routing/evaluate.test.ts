import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Fields, Json } from "../../src/core/json.ts";
import { readRouting } from "../../src/refresh/routing-rules.ts";
import { verdict } from "../../src/routing/condition.ts";
import { type CatalogEntry, contextOf } from "../../src/routing/context.ts";
import { evaluate } from "../../src/routing/evaluate.ts";
import { type RuleSets, ruleOf, rulesInForce } from "../../src/routing/rules.ts";
import { servedEvaluation } from "../../src/routing-tests/service-evaluation.ts";
import { configured } from "../support/configured.ts";
import { serviceFor } from "../support/service.ts";

describe("an operator", () => {
  test.each<readonly [operator: string, value: Json, actual: string | undefined, matched: boolean]>([
    ["is_one_of", ["a", "b"], "b", true],
    ["is_one_of", ["a", "b"], "B", false],
    ["is_one_of", [1, true], "1", true],
    ["is_one_of", ["a"], undefined, false],
    ["contains", "time", "a timeout", true],
    ["contains", "Time", "a timeout", false],
    ["contains", "time", undefined, false],
    ["starts_with", "Disk", "Disk full", true],
    ["starts_with", "full", "Disk full", false],
    ["matches_regex", "lag \\d", "the lag 4", true],
    ["matches_regex", ".*", undefined, false],
    ["is_empty", null, undefined, true],
    ["is_empty", null, "", true],
    ["is_empty", null, " \t\n", true],
    ["is_empty", null, "-", false],
  ])("%s %j of %j is %s", (operator, value, actual, matched) => {
    expect(verdict({ operator, value }, actual)).toEqual({ matched });
  });

  test("that is not known is never guessed at", () => {
    expect(verdict({ operator: "ends_with", value: "a" }, "a").matched).toBeUndefined();
  });
});

describe("a list of rules", () => {
  const drop = { action: "drop" };
  const when = (operator: string, value: Json): Fields => ({ field: "service", operator, value });
  const context = contextOf({ service: "web" }, []);

  test("is decided by the first rule that matches; disabled rules are skipped", () => {
    const rules = [
      ruleOf({ conditions: [when("is_one_of", ["db"])], outcome: drop }),
      ruleOf({ enabled: false, outcome: drop }),
      ruleOf({ conditions: [when("is_one_of", ["web"])], outcome: drop }, { label: "web" }),
      ruleOf({ outcome: drop }),
    ];
    const { rule, trace } = evaluate(rules, context);
    expect(rule?.label).toBe("web");
    expect(trace().map(({ skipped, matched }) => [skipped, matched])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test("is undecided behind a rule that may match, but not where another of its conditions fails", () => {
    const odd = when("matches_regex", "(?>w)eb");
    const rules = (conditions: readonly Fields[]) => [
      ruleOf({ conditions, outcome: drop }),
      ruleOf({ outcome: drop }, { label: "rest" }),
    ];
    expect(evaluate(rules([odd]), context)).toMatchObject({ rule: undefined, undecided: true });
    expect(evaluate(rules([odd, when("contains", "x")]), context)).toMatchObject({ rule: { label: "rest" } });
  });

  test("of a source without rules of its own is the workspace's", () => {
    const sets: RuleSets = {
      workspace: [ruleOf({ outcome: drop })],
      sources: new Map([
        ["Datadog", [ruleOf({ outcome: drop }), ruleOf({ outcome: drop })]],
        ["Grafana", []],
      ]),
    };
    expect(rulesInForce(sets, "Datadog")).toMatchObject({ scope: "Datadog", rules: { length: 2 } });
    for (const source of [undefined, "Grafana", "Nagios"]) {
      expect(rulesInForce(sets, source)).toMatchObject({ scope: "", rules: { length: 1 } });
    }
  });
});

test("the catalog adds the team of the service and plain attributes, and what the alert says wins", () => {
  const catalog: readonly CatalogEntry[] = [
    {
      type: "service",
      slug: "ledger_core",
      name: "Ledger core",
      externalId: "svc-1",
      attributes: { tier: "Critical" },
      references: [{ type: "team", slug: "ledger" }],
    },
    { type: "team", slug: "ledger", name: "Ledger", attributes: { channel: "C1" }, references: [] },
  ];
  const texts = (fields: Record<string, string>) =>
    Object.fromEntries([...contextOf(fields, catalog)].map(([name, { text }]) => [name, text]));
  const learned = { team: "Ledger", "service.tier": "Critical", "team.channel": "C1" };
  for (const service of ["ledger_core", "LEDGER CORE", "svc-1"])
    expect(texts({ service })).toEqual({ service, ...learned });
  expect(texts({ service: "ledger_core", team: "web", "service.tier": "Low" })).toEqual({
    service: "ledger_core",
    team: "web",
    "service.tier": "Low",
  });
  expect(texts({ service: "unknown" })).toEqual({ service: "unknown" });
});

/** The judge: the embedded service, which states the same rules a second time. */
describe("our evaluation and the service's", () => {
  const service = serviceFor();
  afterAll(() => service.emulator.close());

  const FIELDS = ["service", "team", "environment", "title", "severity_raw", "service.tier", "team.description"];
  const TEXTS = [
    "web",
    "Web",
    "ledger_core",
    "Ledger core",
    "Critical",
    "P1",
    "",
    " ",
    "a\nb",
    "1",
    "disk 90%",
    "Ledger",
  ];
  const operand = fc.constantFrom(...TEXTS.filter((text) => text !== ""));
  const condition = fc
    .tuple(
      fc.constantFrom(...FIELDS),
      fc.oneof(
        fc.record({
          operator: fc.constant("is_one_of"),
          value: fc.uniqueArray(operand, { minLength: 1, maxLength: 4 }),
        }),
        fc.record({ operator: fc.constantFrom("contains", "starts_with"), value: operand }),
        fc.record({
          operator: fc.constant("matches_regex"),
          value: fc.constantFrom(
            "^b$",
            "\\Aw",
            "(?i)WEB",
            "\\d+%",
            "[[:upper:]]\\d",
            "a.b",
            "(?m)a.b",
            "e[bd]|core\\z",
          ),
        }),
        fc.record({ operator: fc.constant("is_empty") }),
      ),
    )
    .map(([field, rest]): Fields => ({ field, ...rest }));
  const rules = fc.array(
    fc.record({
      conditions: fc.array(condition, { maxLength: 3 }),
      enabled: fc.boolean(),
      outcome: fc.constantFrom<Fields>({ action: "drop" }, { action: "auto_create_incident" }),
    }),
    { maxLength: 4 },
  );
  const alert = fc.dictionary(fc.constantFrom(...FIELDS), fc.constantFrom(...TEXTS), { maxKeys: 5 });

  test("agree on random rules and alerts, rule for rule and condition for condition", async () => {
    const catalog: Fields = {
      catalog_types: [
        { slug: "team", entries: [{ slug: "ledger", name: "Ledger", attributes: { description: "Every cent." } }] },
        {
          slug: "service",
          entries: [
            { slug: "ledger_core", name: "Ledger core", attributes: { owner_team: "ledger", tier: "Critical" } },
            { slug: "web", name: "Web", attributes: { tier: "Standard" } },
          ],
        },
        { slug: "environment", entries: [{ slug: "p1", name: "P1", attributes: { is_production: true } }] },
      ],
      alert_sources: [{ name: "Datadog" }],
    };
    await service.converge(catalog);
    await fc.assert(
      fc.asyncProperty(
        rules,
        rules,
        fc.array(alert, { minLength: 3, maxLength: 6 }),
        async (workspace, own, alerts) => {
          const document = { routing_rules: { workspace, sources: { Datadog: own } } };
          await service.converge(document);
          const live = await readRouting(service.writer, configured(document), ["Datadog"], 4);
          for (const fields of alerts) {
            for (const source of [undefined, "Datadog"]) {
              const answer = await service
                .hand("POST", "/routing/evaluate", { fields, ...(source && { source }) })
                .catch(String);
              const { rules: inForce = [] } = rulesInForce(live.sets, source);
              if (typeof answer === "string") {
                expect([answer, inForce]).toEqual([expect.stringContaining("422"), []]);
                continue;
              }
              const served = servedEvaluation(answer);
              const context = contextOf(fields, live.catalog);
              const ours = evaluate(inForce, context);
              expect(Object.fromEntries([...context].map(([name, { text }]) => [name, text]))).toEqual(
                Object.fromEntries(served?.context ?? []),
              );
              expect(ours.rule?.priority).toBe(served?.priority);
              expect(
                ours.trace().map(({ matched, conditions }) => [matched, conditions.map((one) => one.matched)]),
              ).toEqual(
                served?.trace.map(({ matched, conditions }) => [matched, conditions.map((one) => one.matched)]),
              );
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);
});
