/** Nothing that the emulator serves is without conformance rules: a new resource is red here until it has some. */

import { expect, test } from "vitest";
import { abilityOf } from "../../src/conformance/abilities.ts";
import { allRules } from "../../src/conformance/all-rules.ts";
import { resources } from "../../src/conformance/fixtures/configuration-resources.ts";
import { allModules } from "../../src/emulator/modules/all-modules.ts";

/** The collections that are no row of the table, each with the beginning of the ids of its rules. */
const OWN_RULES: Readonly<Record<string, string>> = {
  "catalog/types/:slug/entries": "resources.catalog.",
  grants: "grants.",
  incidents: "incidents.",
  "incidents/:id/action_items": "items.",
  routing_rules: "resources.6.",
};

/** The interface document does not have them. */
const NOT_IN_THE_DOCUMENT: readonly string[] = ["permission_sets"];

const served = allModules.flatMap((module) => module.endpoints);
const endpoints = served.map(({ method, path }) => `${method} ${path.slice(1)}`);

/** The paths on which members are made. */
const collections = endpoints
  .filter((endpoint) => endpoint.startsWith("POST "))
  .map((endpoint) => endpoint.slice("POST ".length))
  .filter((path) =>
    endpoints.some((endpoint) => endpoint.startsWith(`PATCH ${path}/:`) || endpoint.startsWith(`DELETE ${path}/:`)),
  );

test("each resource of the emulator has a row among the configuration resources, or rules of its own", () => {
  const rows = resources.map(({ path }) => path);
  const known = [...rows, ...Object.keys(OWN_RULES), ...NOT_IN_THE_DOCUMENT];
  const without = collections.filter((path) => !known.includes(path));
  expect(without, "add a row to src/conformance/fixtures/configuration-resources.ts").toEqual([]);
  expect(rows.filter((path) => !collections.includes(path))).toEqual([]);
});

test("each of the others has rules", () => {
  for (const beginning of Object.values(OWN_RULES)) {
    expect(allRules.filter(({ id }) => id.startsWith(beginning)).length, beginning).toBeGreaterThan(1);
  }
});

test("each row of the configuration resources has the rules of the table", () => {
  for (const { id } of resources) {
    const families = [
      "resources.1.post",
      "resources.1.patch",
      "resources.1.delete",
      "resources.shape",
      "purpose.managed",
    ];
    expect(families.filter((family) => !allRules.some((rule) => rule.id === `${family}.${id}`))).toEqual([]);
  }
});

test("each request on a row and its members needs the ability that the suite names for it", () => {
  const own = served.filter(({ path }) => resources.some((row) => path.replace(/\/:\w+$/, "") === `/${row.path}`));
  expect(own.length).toBeGreaterThan(resources.length * 3);
  const needed = own.map(({ method, path, requiredAbility }) => [method, path, requiredAbility.replace(".", ": ")]);
  expect(own.map(({ method, path }) => [method, path, abilityOf(method, `/api/v1${path}`)])).toEqual(needed);
});
