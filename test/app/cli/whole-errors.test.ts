/** Errors are whole with `--verbose` and in JSON: every place, file, resource and difference that a report counts otherwise. */

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ConsoleOptions } from "../../../src/app/console/console.ts";
import { reportFailure } from "../../../src/app/console/failure-report.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { type Command, type Ended, openTestWorld, type World } from "../../commands/world.ts";

const CATALOG = `catalog_types:
  - slug: team
    entries: [{ slug: ok, name: Ok }]
  - slug: service
    entries_from:
      files: services.csv
      slug: { jsonata: name }
      attributes: { owner_team: { jsonata: owner } }
`;

const rows = (owners: readonly string[]) =>
  ["name,owner", ...owners.map((owner, at) => `s${at},${owner}`), ""].join("\n");

let world: World;
beforeEach(async () => {
  world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [a.yaml]\n", "a.yaml": CATALOG });
});

/** What a command says as text, with `--verbose` and as JSON. Its error is reported as the program does it. */
async function all<Options extends object>(
  command: Command<Options>,
  options: Options,
): Promise<Record<"text" | "verbose" | "json", Ended>> {
  const reporting: Command<Options & ConsoleOptions> = async (given, io, console) => {
    try {
      return await command(given, io, console);
    } catch (error) {
      await reportFailure(error, { command: "any", paths: [], ...given }, io, console);
      throw error;
    }
  };
  const run = (more: object) => world.run(reporting, { ...options, ...more });
  return { text: await run({}), verbose: await run({ verbose: true }), json: await run({ format: "json" }) };
}

test("Every document with a mistake has its place", async () => {
  await world.write({ "services.csv": rows([...Array<string>(26).fill("alpha"), "beta", "gamma"]) });
  const { text, verbose, json } = await all(plan, { paths: [] });
  expect(text.stderr).toContain("services.csv:2:4: catalog_types/service/entries/s0 references");
  expect(text.stderr).toContain("(26 times)");
  expect(text.stderr).not.toContain("services.csv:3:");
  const places = Array.from({ length: 28 }, (_, at) => at + 2);
  for (const line of places) expect(verbose.stderr).toMatch(new RegExp(`services\\.csv:${line}:\\d`));
  const [{ related }] = JSON.parse(json.stdout).diagnostics;
  expect(related.map(({ line }: { line: number }) => line).sort((a: number, b: number) => a - b)).toEqual(places);
});

test("Every symbolic link that is not read has its place", async () => {
  await world.write({ "services.csv": rows(["ok"]), "a.yaml": CATALOG.replace("services.csv", '"*.csv"') });
  for (const name of ["b", "c", "d"]) await symlink("../elsewhere", join(world.folder, `${name}.csv`));
  const { text, verbose } = await all(plan, { paths: [] });
  expect(text.stderr).toContain("a symbolic link, which is not read: b.csv and 2 more");
  for (const name of ["c", "d"]) expect(verbose.stderr).toContain(`${name}.csv:1:1: not read either`);
});

test("Every resource that needs an approval is named", async () => {
  await world.write({ "services.csv": rows(Array<string>(40).fill("ok")) });
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  await world.write({ "services.csv": rows(["ok", ...Array<string>(39).fill("")]) });
  const { text, verbose, json } = await all(apply, { paths: [], yes: true });
  expect(text.stderr).toContain("and 34 more)");
  for (let at = 1; at < 40; at += 1) {
    expect(verbose.stderr).toMatch(new RegExp(`entries/s${at}\\b`));
    expect(json.stderr).toMatch(new RegExp(`entries/s${at}\\b`));
  }
});

test("Every difference from a saved plan is named", async () => {
  await world.write({ "services.csv": rows(Array<string>(30).fill("ok")) });
  const out = join(world.folder, "x.plan");
  expect((await world.run(plan, { paths: [], out })).exit).toBe(0);
  for (let at = 0; at < 30; at += 1) {
    await world.send("POST", "/api/v1/catalog/types/service/entries", { name: `s${at}` });
  }
  const { text, verbose, json } = await all(apply, { paths: [], yes: true, plan: out });
  expect(text.stderr).toContain("more lines; --verbose shows all");
  for (let at = 0; at < 30; at += 1) {
    expect(verbose.stderr).toMatch(new RegExp(`entries/s${at}\\b`));
    expect(json.stdout).toMatch(new RegExp(`entries/s${at}\\b`));
  }
});
