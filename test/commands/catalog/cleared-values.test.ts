/** A column that is lost takes a value from every entry at once: that needs the approval of as many removals. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { openWorld, type World } from "../world.ts";

const CATALOG = `catalog_types:
  - slug: service
    entries_from:
      files: services.csv
      name: { jsonata: name }
      attributes:
        tier: { jsonata: tier }
        repository: { jsonata: repository }
`;

const services = (columns: string, withTier = 40): string =>
  [
    columns,
    ...Array.from({ length: 40 }, (_, at) => `Service ${at},${at < withTier ? "Critical" : ""},acme/${at}`),
  ].join("\n");

let world: World;
beforeEach(async () => {
  world = await openWorld({
    "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\n",
    "catalog.yaml": CATALOG,
    "services.csv": services("name,tier,repository"),
  });
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
});
afterEach(() => world.close());

test.each([
  ["whose column has another name", "name,level,repository", 40, 40],
  ["of which most cells are empty", "name,tier,repository", 3, 37],
])("An attribute %s needs the approval of as many removals", async (_, columns, withTier, cleared) => {
  await world.write({ "services.csv": services(columns, withTier) });
  const refused = await world.run(apply, { paths: [], yes: true, allowDelete: true });
  expect(refused.exit).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain(
    `clearing tier in ${cleared} of 40 catalog_entries of service exceeds the limit of 12; the files make 40 entries`,
  );
  const ended = await world.run(apply, { paths: [], yes: true, maxRemovals: { entries: cleared } });
  expect(ended.exit, ended.stderr).toBe(0);
});

test("An attribute that a few entries lose needs none", async () => {
  await world.write({ "services.csv": services("name,tier,repository", 30) });
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
});
