/** Law: no run without --allow-delete makes an enabled endpoint, webhook, key or agent stop working. It is judged at the service. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { isFields, type Json } from "../../../src/core/json.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { openWorld, type World } from "../world.ts";

const SETTINGS = "version: 1\nbase_url: http://localhost:4010\nlimits: { max_removals: 100% }\n";
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

test("no run without --allow-delete makes what other systems call stop working", async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      resources,
      fc.array(fc.constantFrom(...EDITS), { minLength: 6, maxLength: 6 }),
      fc.constantFrom("disable_or_delete", "disable", "delete", "keep"),
      fc.constantFrom(...DIALECTS),
      fc.boolean(),
      async (called, edits, policy, dialects, editsOthers) => {
        const world = await openWorld(
          {
            "incidentctl.yaml": `${SETTINGS}removal: { default: ${policy} }\n`,
            "config.yaml": filesOf(called, []),
            "others.yaml": OTHERS,
          },
          { dialects },
        );
        try {
          const flags = { paths: [], yes: true, secretsOut: "tokens.jsonl" };
          // The other resources replace those of a new workspace.
          expect((await world.run(apply, { ...flags, allowDelete: true })).exit).toBe(0);
          const working = new Map<string, string>();
          for (const one of called) working.set(idOf(one), await handleOf(world, one));
          for (const [index, one] of called.entries()) {
            if (edits[index] === "rename live" || edits[index] === "rename both")
              await renameLive(world, one, working.get(idOf(one)) ?? "");
          }
          await world.write({
            "config.yaml": filesOf(called, edits),
            ...(editsOthers ? { "others.yaml": OTHERS_EDITED } : {}),
          });
          const { exit } = await world.run(apply, flags);
          expect([0, 3, 4]).toContain(exit);
          if (exit === 3) refused += 1;
          for (const [index, one] of called.entries()) {
            if (edits[index] === "disable") continue;
            expect([idOf(one), await isWorking(world, one, working.get(idOf(one)) ?? "")]).toEqual([idOf(one), true]);
          }
        } finally {
          await world.close();
        }
      },
    ),
    { numRuns: 40, seed: 31 },
  );
  expect(refused).toBeGreaterThan(10);
});

function idOf({ kind, name }: Called): string {
  return `${kind}/${name}`;
}

/** The files after the edits; before them without any. Each edit renames to the same new name. */
function filesOf(called: readonly Called[], edits: readonly Edit[]): string {
  const lists = KINDS.filter((kind) => called.some((one) => one.kind === kind)).map((kind) => {
    const lines = called.flatMap((one, index) => (one.kind === kind ? lineOf(one, edits[index] ?? "keep") : []));
    return lines.length === 0 ? `${kind}: []\n` : `${kind}:\n${lines.join("")}`;
  });
  const rules = called.flatMap((one, index) => {
    const edit = edits[index] ?? "keep";
    if (one.kind !== "alert_sources" || !one.hasRules || edit === "remove") return [];
    return [`    ${nameAfter(one, edit)}: [{ name: all, ${RULE} }]\n`];
  });
  return `${lists.join("")}${rules.length === 0 ? "" : `routing_rules:\n  sources:\n${rules.join("")}`}`;
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
