/** Law: whatever is renamed in the files, of each kind whose resources the files name, is possibly a rename, and the edit that is shown keeps it. */

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { type Fields, fieldsIn, isFields, isList, type Json, listIn, objectsIn } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/model/kind.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { openWorld, type World } from "../world.ts";

const DROP = { name: "all", outcome: { action: "drop" } };

/** Something of each kind, which the service does not have by itself. */
const FILES: Fields = {
  severities: [
    { slug: "critical", name: "Critical", default: true },
    { slug: "quiet", name: "Quiet", description: "Nobody wakes." },
  ],
  statuses: [
    { slug: "triaging", name: "Triaging", lifecycle_stage: "triage" },
    { slug: "looking", name: "Looking", lifecycle_stage: "active", default: true },
    { slug: "waiting", name: "Waiting", lifecycle_stage: "active", description: "For others." },
    { slug: "done", name: "Done", lifecycle_stage: "closed" },
    { slug: "called_off", name: "Called off", lifecycle_stage: "canceled" },
  ],
  incident_types: [{ slug: "drill", name: "Drill", description: "Not real." }],
  incident_roles: [{ slug: "note_taker", name: "Note taker", description: "Writes." }],
  catalog_types: [
    {
      slug: "vendor",
      name: "Vendor",
      attributes: [{ name: "Contact", attribute_type: "text" }],
      entries: [{ slug: "nordbank", name: "Nordbank", attributes: { contact: "Ann" } }],
    },
  ],
  custom_fields: [
    { slug: "region", name: "Region", field_type: "single_select", option_source: "fixed", options: ["EU", "US"] },
  ],
  runbooks: [{ slug: "failover", name: "Failover", summary: "To the other side." }],
  alert_sources: [{ name: "Datadog", provider: "datadog" }, { name: "Grafana" }],
  routing_rules: { sources: { Datadog: [DROP] } },
  webhooks: [{ name: "pager", url: "https://pager.example.com", subscribed_events: ["incident.created"] }],
  api_keys: [{ name: "ci", permissions: { incidents: ["read"] } }],
  agents: [{ slug: "triage_bot", name: "Triage bot", description: "Sorts.", grants: [{ ability: "incidents.read" }] }],
};

/** A name that files state: of a resource, or of an option in a field of one. */
interface Named {
  readonly kind: Kind;
  /** The field with the name; undefined for an option. */
  readonly key?: string;
  readonly name: string;
}

/** The kinds whose resources the files name: rules have a rank, and parts of a parent and built-in fields are what they refer to. */
const NAMED_KINDS = kinds.filter(({ identity, lifecycle }) => {
  const { order, ownedByParent, permanent } = lifecycle;
  return identity.keys.length > 0 && order !== "rank" && ownedByParent !== true && permanent !== true;
});

const NAMES: readonly Named[] = NAMED_KINDS.flatMap((kind) => {
  const resources = declaredOf(kind);
  const [key = ""] = kind.identity.keys;
  const lists = Object.entries(kind.fields ?? {}).flatMap(([field, { optionList }]) => (optionList ? [field] : []));
  const options = resources.flatMap((one) => lists.flatMap((field) => listIn(one[field]).map(String)));
  return [
    ...resources.map((one): Named => ({ kind, key, name: String(one[key]) })),
    ...options.map((name): Named => ({ kind, name })),
  ];
});

function declaredOf({ name, parent }: Kind): readonly Fields[] {
  if (parent === undefined) return objectsIn(FILES[name]);
  return objectsIn(FILES[parent.kind]).flatMap((one) => objectsIn(one[parent.field]));
}

const newName = fc.constantFrom("other one", "a: b", "it's", "[x]", "Émile", "null", "7", '"quoted"', "#");
const newSlug = fc.constantFrom("other", "other_one", "quieter", "a1");

/** The files with another name, wherever they use it, and of what has a slug with another displayed name. */
function renamed(value: Json, named: Named, to: string): Json {
  const { kind, key, name } = named;
  if (value === name) return to;
  if (isList(value)) return value.map((item) => renamed(item, named, to));
  if (!isFields(value)) return value;
  const isNamed = key !== undefined && value[key] === name;
  const entries = Object.entries(value).map(([member, part]): readonly [string, Json] => [
    member === name ? to : member,
    isNamed && member === kind.identity.displayName ? `New ${to}` : renamed(part, named, to),
  ]);
  return Object.fromEntries(entries);
}

/** The files with the edit at what has the new name. */
function kept(value: Json, key: string | undefined, to: string, edit: Fields): Json {
  if (key === undefined && value === to) return edit;
  if (isList(value)) return value.map((item) => kept(item, key, to, edit));
  if (!isFields(value)) return value;
  const inside = Object.entries(value).map(([member, part]) => [member, kept(part, key, to, edit)] as const);
  return { ...Object.fromEntries(inside), ...(key !== undefined && value[key] === to ? edit : {}) };
}

interface Planned {
  readonly renames?: readonly {
    readonly from: string;
    readonly to: string;
    readonly edit: { readonly file: string; readonly line: number; readonly text: string };
  }[];
  readonly changes: readonly { readonly action: string; readonly address: string }[];
}

let world: World;
beforeAll(async () => {
  const settings = "version: 1\nbase_url: http://localhost:4010\nlimits: { max_removals: 100% }\n";
  const files = { "incidentctl.yaml": settings, "config.yaml": stringify(FILES) };
  world = await openWorld(files, { requestsPerMinute: 1_000_000 });
  const flags = { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" };
  const { exit, stderr } = await world.run(apply, flags);
  expect([exit, exit === 0 ? "" : stderr]).toEqual([0, ""]);
});
afterAll(() => world.close());

async function planned(files: Json): Promise<Planned> {
  await world.write({ "config.yaml": stringify(files) });
  const { exit, stdout, stderr } = await world.run(plan, { paths: [], format: "json" });
  expect([exit, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

test("the files of this test name something of each kind", () => {
  expect([...new Set(NAMES.map(({ kind }) => kind.name))]).toEqual(NAMED_KINDS.map(({ name }) => name));
});

test.each(NAMES.map((named) => ({ of: named.kind.title, name: named.name, named })))(
  "a new name of the $of $name is possibly a rename, and the edit that is shown keeps what exists",
  async ({ named }) => {
    const isSlug = named.key === "slug";
    await fc.assert(
      fc.asyncProperty(isSlug ? newSlug : newName, async (to) => {
        const files = renamed(FILES, named, to);
        const { renames = [] } = await planned(files);
        const [rename, ...others] = renames.filter(({ from }) => from.endsWith(`/${named.name}`));
        expect(rename).toBeDefined();
        expect(others).toEqual([]);
        expect(rename?.to).toBe(`${rename?.from.slice(0, -named.name.length)}${to}`);
        const { line = 0, text = "" } = rename?.edit ?? {};
        expect(stringify(files).split("\n")[line - 1]).toContain(stringify(to).trim());
        const edit: Json = parse(text.startsWith("{") ? text : `{ ${text} }`);
        const { renames: left = [], changes } = await planned(kept(files, named.key, to, fieldsIn(edit)));
        expect(left).toEqual([]);
        expect(changes.filter(({ action }) => ["create", "delete", "disable"].includes(action))).toEqual([]);
      }),
      { numRuns: sampleSize(60) },
    );
  },
  120_000,
);
