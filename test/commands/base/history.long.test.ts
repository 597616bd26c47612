/**
 * Random histories, in which the attribution of each plan is known by construction: forty commits of random edits, renames, deletions and moves
 * between files, edits by hand between them, runs that are left out, merges, and plans against any earlier commit. What a commit declares is
 * kept here as plain rows, from which the origin of each change follows without the program.
 */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { type Fields, type Json, objectsIn } from "../../../src/core/json.ts";
import { FIXED_SEED, sampleSize } from "../../support/samples/sample-size.ts";
import { openWorld, type World } from "../world.ts";
import { commitAll, gitIn, initRepository, planOf } from "./repository.ts";

const SETTINGS = "version: 1\nbase_url: http://localhost:4010\nconfig: [config]\nlimits: { max_removals: 100% }\n";
const COMMITS = 40;

/** The kinds of the history: the field that names a resource, and what can be edited in one. */
const KINDS = {
  severities: { key: "slug", fields: { name: ["Alpha", "Beta", "Gamma"], color: ["#112233", "#445566"] } },
  webhooks: { key: "name", fields: { url: ["https://a.example.com", "https://b.example.com"] } },
  alert_sources: { key: "name", fields: { enabled: [true, false] } },
  routing_rules: { key: "name", fields: {} },
} as const;
type KindName = keyof typeof KINDS;
/** What the files declare first: the workspace needs a default severity. */
const FIRST: readonly Fields[] = [
  { slug: "critical", name: "Critical", default: true },
  { slug: "minor", name: "Minor" },
];
const NAMES = ["one", "two", "three", "four", "five"];

/** What a commit declares: the rows of each kind that it manages, in order. */
type Declared = { readonly [kind in KindName]?: readonly Fields[] };

/** A step as numbers, which are interpreted on the way. */
interface Step {
  readonly does: "add" | "edit" | "drop" | "remove" | "rename" | "move" | "release" | "nothing";
  readonly kind: KindName;
  readonly at: number;
  readonly value: number;
  /** Of this number the files are laid out: their names, and which resource is in which. */
  readonly layout: number;
  readonly hand: "none" | "edit" | "add" | "remove";
  readonly isApplied: boolean;
  readonly isMerge: boolean;
  /** How many commits before this one the base is. */
  readonly back: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(
    "add",
    "add",
    "add",
    "edit",
    "edit",
    "edit",
    "drop",
    "remove",
    "rename",
    "move",
    "release",
    "nothing",
  ),
  kind: fc.constantFrom("severities", "webhooks", "webhooks", "alert_sources", "routing_rules"),
  at: fc.nat(99),
  value: fc.nat(99),
  layout: fc.nat(99),
  hand: fc.constantFrom("none", "none", "edit", "add", "remove"),
  isApplied: fc.constantFrom(true, true, true, false),
  isMerge: fc.constantFrom(true, false, false, false),
  back: fc.constantFrom(1, 1, 1, 2, 5),
});

const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)];

/** A new resource under the first free name. */
function fresh(kind: KindName, rows: readonly Fields[], at: number): Fields | undefined {
  const { key } = KINDS[kind];
  const name = pick(
    NAMES.filter((one) => !rows.some((row) => row[key] === one)),
    at,
  );
  if (name === undefined) return undefined;
  if (kind === "severities") return { slug: name, name: `Severity ${name}` };
  if (kind === "webhooks") return { name, url: `https://${name}.example.com`, subscribed_events: ["incident.created"] };
  if (kind === "alert_sources") return { name, provider: "generic" };
  return { name, conditions: [{ field: "title", operator: "contains", value: name }], outcome: { action: "drop" } };
}

/** The rows of a kind after a step; undefined: the files do not manage it any more. */
function edited({ does, kind, at, value }: Step, rows: readonly Fields[]): readonly Fields[] | undefined {
  const { key, fields } = KINDS[kind];
  const index = at % Math.max(1, rows.length);
  const row = rows[index];
  // Something stays managed, and the default severity stays as it is.
  if (does === "release") return kind === "webhooks" ? rows : undefined;
  if (does === "add") return [...rows, fresh(kind, rows, value) ?? []].flat();
  if (row === undefined || does === "nothing" || row.default === true) return rows;
  if (does === "remove") return rows.toSpliced(index, 1);
  if (does === "move") return rows.toSpliced(index, 1).toSpliced(value % rows.length, 0, row);
  if (does === "rename") {
    const other = fresh(kind, rows, value);
    const named =
      kind === "severities"
        ? { slug: other?.slug ?? null, name: other?.name ?? null }
        : { [key]: other?.[key] ?? null };
    return other === undefined ? rows : rows.with(index, { ...row, ...named });
  }
  const [name, values] = pick(Object.entries(fields), value) ?? [];
  if (name === undefined || values === undefined) return rows;
  const { [name]: _dropped, ...rest } = row;
  // Nothing can be created without these.
  if (does === "drop") return name === "name" || name === "url" ? rows : rows.with(index, rest);
  const next = pick<Json>(values, at + value) ?? null;
  // No two have one name.
  return rows.with(index, { ...row, [name]: name === "name" ? `${next} ${row[key]}` : next });
}

/** The files of a commit: webhooks and sources in up to three files, the ordered kinds in one each, under changing names. */
function filesOf(declared: Declared, layout: number): Readonly<Record<string, string>> {
  const files: Record<string, Record<string, Json>> = {};
  for (const [kind, rows] of Object.entries(declared)) {
    const isOrdered = kind === "severities" || kind === "routing_rules";
    const parts = isOrdered || rows.length === 0 ? 1 : 1 + (layout % 3);
    for (let part = 0; part < parts; part += 1) {
      const own = rows.filter((_, index) => index % parts === part);
      if (own.length === 0 && part > 0) continue;
      const file = `config/${["a", "b", "c"][(part + layout) % 3]}${layout % 2 === 0 ? "" : `-${kind}`}.yaml`;
      files[file] = { ...files[file], [kind]: kind === "routing_rules" ? { workspace: own } : own };
    }
  }
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [file, `# ${layout}\n${stringify(text)}`]));
}

/** Somebody changes the workspace past the files: a name, an address or a switch, something more, or something less. */
async function byHand(world: World, { hand, kind, at, value }: Step, declared: Declared): Promise<boolean> {
  if (hand === "none" || kind === "routing_rules") return false;
  const answer = (await world.send("GET", `/api/v1/${kind}`)) as Fields;
  const rows = objectsIn(answer[kind]);
  const known = rows.filter((one) =>
    (declared[kind] ?? []).some((other) => other[KINDS[kind].key] === one[KINDS[kind].key]),
  );
  const row = pick(known, at);
  const id = String(kind === "webhooks" ? row?.id : (row?.endpoint_path ?? row?.slug));
  if (hand === "add") {
    const free = fresh(kind, rows, value);
    if (free === undefined) return false;
    const named = rows.some((one) => one.name === `Hand ${value}`) ? undefined : { name: `Hand ${value}` };
    if (named === undefined) return false;
    await world.send("POST", `/api/v1/${kind}`, kind === "severities" ? named : free);
    return true;
  }
  if (row === undefined) return false;
  if (hand === "remove") {
    if (kind === "severities") return false;
    await world.send("DELETE", `/api/v1/${kind}/${id}`);
    return true;
  }
  const change = kind === "severities" ? { name: `By hand ${value} ${row.slug}` } : { enabled: row.enabled === false };
  await world.send("PATCH", `/api/v1/${kind}/${id}`, change);
  return true;
}

/** The addresses of resources that two commits declare otherwise, and of those that only one of them declares. */
function differing(before: Declared, after: Declared): ReadonlySet<string> {
  const addresses = new Set<string>();
  for (const kind of ["severities", "webhooks", "alert_sources"] as const) {
    const { key } = KINDS[kind];
    const [old, now] = [before[kind] ?? [], after[kind]];
    // What nobody manages any more is in no plan; of a new list everything is of the files.
    if (now === undefined) continue;
    if (before[kind] === undefined) addresses.add(kind);
    for (const name of new Set([...old, ...now].map((row) => String(row[key])))) {
      const [was, is] = [old, now].map((rows) => rows.find((row) => row[key] === name));
      const isEqual = was !== undefined && is !== undefined && sorted(was) === sorted(is);
      if (!isEqual || (kind === "severities" && isOvertaken(name, old, now, key))) addresses.add(`${kind}/${name}`);
    }
  }
  return addresses;
}

/** A row as a text. What does not say so is enabled. */
const sorted = (row: Fields): string => {
  const members = Object.entries({ enabled: true, ...row });
  return JSON.stringify(members.sort(([left], [right]) => (left < right ? -1 : 1)));
};

/** Whether another resource stands on the other side of this one now. */
function isOvertaken(name: string, old: readonly Fields[], now: readonly Fields[], key: string): boolean {
  const place = (rows: readonly Fields[], one: string) => rows.findIndex((row) => row[key] === one);
  const both = old.map((row) => String(row[key])).filter((one) => place(now, one) >= 0);
  if (!both.includes(name)) return false;
  return both.some((other) => place(old, other) < place(old, name) !== place(now, other) < place(now, name));
}

/** What the base declared and the commit does not, and no plan removes: kinds, and fields of resources in both. */
function releasedBetween(before: Declared, after: Declared): readonly string[] {
  return (Object.keys(KINDS) as KindName[]).flatMap((kind): readonly string[] => {
    const [old, now] = [before[kind], after[kind]];
    const list = kind === "routing_rules" ? "routing_rules/workspace" : kind;
    if (old === undefined) return [];
    if (now === undefined) return [list];
    if (kind === "routing_rules") return [];
    const { key } = KINDS[kind];
    return old.flatMap((row) => {
      const other = now.find((one) => one[key] === row[key]);
      const lost = Object.keys(row).filter((name) => other !== undefined && !(name in other) && name !== "enabled");
      return lost.map((name) => `${kind}/${row[key]}#/${name}`);
    });
  });
}

/** One history, commit by commit. */
async function live(steps: readonly Step[]): Promise<void> {
  const world = await openWorld(
    { "incidentctl.yaml": SETTINGS, ...filesOf({ webhooks: [] }, 0) },
    { requestsPerMinute: 1_000_000 },
  );
  try {
    const commits: { readonly id: string; readonly declared: Declared }[] = [
      { id: initRepository(world), declared: { webhooks: [] } },
    ];
    let declared: Declared = { webhooks: [] };
    let isSettled = true;
    for (const one of steps) {
      const { [one.kind]: rows = one.kind === "severities" ? FIRST : [], ...others } = declared;
      const isTouched = await byHand(world, one, declared);
      const after = edited(one, rows);
      declared = after === undefined ? others : { ...others, [one.kind]: after };
      await write(world, filesOf(declared, one.layout));
      if (one.isMerge) mergeInto(world.folder);
      const id = commitAll(world.folder);
      const base = commits.at(-Math.min(one.back, commits.length));
      if (base === undefined) throw new Error("there is no base");
      await judge(world, base, declared, isSettled && !isTouched && base === commits.at(-1));
      commits.push({ id, declared });
      isSettled = one.isApplied;
      if (one.isApplied) await applyAll(world);
    }
  } finally {
    await world.close();
  }
}

async function write(world: World, files: Readonly<Record<string, string>>): Promise<void> {
  const config = join(world.folder, "config");
  if (existsSync(config)) rmSync(config, { recursive: true });
  await world.write(files);
}

/** The next commit is a merge of another branch, with the files as they are here. */
function mergeInto(folder: string): void {
  const other = gitIn(folder, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "other");
  gitIn(folder, "merge", "--quiet", "--no-ff", "--no-commit", "--strategy=ours", other);
}

async function applyAll(world: World): Promise<void> {
  const approvals = { yes: true, allowDelete: true, acceptRoutingWindow: true, maxRemovals: { percent: 100 } } as const;
  const { exit, stderr } = await world.run(apply, { paths: [], ...approvals, base: "none" });
  if (exit !== 0) throw new Error(stderr);
}

/** Compares the plan against a base with what the rows say. `isSettled`: the workspace is as the base declares it. */
async function judge(
  world: World,
  base: { readonly id: string; readonly declared: Declared },
  declared: Declared,
  isSettled: boolean,
): Promise<void> {
  const { plan } = await planOf(world, { base: base.id });
  const files = differing(base.declared, declared);
  const story = JSON.stringify({ before: base.declared, after: declared });
  const isSameRules = JSON.stringify(base.declared.routing_rules) === JSON.stringify(declared.routing_rules);
  for (const { address, origin, kind } of plan.changes) {
    if (kind !== "routing_rules")
      expect({ [address]: origin }, story).toEqual({
        [address]: files.has(address) || files.has(kind) ? "files" : "workspace",
      });
    else if (isSameRules || isSettled) expect(origin, story).toBe(isSameRules ? "workspace" : "files");
  }
  expect(
    (plan.released ?? []).map(({ address, path }) => (path === undefined ? address : `${address}#${path}`)).sort(),
    story,
  ).toEqual([...releasedBetween(base.declared, declared)].sort());
  for (const kind of ["webhooks", "alert_sources"] as const) {
    const own = plan.changes.filter((change) => change.kind === kind);
    const [from, ...moreGone] = own.filter(({ action }) => action === "delete" || action === "disable");
    const [to, ...moreNew] = own.filter(({ action }) => action === "create");
    const isSwitched =
      from !== undefined && (declared[kind] ?? []).some(({ name }) => `${kind}/${name}` === from.address);
    if (from === undefined || to === undefined || isSwitched || moreGone.length + moreNew.length > 0) continue;
    const rename = plan.renames?.find((one) => one.from === from.address && one.to === to.address);
    expect(rename, `${from.address} → ${to.address}: ${story}`).toBeDefined();
    const name = from.address.slice(kind.length + 1);
    expect(rename?.edit.text).toBe(`renamed_from: ${name}`);
  }
  const { plan: narrow } = await planOf(world, { base: base.id, onlyChanged: true });
  const ofFiles = plan.changes.filter(({ origin, kind }) => origin === "files" && kind !== "routing_rules");
  expect(
    narrow.changes
      .filter(({ kind }) => kind !== "routing_rules")
      .map(({ address }) => address)
      .sort(),
    story,
  ).toEqual(ofFiles.map(({ address }) => address).sort());
}

test("the origin of each change, what is released and what may be renamed are as the history was made", async () => {
  const { failed, counterexamplePath, errorInstance } = await fc.check(
    fc.asyncProperty(fc.array(step, { minLength: COMMITS, maxLength: COMMITS }), live),
    {
      numRuns: sampleSize(6, process.env.CAMPAIGN_HISTORY),
      seed: Number(process.env.CAMPAIGN_SEED ?? FIXED_SEED),
      endOnFailure: true,
    },
  );
  const reason = errorInstance instanceof Error ? errorInstance.message : "";
  expect(failed, `path ${counterexamplePath}\n${reason}`).toBe(false);
}, 3_600_000);
