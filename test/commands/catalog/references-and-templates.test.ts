/** What real catalogs hold beside plain documents: references twice, entity references of other kinds, and templates of files. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { validate } from "../../../src/app/files/validate-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { openWorld, type World } from "../world.ts";

const CATALOG = `catalog_types:
  - slug: environment
    entries: [{ slug: dev, name: dev }, { slug: prod, name: prod }]
  - slug: app
    name: App
    attributes:
      - { name: Depends on, attribute_type: reference, reference_type: app }
      - { name: Environments, attribute_type: reference, reference_type: environment }
    entries:
      - { slug: portal, name: Portal, attributes: { depends_on: [orders, orders, shop] } }
    entries_from:
      files: apps/**/catalog-info.yaml
      slug: { jsonata: metadata.name }
      attributes:
        depends_on: { jsonata: "spec.dependsOn" }
        environments: { jsonata: "[spec.env]" }
`;

const app = (name: string, dependsOn: string, more = ""): string =>
  `kind: Component\nmetadata: { name: "${name}" }\nspec: { dependsOn: ${dependsOn}${more} }\n`;

let world: World;
beforeEach(async () => {
  world = await openWorld({
    "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\n",
    "catalog.yaml": CATALOG,
    "apps/orders/catalog-info.yaml": app("orders", "[]"),
    "apps/shop/catalog-info.yaml": app("shop", '["component:orders", "orders", "Orders"]', ", env: [dev, prod, PROD]"),
  });
});
afterEach(() => world.close());

const planned = async (): Promise<Plan> => JSON.parse((await world.run(plan, { paths: [], format: "json" })).stdout);

test("a list that names an entry twice names it once, and the next plan is empty", async () => {
  const { changes } = await planned();
  const valuesOf = (slug: string) =>
    changes
      .find(({ address }) => address.endsWith(`app/entries/${slug}`))
      ?.fields.find(({ path }) => path === "/attributes")?.after;
  expect(valuesOf("shop")).toEqual({ depends_on: ["orders"], environments: ["dev", "prod"] });
  expect(valuesOf("portal")).toEqual({ depends_on: ["orders", "shop"] });
  const ended = await world.run(apply, { paths: [], yes: true });
  expect(ended.exit, ended.stderr).toBe(0);
  expect((await planned()).changes).toEqual([]);
});

test("an entity reference of another kind than its document is another entity", async () => {
  await world.write({ "apps/shop/catalog-info.yaml": app("shop", '["resource:default/orders"]') });
  const { exit, stderr } = await world.run(validate, { paths: [] });
  expect(exit).toBe(1);
  expect(stderr).toContain('"resource:default/orders"');
  expect(stderr).toContain("[$not($contains($, /^resource:/i))]");
  await world.write({
    "catalog.yaml": CATALOG.replace("spec.dependsOn", "spec.dependsOn[$not($contains($, /^resource:/i))]"),
  });
  expect((await world.run(validate, { paths: [] })).exit).toBe(0);
  await world.write({ "catalog.yaml": CATALOG });
  await world.write({ "apps/shop/catalog-info.yaml": app("shop", '["component:default/orders"]') });
  expect((await world.run(validate, { paths: [] })).exit).toBe(0);
});

test.each([
  ["$" + "{{ values.name }}", "[]"],
  ["{{ cookiecutter.name }}", "[]"],
  ["{% if name %}x{% endif %}", "[]"],
  ["svc", '["{{ values.dependency }}"]'],
])("a document with %s is a template and makes no entry", async (name, dependsOn) => {
  await world.write({ "apps/x/content/catalog-info.yaml": app(name, dependsOn) });
  const { exit, stderr } = await world.run(validate, { paths: [] });
  expect(stderr).toContain("makes no entry");
  expect(stderr).toContain("!**/skeleton/**");
  expect(exit).toBe(0);
  expect(
    (await planned()).changes.map(({ address }) => address).filter((address) => address.includes("app/entries")),
  ).toHaveLength(3);
});

test("a list of which when is not true says how to make an entry of each item", async () => {
  await world.write({
    "catalog.yaml": CATALOG.replace(
      "slug: { jsonata: metadata.name }",
      "when: { jsonata: kind = 'Component' }\n      slug: { jsonata: metadata.name }",
    ),
    "apps/all/catalog-info.yaml":
      "- { kind: Component, metadata: { name: pay } }\n- { kind: Group, metadata: { name: team } }\n",
  });
  const { exit, stderr } = await world.run(validate, { paths: [] });
  expect(exit, stderr).toBe(0);
  expect(stderr).toContain('To make an entry of each of its items, write documents: "".');
});

test("a value that the service writes in another form is no change beside a real one", async () => {
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  await world.write({ "apps/shop/catalog-info.yaml": app("shop", "[]", ", env: dev") });
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  await world.write({ "apps/shop/catalog-info.yaml": app("shop", '["orders"]', ", env: dev") });
  const { stdout } = await world.run(plan, { paths: [] });
  expect(stdout).toContain("depends_on");
  expect(stdout).not.toContain("environments");
});

test("a text that names several entries, and one for a list, has the expression that splits it", async () => {
  await world.write({
    "catalog.yaml": CATALOG.replace('"[spec.env]"', "spec.env")
      .replace(
        "      - { name: Environments",
        "      - { name: Tags, attribute_type: list }\n      - { name: Environments",
      )
      .replace("environments: {", "tags: { jsonata: spec.tags }\n        environments: {"),
    "apps/shop/catalog-info.yaml": app("shop", "[]", ', env: "dev, prod", tags: "a;b"'),
  });
  const { stderr } = await world.run(validate, { paths: [] });
  expect(stderr).toContain(`make a list of it with { jsonata: "$split(spec.env, ',')" }`);
  expect(stderr).toContain("In entries_from an expression makes one, such as $split(tags, ';').");
});
