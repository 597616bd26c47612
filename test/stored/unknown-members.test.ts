/** Commands against a newer service, whose answers have members that this program does not know. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { fieldsIn, isFields, isList, listIn } from "../../src/core/json.ts";
import { openWorld, type World } from "../commands/world.ts";
import { type Alteration, alteringIo, altersObjects, answeringIo } from "./altering.ts";

let world: World;
afterEach(() => world.close());

const applied = () => world.run(apply, { paths: [], yes: true });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const pulled = () => world.run(pull, { paths: [] });
const fileOf = (path: string) => readFile(join(world.folder, path), "utf8");

async function opened(files: Readonly<Record<string, string>>): Promise<void> {
  world = await openWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", ...files });
}

function answering(...alterations: readonly Alteration[]): void {
  Object.assign(
    world.io,
    answeringIo({ ...world.io }, (body, request) => alterations.reduce((all, alter) => alter(all, request), body)),
  );
}

describe("an attribute that the service computes", () => {
  const CATALOG = `catalog_types:
  - slug: squad
    name: Squad
    attributes: [{ name: Tier, attribute_type: text }]
    entries:
      - { slug: red, name: Red, attributes: { tier: one } }
      - { slug: blue, name: Blue }
`;
  const computed = altersObjects(
    ({ slug, attributes }) => slug !== undefined && isFields(attributes),
    (row) => ({ ...row, attributes: { ...fieldsIn(row.attributes), owned_services: ["x"] } }),
  );
  const owned = { name: "Owned services", attribute_type: "text", read_only: true };
  const listed = altersObjects(
    ({ slug, attribute_definitions }) => slug === "squad" && isList(attribute_definitions),
    (row) => ({ ...row, attribute_definitions: [...listIn(row.attribute_definitions), owned] }),
  );

  test.each([
    ["unlisted", [computed]],
    ["listed as read only", [computed, listed]],
  ])("is neither compared nor sent back nor pulled: %s", async (_title, alterations) => {
    await opened({ "config/catalog.yaml": CATALOG });
    expect((await applied()).exit).toBe(0);
    const bodies: string[] = [];
    Object.assign(
      world.io,
      alteringIo({ ...world.io }, (body) => {
        bodies.push(JSON.stringify(body));
        return body;
      }),
    );
    answering(...alterations);
    const second = await planned();
    expect(second.exit, second.stdout).toBe(0);
    await world.write({
      "config/catalog.yaml": CATALOG.replace("name: Red", "name: Crimson").replace("name: Blue", "name: Navy"),
    });
    const third = await applied();
    expect(third.exit, third.stdout + third.stderr).toBe(0);
    expect(third.stdout).toContain("2 of 2 operations done");
    expect(bodies.join()).not.toContain("owned_services");
    expect((await pulled()).exit).toBe(0);
    expect(await fileOf("config/catalog.yaml")).not.toMatch(/owned/i);
    expect((await planned()).exit).toBe(0);
    await world.write({ "config/catalog.yaml": CATALOG.replace("tier: one", "owned_services: x") });
    const refused = await planned();
    expect(refused.stderr).toContain('has no attribute "owned_services"');
  });
});
