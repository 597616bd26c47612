import { afterEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { UndoOptions } from "../../../src/app/undo/undo-definition.ts";
import { isFields, isList, type Json } from "../../../src/core/json.ts";
import { openWorld, type World, type WorldIo } from "../../commands/world.ts";

const files = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
  "1.yaml": `severities:
  - { slug: critical, name: Critical }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }
  - { slug: tier, name: Tier, field_type: single_select, options: [One, Two] }
forms:
  declare:
    - { custom_field: region, visible: true, required: true, conditions: [{ condition_field: severity, operator: one_of, values: [critical, major, minor] }] }
webhooks:
  - { name: pager, url: "https://pager.example.com/x", subscribed_events: [incident.created, incident.updated] }
  - { name: board, url: "https://board.example.com/x", subscribed_events: [incident.created] }
  - { name: chat, url: "https://chat.example.com/x", subscribed_events: [incident.updated, incident.created], enabled: false }
api_keys:
  - { name: someone, permissions: { incidents: [read, create], webhooks: [read] } }
  - { name: deploy, permissions: { incidents: [read, create, update] } }
  - { name: reader, permissions: { incidents: [read] } }
agents:
  - { slug: triage_bot, name: Triage bot, grants: [{ ability: runbooks.update }, { ability: incidents.read }] }
  - { slug: other_bot, name: Other bot, grants: [{ ability: incidents.read }] }
alert_sources:
  - { name: Grafana, provider: grafana }
  - { name: Datadog, provider: datadog }
routing_rules:
  workspace:
    - { conditions: [{ field: severity_raw, operator: is_one_of, value: [P1] }], outcome: { action: auto_create_incident, severity: critical } }
    - { outcome: { action: drop } }
runbooks:
  - { slug: failover, name: Failover, aliases: [one, two, three], conditions: [{ condition_field: severity, operator: one_of, values: [critical, major] }] }
`,
};
const second = files["1.yaml"]
  .replace("name: Critical }", "name: Worst }")
  .replace("[one, two, three]", "[three, four, one]")
  .replace("https://pager", "https://other")
  .replace("[EU, US]", "[EU, US, APAC]")
  .replace("[critical, major, minor]", "[major, critical]")
  .replace("[read, create, update]", "[update, read]")
  .replace("  - { slug: other_bot, name: Other bot, grants: [{ ability: incidents.read }] }\n", "")
  .replace(
    "  - { name: board",
    "  - { name: more, url: 'https://more.example.com/x', subscribed_events: [] }\n  - { name: board",
  );

let world: World;
afterEach(() => world.close());

/** A service that lists in another order each time what has no promised one: entries without a place, and sets within them. */
function shuffling(seed: number): WorldIo["fetch"] {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const shuffled = (list: readonly Json[]): readonly Json[] =>
    list.reduce<Json[]>((taken, item, at) => taken.toSpliced(random(at + 1), 0, item), []);
  const turned = (value: Json, name: string): Json => {
    if (isList(value)) {
      const items = value.map((item) => turned(item, name));
      const promised = items.some((item) => isFields(item) && ("position" in item || "priority" in item));
      return promised || ORDERED.includes(name) ? items : shuffled(items);
    }
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, turned(member, key)]));
  };
  return async (input, init) => {
    const answer = await world.io.fetch(input, init);
    if (init.method !== "GET") return answer;
    const headers = { date: answer.headers.get("date") ?? "" };
    return Response.json(turned((await answer.json()) as Json, ""), { status: answer.status, headers });
  };
}

/** Lists within entries whose order means something. */
const ORDERED = ["options", "steps", "inputs", "attributes", "value", "fields"];

test.each([1, 2])(
  "a saved plan and that of an undo stay valid while nothing changes, in any order of the lists (seed %d)",
  async (seed) => {
    world = await openWorld(files);
    const more = { fetch: shuffling(seed) };
    const consents = { allowDelete: true, maxRemovals: { entries: 1000 }, acceptRoutingWindow: true, yes: true };
    const applying = (given: Partial<ApplyFlags> = {}) =>
      world.run<ApplyFlags>((options, io, console) => apply(options, { ...io, ...more }, console), {
        paths: ["1.yaml"],
        secretsOut: "tokens",
        ...consents,
        ...given,
      });
    const undoing = (given: Partial<UndoOptions> = {}) =>
      world.run<UndoOptions>((options, io, console) => undo(options, { ...io, ...more }, console), {
        paths: ["1.yaml"],
        ...given,
      });
    const first = await applying();
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    await world.write({ "1.yaml": second });
    const planned = await world.run<PlanFlags>((options, io, console) => plan(options, { ...io, ...more }, console), {
      paths: ["1.yaml"],
      out: "change.plan",
    });
    expect(planned.exit, planned.stderr).toBe(0);
    const changed = await applying({ plan: "change.plan" });
    expect(changed.exit, changed.stdout + changed.stderr).toBe(0);
    for (const run of ["2", "1"]) {
      const texts = new Set<string>();
      for (let turn = 0; turn < 3; turn++) {
        const { stdout } = await undoing({ run, format: "json" });
        const { seal, ...rest } = JSON.parse(stdout);
        texts.add(JSON.stringify([rest, seal.configuration, seal.live]));
      }
      expect([...texts].slice(1)).toEqual([]);
      const saved = await undoing({ run, out: "undo.plan" });
      expect(saved.exit, saved.stderr).toBe(0);
      const { exit, stdout, stderr } = await applying({ plan: "undo.plan" });
      expect(exit, stdout + stderr).toBe(0);
    }
  },
);
