/** The preset of Backstage, by the built program, in repositories shaped like the public ones: every service and team, and no template. */

import { mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { backstageRepository } from "../config/catalog/entries/repositories.ts";
import { newFolder, root, succeed } from "./support.ts";

const template = (name: string, more = "") => `apiVersion: backstage.io/v1alpha1
kind: Component
metadata: { name: ${name}, title: New, annotations: { github.com/project-slug: "a/b" } }
spec: { type: service, lifecycle: experimental, owner: ${name}${more} }
`;

/** What a scaffolder fills in, in the folders where public repositories keep it, and documents that are no service. */
const OTHERS: Readonly<Record<string, string>> = {
  "scaffolder/node/content/catalog-info.yaml": template("'${{ values.name }}'"),
  "scaffolder/go/template/catalog-info.yaml": template('"{{ cookiecutter.name }}"'),
  "scaffolder/templates/java/catalog-info.yaml": template("'{% if a %}b{% endif %}'"),
  "scaffolder/rust/skeleton/catalog-info.yaml": template("plain-name"),
  "scaffolder/catalog-info.yaml": `kind: Template
metadata: { name: node, title: Node service }
spec: { type: service, owner: platform, steps: [{ action: "fetch:template", input: { url: ./content } }] }
---
kind: Location
metadata: { name: all }
spec: { targets: ["./**/catalog-info.yaml"] }
---
kind: System
metadata: { name: shop, title: The shop }
spec: { owner: platform }
---
kind: Resource
metadata: { name: shop-db }
spec: { type: database, owner: platform, dependsOn: ["component:default/shop", "resource:shop-cache"] }
`,
};

test.each([1, 2, 3, 4, 5])("Every service and team of repository %i is an entry, and no template is", async (seed) => {
  const repository = backstageRepository(seed, 25);
  const folder = newFolder();
  for (const [path, text] of Object.entries({ ...repository.files, ...OTHERS })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const program = (...words: readonly string[]) =>
    succeed(folder, process.execPath, [join(root, "dist/cli.cjs"), ...words]);
  await program("init", "--catalog", "backstage");
  await program("validate");
  const { catalog_types: types } = parse(await program("render")) as { readonly catalog_types: readonly Type[] };
  const made = types.flatMap(({ slug, entries = [] }) => entries.map((entry) => [`${slug}/${entry.slug}`, entry.name]));
  const { teams, services } = repository;
  const expected = [
    ...[...teams].map(([slug, { name }]) => [`team/${slug}`, name]),
    ...[...services].map(([slug, { name }]) => [`service/${slug}`, name]),
  ];
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(expected));
  await rm(folder, { recursive: true });
});

interface Type {
  readonly slug: string;
  readonly entries?: readonly { readonly slug: string; readonly name: string }[];
}
