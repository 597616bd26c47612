/** A value from the environment where something else is meant: the finding says that it is wrong, and nothing else of it. */

import { expect, test } from "vitest";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { type Command, openTestWorld } from "../commands/world.ts";

/** Each place with a value that is valid there. */
const VALID = {
  OWNER: "payments",
  TIER: "Critical",
  BOOL: "true",
  FORM_SEVERITY: "critical",
  FORM_OPTION: "EU",
  RUNBOOK_SEVERITY: "critical",
  FIELD: "service",
  SEVERITY: "critical",
  CHANNEL: "C123",
  ABILITY: "severities.read",
  ENVIRONMENT: "prod",
  EXPIRY: '"2027-12-31T00:00:00Z"',
  PERMISSION: "read",
  EVENT: "incident.created",
  COLOR: '"#DC143C"',
};

const CONFIGURATION = `severities:
  - { slug: critical, name: Critical, default: true, color: <COLOR> }
catalog_types:
  - slug: team
    entries: [{ slug: payments, name: Payments }]
  - slug: service
    entries: [{ slug: billing, name: Billing, attributes: { owner_team: <OWNER>, tier: <TIER> } }]
  - slug: environment
    entries: [{ slug: prod, name: Prod, attributes: { is_production: <BOOL> } }]
custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }
  - { slug: service, name: Service, field_type: single_select, catalog_type: service }
forms:
  declare:
    - custom_field: region
      conditions: [{ condition_field: severity, operator: one_of, values: [<FORM_SEVERITY>] }]
    - custom_field: service
      conditions: [{ condition_field: custom_field, custom_field: region, operator: one_of, values: [<FORM_OPTION>] }]
runbooks:
  - slug: restart
    name: Restart
    conditions: [{ condition_field: severity, operator: one_of, values: [<RUNBOOK_SEVERITY>] }]
routing_rules:
  workspace:
    - conditions: [{ field: <FIELD>, operator: is_one_of, value: [x] }]
      outcome: { action: auto_create_incident, severity: <SEVERITY> }
    - outcome: { action: notify_only, notify: { type: channel, channel_id: <CHANNEL> } }
agents:
  - { slug: scribe, name: Scribe, grants: [{ ability: <ABILITY>, environments: [<ENVIRONMENT>], expires_at: <EXPIRY> }] }
api_keys: [{ name: bot, permissions: { incidents: [<PERMISSION>] } }]
webhooks: [{ name: pager, url: "https://h.example.com/x", subscribed_events: [<EVENT>] }]
`;

const PLACES = [
  ...Object.keys(VALID).map((name) => [name, `"\${env:CANARY}"`] as const),
  ["OWNER", `"a \${var:word}"`] as const,
];

test.each(PLACES)("%s as %s", async (place, value) => {
  const text = Object.entries({ ...VALID, [place]: value }).reduce(
    (rest, [name, written]) => rest.replaceAll(`<${name}>`, () => written),
    CONFIGURATION,
  );
  const world = await openTestWorld({
    "incidentctl.yaml": `version: 1\nconfig: [a.yaml]\nremoval: { default: keep }\nvars: { word: "\${env:CANARY}" }\n`,
    "a.yaml": text,
  });
  const said = async (canary: string): Promise<string> => {
    world.io.env.CANARY = canary;
    let all = "";
    for (const [command, format] of [
      [validate, "text"],
      [validate, "json"],
      [plan, "text"],
    ] as const) {
      // Without the second net, which looks for the value in finished text.
      const unsearched: Command<object> = (options, io, console) =>
        (command as Command<object>)(options, io, { ...console, conceal: () => {} });
      const { exit, stdout, stderr } = await world.run(unsearched, {
        paths: [],
        verbose: command === validate,
        format,
      });
      all += `${exit}\n${stdout}\n${stderr}\n`;
    }
    return all;
  };
  const one = await said("Щ");
  expect(one).not.toMatch(/[ЩЖ]/);
  expect(await said("ЖЖЖ")).toBe(one);
});

test("no item of a list is compared with a value from the environment", async () => {
  const rule = (values: string) =>
    `    - { conditions: [{ field: service, operator: is_one_of, value: [${values}] }], outcome: { action: drop } }\n`;
  const world = await openTestWorld({ "a.yaml": `routing_rules:\n  workspace:\n${rule('"${env:CANARY}", guess')}` });
  const said = async (canary: string) => {
    world.io.env.CANARY = canary;
    return world.run(validate, { paths: [], format: "json" });
  };
  expect((await said("other")).exit).toBe(0);
  expect(await said("guess")).toEqual(await said("other"));
  await world.write({ "a.yaml": `routing_rules:\n  workspace:\n${rule('a, "${env:CANARY}", a')}` });
  expect((await said("a")).stdout).toContain("E_DUP");
  expect(await said("a")).toEqual(await said("other"));
});
