import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { openWorld, type World } from "../world.ts";

const CATALOG = `catalog_types:
  - slug: service
    entries_from:
      files: svc.csv
      slug: { jsonata: name }
      attributes: { tier: { jsonata: tier } }
    entries: # by hand
      - { slug: only_hand, name: Only hand }
      - slug: a
        name: AA # nicer
        attributes: { description: Written }
`;

let world: World;
beforeEach(async () => {
  world = await openWorld({
    "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\n",
    "catalog.yaml": CATALOG,
    "svc.csv": "name,tier\nb,Critical\na,Standard\n",
  });
  const ended = await world.run(apply, { paths: [], yes: true });
  expect(ended.exit, ended.stderr).toBe(0);
});
afterEach(() => world.close());

const ENTRIES = "/api/v1/catalog/types/service/entries";
interface LiveEntry {
  readonly id: string;
  readonly slug: string;
}

async function idOf(slug: string): Promise<string | undefined> {
  const { entries } = (await world.send("GET", ENTRIES)) as { readonly entries: readonly LiveEntry[] };
  return entries.find((entry) => entry.slug === slug)?.id;
}
const edit = async (slug: string, body: object) =>
  world.send("PATCH", `/api/v1/catalog/entries/${await idOf(slug)}`, body);
const remove = async (slug: string) => world.send("DELETE", `/api/v1/catalog/entries/${await idOf(slug)}`);
const pulled = async () => {
  const { exit, stdout, stderr } = await world.run(pull, { paths: [] });
  return { exit, output: stdout + stderr, catalog: await readFile(join(world.folder, "catalog.yaml"), "utf8") };
};

describe("pull of a type that has sources and entries of its own", () => {
  test("has nothing to write if nothing differs", async () => {
    await world.send("POST", ENTRIES, { name: "By hand" });
    expect(await pulled()).toEqual({ exit: 0, output: "The files match the workspace.\n", catalog: CATALOG });
  });

  test("writes the values that the file declares, and keeps everything else in its place", async () => {
    await edit("only_hand", { name: "Only hand 2" });
    await edit("a", { name: "AAA", attributes: { tier: "Standard", description: "Clicked" } });
    expect(await pulled()).toMatchObject({
      exit: 0,
      catalog: CATALOG.replace("name: Only hand", "name: Only hand 2")
        .replace("name: AA ", "name: AAA ")
        .replace("Written", "Clicked"),
    });
  });

  test("leaves values that a source makes to a conflict, in an entry of the file as well", async () => {
    await edit("a", { attributes: { tier: "Internal", description: "Clicked" } });
    await edit("b", { name: "Clicked", attributes: {} });
    const { exit, output, catalog } = await pulled();
    expect(exit).toBe(7);
    expect(catalog).toBe(CATALOG.replace("Written", "Clicked"));
    expect(output).toContain(
      'conflict: catalog_types/service/entries/a attributes/tier: the workspace has "Internal", and the file "Standard" (svc.csv:3:3)\n',
    );
    expect(output).toContain(
      [
        'conflict: catalog_types/service/entries/b name: the workspace has "Clicked", and the file "b" (svc.csv:2:1)',
        'conflict: catalog_types/service/entries/b attributes/tier: the workspace has no value, and the file "Critical" (svc.csv:2:3)',
      ].join("\n"),
    );
  });

  test("removes what the file alone declares, and keeps what a source makes too", async () => {
    await remove("only_hand");
    await remove("a");
    const { exit, output, catalog } = await pulled();
    expect(exit).toBe(7);
    expect(catalog).toBe(CATALOG.replace("      - { slug: only_hand, name: Only hand }\n", ""));
    expect(output).toContain(
      "conflict: catalog_types/service/entries/a: it is not in the workspace, but the files make it",
    );
  });

  test("adds no entry whose file is gone", async () => {
    await writeFile(join(world.folder, "svc.csv"), "name,tier\na,Standard\n");
    const { exit, output, catalog } = await pulled();
    expect(exit).toBe(7);
    expect(catalog).toBe(CATALOG);
    expect(output).toContain("conflict: catalog_types/service/entries/b: no file makes it any more");
  });
});
