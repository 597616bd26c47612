import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { explain } from "../../../src/app/files/explain-command.ts";
import { fmt } from "../../../src/app/files/fmt-command.ts";
import { validate } from "../../../src/app/files/validate-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { render } from "../../../src/app/plan/render-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { openWorld, type World } from "../world.ts";

let world: World;
afterEach(() => world.close());

const TYPES = `catalog_types:
  - slug: tier
    name: Tier
    attributes: []
    entries:
      - { slug: one, name: One }
`;
const FIRST = "catalog_entries:\n  # Team A\n  service:\n    - { slug: billing, name: Billing }\n";
const SECOND = `catalog_entries:
  tier:
    - { slug: two, name: Two } # second
    - { slug: three, name: Three }
  service:
    - { slug: search, name: Search }
`;
const FILES = {
  "incidentctl.yaml": "version: 1\nconfig: [config]\nenvironments: { staging: { overlays: [staging.yaml] } }\n",
  "config/a.yaml": TYPES + FIRST,
  "config/b.yaml": SECOND,
};

async function opened(files: Readonly<Record<string, string>> = {}): Promise<void> {
  world = await openWorld({ ...FILES, ...files });
}
async function applied(options: { readonly paths: string[] } = { paths: [] }): Promise<void> {
  const ended = await world.run(apply, { yes: true, allowDelete: true, ...options });
  expect(ended.exit, ended.stderr).toBe(0);
}
const changed = async (options: { readonly paths?: string[]; readonly env?: string } = {}) => {
  const ended = await world.run(plan, { paths: [], format: "json", ...options });
  expect(ended.exit, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout).changes.map(
    ({ action, address }: { action: string; address: string }) => `${action} ${address}`,
  );
};
const read = (file: string) => readFileSync(join(world.folder, file), "utf8");

describe("entries of one catalog type in several files", () => {
  test("are one list, with the addresses of nested entries", async () => {
    await opened();
    expect(await changed()).toEqual([
      "create catalog_types/tier",
      "create catalog_types/tier/entries/one",
      "create catalog_types/tier/entries/two",
      "create catalog_types/tier/entries/three",
      "create catalog_types/service/entries/billing",
      "create catalog_types/service/entries/search",
    ]);
    await applied();
    expect(await changed()).toEqual([]);
    await world.write({ "config/b.yaml": SECOND.replace(/.*three.*\n/, "") });
    expect(await changed()).toEqual(["delete catalog_types/tier/entries/three"]);
  });

  test("are owned as soon as any file states one list, also an empty one", async () => {
    await opened({ "config/a.yaml": "webhooks: []\n", "config/b.yaml": "catalog_entries: { service: [] }\n" });
    await world.send("POST", "/api/v1/catalog/types/service/entries", { slug: "live", name: "Live" });
    expect(await changed()).toEqual(["delete catalog_types/service/entries/live"]);
  });

  test("are planned file by file, so that a team plans its own", async () => {
    await opened();
    await applied();
    await world.write({
      "config/a.yaml": TYPES + FIRST.replace("name: Billing", "name: Bills"),
      "config/b.yaml": SECOND.replace("name: Search", "name: Find").replace(/.*three.*\n/, ""),
    });
    expect(await changed({ paths: ["config/b.yaml"] })).toEqual(["update catalog_types/service/entries/search"]);
  });

  test("with the same slug are an error with both places, in both forms", async () => {
    await opened({ "config/b.yaml": "catalog_entries: { tier: [{ slug: one, name: Two }] }\n" });
    const { exit, stderr } = await world.run(validate, { paths: [] });
    expect(exit).toBe(1);
    expect(stderr).toContain(
      "config/b.yaml:1:35: error[E_DUP_OBJECT]: catalog_types/tier/entries/one is declared twice",
    );
    expect(stderr).toContain("config/a.yaml:6:17: first here");
  });

  test("of a type that two files declare are an error that names the way to have them in both", async () => {
    const type = (entry: string) =>
      `catalog_types: [{ slug: service, entries: [{ slug: ${entry}, name: ${entry} }] }]\n`;
    await opened({ "config/a.yaml": type("one"), "config/b.yaml": type("two") });
    const { stderr } = await world.run(validate, { paths: [] });
    expect(stderr).toContain("catalog_types/service is declared twice");
    expect(stderr).toContain("entries may stand in several files, under catalog_entries: { service: […] }");
  });

  test.each([
    ["[]", "E_TYPE", '"catalog_entries" must be a mapping'],
    ["text", "E_TYPE", '"catalog_entries" must be a mapping'],
    ["null", "E_NULL", '"catalog_entries" has no value'],
    ["{ tire: [] }", "E_REF", 'Did you mean "tier"?'],
    ["{ tier: {} }", "E_TYPE", '"tier" must be a list'],
    ["{ tier: text }", "E_TYPE", '"tier" must be a list'],
    ["{ tier: }", "E_NULL", '"tier" has no value'],
    ["{ tier: [text] }", "E_TYPE", "must be a mapping"],
    ["{ tier: [{ name: No slug }] }", "E_REQUIRED", "slug"],
    ["{ tier: [{ slug: x, name: X, nonsense: 1 }] }", "E_UNKNOWN_KEY", "nonsense"],
    ["{ tier: [{ slug: x, name: X, attributes: { owner: y } }] }", "E_REF", "owner"],
    ["{ tier: [{ slug: a, name: A }, { slug: a, name: B }] }", "E_DUP_OBJECT", "declared twice"],
    ["{ '${var:x}': [] }", "E_SUBSTITUTION", "a key cannot have a substitution"],
  ])("are refused as %s with %s", async (entries, code, text) => {
    await opened({ "config/b.yaml": `catalog_entries: ${entries}\n` });
    const { exit, stderr } = await world.run(validate, { paths: [] });
    expect(exit).toBe(1);
    expect(stderr).toContain(`error[${code}]: `);
    expect(stderr).toContain(text);
  });

  test("of a type that neither the files nor the workspace have are an error", async () => {
    await opened({ "config/a.yaml": "catalog_entries: { servce: [{ slug: a, name: A }] }\n", "config/b.yaml": FIRST });
    const { exit, stderr } = await world.run(plan, { paths: [] });
    expect(exit).toBe(1);
    expect(stderr).toContain("catalog_types/servce, which is neither in the files nor in the workspace");
    expect(stderr).toContain('Did you mean "service"?');
  });

  test("are pulled into the file where each stands; a new one joins the type's own list, or else the first", async () => {
    await opened();
    await applied();
    await world.write({
      "other/all.yaml": `${TYPES.replace("name: One", "name: Uno")}      - { slug: two, name: Dos }
      - { slug: four, name: Four }
catalog_entries:
  service: [{ slug: billing, name: Bills }, { slug: search, name: Search }, { slug: pay, name: Pay }]
`,
    });
    await applied({ paths: ["other"] });
    const pulled = await world.run(pull, { paths: [] });
    expect(pulled.exit, pulled.stderr).toBe(0);
    expect(read("config/a.yaml")).toBe(
      `${TYPES.replace("name: One", "name: Uno")}      - { slug: four, name: Four }
${FIRST.replace("name: Billing", "name: Bills")}    - { slug: pay, name: Pay }
`,
    );
    expect(read("config/b.yaml")).toBe(SECOND.replace("name: Two", "name: Dos").replace(/.*three.*\n/, ""));
    expect(await changed()).toEqual([]);
  });

  test("are formatted, rendered and explained as nested ones", async () => {
    await opened({ "staging.yaml": "webhooks: []\n" });
    expect((await world.run(fmt, { paths: [] })).exit).toBe(0);
    expect(read("config/b.yaml")).toBe(SECOND);
    const { stdout } = await world.run(render, { paths: [], format: "json" });
    expect(JSON.parse(stdout)).toMatchObject({
      catalog_types: [{ slug: "tier", entries: [{ slug: "one" }, { slug: "two" }, { slug: "three" }] }],
      catalog_entries: { service: [{ slug: "billing" }, { slug: "search" }] },
    });
    const origin = await world.run(explain, { subjects: [], origin: "catalog_types/tier/entries/two" });
    expect(origin.stdout).toContain("config/b.yaml:3");
  });

  test("are changed by an overlay of the same form", async () => {
    await opened({ "staging.yaml": "catalog_entries: { service: [{ slug: search, name: Find }] }\n" });
    await applied();
    expect(await changed({ env: "staging" })).toEqual(["update catalog_types/service/entries/search"]);
  });

  test.each([
    ["apart", "catalog_entries: { tier: [{ slug: one, name: Uno }] }\n", "one"],
    ["nested", "catalog_types: [{ slug: tier, entries: [{ slug: two, name: Dos }] }]\n", "two"],
  ])("are changed by an overlay that has them %s where the files have not", async (_form, overlay, slug) => {
    await opened({ "staging.yaml": overlay });
    await applied();
    expect(await changed({ env: "staging" })).toEqual([`update catalog_types/tier/entries/${slug}`]);
  });
});
