/** A replay of recorded alerts says what the service does with the same alerts, before and after the files are applied. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { test as runTests } from "../../../src/app/plan/test-command.ts";
import { canonical, type Fields, isFields, type Json, listIn } from "../../../src/core/json.ts";
import type { AlertRoute } from "../../../src/plan/model/recorded-alerts.ts";
import type { Replay } from "../../../src/preview/recorded-alerts/replay.ts";
import { arbitraryAlert, arbitraryRules, routedCatalog } from "../../support/samples/arbitrary-routing.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { openWorld, type World } from "../world.ts";

const rules = arbitraryRules(
  { action: "drop" },
  { action: "auto_create_incident" },
  { action: "auto_create_incident", severity: "critical", invite: [{ type: "team", team: "ledger" }] },
  { action: "auto_create_incident", severity: "minor", invite: [{ type: "owning_team", of: "service" }] },
  { action: "attach_to_incident", invite: [{ type: "team", team: "ledger" }] },
  { action: "notify_only", notify: { type: "channel", channel_id: "C0123456789" } },
);

/** The rules before and after: the same ones, other ones, or an edit of them. */
const lists = fc
  .tuple(rules, rules, fc.constantFrom("same", "other", "reversed", "fewer", "doubled"))
  .map(([before, other, edit]) => {
    const untitled = { field: "title", operator: "is_empty" };
    const doubled = before.flatMap((rule) => [{ ...rule, conditions: [...listIn(rule.conditions), untitled] }, rule]);
    const after = { same: before, other, reversed: before.toReversed(), fewer: before.slice(1), doubled }[edit];
    return { before, after };
  });

const cases = fc.record({
  workspace: lists,
  datadog: lists,
  source: fc.constantFrom("keep", "rename", "disable", "remove"),
  adds: fc.boolean(),
  catalog: fc.constantFrom("keep", "tier", "owner", "remove"),
  alerts: fc.array(
    fc.record({ fields: arbitraryAlert, source: fc.constantFrom("Datadog", "Grafana", "Nagios", undefined) }),
    { minLength: 8, maxLength: 16 },
  ),
});

type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

/** A case with an alert of each effect, so that each is judged in every run. */
const EXAMPLE: Case = {
  workspace: {
    before: [{ conditions: [{ field: "team", operator: "is_empty" }], outcome: { action: "drop" } }],
    after: [{ conditions: [], outcome: { action: "drop" } }],
  },
  datadog: { before: [], after: [] },
  source: "disable",
  adds: false,
  catalog: "keep",
  alerts: [
    { fields: {}, source: "Grafana" },
    { fields: { team: "Ledger" }, source: "Grafana" },
    { fields: {}, source: "Datadog" },
  ],
};

function documentOf({ workspace, datadog, source, adds, catalog }: Case, side: "before" | "after"): Fields {
  const isAfter = side === "after";
  const edit = isAfter ? source : "keep";
  const name = edit === "rename" ? "DD" : "Datadog";
  const first = {
    keep: [{ name }],
    rename: [{ name, renamed_from: "Datadog" }],
    disable: [{ name, enabled: false }],
    remove: [],
  }[edit];
  const own = edit === "remove" ? {} : { [name]: [...datadog[side]] };
  return {
    severities: [
      { slug: "critical", name: "Critical" },
      { slug: "minor", name: "Minor", default: true },
    ],
    alert_sources: [...first, { name: "Grafana" }, ...(isAfter && adds ? [{ name: "Nagios" }] : [])],
    routing_rules: { workspace: [...workspace[side]], sources: own },
    ...editedCatalog(isAfter ? catalog : "keep"),
  };
}

function editedCatalog(edit: Case["catalog"]): Fields {
  return JSON.parse(JSON.stringify(routedCatalog), (_name, part: Json) => {
    if (!isFields(part) || part.slug !== "web") return part;
    if (edit === "remove") return { slug: "other", name: "Other" };
    const attributes = { keep: part.attributes, tier: { tier: "Critical" }, owner: { owner_team: "ledger" } }[edit];
    return { ...part, attributes: attributes ?? null };
  });
}

/** Where the service sends an alert: the place of the rule in its list, and the outcome as the rule states it. */
type Judged = Pick<AlertRoute, "result" | "scope" | "place" | "outcome">;

/** The judge: the service takes each alert, and a rule's outcome is read from the list in force. */
async function judged(world: World, alerts: Case["alerts"], paths: ReadonlyMap<string, string>): Promise<Judged[]> {
  const get = async (path: string, name: string) => {
    return listIn((await sent(world, "GET", path))[name]).filter(isFields);
  };
  const severities = new Map((await get("/severities", "severities")).map(({ id, slug }) => [id, slug]));
  const entries = await get("/catalog/types/team/entries", "entries");
  const teams = new Map(entries.map(({ id, slug }) => [id, slug]));
  const sources = new Map((await get("/alert_sources", "alert_sources")).map((one) => [String(one.slug), one]));
  const routes: Judged[] = [];
  for (const [at, { fields, source }] of alerts.entries()) {
    const path = source === undefined ? undefined : paths.get(source);
    const row = path === undefined ? undefined : sources.get(path);
    if (source !== undefined && row?.enabled !== true) {
      const refused = await world.send("POST", `/api/v1/alerts/${path ?? "none"}`, fields).catch(String);
      expect(refused).toContain("404");
      routes.push({ result: "lost" });
      continue;
    }
    const own = row === undefined ? [] : await get(`/routing_rules?source=${String(row.name)}`, "routing_rules");
    const inForce = own.length > 0 ? own : await get("/routing_rules", "routing_rules");
    const priority = inForce.length === 0 ? null : await priorityOf(world, { ...fields, fingerprint: `${at}` }, path);
    const place = inForce.findIndex((rule) => rule.priority === priority);
    const rule = inForce[place];
    if (rule === undefined) {
      expect(priority).toBeNull();
      routes.push({ result: "no_rule" });
      continue;
    }
    const { severity_id, invite, ...outcome } = isFields(rule.outcome) ? rule.outcome : {};
    const invited = listIn(invite).filter(isFields);
    routes.push({
      result: "rule",
      scope: own.length > 0 ? String(row?.name) : null,
      place: place + 1,
      outcome: {
        ...outcome,
        ...(severity_id == null ? {} : { severity: severities.get(severity_id) ?? "none" }),
        ...(invited.length === 0
          ? {}
          : {
              invite: invited.map(({ entry_id, ...target }) =>
                entry_id === undefined ? target : { ...target, team: teams.get(entry_id) ?? "none" },
              ),
            }),
      },
    });
  }
  return routes;
}

/** The priority of the rule that the service applies: to an alert that its source takes, or to a hypothetical one of no source. */
async function priorityOf(world: World, fields: Fields, path: string | undefined): Promise<Json> {
  if (path === undefined) {
    return (await sent(world, "POST", "/routing/evaluate", { fields })).matched_rule_priority ?? null;
  }
  const [alert] = listIn((await sent(world, "POST", `/alerts/${path}`, fields)).alerts).filter(isFields);
  return alert?.matched_rule_priority ?? null;
}

async function pathsOf(world: World): Promise<Map<string, string>> {
  const sources = listIn((await sent(world, "GET", "/alert_sources")).alert_sources).filter(isFields);
  return new Map(sources.map(({ name, slug }) => [String(name), String(slug)]));
}

async function sent(world: World, method: string, path: string, body?: Fields): Promise<Fields> {
  return (await world.send(method, `/api/v1${path}`, body)) as Fields;
}

test("a replay agrees with the service on each alert: its outcome, its severity, who is invited, and the rule", async () => {
  const counts = { changed: 0, rerouted: 0, lost: 0, undecided: 0, alerts: 0 };
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const settings =
        "version: 1\nbase_url: http://localhost:4010\nconfig: [config.yaml]\nlimits: { max_removals: 100% }\n";
      const files = { "incidentctl.yaml": settings, "config.yaml": JSON.stringify(documentOf(one, "before")) };
      const alerts = one.alerts.map(({ fields, source }) => JSON.stringify({ ...fields, source })).join("\n");
      const base = Object.entries(files).map(([name, text]) => [`base/${name}`, text] as const);
      const world = await openWorld(
        { ...files, ...Object.fromEntries(base), "alerts.jsonl": alerts },
        { requestsPerMinute: 1_000_000 },
      );
      try {
        const flags = { paths: [], yes: true, allowDelete: true, acceptRoutingWindow: true };
        const first = await world.run(apply, flags);
        expect(first.exit, first.stderr).toBe(0);
        const paths = await pathsOf(world);
        const before = await judged(world, one.alerts, paths);
        await world.write({ "config.yaml": JSON.stringify(documentOf(one, "after")) });
        const replays = [await replayed(world, {}), await replayed(world, { base: "base" })];
        const second = await world.run(apply, flags);
        expect(second.exit, second.stderr).toBe(0);
        // A source keeps its path under a new name.
        const after = await judged(world, one.alerts, new Map([...(await pathsOf(world)), ...paths]));
        for (const replay of replays) {
          expectAgreement(replay, before, after);
          counts.alerts += replay.alerts;
          counts.changed += replay.changed;
          counts.rerouted += replay.rerouted;
          counts.undecided += replay.undecided;
        }
        counts.lost += after.filter(({ result }) => result === "lost").length;
      } finally {
        await world.close();
      }
    }),
    { numRuns: sampleSize(100, process.env.CAMPAIGN_REPLAYS), examples: [[EXAMPLE]] },
  );
  expect(counts.undecided).toBeLessThan(counts.alerts / 10);
  for (const count of [counts.changed, counts.rerouted, counts.lost]) expect(count).toBeGreaterThan(0);
}, 1_800_000);

/** The replay against the live rules or, without a service, against a base. */
async function replayed(world: World, options: { readonly base?: string }): Promise<Replay> {
  const { exit, stdout, stderr } = await world.run(runTests, {
    paths: [],
    alerts: "alerts.jsonl",
    format: "json",
    ...options,
  });
  expect(exit, stderr).toBe(0);
  return JSON.parse(stdout).recorded_alerts;
}

/** Holds each change of a replay, and what it passes over as unchanged, against the judge. */
function expectAgreement({ changes }: Replay, before: readonly Judged[], after: readonly Judged[]): void {
  const changed = new Map(changes.flatMap((change) => change.lines.map((line) => [line, change] as const)));
  for (const [at, was] of before.entries()) {
    const is = after[at];
    const change = changed.get(at + 1);
    const outcomes = [was, is].map((route) => canonical([route?.result ?? null, route?.outcome ?? null]));
    const isSame = outcomes[0] === outcomes[1];
    if (change === undefined) {
      expect(outcomes[0], `line ${at + 1} does not change`).toBe(outcomes[1]);
      continue;
    }
    for (const [side, judge] of [
      ["before", was],
      ["after", is],
    ] as const) {
      const { rule: _rule, ...route } = change[side];
      if (route.result !== "undecided") expect(route, `line ${at + 1}, ${side}`).toEqual(judge);
    }
    if (change.effect !== "undecided") expect(change.effect).toBe(isSame ? "rerouted" : "changed");
  }
}
