/** Attributes that the service has under a name in another form: they are what the files declare, and nothing is made a second time. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { openTestWorld, type World } from "../../commands/world.ts";
import { planned, refused } from "../../support/plans/make-plan.ts";

const [NFC, NFD] = ["Caf\u00e9 Bar", "Cafe\u0301 Bar"];

const text = (name: string, more: Fields = {}): Fields => ({ name, attribute_type: "text", required: false, ...more });
const select = (...options: readonly string[]): Fields => text("Tier", { attribute_type: "select", options });
const thing = (attributes: readonly Fields[], more: Fields = {}): Fields => ({
  catalog_types: [{ slug: "thing", name: "Thing", attributes, ...more }],
});
const live = (attributes: readonly Fields[], values: Fields = {}) => ({
  catalog_types: [{ id: "t1", slug: "thing", name: "Thing", kind: "custom", attribute_definitions: attributes }],
  "catalog_entries thing": [{ id: "e1", slug: "one", name: "One", attributes: values, references: [] }],
});
const one = (attributes: Fields): Fields => ({ entries: [{ slug: "one", name: "One", attributes }] });
const noted = (document: Fields, rows: ReturnType<typeof live>) => {
  const { operations, warnings } = planned(document, { live: rows });
  const forms = warnings.flatMap(({ code, message }) => (code === "W_FORM" ? [message] : []));
  return { sent: operations.map(({ method, body }) => ({ method, body })), forms };
};
const FORM =
  "the service stores its attributes in another Unicode form, which is no change; to write it so, run incidentctl pull";

describe("an attribute whose name the service has in another Unicode form", () => {
  test.each([
    ["without values", {}],
    ["with a value in an entry", { cafe_bar: "open" }],
  ])("is no change, with a note: %s", (_title, values) => {
    expect(noted(thing([text(NFC)]), live([text(NFD)], values))).toEqual({ sent: [], forms: [FORM] });
    expect(noted(thing([text(` ${NFC}`)]), live([text(NFD)], values)).sent).toEqual([]);
  });

  test("takes the values that the files have under its declared name", () => {
    const document = thing([text(NFC)], one({ caf_bar: "shut" }));
    expect(noted(document, live([text(NFD)], { cafe_bar: "shut" })).sent).toEqual([]);
    expect(noted(document, live([text(NFD)], { cafe_bar: "open" })).sent).toEqual([
      { method: "PATCH", body: { attributes: { cafe_bar: "shut" } } },
    ]);
  });

  test("keeps its live name where another attribute changes", () => {
    const [change] = noted(thing([text(NFC), text("Floor")]), live([text(NFD)])).sent;
    expect(change?.body).toEqual({ attributes: [text(NFD), text("Floor")] });
  });

  test("is another one where the files declare both, and made where the type is new", () => {
    expect(noted(thing([text(NFC), text(NFD)]), live([text(NFD)])).sent).toHaveLength(1);
    expect(refused(thing([text(NFC)]), { live: { catalog_types: [] } })).toEqual([]);
  });
});

test("an option of an attribute that the service has in another Unicode form stays as it is beside a new one", () => {
  const document = thing([select(NFC, "New")], one({ tier: NFC }));
  expect(noted(document, live([select(NFD)], { tier: NFD })).sent).toEqual([
    { method: "PATCH", body: { attributes: [select(NFD, "New")] } },
  ]);
});

test.each([
  ["caf\u00e9 bar", "in another Unicode form and in another case"],
  ["Caf\u00e9\u00a0 Bar", "in another Unicode form and with other white space"],
])("an attribute named as a live one in another form is an error: %j", (name, form) => {
  expect(refused(thing([text(name)]), { live: live([text(NFD)]) })).toEqual([
    expect.stringContaining(
      `E_OTHER_FORM catalog_types/thing: the live attribute "Cafe\\u0301 Bar" is "${name.replace("\u00a0", "\\u00a0")}" ${form}, and creating`,
    ),
  ]);
});

test.each(["EU West", "eu west", "EU  West"])(
  "an option of an attribute in another case or with other spaces: %j",
  (label) => {
    const errors = refused(thing([select(label, "US")]), { live: live([select("EU West")]) });
    expect(errors).toHaveLength(label === "EU West" ? 0 : 1);
    for (const error of errors)
      expect(error).toMatch(/^E_OTHER_FORM catalog_types\/thing: the live option "EU West" of "Tier" is /);
  },
);

test("options of an attribute that differ in case are two, where both are declared", () => {
  expect(refused(thing([select("EU", "eu")]), { live: live([select("EU")]) })).toEqual([]);
});

test("a value from the environment stays a secret under the live key", async () => {
  const files = (name: string, values: string) =>
    `catalog_types:\n  - slug: thing\n    name: Thing\n    attributes:\n      - { name: "${name}", attribute_type: text }\n    entries:\n      - { slug: one, name: One, attributes: { ${values} } }\n`;
  const world: World = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/all.yaml": files(NFD, "cafe_bar: open"),
  });
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  await world.write({ "config/all.yaml": files(NFC, 'caf_bar: "${env:CAFE_NOTE}"') });
  world.io.env.CAFE_NOTE = "hush-7431";
  const shown = await world.run(plan, { paths: [] });
  expect(shown.exit, shown.stdout + shown.stderr).toBe(0);
  expect(shown.stdout).toContain("(secret) → (secret)");
  expect(shown.stdout + shown.stderr).not.toContain("hush-7431");
  const ended = await world.run(apply, { paths: [], yes: true });
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  const { entries } = (await world.send("GET", "/api/v1/catalog/types/thing/entries")) as {
    entries: readonly Fields[];
  };
  expect(entries.map(({ attributes }) => attributes)).toEqual([{ cafe_bar: "hush-7431" }]);
});

test("pull writes the name and the values as they are live, and no note is left", async () => {
  const files = (name: string, key: string) =>
    `catalog_types:\n  - slug: thing\n    name: Thing\n    attributes:\n      - { name: "${name}", attribute_type: text }\n    entries:\n      - { slug: one, name: One, attributes: { ${key}: open } }\n`;
  const world: World = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/all.yaml": files(NFD, "cafe_bar"),
  });
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  await world.write({ "config/all.yaml": files(NFC, "caf_bar") });
  const noted = await world.run(plan, { paths: [], detailedExitcode: true });
  expect(noted.exit, noted.stdout + noted.stderr).toBe(0);
  expect(noted.stdout).toContain("W_FORM");
  const pulled = await world.run(pull, { paths: [] });
  expect(pulled.exit, pulled.stdout + pulled.stderr).toBe(0);
  const written = await readFile(join(world.folder, "config/all.yaml"), "utf8");
  expect(written).toContain(NFD);
  expect(written).toContain("cafe_bar: open");
  const after = await world.run(plan, { paths: [], detailedExitcode: true });
  expect(after.exit, after.stdout + after.stderr).toBe(0);
  expect(after.stdout).not.toContain("W_FORM");
});
