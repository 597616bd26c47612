import { describe, expect, test } from "vitest";
import { findings, loaded } from "../loading.ts";

const CONFIG = `severities:
  - { slug: critical, name: Critical }
routing_rules:
  sources:
    Datadog: []
`;

const refusals = (ignore: string, config = CONFIG) =>
  findings({ "a.yaml": config, "incidentctl.yaml": `ignore: [${ignore}]\n` });
const messages = async (ignore: string, config = CONFIG) =>
  (await refusals(ignore, config)).map(({ code, message, help }) => `${code} ${message}. ${help ?? ""}`);

describe("a pattern of ignore", () => {
  test.each([
    "webhooks/legacy *",
    "webhooks/#alerts",
    "severities/critical#/color",
    "severities/*#/enabled",
    "catalog_types/service/entries/*",
    "catalog_types/service/entries/*#/attributes/owner_team",
    "catalog_types/*#/description",
    "routing_rules/workspace/*",
    "routing_rules/*",
    "forms/declare/summary#/required",
    "agents/bot/grants/*",
  ])("may be %s", async (pattern) => {
    const { exemptions } = await loaded({
      "a.yaml": "severities: []\n",
      "incidentctl.yaml": `ignore: ["${pattern}"]\n`,
    });
    expect(exemptions).toBeDefined();
  });

  test.each([
    ["names no kind", '"severity/critical"', 'E_ADDRESS there is no kind "severity". Did you mean "severities"?'],
    ["has a wildcard for the kind", '"*/other"', /^E_ADDRESS there is no kind "\*"\. The kinds are: severities, /],
    ["has no name", "severities", /^E_ADDRESS /],
    [
      "is a single rule",
      '"routing_rules/Zabbix/1"',
      /^E_IGNORE a single routing rule cannot be ignored.*Write routing_rules\/Zabbix\/\* /,
    ],
    ["is some rules of a list", '"routing_rules/Zabbix/1*"', /^E_IGNORE .*Write routing_rules\/Zabbix\/\* /],
    ["is a field of rules", '"routing_rules/Zabbix/*#/outcome"', /^E_IGNORE .*Write routing_rules\/Zabbix\/\* /],
    [
      "names an unknown field",
      '"severities/*#/colour"',
      'E_FIELD a severity has no field "colour". Did you mean "color"?',
    ],
    [
      "has no slash before the field",
      '"severities/*#color"',
      'E_ADDRESS "severities/*#color" has no slash between # and the field. Write severities/*#/color.',
    ],
    ["names the identity", '"severities/critical#/slug"', /^E_IGNORE the slug of a severity cannot be ignored/],
    ["names a lifecycle key", '"severities/*#/protected"', /^E_FIELD /],
    [
      "names a part of a field",
      '"runbooks/*#/steps/0"',
      /^E_IGNORE a part of the steps of a runbook cannot be ignored, only all of it\. Write runbooks\/\*#\/steps\./,
    ],
    ["is no text", "1", /^E_TYPE /],
  ])("is refused that %s", async (_what, pattern, expected) => {
    const [first = ""] = await messages(pattern);
    expect(first).toMatch(expected);
  });

  test("is refused twice", async () => {
    expect(await messages('"webhooks/a", "webhooks/a"')).toEqual([expect.stringMatching(/^E_DUP /)]);
  });
});

describe("what is declared", () => {
  test("is refused if the settings ignore it, at its place, and both places are named", async () => {
    const [found] = await refusals('"webhooks/*", "severities/crit*"');
    expect(found).toMatchObject({
      code: "E_IGNORE",
      message: "severities/critical is declared, but the settings ignore it",
      at: { file: "a.yaml", line: 2 },
      related: [{ message: "severities/crit* is ignored here", at: { file: "incidentctl.yaml", line: 1 } }],
      help: "Remove it from the files, or its pattern from ignore in incidentctl.yaml.",
    });
  });

  test("is refused as a list of rules, also as an empty one", async () => {
    expect(await messages('"routing_rules/Datadog/*"')).toEqual([
      expect.stringMatching(/^E_IGNORE routing_rules\/Datadog is declared, but the settings ignore it/),
    ]);
  });

  test("may reference an ignored resource, which only the workspace has", async () => {
    const config = `severities: [{ slug: critical, name: Critical }]
alert_sources: []
routing_rules:
  sources:
    Datadog: [{ outcome: { action: auto_create_incident, severity: legacy } }]
`;
    expect(await messages('"severities/legacy", "alert_sources/Datadog"', config)).toEqual([]);
    expect((await messages('"severities/other"', config)).length).toBeGreaterThan(0);
  });

  test("is refused in the environment whose overlay adds it", async () => {
    const files = {
      "a.yaml": "severities: [{ slug: critical, name: Critical }]\n",
      "over.yaml": "severities: [{ slug: local, name: Local }]\n",
      "incidentctl.yaml":
        "config: [a.yaml]\nignore: [severities/local]\nenvironments: { staging: { overlays: [over.yaml] } }\n",
    };
    expect(await findings(files)).toEqual([]);
    expect(await findings(files, { environment: "staging" })).toMatchObject([
      { code: "E_IGNORE", at: { file: "over.yaml", line: 1 } },
    ]);
  });
});
