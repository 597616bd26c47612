/** Typing errors in routing rules, as somebody meets them who has begun with `init`. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { validate } from "../../../src/app/files/validate-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import { openWorld, type World } from "../world.ts";

const paths: readonly string[] = [];
const SETTINGS = "version: 1\nbase_url: http://localhost:4010\n";
const BEGINNING = `alert_sources:
  - { name: Datadog, provider: datadog }
  - { name: Grafana, provider: grafana }
catalog_entries:
  team: [{ slug: payments, name: Payments }]
routing_rules:
  workspace:
    - { name: all, outcome: { action: notify_only, notify: { type: channel, channel_id: C1 } } }
`;

const withRule = (rule: string): string => `${BEGINNING}  sources:\n    Grafana:\n      - ${rule}\n`;
const reading = (condition: string): string =>
  withRule(`{ name: r, conditions: [{ ${condition} }], outcome: { action: drop } }`);

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": SETTINGS, "a.yaml": BEGINNING });
  expect((await world.run(apply, { paths, yes: true })).exit).toBe(0);
});
afterEach(() => world.close());

const MISTAKES: readonly (readonly [mistake: string, file: string, finding: string, severity: "error" | "warning"])[] =
  [
    [
      "a field",
      reading("field: sevrity_raw, operator: is_empty"),
      'alerts are not known to have the field "sevrity_raw"; the nearest is "severity_raw"',
      "warning",
    ],
    [
      "an attribute",
      reading("field: service.teir, operator: is_empty"),
      'the catalog type service has no attribute "teir"; the nearest is "tier"',
      "error",
    ],
    [
      "an entry",
      reading("field: team, operator: is_one_of, value: [paymnts]"),
      'the catalog type team has no entry "paymnts"; the nearest is "payments"',
      "warning",
    ],
    [
      "an owner",
      withRule("{ name: r, outcome: { action: notify_only, notify: { type: owning_team, of: servce } } }"),
      'no team owns "servce": there is no catalog type "servce"; the nearest is "service"',
      "error",
    ],
    [
      "a channel",
      withRule('{ name: r, outcome: { action: notify_only, notify: { type: channel, channel_id: "#alerts" } } }'),
      '"#alerts" is the name of a channel, not its id',
      "warning",
    ],
  ];

test.each(MISTAKES)("%s that nothing has is found offline and in a plan", async (_mistake, file, finding, severity) => {
  await world.write({ "a.yaml": file });
  const validated = await world.run(validate, { paths });
  expect(validated.exit).toBe(severity === "error" ? 7 : 0);
  expect(validated.stderr).toContain(`a.yaml:11:`);
  expect(validated.stderr).toMatch(new RegExp(`${severity}\\[A01[678]\\]: ${finding}`));
  const planned = await world.run(plan, { paths });
  expect(planned.exit).toBe(severity === "error" ? 1 : 0);
  expect(planned.stdout + planned.stderr).toContain(finding);
});

const TEIR = reading("field: service.teir, operator: is_empty");

/** Writes the rule live, so that a plan finds nothing to do. */
async function applyByHand(): Promise<void> {
  const body = { conditions: [{ field: "service.teir", operator: "is_empty" }], outcome: { action: "drop" } };
  await world.send("POST", "/api/v1/routing_rules?source=Grafana", body);
  await world.write({ "a.yaml": TEIR });
}

test("an attribute that only the workspace has is an error offline, which a waiver accepts, and none in a plan", async () => {
  const service = "{ slug: service, attributes: [{ name: Teir, attribute_type: text }] }";
  await world.write({ "a.yaml": `${BEGINNING}catalog_types: [${service}]\n` });
  expect((await world.run(apply, { paths, yes: true })).exit).toBe(0);
  const waiver = "# incidentctl: allow A016 until 2026-12-31 because only the workspace has it\n      - ";
  await world.write({ "a.yaml": TEIR.replace("- { name: r", `${waiver}{ name: r`) });
  expect((await world.run(validate, { paths, failOn: "warning" })).stderr).not.toContain("A016");
  await world.write({ "a.yaml": TEIR });
  expect((await world.run(validate, { paths })).exit).toBe(7);
  const planned = await world.run(plan, { paths });
  expect(planned).toMatchObject({ exit: 0 });
  expect(planned.stdout).not.toContain("A016");
});

test("a live rule with an attribute that is not there is a warning of a plan that leaves it as it is", async () => {
  await applyByHand();
  const planned = await world.run(plan, { paths });
  expect(planned.exit).toBe(0);
  expect(planned.stdout).toContain('the catalog type service has no attribute "teir"; the nearest is "tier" [A016]');
  expect(planned.stdout).toContain("No changes.");
});

test("a token that may not read the catalog plans with what the files know", async () => {
  await world.write({ "incidentctl.yaml": SETTINGS, "a.yaml": TEIR.replace(/catalog_entries:\n.*\n/, "") });
  const { fetch } = world.io;
  const io = {
    ...world.io,
    fetch: async (input: string, init: Parameters<typeof fetch>[1]) =>
      input.includes("/catalog/types")
        ? Response.json({ error: { type: "forbidden", message: "No.", request_id: "r" } }, { status: 403 })
        : fetch(input, init),
  };
  const planned = await world.run<PlanFlags>((options, _io, console) => plan(options, io, console), { paths });
  expect(planned.exit).toBe(0);
  expect(planned.stdout).toContain("[A016]");
});

test("a field of a routing test is known", async () => {
  await world.write({
    "a.yaml": reading("field: sevrity_raw, operator: is_empty"),
    "a.test.yaml":
      "routing_tests:\n  - { name: t, source: Grafana, fields: { sevrity_raw: a }, expect: { matched: false } }\n",
  });
  for (const { exit, stdout, stderr } of [await world.run(validate, { paths }), await world.run(plan, { paths })]) {
    expect(exit).toBe(0);
    expect(stdout + stderr).not.toContain("A016");
  }
});

test("values of the environment are not compared, whatever they are", async () => {
  const value = "${env:CANARY}";
  await world.write({
    "a.yaml": `${reading(`field: team, operator: is_one_of, value: ["${value}"]`)}      - { name: s, conditions: [{ field: "${value}", operator: is_empty }], outcome: { action: notify_only, notify: { type: channel, channel_id: "${value}" } } }
      - { name: t, outcome: { action: notify_only, notify: { type: owning_team, of: "${value}" } } }
`,
  });
  const outputs = new Set<string>();
  for (const canary of ["payments", "paymnts", "#alerts", "servce", "service.teir"]) {
    world.io.env.CANARY = canary;
    const ran = [await world.run(validate, { paths }), await world.run(plan, { paths })];
    outputs.add(JSON.stringify(ran));
    expect(JSON.stringify(ran)).not.toMatch(/A01[678]/);
  }
  expect(outputs.size).toBe(1);
});
