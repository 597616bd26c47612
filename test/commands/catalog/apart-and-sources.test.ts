/** Entries under `catalog_entries` of a type that has `entries_from`: they change what other files make, and add to it. */

import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { explain } from "../../../src/app/files/explain-command.ts";
import { refs } from "../../../src/app/files/refs-command.ts";
import { validate } from "../../../src/app/files/validate-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { SealedPlan } from "../../../src/plan/model/plan.ts";
import { openWorld, type World } from "../world.ts";

let world: World;
afterEach(() => world.close());

const FILES = {
  "incidentctl.yaml":
    "version: 1\nconfig: [config]\nprotected: [catalog_types/service/entries/hand]\nenvironments: { staging: { overlays: [staging.yaml] } }\n",
  "staging.yaml": "webhooks: []\n",
  "svc/a.yaml": "name: checkout\ntitle: Checkout\ntext: Made.\n",
  "svc/b.yaml": "name: search\ntitle: Search\ntext: Made.\n",
  "config/z.yaml": `catalog_types:
  - slug: service
    entries_from:
      files: svc/*.yaml
      slug: { jsonata: name }
      name: { jsonata: title }
      attributes: { description: { jsonata: text } }
`,
};
const apart = (...entries: readonly string[]): string =>
  `catalog_entries:\n  service:\n${entries.map((entry) => `    - { ${entry} }\n`).join("")}`;

const open = async (files: Readonly<Record<string, string>>) => {
  world = await openWorld({ ...FILES, ...files });
};
const planned = async (options: { readonly paths?: string[]; readonly env?: string } = {}): Promise<SealedPlan> => {
  const ended = await world.run(plan, { paths: [], format: "json", ...options });
  expect(ended.exit, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout);
};
const bodies = async (options: Parameters<typeof planned>[0] = {}) =>
  Object.fromEntries((await planned(options)).operations.map(({ address, body }) => [address.split("/").at(-1), body]));

describe("an entry apart with the slug of a made one", () => {
  test.each([{}, { env: "staging" }])("wins value by value, with %j", async (options) => {
    await open({
      "config/a.yaml": apart(
        "slug: checkout, attributes: { description: Own, tier: Critical }",
        "slug: hand, name: Hand",
      ),
      "config/b.yaml": apart("slug: search, attributes: { description: null }"),
    });
    expect(await bodies(options)).toMatchObject({
      checkout: { name: "Checkout", attributes: { description: "Own", tier: "Critical" } },
      search: { name: "Search", attributes: {} },
      hand: { name: "Hand" },
    });
    const origin = await world.run(explain, { subjects: [], origin: "catalog_types/service/entries/checkout" });
    expect(origin.stdout).toContain("config/a.yaml:3");
    expect(origin.stdout).toMatch(/replaces svc\/a\.yaml:3:7/);
    expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
    expect((await planned(options)).changes).toEqual([]);
    const shown = await world.run(refs, { paths: [], address: "catalog_types/service/entries/hand" });
    expect(shown.stdout).toContain("catalog_types/service/entries/hand (declared and live)");
  });

  test("twice, in two files, is an error with both places", async () => {
    await open({
      "config/a.yaml": apart("slug: checkout, attributes: { tier: Critical }"),
      "config/b.yaml": apart("slug: checkout, attributes: { tier: Standard }"),
    });
    const { exit, stderr } = await world.run(validate, { paths: [] });
    expect(exit).toBe(1);
    expect(stderr).toContain("config/b.yaml:3:15: error[E_DUP_OBJECT]");
    expect(stderr).toContain("config/a.yaml:3:15: first here");
  });

  test("that no document makes, without a name, is a warning in its own file", async () => {
    await open({ "config/a.yaml": apart("slug: chekout, attributes: { tier: Critical }") });
    const { stderr } = await world.run(validate, { paths: [] });
    expect(stderr).toContain("config/a.yaml:3:15: warning[W_ENTRIES_FROM]");
    expect(stderr).toContain('Did you mean "checkout"?');
  });

  test("is planned with the path of its file", async () => {
    await open({ "config/a.yaml": apart("slug: checkout, attributes: { tier: Critical }") });
    expect((await planned({ paths: ["config/a.yaml"] })).changes.map(({ address }) => address)).toEqual([
      "catalog_types/service/entries/checkout",
    ]);
  });
});

test("an entry that the settings protect stays protected when its line goes", async () => {
  await open({ "config/a.yaml": apart("slug: hand, name: Hand") });
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  await world.write({ "config/a.yaml": "catalog_entries: { service: [] }\n" });
  const { blocked } = await planned();
  expect(blocked.map(({ message }) => message).join()).toContain("is protected");
});

test("a file of entries that a source would read is an error, not a document", async () => {
  await open({ "svc/c.yaml": apart("slug: x, name: X"), "config/a.yaml": "webhooks: []\n" });
  await world.write({
    "incidentctl.yaml": "version: 1\n",
    "staging.yaml": "webhooks: []\n",
  });
  const { exit, stderr } = await world.run(validate, { paths: [] });
  expect(exit).toBe(1);
  expect(stderr).toContain("a source of entries reads this file, which has resources");
});
