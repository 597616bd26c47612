/** A source that takes over the entries of another one: they keep their ids, are renamed and removed as its own. */

import { beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { openTestWorld, type World } from "../world.ts";
import type { LiveEntry } from "./catalog-world.ts";

const source = (name: string, files: string, more = "") => `      - files: ${files}
        source: ${name}${more}
        slug: { jsonata: slug }
        external_id: { jsonata: id }
`;
const catalog = (...sources: readonly string[]) =>
  `catalog_types:\n  - slug: service\n    entries_from:\n${sources.join("")}`;

const ROWS = "id,slug\n1,billing\n2,mail\n3,search\n";

let world: World;
beforeEach(async () => {
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\n",
    "catalog.yaml": catalog(source("shop", "shop.csv")),
    "shop.csv": ROWS,
  });
  await applied();
});

const planned = async (): Promise<Plan> => {
  const ended = await world.run(plan, { paths: [], format: "json" });
  expect(ended.exit, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout);
};
const changes = async () =>
  (await planned()).changes.map(({ action, address }) => `${action} ${address.split("/").at(-1)}`);
const warnings = async () => (await planned()).warnings.map(({ code, message }) => `${code}: ${message}`);
const applied = async (): Promise<void> => {
  const ended = await world.run(apply, { paths: [], yes: true, allowDelete: true });
  expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
};
const entries = async (): Promise<readonly LiveEntry[]> => {
  const answer = await world.send("GET", "/api/v1/catalog/types/service/entries");
  return (answer as { entries: readonly LiveEntry[] }).entries;
};

test("Without it, each entry of another source is a warning that says how", async () => {
  await world.write({ "catalog.yaml": catalog(source("platform", "shop.csv")) });
  expect(await changes()).toEqual([]);
  const found = await warnings();
  expect(found).toHaveLength(3);
  expect(found[0]).toContain('if none does any more, write take_over: ["shop"] beside entries_from\'s source');
});

test("An entry of the other source keeps its id under another slug, and goes when no document makes it", async () => {
  const before = await entries();
  await world.write({
    "catalog.yaml": catalog(source("platform", "platform.csv", "\n        take_over: [shop]")),
    "platform.csv": "id,slug\n1,invoices\n3,search\n4,cart\n",
  });
  expect(await warnings()).toEqual([]);
  expect(await changes()).toEqual(["update invoices", "create cart", "delete mail"]);
  await applied();
  expect(await changes()).toEqual([]);
  const after = new Map((await entries()).map(({ external_id, id }) => [external_id, id]));
  expect([...after.keys()].sort()).toEqual(["1", "3", "4"]);
  for (const { external_id, id } of before) if (after.has(external_id)) expect(after.get(external_id)).toBe(id);
});

test("The entries of a source that has left the configuration go", async () => {
  await world.write({
    "catalog.yaml": catalog(source("shop", "shop.csv"), source("export", "export.csv")),
    "export.csv": "id,slug\n1,cart\n2,fraud\n",
  });
  await applied();
  await world.write({ "catalog.yaml": catalog(source("shop", "shop.csv")) });
  expect(await changes()).toEqual([]);
  await world.write({ "catalog.yaml": catalog(source("shop", "shop.csv", "\n        take_over: [export]")) });
  // Both sources have an entry with the id 1: the one of shop stays what it is.
  expect(await changes()).toEqual(["delete cart", "delete fraud"]);
  await applied();
  expect(await changes()).toEqual([]);
});
