/**
 * Random companies with a small file for each app, an inventory beside them and entries by hand: what the files make, where mistakes in
 * them are reported, and what plans do when they change.
 */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../../../src/app/apply/apply-command.ts";
import { plan } from "../../../../src/app/plan/plan-command.ts";
import { InvalidConfiguration } from "../../../../src/core/diagnostic.ts";
import type { Plan } from "../../../../src/plan/model/plan.ts";
import { openWorld, type World } from "../../../commands/world.ts";
import { sampleSize } from "../../../support/samples/sample-size.ts";
import { inDirectory, loadDirectory } from "../../loading.ts";
import { companyOf, type Entry, entriesOf, later } from "./company.ts";
import { filesOf, MISTAKES, mistakeIn } from "./company-files.ts";

type Files = Readonly<Record<string, string>>;

const load = (files: Files) => inDirectory(files, (directory) => loadDirectory(`${directory}/config`));

/** The entries that the program makes of files, by type and slug. */
async function madeOf(files: Files): Promise<Readonly<Record<string, Entry>>> {
  const { declared } = await load(files);
  return Object.fromEntries(
    declared.flatMap(({ kind, scope, key, fields, aliases = [] }) => {
      if (kind.name !== "catalog_entries") return [];
      const { name, external_id: externalId, attributes } = fields;
      return [[`${scope}/${key}`, { name, externalId, aliases, attributes: attributes ?? {} } as Entry]];
    }),
  );
}

/** The places of the errors of files, as `file:line`. */
async function errorPlaces(files: Files): Promise<readonly string[]> {
  try {
    await load(files);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    const errors = error.diagnostics.filter(({ severity }) => severity === "error");
    return errors.map(({ at, code, message }) => (at === undefined ? `${code} ${message}` : `${at.file}:${at.line}`));
  }
}

const seeds = (larger: number) =>
  Array.from({ length: sampleSize(larger, process.env.CAMPAIGN_COMPANIES) }, (_, index) => index + 1);

test.each(seeds(60))("The files of a company make the entries that they should, seed %i", async (seed) => {
  const company = companyOf(seed, 25);
  expect(await madeOf(filesOf(company, seed))).toEqual(entriesOf(company));
});

describe.each(MISTAKES)("An error about %s", (what) => {
  test.each(seeds(30))("is in its line and nowhere else, seed %i", async (seed) => {
    const { files, places } = mistakeIn(filesOf(companyOf(seed, 6), seed), what, seed);
    const found = new Set(await errorPlaces(files));
    expect(found.size).toBe(1);
    // Paths are relative to the directory of the settings.
    expect(places).toEqual(expect.arrayContaining([...found]));
  });
});

describe("Against the service", () => {
  const planned = async (world: World): Promise<Plan> => {
    const ended = await world.run(plan, { paths: [], format: "json", allowDelete: true });
    expect(ended.exit, ended.stderr).toBe(0);
    return JSON.parse(ended.stdout);
  };
  const applied = async (world: World): Promise<void> => {
    const ended = await world.run(apply, { paths: [], yes: true, allowDelete: true });
    expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
  };

  test.each(seeds(30))("a plan has the changes of the files and no others, seed %i", async (seed) => {
    const before = companyOf(seed, 8);
    const after = later(before, seed);
    const [first, second] = [filesOf(before, seed), filesOf(after, seed)];
    const world = await openWorld(first);
    try {
      await applied(world);
      expect((await planned(world)).changes).toEqual([]);
      for (const path of Object.keys(first)) if (second[path] === undefined) await rm(join(world.folder, path));
      await world.write(second);
      const { changes } = await planned(world);
      const actions = new Set(changes.map(({ action, address }) => `${action} ${address}`));
      expect([...actions].toSorted()).toEqual(expectedChanges(entriesOf(before), entriesOf(after)));
      await applied(world);
      expect((await planned(world)).changes).toEqual([]);
    } finally {
      await world.close();
    }
  });
});

/**
 * The changes between two states. Ids stay as they were at creation, and aliases are not sent. An attribute that no source and nobody
 * by hand declares any more keeps its value.
 */
function expectedChanges(
  before: Readonly<Record<string, Entry>>,
  after: Readonly<Record<string, Entry>>,
): readonly string[] {
  const address = (key: string) => `catalog_types/${key.replace("/", "/entries/")}`;
  const isUpdated = (was: Entry, is: Entry): boolean =>
    was.name !== is.name ||
    Object.entries(is.attributes).some(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was.attributes[name] ?? null),
    );
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .flatMap((key) => {
      const [was, is] = [before[key], after[key]];
      if (is === undefined) return [`delete ${address(key)}`];
      if (was === undefined) return [`create ${address(key)}`];
      return isUpdated(was, is) ? [`update ${address(key)}`] : [];
    })
    .toSorted();
}
