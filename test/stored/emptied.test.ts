/** Commands that empty what was set. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { openTestWorld, type World } from "../commands/world.ts";

let world: World;

const catalog = (values: string): string => `catalog_types:
  - slug: squad
    name: Squad
    attributes:
      - { name: Note, attribute_type: text }
      - { name: Tags, attribute_type: list }
      - { name: Parent, attribute_type: reference, reference_type: squad }
      - { name: People, attribute_type: workspace_members }
    entries:
      - { slug: red, name: Red, attributes: ${values} }
      - { slug: blue, name: Blue }
`;

const FULL = "{ note: x, tags: [a, b], parent: blue }";

async function opened(values: string): Promise<void> {
  world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n" });
  await world.write({ "config/catalog.yaml": catalog(values) });
}

const applied = () => world.run(apply, { paths: [], yes: true });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });

/** The values of the entry that the service has. */
async function stored(): Promise<object> {
  const { entries } = (await world.send("GET", "/api/v1/catalog/types/squad/entries")) as {
    readonly entries: readonly { readonly slug: string; readonly attributes: object; readonly references: object[] }[];
  };
  const entry = entries.find(({ slug }) => slug === "red");
  return { ...entry?.attributes, references: entry?.references.length };
}

describe("an emptied attribute", () => {
  test.each([
    "{ note: null, tags: null, parent: null, people: null }",
    '{ note: "", tags: [], parent: "", people: [] }',
    '{ note: "", tags: [""], parent: [] }',
  ])("converges, new or old: %s", async (values) => {
    for (const first of [FULL, values]) {
      await opened(first);
      expect((await applied()).exit).toBe(0);
      await world.write({ "config/catalog.yaml": catalog(values) });
      const second = await applied();
      expect(second.exit, second.stdout + second.stderr).toBe(0);
      const next = await planned();
      expect(next.exit, next.stdout).toBe(0);
      const values_ = await stored();
      expect(values_).toMatchObject({ references: 0 });
      expect(values_).not.toHaveProperty("note", "x");
      expect((await world.run(pull, { paths: [] })).stdout).toContain("The files match the workspace.");
      expect(await readFile(join(world.folder, "config/catalog.yaml"), "utf8")).toContain(values);
    }
  });
});
