/**
 * The reports below have no value of the environment, however short it is. Not covered, because short values still appear there: requests
 * in the JSON of a plan, which check a live rule with a former value, and in that of an undo, which restores attributes of an entry with the
 * secret ones beside them.
 */

import { join } from "node:path";
import { expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { doctor } from "../../src/app/doctor/doctor-command.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import { refs } from "../../src/app/files/refs-command.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { diff } from "../../src/app/plan/diff-command.ts";
import { impact } from "../../src/app/plan/impact-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { render } from "../../src/app/plan/render-command.ts";
import { show } from "../../src/app/plan/show-command.ts";
import { test as runTests } from "../../src/app/plan/test-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { rehearse } from "../../src/app/rehearse/rehearse-command.ts";
import { undo } from "../../src/app/undo/undo-command.ts";
import { type Command, type Ended, openWorld } from "../commands/world.ts";
import { VirtualClock } from "../service/virtual-clock.ts";

/** A value of each length, of letters that no output has. */
const CANARIES = ["Ж", "ЖЩЮ", "ЖЩЮЖЩЮЖЩЮЖЩЮ"];

/** The letter in every spelling of an output: as it is, escaped, in a URL, in HTML, as bytes of latin1. */
const SPELLINGS = /Ж|\\u0416|%D0%96|&#x0*416;|&#1046;|Ð/i;

const V = `\${env:CANARY}`;

const settings = (more = ""): string => `version: 1
base_url: http://localhost:4010
removal: { default: keep }
environments:
  staging: { vars: { word: "a" } }
  prod: { vars: { word: "${V}" } }
vars: { word: "${V}" }
${more}`;

/** A configuration with the value in each field that may have it. `index` makes other texts around it. */
const configuration = (index: number): string => `severities:
  - { slug: critical, name: "Critical ${index} ${V}", description: "${V}", default: true }
statuses:
  - { slug: waiting, name: "Waiting ${index} ${V}", description: "${V}", lifecycle_stage: active }
incident_types:
  - { slug: outage, name: "Outage ${index} ${V}", description: "${V}" }
incident_roles:
  - { slug: scribe, name: "Scribe ${index} ${V}", description: "${V}" }
custom_fields:
  - { slug: place, name: "Place ${index} ${V}", description: "\${var:word}", field_type: text }
forms:
  declare:
    - { system_field: name }
catalog_types:
  - slug: service
    entries:
      - { slug: billing, name: "Billing ${index}", attributes: { description: "${index} ${V}", tier: Critical, repository: "${V}", owner_team: payments } }
  - slug: team
    entries:
      - { slug: payments, name: "Payments ${V}", attributes: { description: "${V}", slack_channel: "C1${V}" } }
  - slug: vendor
    name: "Vendor ${V}"
    description: "${V}"
    attributes:
      - { name: page, attribute_type: text }
    entries:
      - { slug: bank, name: "Bank ${V}", attributes: { page: "${index}${V}" } }
runbooks:
  - slug: restart
    name: "Restart ${V}"
    summary: "${index} ${V}"
    content: "${V}"
agents:
  - { slug: scribe_agent, name: "Scribe ${V}", description: "${index} ${V}", grants: [] }
webhooks:
  - { name: pager, url: "https://pager.example.com/${index}/${V}" }
alert_sources:
  - { name: Datadog, provider: datadog }
routing_rules:
  workspace:
    - name: secret value
      conditions: [{ field: service, operator: is_one_of, value: ["${V}", "x${index}"] }]
      outcome: { action: notify_only, notify: { type: channel, channel_id: "C0${V}" } }
    - name: secret expression
      conditions: [{ field: title, operator: matches_regex, value: "^${V}" }]
      outcome: { action: drop }
    - name: secret attribute
      conditions: [{ field: service.repository, operator: contains, value: "x" }]
      outcome: { action: drop }
    - name: secret team
      conditions: [{ field: team, operator: contains, value: "x" }]
      outcome: { action: drop }
    - name: secret member
      conditions: [{ field: title, operator: is_one_of, value: ["${V}"] }]
      outcome: { action: notify_only, notify: { type: member, member_id: "U${V}" } }
    - name: rest
      outcome: { action: notify_only, notify: { type: owning_team, of: service } }
  sources:
    Datadog:
      - name: all
        outcome: { action: auto_create_incident, severity: critical, invite: [{ type: member, member_id: "${V}" }] }
`;

const TESTS = `routing_tests:
  - { name: one, fields: { service: "abc", title: hello }, expect: { rule: rest } }
  - { name: two, fields: { service: billing }, expect: { rule: secret value } }
  - { name: three, source: Datadog, fields: { service: billing }, expect: { rule: all } }
  - { name: four, fields: { team: x }, expect: { action: drop } }
`;

const paths: readonly string[] = [];
const READ = ["text", "markdown", "html"];
const PLANS = ["json", ...READ];

test.each(CANARIES)(
  "reports before and after an apply do not have the value %s",
  async (canary) => {
    const files = { "incidentctl.yaml": settings(), "a.yaml": configuration(1), "r.test.yaml": TESTS };
    const world = await openWorld(files, { requestsPerMinute: 1_000_000 });
    const leaks: string[] = [];
    const look = (title: string, ended: Ended): void => {
      for (const [where, text] of Object.entries({ stdout: ended.stdout, stderr: ended.stderr })) {
        const at = text.search(SPELLINGS);
        if (at >= 0) leaks.push(`${title} (${ended.exit}), ${where}: …${text.slice(Math.max(0, at - 60), at + 40)}`);
      }
    };
    const run = async <Options extends object>(
      title: string,
      command: Command<Options>,
      options: Options,
      formats: readonly string[] = [],
    ): Promise<void> => {
      for (const format of formats.length === 0 ? [undefined] : formats) {
        const all = { ...options, paths, verbose: true, ...(format === undefined ? {} : { format }) };
        const ended = await world.run<Options>(command, all);
        look(`${title} ${format ?? ""}`, ended);
      }
    };
    const everything = async (moment: string, formats = PLANS): Promise<void> => {
      await run(`${moment}: validate`, validate, { paths }, ["text", "json", "sarif", "junit"]);
      await run(`${moment}: plan`, plan, { paths, out: join(world.folder, "change.plan") }, formats);
      await run(`${moment}: show`, show, { planfile: join(world.folder, "change.plan") }, formats);
      await run(`${moment}: drift`, drift, { paths }, [...formats, "junit"]);
      for (const mode of ["offline", "live", "compare"]) {
        await run(`${moment}: test ${mode}`, runTests, { paths, [mode]: true }, ["text", "json", "junit"]);
      }
      await run(`${moment}: impact`, impact, { paths }, ["text", "json"]);
      await run(`${moment}: refs`, refs, { address: "catalog_types/team/entries/payments", paths }, ["text", "json"]);
      await run(`${moment}: render`, render, { paths }, ["yaml", "json"]);
      await run(`${moment}: rehearse`, rehearse, { paths, allowDelete: true }, ["text", "json", "html"]);
      await run(`${moment}: doctor`, doctor, { paths }, ["text", "json"]);
      await run(`${moment}: pull`, pull, { paths, dryRun: true }, ["text", "json"]);
      await run(`${moment}: diff`, diff, { paths, env: ["staging", "prod"] }, ["text", "json"]);
    };
    try {
      world.io.env.CANARY = canary;
      Object.assign(world.io, { clock: new VirtualClock() });
      await everything("new");
      const secretsOut = join(world.folder, "tokens.jsonl");
      const approved = { paths, yes: true, allowDelete: true, acceptRoutingWindow: true, secretsOut };
      await run("apply", apply, approved, ["text"]);
      if (canary === "Ж") await everything("applied");
      await world.write({ "a.yaml": configuration(2) });
      if (canary === "Ж") await everything("edited");
      // The live values are secret too.
      world.io.env.CANARY = `${canary}Ж`;
      await everything("changed value", READ);
      for (const [index, format] of ["json", "jsonl", "html", "markdown"].entries()) {
        await world.write({ "a.yaml": configuration(3 + index) });
        await run("apply", apply, approved, [format]);
      }
      await run("undo", undo, { paths, out: join(world.folder, "undo.plan") }, READ);
      await run("apply undo", apply, { ...approved, plan: join(world.folder, "undo.plan") }, ["text"]);
      expect(leaks).toEqual([]);
    } finally {
      await world.close();
    }
  },
  240_000,
);
