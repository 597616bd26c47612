/**
 * Law: no run without --allow-delete makes an enabled endpoint, webhook, key or agent stop working, whatever its files and flags cover, in
 * whichever environment, saved or not, and undone or not. It is judged at the service.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { isFields, type Json } from "../../../src/core/json.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { openWorld, type World } from "../world.ts";

const SETTINGS = `version: 1
base_url: http://localhost:4010
config: [config]
limits: { max_removals: 100% }
environments: { prod: { overlays: [prod.yaml] } }
`;
const RULE = "outcome: { action: notify_only, notify: { type: channel, channel_id: C0123456789 } }";

/** A resource that others call. */
interface Called {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  readonly hasRules: boolean;
}

/** An edit of one resource, as people make them. */
type Edit = "keep" | "rename" | "rename with renamed_from" | "remove" | "disable" | "rename live" | "rename both";

const KINDS = ["alert_sources", "webhooks", "api_keys", "agents"] as const;
const EDITS: readonly Edit[] = [
  "keep",
  "rename",
  "rename with renamed_from",
  "remove",
  "disable",
  "rename live",
  "rename both",
];

/** Ways in which services differ, and the usual one. */
const DIALECTS: readonly Partial<Dialects>[] = [
  {},
  { readable: "partial" },
  { delete_guard: "incidents" },
  { fallback: "sticky" },
  { envelope: "wrapped" },
];

/** The flags that say what a run covers. */
type Covered = Partial<Pick<ApplyFlags, "paths" | "kinds" | "target" | "exclude" | "base" | "onlyChanged">>;

/** What a run covers, by the resource that it is about. The folder `elsewhere` declares that one alone; `before` holds the files before the edits. */
const COVERS: Readonly<Record<string, (one: Called) => Covered>> = {
  "all files": () => ({}),
  "all files, as a path": () => ({ paths: ["config"] }),
  "one file": ({ kind }) => ({ paths: [`config/${kind}.yaml`] }),
  "files elsewhere": () => ({ paths: ["elsewhere"] }),
  "one kind": ({ kind }) => ({ kinds: kind }),
  "one resource": (one) => ({ target: [idOf(one)] }),
  "all but one resource": (one) => ({ exclude: [idOf(one)] }),
  "what has changed": () => ({ base: "before", onlyChanged: true }),
};

const RUNS = sampleSize(400, process.env.CAMPAIGN_REMOVALS);

/** How a run without the approval comes about. */
const WAYS = ["apply", "apply a saved plan", "undo the run", "undo the first run"] as const;

/** Other resources under names that people edit as well. */
const OTHERS = `severities:
  - { slug: critical, name: Critical, default: true }
custom_fields:
  - { slug: region, name: Region, field_type: single_select, option_source: fixed, options: [EU, US] }
catalog_types:
  - { slug: team, entries: [{ slug: payments, name: Payments }] }
`;
const OTHERS_EDITED = OTHERS.replace("Critical", "Outage")
  .replace("Region", "Area")
  .replace("US", "USA")
  .replace("Payments", "Money");

const resources = fc.uniqueArray(
  fc.record({ kind: fc.constantFrom(...KINDS), name: fc.constantFrom("red", "blue", "green"), hasRules: fc.boolean() }),
  { minLength: 1, maxLength: 6, selector: ({ kind, name }) => `${kind}/${name}` },
);

const cases = fc.record({
  called: resources,
  edits: fc.array(fc.constantFrom(...EDITS), { minLength: 6, maxLength: 6 }),
  policy: fc.constantFrom("disable_or_delete", "disable", "delete", "keep"),
  dialects: fc.constantFrom(...DIALECTS),
  editsOthers: fc.boolean(),
  environment: fc.constantFrom("", "prod"),
  isOverlay: fc.boolean(),
  covers: fc.constantFrom("all files", ...Object.keys(COVERS)),
  way: fc.constantFrom("apply", ...WAYS),
});

test(
  "no run without --allow-delete makes what other systems call stop working",
  async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (trial) => {
        const { called, edits, policy, dialects, editsOthers, environment, isOverlay, covers, way } = trial;
        const before = filesOf(called, []);
        const after = filesOf(called, edits);
        const world = await openWorld(
          {
            "incidentctl.yaml": `${SETTINGS}removal: { default: ${policy} }\n`,
            "prod.yaml": "{}\n",
            ...within("config", { ...before, "others.yaml": OTHERS }),
            ...within("before", { ...before, "others.yaml": OTHERS }),
          },
          { dialects },
        );
        try {
          const [about] = called;
          if (about === undefined) return;
          const flags = { paths: [], yes: true, env: environment, secretsOut: "tokens.jsonl", allowDelete: true };
          // The other resources replace those of a new workspace.
          expect((await world.run(apply, flags)).exit).toBe(0);
          const working = new Map<string, string>();
          for (const one of called) working.set(idOf(one), await handleOf(world, one));
          for (const [index, one] of called.entries()) {
            if (edits[index] === "rename live" || edits[index] === "rename both")
              await renameLive(world, one, working.get(idOf(one)) ?? "");
          }
          const inOverlay = isOverlay && environment !== "";
          await world.write({
            ...(inOverlay ? { "prod.yaml": overlayOf(called, edits) } : within("config", after)),
            ...(editsOthers ? { "config/others.yaml": OTHERS_EDITED } : {}),
            ...within("elsewhere", filesOf([about], edits)),
          });
          const exits = await unapproved(world, environment, COVERS[covers]?.(about) ?? {}, way);
          for (const exit of exits) expect([0, 1, 3, 4]).toContain(exit);
          if (exits.includes(3)) refused += 1;
          for (const [index, one] of called.entries()) {
            if (edits[index] === "disable") continue;
            expect([idOf(one), await isWorking(world, one, working.get(idOf(one)) ?? "")]).toEqual([idOf(one), true]);
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: RUNS },
    );
    expect(refused).toBeGreaterThan(RUNS / 8);
  },
  60_000 + RUNS * 5_000,
);

/** Runs what has to be approved, without the approval. Returns how each command ends. */
async function unapproved(
  world: World,
  env: string,
  covered: Covered,
  way: (typeof WAYS)[number],
): Promise<readonly number[]> {
  const all = { paths: [], env };
  const unasked = { yes: true, secretsOut: "tokens.jsonl" };
  const out = "saved.plan";
  const saved = { ...all, ...unasked, plan: out };
  if (way === "apply" || way === "undo the run") {
    const { exit } = await world.run(apply, { ...all, ...covered, ...unasked });
    if (way === "apply") return [exit];
    const undone = await world.run(undo, { ...all, out });
    return [exit, undone.exit, (await world.run(apply, saved)).exit];
  }
  const planned =
    way === "undo the first run"
      ? await world.run(undo, { ...all, out })
      : await world.run(plan, { ...all, ...covered, out });
  if (planned.exit !== 0) return [planned.exit];
  const { paths = [] } = way === "undo the first run" ? {} : covered;
  return [planned.exit, (await world.run(apply, { ...saved, paths })).exit];
}

function within(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

function idOf({ kind, name }: Called): string {
  return `${kind}/${name}`;
}

/** The files after the edits, one for each kind; before them without any. Each edit renames to the same new name. */
function filesOf(called: readonly Called[], edits: readonly Edit[]): Readonly<Record<string, string>> {
  const lists = KINDS.filter((kind) => called.some((one) => one.kind === kind)).map((kind) => {
    const lines = called.flatMap((one, index) => (one.kind === kind ? lineOf(one, edits[index] ?? "keep") : []));
    return [`${kind}.yaml`, lines.length === 0 ? `${kind}: []\n` : `${kind}:\n${lines.join("")}`] as const;
  });
  const rules = called.flatMap((one, index) => {
    const edit = edits[index] ?? "keep";
    if (one.kind !== "alert_sources" || !one.hasRules || edit === "remove") return [];
    return [`    ${nameAfter(one, edit)}: [{ name: all, ${RULE} }]\n`];
  });
  const routing = rules.length === 0 ? "{}\n" : `routing_rules:\n  sources:\n${rules.join("")}`;
  return { ...Object.fromEntries(lists), "rules.yaml": routing };
}

/** An overlay that makes the same edits in files that have none. */
function overlayOf(called: readonly Called[], edits: readonly Edit[]): string {
  const lists = KINDS.flatMap((kind) => {
    const lines = called.flatMap((one, index) => {
      const edit = edits[index] ?? "keep";
      if (one.kind !== kind || edit === "keep" || edit === "rename live") return [];
      const isGone = edit === "remove" || nameAfter(one, edit) !== one.name;
      const key = kind === "agents" ? "slug" : "name";
      const hasNewKey = !(kind === "agents" && edit === "rename with renamed_from");
      return [...(isGone && hasNewKey ? [`  - { ${key}: ${one.name}, $remove: true }\n`] : []), ...lineOf(one, edit)];
    });
    return lines.length === 0 ? [] : [`${kind}:\n${lines.join("")}`];
  });
  return lists.length === 0 ? "{}\n" : lists.join("");
}

function nameAfter({ name }: Called, edit: Edit): string {
  return edit.startsWith("rename") && edit !== "rename live" ? `${name}-eu` : name;
}

function lineOf(one: Called, edit: Edit): readonly string[] {
  const { kind, name } = one;
  if (edit === "remove") return [];
  const now = nameAfter(one, edit);
  // An agent's slug stays, whatever its name is.
  const slug = edit === "rename with renamed_from" ? name : now;
  const fields = {
    alert_sources: `name: ${now}, provider: datadog`,
    webhooks: `name: ${now}, url: https://hooks.example.com/${name}`,
    api_keys: `name: ${now}, permissions: { incidents: [read] }`,
    agents: `slug: ${slug}, name: ${now}`,
  }[kind];
  const former = edit === "rename with renamed_from" && kind !== "agents" ? `, renamed_from: ${name}` : "";
  const off = edit === "disable" ? `, ${kind === "api_keys" ? "active" : "enabled"}: false` : "";
  return [`  - { ${fields}${former}${off} }\n`];
}

async function rowsOf(world: World, kind: string): Promise<readonly Record<string, Json>[]> {
  const list = (await world.send("GET", `/api/v1/${kind}?include_disabled=true`)) as Record<string, Json>;
  return (list[kind] as readonly Json[]).filter(isFields);
}

/** The part of a row that other systems hold: the endpoint, the id of the webhook, the beginning of the token. */
function handleIn(kind: string, row: Record<string, Json>): string {
  if (kind === "agents") return String((row.tokens as readonly Record<string, Json>[])[0]?.prefix);
  return String(kind === "alert_sources" ? (row.endpoint_path ?? row.slug) : (row.prefix ?? row.id));
}

async function handleOf(world: World, { kind, name }: Called): Promise<string> {
  const row = (await rowsOf(world, kind)).find((one) => one.name === name) ?? {};
  return handleIn(kind, row);
}

async function renameLive(world: World, { kind, name }: Called, handle: string): Promise<void> {
  await world.send("PATCH", `/api/v1/${kind}/${kind === "agents" ? name : handle}`, { name: `${name} live` });
}

async function isWorking(world: World, { kind }: Called, handle: string): Promise<boolean> {
  if (kind === "alert_sources") {
    const headers = { authorization: `Bearer ${world.emulator.adminToken}`, "content-type": "application/json" };
    const body = JSON.stringify({ title: "High load" });
    const request = new Request(`http://localhost:4010/api/v1/alerts/${handle}`, { method: "POST", headers, body });
    return (await world.emulator.fetch(request)).status === 201;
  }
  const row = (await rowsOf(world, kind)).find((one) => handleIn(kind, one) === handle);
  return row !== undefined && row.enabled !== false && row.active !== false;
}
