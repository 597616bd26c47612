/**
 * No report and no file that a command writes has a value of the environment, however short it is, nor a former one. And none depends on the
 * value: for two values of one variable, each is the same, byte for byte, with the digests of fields and the fingerprints of plans.
 */

import crypto, { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../src/app/apply/apply-definition.ts";
import { resume } from "../../src/app/apply/resume-command.ts";
import { doctor } from "../../src/app/doctor/doctor-command.ts";
import { accept } from "../../src/app/drift/accept-command.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import { explain } from "../../src/app/files/explain-command.ts";
import { fmt } from "../../src/app/files/fmt-command.ts";
import { refs } from "../../src/app/files/refs-command.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { get } from "../../src/app/get/get-command.ts";
import { diff } from "../../src/app/plan/diff-command.ts";
import { impact } from "../../src/app/plan/impact-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { render } from "../../src/app/plan/render-command.ts";
import { show } from "../../src/app/plan/show-command.ts";
import { test as runTests } from "../../src/app/plan/test-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { rehearse } from "../../src/app/rehearse/rehearse-command.ts";
import { rotate } from "../../src/app/rotate/rotate-command.ts";
import { undo } from "../../src/app/undo/undo-command.ts";
import { DEFINITIONS } from "../app/cli/definitions.ts";
import { type Command, type Ended, lostWrite, openWorld } from "../commands/world.ts";
import { VirtualClock } from "../service/virtual-clock.ts";
import { isLarger } from "../support/samples/sample-size.ts";

/** What the service draws at random is the same in each world. */
const random = { ...crypto };
beforeEach(() => {
  let drawn = 0;
  const next = () => {
    drawn += 1;
    return createHash("sha512").update(String(drawn)).digest();
  };
  const randomUUID = () =>
    next()
      .toString("hex")
      .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
  Object.assign(crypto, { randomUUID, randomBytes: (size: number) => next().subarray(0, size) });
  syncBuiltinESMExports();
});
afterEach(() => {
  Object.assign(crypto, { randomUUID: random.randomUUID, randomBytes: random.randomBytes });
  syncBuiltinESMExports();
});

/** Values and former values, of letters that no output has. Those of one group may be told from those of another: a name takes no line break. */
const CANARIES: readonly (readonly [group: string, value: string, next: string])[] = [
  ["words", "Ж", "Щ"],
  ["words", "Щ", "Ю"],
  ["words", "ЖЩЖЩЖЩЖЩЖЩЖЩ", "Ю"],
  ...(isLarger
    ? ([
        ["long words", "Ж".repeat(300), "Ю"],
        ["long words", "Щ".repeat(400), "ЮЩ"],
        ["marks", `Ж'"<b>&amp;</b>`, `Щ'"`],
        ["marks", `"Щ`, "<Ю>"],
        ["lines", "Ж\nЩ", "Щ\nЮ"],
        ["lines", "ЩЩЩЩЩЩЩЩЩЩ\nЩ", "Ю\nЖЖ"],
      ] as const)
    : []),
  // Texts that the files, the workspace and the program have, too: the second net must not tell that one of them is the value.
  ...["Щ", "critical", "Datadog", "e", "1", "true", "routing_rules", "http://localhost:4010", "x1", "hello"].map(
    (word) => ["stated", word, "ЮЮЮЮЮЮЮЮ"] as const,
  ),
];

/** 10 KB out of a value, for the fields that take as much. */
const longOf = (value: string): string => value.repeat(Math.ceil(10_000 / value.length));

/** The letters in every spelling of an output: as they are, escaped, in a URL, in HTML, as bytes of latin1. */
const SPELLINGS = /[ЖЩЮ]|\\u04(16|29|2e)|%D0%(96|A9|AE)|&#x0*4(16|29|2e);|&#10(46|65|70);|Ð[\u0096©®]/i;

const V = `\${env:CANARY}`;
const L = `\${env:LONG}`;

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
      - { slug: shop, name: "${V}", attributes: { repository: x, tier: Critical } }
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
    content: "${index} ${L}"
agents:
  - { slug: scribe_agent, name: "Scribe ${V}", description: "${index} ${V}", grants: [] }
webhooks:
  - { name: pager, url: "https://pager.example.com/${index}/${V}" }
alert_sources:
  - { name: Datadog, provider: datadog }
routing_rules:
  workspace:
    - name: secret value
      conditions: [{ field: service, operator: is_one_of, value: ["${V}", "x${index}", hello, "${L}"] }]
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
    - name: attribute of a secret name
      conditions: [{ field: service.tier, operator: is_one_of, value: [Critical] }]
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
  - { name: five, fields: { service: hello }, expect: { action: drop } }
`;

const ALERTS = `{ "service": "x1", "title": "hello" }
{ "service": "critical", "title": "e" }
{ "service.repository": "x", "title": "1 true" }
{ "source": "Datadog", "service": "billing" }
`;

/** Digests over the whole live state, which has former values that no file names any more, and over what has those digests. */
const OF_FORMER_STATE = /("(?:live|hash)": ?)"[0-9a-f]{64}"|^[0-9a-f]{8} /gm;

const paths: readonly string[] = [];
const READ = ["text", "markdown", "html"];
const PLANS = ["json", ...READ];

/** Commands that are not tried here, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  lsp: "test/app/lsp/environment-values.long.test.ts",
  ci: "it runs those that are tried here, as processes of their own",
  "ci review": "likewise",
  "ci apply": "likewise",
  "ci drift": "likewise",
  "ci pull": "likewise",
  "ci notify": "likewise",
  init: "it reads no configuration",
  schema: "it reads no configuration",
  emulator: "it reads no configuration",
  "emulator export": "it reads no configuration",
  conformance: "it reads no configuration",
  completion: "it reads no configuration",
  version: "it reads no configuration",
};

/** The commands that are tried, by their names. */
const tried = new Set<string>();

/** What each world has said and written, by title; by the group of its value. */
const worlds = new Map<string, readonly (readonly (readonly [title: string, text: string])[])[]>();

test.each(CANARIES)(
  "no report and no file of a run has the value %# (%s), although no output is searched for it",
  async (group, canary, changed) => {
    const files = {
      "incidentctl.yaml": settings(),
      "a.yaml": configuration(1),
      "r.test.yaml": TESTS,
      "alerts.jsonl": ALERTS,
    };
    const world = await openWorld(files, { requestsPerMinute: 1_000_000, now: () => new Date("2026-11-21T08:00:00Z") });
    const said: (readonly [title: string, text: string])[] = [];
    const note = (title: string, text: string) =>
      said.push([title, text.replaceAll(world.folder, "FOLDER").replaceAll(OF_FORMER_STATE, "$1")]);
    const run = async <Options extends object>(
      title: string,
      command: Command<Options>,
      options: Options,
      [format, ...others]: readonly string[] = [],
    ): Promise<Ended> => {
      const reports = others.map((name) => [name, join(world.folder, `report.${name}`)] as const);
      const all = {
        ...{ paths, verbose: true, parallelism: 1, ...options },
        ...(format === undefined ? {} : { format }),
        ...(reports.length === 0 ? {} : { report: reports.map(([name, path]) => ({ format: name, path })) }),
      };
      for (const [, path] of reports) rmSync(path, { force: true });
      if (title !== "stop") tried.add(command.name === accept.name ? "drift accept" : command.name);
      // The second net, which looks for the value in finished text, is off.
      const unsearched: Command<Options> = (given, io, console) =>
        command(given, io, { ...console, conceal: () => {} });
      const ended = await world.run<Options>(group === "stated" ? command : unsearched, all);
      note(`${title}: standard output (${ended.exit})`, ended.stdout);
      note(`${title}: standard error`, ended.stderr);
      for (const [name, path] of reports) note(`${title}: ${name}`, existsSync(path) ? readFileSync(path, "utf8") : "");
      return ended;
    };
    const everything = async (moment: string): Promise<void> => {
      const planfile = join(world.folder, "change.plan");
      await run(`${moment}: validate`, validate, { paths }, ["text", "json", "sarif", "junit"]);
      await run(`${moment}: plan`, plan, { paths, out: planfile }, PLANS);
      await run(`${moment}: show`, show, { planfile }, PLANS);
      await run(`${moment}: plan with alerts`, plan, { paths, alerts: join(world.folder, "alerts.jsonl") }, PLANS);
      await run(`${moment}: drift`, drift, { paths }, [...PLANS, "junit"]);
      for (const mode of ["offline", "live", "compare"]) {
        await run(`${moment}: test ${mode}`, runTests, { paths, [mode]: true }, ["text", "json", "junit"]);
      }
      await run(`${moment}: impact`, impact, { paths }, ["json"]);
      await run(`${moment}: refs`, refs, { address: "catalog_types/team/entries/payments", paths }, ["json"]);
      await run(`${moment}: render`, render, { paths }, ["json"]);
      await run(`${moment}: rehearse`, rehearse, { paths, allowDelete: true }, ["json", "text", "html", "markdown"]);
      for (const format of ["yaml", "json", "name"] as const) await run(`${moment}: get ${format}`, get, {}, [format]);
      for (const origin of ["catalog_types/service/entries/billing", "webhooks/pager", "routing_rules/workspace/1"]) {
        for (const format of ["text", "json"])
          await run(`${moment}: explain ${origin} as ${format}`, explain, { subjects: [], origin }, [format]);
      }
      await run(`${moment}: fmt`, fmt, { paths, check: true });
      await run(`${moment}: doctor`, doctor, { paths }, ["json"]);
      await run(`${moment}: pull`, pull, { paths, dryRun: true }, ["json"]);
      await run(`${moment}: diff`, diff, { paths, env: ["staging", "prod"] }, ["json"]);
    };
    try {
      Object.assign(world.io, { clock: new VirtualClock() });
      const setTo = (value: string) => Object.assign(world.io.env, { CANARY: value, LONG: longOf(value) });
      setTo(canary);
      const approved = { paths, yes: true, allowDelete: true, acceptRoutingWindow: true };
      const secretsOut = join(world.folder, "tokens.jsonl");
      await everything("new");
      await run("apply", apply, { ...approved, secretsOut }, ["text", "html", "markdown"]);
      await world.write({ "a.yaml": configuration(2) });
      await everything("edited");
      // The live values are secret too.
      setTo(changed);
      await everything("changed value");
      const terms = { until: "2026-12-31", because: "for the audit" };
      for (const address of ["catalog_types", "webhooks/pager", "routing_rules/workspace", "severities"]) {
        await run(`accept ${address}`, accept, { paths, address, ...terms });
      }
      await world.write({ "incidentctl.accepted.json": '{ "version": 2, "accepted": [] }\n' });
      await run("apply a changed value", apply, approved, ["json", "html", "markdown"]);
      await world.write({ "a.yaml": configuration(3) });
      const rotation = { resources: ["agents/scribe_agent"], yes: true, allowDelete: true, secretsOut };
      await run("rotate", rotate, rotation, PLANS);
      await run("undo", undo, { paths, out: join(world.folder, "undo.plan") }, PLANS);
      const undone = { ...approved, plan: join(world.folder, "undo.plan") };
      await run("apply undo", apply, undone, ["jsonl"]);
      const lost = lostWrite(world, 4, true);
      const stop: Command<ApplyFlags> = (options, io, console) => apply(options, { ...io, ...lost }, console);
      await run("stop", stop, approved);
      await run("resume", resume, approved, ["jsonl"]);
      await run("apply the rest", apply, approved, ["jsonl"]);
      await world.write({ "a.yaml": "routing_rules: { workspace: [] }\nwebhooks: []\n" });
      await run("remove", plan, { paths, out: join(world.folder, "removal.plan") }, PLANS);
      await run("accept a removal", accept, { paths, address: "routing_rules/workspace", ...terms });
      await run("apply a removal", apply, approved, ["json"]);
      for (const name of readdirSync(world.folder, { recursive: true, encoding: "utf8" }).sort()) {
        // Reports are noted with their runs.
        const isOutput = !name.startsWith("report.") && /\.(plan|journal|unfinished|lock|json|jsonl)$/.test(name);
        if (isOutput) note(name, readFileSync(join(world.folder, name), "utf8"));
      }
      const leaks = said.flatMap(([title, text]) => {
        const at = group === "stated" ? -1 : text.search(SPELLINGS);
        return at < 0 ? [] : [`${title}: …${text.slice(Math.max(0, at - 60), at + 40)}`];
      });
      expect(leaks).toEqual([]);
      worlds.set(group, [...(worlds.get(group) ?? []), said]);
    } finally {
      await world.close();
    }
  },
  240_000,
);

/** What stands where two texts differ first; nothing if they are the same. */
function around(text: string, other = ""): readonly string[] {
  if (text === other) return [];
  const at = Array.from(text, (_, index) => index).findIndex((index) => text[index] !== other[index]);
  return [text, other].map((one) => one.slice(Math.max(0, at - 200), at + 200));
}

test("none depends on the value", () => {
  for (const [group, [first = [], ...others]] of worlds) {
    for (const other of others) {
      expect(other.map(([title]) => title)).toEqual(first.map(([title]) => title));
      for (const [at, [title, text]] of other.entries()) {
        // What the service decides about a rule with another value is another request.
        if (group === "stated" && /: test (live|compare): /.test(title)) continue;
        expect([title, ...around(text, first[at]?.[1])]).toEqual([title]);
      }
    }
  }
  expect([...worlds.values()].flat()).toHaveLength(CANARIES.length);
});

test("every command is tried, or says nothing of a configuration", () => {
  expect([...tried, ...Object.keys(ELSEWHERE)].sort()).toEqual([...DEFINITIONS.keys()].sort());
});
