import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { evaluateCondition } from "../../../src/kinds/routing/condition.ts";
import { buildContext, type CatalogEntry, indexCatalog } from "../../../src/kinds/routing/context.ts";
import { evaluate } from "../../../src/kinds/routing/evaluate.ts";
import { effectiveRules, type RoutingRuleSets, toRoutingRule } from "../../../src/kinds/routing/rules.ts";
import { readRouting } from "../../../src/preview/routing-tests/rule-lists.ts";
import { readServiceEvaluation } from "../../../src/preview/routing-tests/service-evaluation.ts";
import { configured } from "../../support/plans/configuration.ts";
import { arbitraryAlert, arbitraryRules, routedCatalog } from "../../support/samples/arbitrary-routing.ts";
import { serviceFor } from "../../support/service/test-service.ts";

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
    expect(evaluateCondition({ operator, value }, actual)).toEqual({ matched });
  });

  test("that is unknown is undecided", () => {
    expect(evaluateCondition({ operator: "ends_with", value: "a" }, "a").matched).toBeUndefined();
  });
});

describe("an entry whose name comes from the environment", () => {
  const contextOf = (name: string, fields: Readonly<Record<string, string>>) => {
    const entry = {
      name,
      isNameSecret: true,
      attributes: { tier: "Critical" },
      references: [{ type: "team", slug: "sre" }],
    };
    const team: CatalogEntry = {
      type: "team",
      slug: "sre",
      name: "SRE",
      attributes: { channel: "C1" },
      references: [],
    };
    const other = { type: "service", slug: "mail", name: "Mail", attributes: { tier: "Internal" }, references: [] };
    return buildContext(fields, indexCatalog([{ ...entry, type: "service", slug: "billing" }, other, team]));
  };

  test.each(["guess", "mail", "Mail", "billing", "nothing"])("is found by no guess: %s", (service) => {
    expect(contextOf(service, { service })).toEqual(contextOf("something else", { service }));
    const isOnlyOne = service === "billing";
    expect(contextOf(service, { service }).get("service.tier")?.isSecret === true).toBe(!isOnlyOne);
    expect(contextOf(service, { service }).get("team")?.isSecret === true).toBe(!isOnlyOne);
    expect(contextOf(service, { service }).get("team.channel")?.isSecret === true).toBe(!isOnlyOne);
  });
});

describe("a list of rules", () => {
  const drop = { action: "drop" };
  const when = (operator: string, value: Json): Fields => ({ field: "service", operator, value });
  const context = buildContext({ service: "web" }, new Map());

  test("matches by the first rule that matches; disabled rules are skipped", () => {
    const rules = [
      toRoutingRule({ conditions: [when("is_one_of", ["db"])], outcome: drop }),
      toRoutingRule({ enabled: false, outcome: drop }),
      toRoutingRule({ conditions: [when("is_one_of", ["web"])], outcome: drop }, { label: "web" }),
      toRoutingRule({ outcome: drop }),
    ];
    const { rule, trace } = evaluate(rules, context);
    expect(rule?.label).toBe("web");
    expect(trace().map(({ skipped, matched }) => [skipped, matched])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test("is undecided after a rule that may match, unless another condition of that rule fails", () => {
    const odd = when("matches_regex", "(?>w)eb");
    const rules = (conditions: readonly Fields[]) => [
      toRoutingRule({ conditions, outcome: drop }),
      toRoutingRule({ outcome: drop }, { label: "rest" }),
    ];
    expect(evaluate(rules([odd]), context)).toMatchObject({ rule: undefined, isUndecided: true });
    expect(evaluate(rules([odd, when("contains", "x")]), context)).toMatchObject({ rule: { label: "rest" } });
  });

  test("of a source without its own rules is that of the workspace", () => {
    const sets: RoutingRuleSets = {
      workspace: [toRoutingRule({ outcome: drop })],
      sources: new Map([
        ["Datadog", [toRoutingRule({ outcome: drop }), toRoutingRule({ outcome: drop })]],
        ["Grafana", []],
      ]),
    };
    expect(effectiveRules(sets, "Datadog")).toMatchObject({ scope: "Datadog", rules: { length: 2 } });
    for (const source of [undefined, "Grafana", "Nagios"]) {
      expect(effectiveRules(sets, source)).toMatchObject({ scope: "", rules: { length: 1 } });
    }
  });
});

test("the catalog adds the team of the service and plain attributes, and fields of the alert take precedence", () => {
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
    Object.fromEntries([...buildContext(fields, indexCatalog(catalog))].map(([name, { text }]) => [name, text]));
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
describe("the offline evaluation and that of the service", () => {
  const service = serviceFor();
  afterAll(() => service.emulator.close());

  const rules = arbitraryRules({ action: "drop" }, { action: "auto_create_incident" });

  test("agree on random rules and alerts, rule by rule and condition by condition", async () => {
    await service.converge({ ...routedCatalog, alert_sources: [{ name: "Datadog" }] });
    await fc.assert(
      fc.asyncProperty(
        rules,
        rules,
        fc.array(arbitraryAlert, { minLength: 3, maxLength: 6 }),
        async (workspace, own, alerts) => {
          const document = { routing_rules: { workspace, sources: { Datadog: own } } };
          await service.converge(document);
          const live = await readRouting(service.writer, configured(document), ["Datadog"], 4);
          for (const fields of alerts) {
            for (const source of [undefined, "Datadog"]) {
              const answer = await service
                .hand("POST", "/routing/evaluate", { fields, ...(source && { source }) })
                .catch(String);
              const { rules: inForce = [] } = effectiveRules(live.sets, source);
              if (typeof answer === "string") {
                expect([answer, inForce]).toEqual([expect.stringContaining("422"), []]);
                continue;
              }
              const served = readServiceEvaluation(answer);
              const context = buildContext(fields, live.catalog);
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
