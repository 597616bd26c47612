import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../src/app/plan/plan-definition.ts";
import { load } from "../../src/config/load/load.ts";
import type { Fields } from "../../src/core/json.ts";
import { fill } from "../../src/core/route.ts";
import { kinds } from "../../src/kinds/index.ts";
import { hasOneList, type Kind, ownerKindOf } from "../../src/kinds/model/kind.ts";
import type { Plan } from "../../src/plan/model/plan.ts";
import { configuration as arbitrary } from "../support/samples/arbitrary-configuration.ts";
import { folder, modules } from "../support/samples/example-workspace.ts";
import { openTestWorld, type World } from "./world.ts";

const paths: readonly string[] = [];
const consents = {
  yes: true,
  allowDelete: true,
  maxRemovals: { entries: 1000 },
  acceptRoutingWindow: true,
  secretsOut: "tokens.jsonl",
};

/** What a command has sent, by purpose: as its account says, which must be all that the service has seen. */
async function accounted(
  world: World,
  run: () => Promise<{ readonly exit: number; readonly stdout: string; readonly stderr: string }>,
): Promise<{ readonly spent: Readonly<Record<string, number>>; readonly total: number; readonly stdout: string }> {
  world.requests.length = 0;
  const { exit, stdout, stderr } = await run();
  expect(exit, stdout + stderr).toBe(0);
  const [, table = ""] = stderr.split("Requests:\n");
  const rows = [...table.matchAll(/^ +(\d+) {2}(.*)$/gm)].map(
    ([, count, what]) => [what ?? "", Number(count)] as const,
  );
  const { total = 0, ...spent } = Object.fromEntries(rows);
  expect(Object.values(spent).reduce((sum, count) => sum + count, 0)).toBe(total);
  expect(world.requests).toHaveLength(total);
  expect(Object.keys(spent)).not.toContain("others");
  return { spent, total, stdout };
}

const planning = (world: World, more: Partial<PlanFlags> = {}) =>
  accounted(world, () => world.run(plan, { paths, verbose: true, ...more }));
const applying = (world: World) =>
  accounted(world, () => world.run(apply, { paths, verbose: true, format: "json", ...consents }));

/**
 * The fewest requests that can tell what is live of all that the files manage and mention: one for each page of a list, one for
 * each form, one for the rules of each scope, none for what lies in an entry that does not exist. Where something would be
 * removed, the same for all that could point at it, one for each count of incidents, and the pages of incidents if one must be read to
 * know which resources it uses.
 */
async function fewest(world: World): Promise<number> {
  const { managed, declared } = await load([], { kinds, env: {}, cwd: world.folder });
  const lists = new Map(managed.map((list) => [`${list.kind} ${list.scope}`, list]));
  const add = (kind: string, scope: string) => lists.set(`${kind} ${scope}`, { kind, scope });
  const stated = (kind: string, key: string, scope = "") =>
    declared.find((entry) => entry.kind.name === kind && entry.key === key && entry.scope === scope)?.fields;
  for (const { kind, fields, scope } of declared) {
    const mentioned =
      kind.references?.of?.({ fields: stated, declaredFields: stated, live: () => undefined }, scope)(fields) ?? [];
    for (const mention of mentioned) add(mention.kind, mention.scope);
  }
  let requests = 0;
  let readsIncidents = false;
  for (const { kind, scope } of managed) {
    const row = kindOf(kind);
    if (row.lifecycle.permanent === true || row.lifecycle.order === "rank") continue;
    const going = (await rowsOf(world, kind, scope)).filter(
      (one) =>
        one[row.lifecycle.disable ?? ""] !== false &&
        row.lifecycle.builtins?.matches?.(one) !== true &&
        stated(kind, keyOf(row, one), scope) === undefined,
    );
    if (going.length === 0) continue;
    const { countedBy, namedIn, answeredIn } = row.references ?? {};
    if (countedBy !== undefined) requests += going.length;
    const answered = row.parent?.kind === "catalog_types" ? await rowsOf(world, "custom_fields") : [];
    if (row.parent?.kind === "catalog_types") add("custom_fields", "");
    readsIncidents ||=
      (namedIn ?? answeredIn) !== undefined || answered.some(({ catalog_type }) => catalog_type === scope);
    for (const other of kinds.filter(
      ({ name, references: { dependsOn: after } = {} }) =>
        after?.includes(kind) || row.references?.cascades?.includes(name),
    )) {
      if (other.endpoint.admin === true && !managed.some((list) => list.kind === other.name)) continue;
      const own = ownerKindOf(other) === kind ? going.map((one) => keyOf(row, one)) : await scopesOf(world, other);
      for (const one of own) add(other.name, one);
    }
  }
  if (readsIncidents) requests += Math.max(1, Math.ceil((await incidentsOf(world)) / 100));
  for (const { kind, scope } of [...lists.values()]) {
    const parent = scope === "" ? undefined : ownerKindOf(kindOf(kind));
    if (parent === undefined) continue;
    add(parent, "");
  }
  for (const { kind, scope } of lists.values()) {
    const parent = scope === "" ? undefined : ownerKindOf(kindOf(kind));
    if (parent !== undefined && !(await keysOf(world, parent)).includes(scope)) continue;
    const rows = kindOf(kind).endpoint.paginated === true ? (await rowsOf(world, kind, scope)).length : 0;
    requests += Math.max(1, Math.ceil(rows / 100));
  }
  return requests;
}

function kindOf(name: string): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}

async function scopesOf(world: World, kind: Kind): Promise<readonly string[]> {
  if (hasOneList(kind)) return [""];
  const owner = ownerKindOf(kind);
  const live = owner === undefined ? [] : await keysOf(world, owner);
  const plain = kind.scopes?.patterns.some((pattern) => !pattern.includes("*")) === true;
  return [...(plain ? [""] : []), ...(kind.scopes?.names ?? []), ...live];
}

async function incidentsOf(world: World): Promise<number> {
  const { pagination } = (await world.send("GET", "/api/v1/incidents?per_page=1")) as { pagination: { total: number } };
  return pagination.total;
}

/** What the files name a row by. */
function keyOf({ identity: { keys: key } }: Kind, row: Fields): string {
  return String(key.map((field) => row[field]).find((value) => typeof value === "string"));
}

async function keysOf(world: World, name: string): Promise<readonly string[]> {
  return (await rowsOf(world, name)).map((row) => keyOf(kindOf(name), row));
}

/** What a collection holds, disabled entries included, read past the program; nothing where its parent does not exist. */
async function rowsOf(world: World, name: string, scope = ""): Promise<readonly Fields[]> {
  const kind = kindOf(name);
  const parent = ownerKindOf(kind);
  const within =
    parent === undefined || scope === ""
      ? undefined
      : (await rowsOf(world, parent)).find((row) => keyOf(kindOf(parent), row) === scope);
  if (parent !== undefined && scope !== "" && within === undefined) return [];
  const rows: Fields[] = [];
  for (let page = 1; ; page++) {
    const { path, query } = fill(kind.endpoint.list, { scope, parent: String(within?.id) });
    const asked = new URLSearchParams({ ...query, include_disabled: "true", page: String(page), per_page: "100" });
    const body = (await world.send("GET", `${path}?${asked}`)) as Record<string, Fields[]>;
    const found = Object.values(body).find((value) => Array.isArray(value)) ?? [];
    rows.push(...found);
    if (kind.endpoint.paginated !== true || found.length < 100) return rows;
  }
}

/** What safety adds to the writes of a plan: each with its name. */
function checksOf({ operations }: Plan): Readonly<Record<string, number>> {
  const checked = operations.filter(({ guard }) => guard !== undefined && guard.unchecked !== true);
  const repeatable = operations.filter(({ guard, method }) => method === "POST" && guard?.repeatable === true);
  return present({
    "reads before creates": checked.filter(({ guard }) => guard?.row === undefined).length,
    "reads before updates and removals": checked.filter(({ guard }) => guard?.row !== undefined).length,
    writes: operations.length,
    "reads after creates, to find duplicates": repeatable.length,
  });
}

function present(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

const READS = [
  "pages of lists",
  "lists of form fields",
  "lists of routing rules",
  "counts of incidents",
  "pages of incidents",
];
const PROOF = "lists without disabled items, to prove that nothing else is missing";
const VERIFICATION = "reads after the last write";

/** Plans, applies and applies again, and holds each against the fewest requests. */
async function expectFewest(world: World): Promise<void> {
  const least = await fewest(world);
  const { total, spent, stdout } = await planning(world, { format: "json" });
  expect(total, JSON.stringify(spent)).toBe(least);
  expect(Object.keys(spent).filter((what) => !READS.includes(what))).toEqual([]);
  const planned: Plan = JSON.parse(stdout);
  const first = await applying(world);
  const checks = checksOf(planned);
  // Lists in which nothing was enabled and something is made are looked at in another way once.
  const { [PROOF]: proofs = 0, [VERIFICATION]: again, ...rest } = first.spent;
  expect(proofs).toBeLessThanOrEqual(planned.operations.filter(({ method }) => method === "POST").length);
  expect(rest).toEqual({ ...spent, ...checks });
  expect(again ?? 0).toBe(planned.operations.length === 0 ? 0 : await fewest(world));
  const second = await applying(world);
  expect(second.total).toBe(await fewest(world));
}

function examples(): Readonly<Record<string, string>> {
  const names = [...modules.map((module) => `${module}.yaml`), "runbooks/ledger-failover.md", "incidentctl.yaml"];
  const read = (name: string) => readFileSync(join(folder, name), "utf8").replace(/^base_url: .*$/m, "");
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

describe("a plan sends only necessary requests, and an apply adds its writes and safety checks", () => {
  test("of the examples", async () => {
    await expectFewest(await openTestWorld(examples()));
  });

  const generated = fc.sample(arbitrary, { seed: 7, numRuns: Number(process.env.CAMPAIGN_REQUEST_RUNS ?? 4) });
  test.each(generated.map((document, at) => [at + 1, document] as const))(
    "of generated workspace %i",
    async (_at, document) => {
      await expectFewest(await openTestWorld({ "main.yaml": JSON.stringify(document) }));
    },
  );
});

/** The lists asked for, below /api/v1 and without their query. */
function asked(world: World): readonly string[] {
  return world.requests.map(({ method, url }) => `${method} ${new URL(url).pathname.replace("/api/v1", "")}`);
}

const racks = (count: number): string =>
  `catalog_types:\n  - slug: rack\n    name: Rack\n    entries:\n${Array.from(
    { length: count },
    (_, at) => `      - { slug: r${at}, name: R${at} }\n`,
  ).join("")}`;

test("a paginated list is read once by a plan, and a second time by an apply that creates or removes a resource of it", async () => {
  const world = await openTestWorld({ "catalog.yaml": racks(101) });
  await applying(world);
  const pages = "pages of lists";
  const again = "lists read again, to prove that nothing is missing";
  expect((await planning(world)).spent).toEqual({ [pages]: 3 });
  expect((await applying(world)).spent).toEqual({ [pages]: 3 });
  await world.write({ "catalog.yaml": racks(101).replace("name: R7 ", "name: Seven ") });
  expect((await applying(world)).spent).toMatchObject({ [pages]: 3, [VERIFICATION]: 3 });
  await world.write({ "catalog.yaml": racks(102) });
  expect((await planning(world)).spent).toEqual({ [pages]: 3 });
  const made = await applying(world);
  expect(made.spent).toEqual({
    [pages]: 3,
    [again]: 2,
    writes: 2,
    "reads before updates and removals": 1,
    [VERIFICATION]: 3,
  });
});

describe("a plan with --target reads the targets and their references", () => {
  test.each<[Partial<PlanFlags>, readonly string[]]>([
    [{ target: ["severities/critical"] }, ["GET /severities"]],
    [{ kinds: "severities" }, ["GET /severities"]],
    [{ target: ["forms/update"] }, ["GET /forms/update", "GET /custom_fields", "GET /incident_types"]],
    [{ target: ["catalog_types/team/entries/payments"] }, ["GET /catalog/types", "GET /catalog/types/team/entries"]],
    [{ target: ["severities/critical"], exclude: ["severities/major"] }, ["GET /severities"]],
    [
      { kinds: "severities,forms", exclude: ["forms/declare", "forms/resolve", "forms/cancel", "forms/update"] },
      ["GET /severities"],
    ],
  ])("%j", async (narrowing, lists) => {
    const world = await openTestWorld(examples());
    await planning(world, narrowing);
    expect(asked(world)).toEqual(lists);
  });
});
