/** The twenty-four scenarios of the fault tests: a workspace, and the files to apply to it. */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { parse } from "yaml";
import type { Json } from "../../../src/core/json.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { catalogEntries, catalogTypes } from "../../../src/emulator/modules/catalog/catalog-tables.ts";
import type { Database } from "../../../src/emulator/store/database.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { folder as examplesFolder, modules } from "../../support/samples/example-workspace.ts";

/** Texts of files by path. */
export type Files = Readonly<Record<string, string>>;

/** A request by a person. `{kind/key}` is replaced by the id of that resource. */
export interface HandEdit {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
}

export interface Scenario {
  readonly number: number;
  readonly name: string;
  /** Files applied first, undisturbed. Without them the workspace is new. */
  readonly before?: Files;
  /** Inserts rows that would take too long to apply. */
  readonly stock?: (database: Database) => void;
  /** Requests by people afterwards. */
  readonly hand?: readonly HandEdit[];
  readonly after: Files;
  readonly bare?: true;
  readonly dialects?: Partial<Dialects>;
  /** Flags of `apply` besides the approval flags. */
  readonly flags?: readonly string[];
  /** Too large to try a fault at every request. */
  readonly sampled?: true;
}

const stories = fileURLToPath(new URL("../../scenarios", import.meta.url));
const own = fileURLToPath(new URL("scenarios", import.meta.url));

/** A step of a scenario in test/scenarios, with its settings. */
function step(story: string, name: string): Files {
  const folder = join(stories, story);
  const settings = story === "remove-a-source-with-its-rules" || story === "disable-what-is-not-listed";
  return {
    "workspace.yaml": readFileSync(join(folder, `${name}.yaml`), "utf8"),
    ...(settings ? { "incidentctl.yaml": readFileSync(join(folder, "incidentctl.yaml"), "utf8") } : {}),
  };
}

function edits(story: string, name: string): readonly HandEdit[] {
  const all: Readonly<Record<string, readonly HandEdit[]>> = JSON.parse(
    readFileSync(join(stories, story, "hand.json"), "utf8"),
  );
  return all[name] ?? [];
}

/** A configuration in the folder beside this file. */
function file(name: string): Files {
  return { "workspace.yaml": readFileSync(join(own, `${name}.yaml`), "utf8") };
}

/** As little as a workspace can be: the lists of {@link file} "every-kind" are empty, but for what it cannot be without. */
export function nothing(): Files {
  const kept = parse(readFileSync(join(own, "nothing.yaml"), "utf8"));
  const { forms, custom_fields, ...all } = parse(file("every-kind")["workspace.yaml"] ?? "");
  return {
    "workspace.yaml": JSON.stringify({ ...Object.fromEntries(Object.keys(all).map((name) => [name, []])), ...kept }),
  };
}

/** The example workspace without the settings that name a service. */
function examples(): Files {
  const texts = modules.map((module) => [
    `${module}.yaml`,
    readFileSync(join(examplesFolder, `${module}.yaml`), "utf8"),
  ]);
  const failover = "runbooks/ledger-failover.md";
  const settings = readFileSync(join(examplesFolder, "incidentctl.yaml"), "utf8")
    .replace(/^ *base_url:.*$/gm, "")
    .replace(/^environments:[\s\S]*$/m, "");
  return {
    ...Object.fromEntries(texts),
    [failover]: readFileSync(join(examplesFolder, failover), "utf8"),
    "incidentctl.yaml": settings,
  };
}

/** A random configuration of every kind, determined by the seed. JSON is valid YAML. */
function arbitrary(seed: number): Files {
  const [document] = fc.sample(configuration, { seed, numRuns: 1 });
  return { "workspace.yaml": JSON.stringify(document) };
}

const BIG = 5_000;
const shop = { slug: "shop", name: "Shop" };
const nameOf = (index: number): string => `Shop ${index}`;
const slugOf = (index: number): string => `shop_${index}`;

/** A catalog of many entries, some with other names than in {@link stocked}. */
function manyEntries(): Files {
  const entries = Array.from({ length: BIG }, (_, index) => {
    const name = index % 500 === 7 ? `${nameOf(index)} of the second kind` : nameOf(index);
    return { slug: slugOf(index), name };
  });
  return { "workspace.yaml": JSON.stringify({ catalog_types: [{ ...shop, entries }] }) };
}

function stocked(database: Database): void {
  const type_id = database.find(catalogTypes, { slug: shop.slug })?.id ?? "";
  const rows = Array.from({ length: BIG }, (_, index) => {
    const own = { id: randomUUID(), name: nameOf(index), slug: slugOf(index) };
    return { ...own, type_id, source: null, external_id: null, attributes: {} };
  });
  database.insert(catalogEntries, ...rows);
}

/** All scenarios. The seed determines the random one. */
export function scenarios(seed = 1): readonly Scenario[] {
  return [
    { number: 1, name: "from nothing, every kind once", after: file("every-kind") },
    { number: 2, name: "everything goes", before: file("every-kind"), after: nothing() },
    pair(3, "rename-everything", "1", "2"),
    pair(4, "reorder-eight-severities", "1", "3"),
    pair(5, "insert-a-severity-in-the-middle", "1", "2"),
    pair(6, "disable-and-enable-again", "1", "2"),
    pair(7, "replace-a-status-that-incidents-use", "1", "2", "2"),
    pair(8, "rename-add-and-remove-options", "1", "2", "2"),
    pair(9, "tighten-a-form", "1", "2"),
    { ...pair(10, "tighten-a-form", "2", "1"), name: "relax-a-form" },
    { number: 11, name: "steps cleared, kept and changed", before: file("steps-before"), after: file("steps-after") },
    pair(12, "give-a-source-its-first-rules", "1", "2"),
    pair(13, "shrink-a-rule-set-with-gaps", "1", "2", "2"),
    pair(14, "webhooks-that-share-an-address", "1", "2"),
    { number: 15, name: "an agent with grants", after: step("give-an-agent-grants-and-take-them", "2") },
    { number: 16, name: "two agents and their tokens", before: file("agents-before"), after: file("agents-after") },
    { number: 17, name: "keys made and changed", before: file("keys-before"), after: file("keys-after") },
    pair(18, "catalog-types-that-mention-each-other", "1", "2"),
    { number: 19, name: "nothing to do", before: file("every-kind"), after: file("every-kind") },
    {
      ...pair(20, "repair-what-was-edited-by-hand", "1", "1"),
      hand: edits("repair-what-was-edited-by-hand", "return"),
    },
    {
      number: 21,
      name: "two owners of one workspace",
      before: file("every-kind"),
      after: file("other-owner"),
    },
    {
      number: 22,
      name: "five thousand entries",
      before: { "workspace.yaml": JSON.stringify({ catalog_types: [shop] }) },
      stock: stocked,
      after: manyEntries(),
      sampled: true,
    },
    pair(23, "keep-a-field-that-a-form-asks", "1", "2"),
    { number: 24, name: "anything", before: arbitrary(seed), after: arbitrary(seed + 1) },
  ];
}

/** The example workspace on a new service. */
export const exampleWorkspace: Scenario = {
  number: 25,
  name: "the example workspace",
  after: examples(),
  sampled: true,
};

function pair(number: number, story: string, before: string, after: string, hand?: string): Scenario {
  return {
    number,
    name: story,
    before: step(story, before),
    after: step(story, after),
    ...(hand === undefined ? {} : { hand: edits(story, hand) }),
  };
}
