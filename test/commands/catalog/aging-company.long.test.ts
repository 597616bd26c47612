/** A year of a catalog: whatever changes in the files, each day can be planned, and nothing loses its id or vanishes without an approval. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { SealedPlan } from "../../../src/plan/model/plan.ts";
import { Dice, slugOf } from "../../config/catalog/entries/dice.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { openTestWorld, type World } from "../world.ts";
import { companyOf, filesOf, nextDay } from "./aging-company.ts";
import type { LiveEntry } from "./catalog-world.ts";

/** The days of a larger sample: a year. */
const YEAR = 365;

const SEEDS = [1, 2, 3];

type Live = ReadonlyMap<string, LiveEntry & { readonly name: string }>;

async function liveEntries(world: World): Promise<Live> {
  const lists = await Promise.all(
    ["team", "service"].map((type) => world.send("GET", `/api/v1/catalog/types/${type}/entries?limit=200`)),
  );
  const all = lists.flatMap(
    (list) => (list as { entries: readonly (LiveEntry & { readonly name: string })[] }).entries,
  );
  return new Map(all.filter(({ source }) => source !== null).map((entry) => [String(entry.external_id), entry]));
}

async function planned(world: World, day: string): Promise<SealedPlan> {
  const { exit, stdout, stderr } = await world.run(plan, { paths: [], format: "json" });
  expect(exit, `${day}\n${stderr}`).toBe(0);
  return JSON.parse(stdout);
}

/** The slugs of the entries that stay although no document makes them, and that only entries held back reference. */
function retained({ warnings }: SealedPlan): readonly string[] {
  return warnings.flatMap(({ code, message }) => {
    const slug =
      code === "W_RETAINED" ? /^catalog_types\/team\/entries\/(\w+) .* stays: used by/u.exec(message)?.[1] : undefined;
    return slug === undefined ? [] : [slug];
  });
}

async function writeFiles(world: World, before: object, after: Readonly<Record<string, string>>): Promise<void> {
  for (const path of Object.keys(before)) if (after[path] === undefined) await rm(join(world.folder, path));
  await world.write(after);
}

test.each(SEEDS)(
  "each day can be planned, keeps ids, and takes nothing away without an approval, seed %i",
  async (seed) => {
    const dice = new Dice(seed);
    let company = companyOf(dice, 8);
    let files = filesOf(company);
    // A year takes seconds here, so the limit of a minute would be that of months.
    const world = await openTestWorld(files, { requestsPerMinute: Number.MAX_SAFE_INTEGER });
    const approved = { paths: [], yes: true, allowDelete: true, maxRemovals: { percent: 100 } };
    expect((await world.run(apply, approved)).exit).toBe(0);

    for (let number = 1; number <= sampleSize(YEAR) / SEEDS.length; number += 1) {
      company = nextDay(company, dice);
      const after = filesOf(company);
      await writeFiles(world, files, after);
      files = after;
      const day = `day ${number}: ${company.log.join(", ")}`;
      const before = await liveEntries(world);

      const { changes, blocked } = await planned(world, day);
      const removals = changes.filter(({ action }) => action === "delete");
      const cleared = changes.filter(({ fields }) =>
        fields.some(({ after: value, path }) => value === null && path.startsWith("/attributes")),
      );
      const careless = await world.run(apply, { paths: [], yes: true });
      if (removals.length > 0) {
        expect({ exit: careless.exit, blocked: blocked.length > 0 }, `${day}\n${careless.stderr}`).toEqual({
          exit: 3,
          blocked: true,
        });
        expect(await liveEntries(world), day).toEqual(before);
      }
      // A lost column of more services than a person would clear by hand.
      if (cleared.length > 3) expect(careless.exit, day).toBe(3);

      const { exit, stderr, stdout } = await world.run(apply, approved);
      expect(exit, `${day}\n${stderr}\n${stdout}`).toBe(0);
      const live = await liveEntries(world);
      const rest = await planned(world, day);
      const heldBack = new Set(
        rest.warnings.flatMap(({ code, address = "" }) => (code === "W_HELD_BACK" ? [address.split("/").at(-1)] : [])),
      );
      // Only one thing stands in the way: the slug that another one keeps for ever.
      for (const { code, message } of rest.warnings) {
        if (code === "W_HELD_BACK") expect(message, day).toContain("was renamed and keeps the slug");
      }
      const settled = company.services.filter(({ name }) => !heldBack.has(slugOf(name)));
      const names = new Map([
        ...company.teams.map(({ id, name }) => [id, name] as const),
        ...settled.map(({ id, title }) => [id, title] as const),
      ]);
      for (const [id, entry] of live) {
        if (before.has(id)) expect(entry.id, `${day}: ${id}`).toBe(before.get(id)?.id);
      }
      // By its id or, where a removed entry has left its slug, by that.
      const liveOf = ({ id, name }: { readonly id: string; readonly name: string }) =>
        live.get(id) ?? [...live.values()].find(({ slug }) => slug === slugOf(name));
      for (const one of [...company.teams, ...settled]) {
        if (company.copied?.id !== one.id) expect(liveOf(one)?.name, `${day}: ${one.id}`).toBe(names.get(one.id));
      }
      // Nothing is left that the files do not make, but what the plan names: the slug of an entry that is held back, and what that references.
      const copied = company.copied === undefined ? [] : [company.copied];
      const expected = new Set([...company.teams, ...company.services, ...copied].map((one) => liveOf(one)?.id));
      const staying = new Set([...heldBack, ...retained(rest)]);
      expect(
        [...live.values()].filter(({ id, slug }) => !expected.has(id) && !staying.has(slug)),
        day,
      ).toEqual([]);
      expect(
        rest.changes.map(({ action, address }) => `${action} ${address}`),
        day,
      ).toEqual([]);
    }
  },
  sampleSize(YEAR) * 3_000 + 60_000,
);
