/** Documents that make one entry: equal ones, and values that only one of them has. */

import { describe, expect, test } from "vitest";
import { brief, type Files, findings, loaded } from "../loading.ts";

describe("Two documents that make one entry", () => {
  const text = (entries = "") => `catalog_types:
  - slug: squad
    name: Squad
    entries: [{ slug: payments, name: Pay team, aliases: [pay] }, { slug: search, name: Search }]
  - slug: app
    name: App
    attributes: [{ name: Owner, attribute_type: reference, reference_type: squad }, { name: Size, attribute_type: text }]
    entries_from:
      - { files: a.csv, slug: { jsonata: name }, attributes: { owner: { jsonata: owner }, size: { jsonata: size } } }
      - { files: b.csv, slug: { jsonata: name }, attributes: { size: { jsonata: size }, owner: { jsonata: owner } } }
${entries}`;
  const files = (one: string, other: string) => ({
    "a.csv": `name,owner,size\nx,${one},1\n`,
    "b.csv": `name,owner,size\nx,${other},1\ny,search,1\n`,
  });

  test.each([
    ["group:default/payments", "payments"],
    ["pay", "payments"],
    ["Pay team", "PAY"],
    ["payments", "default/payments"],
  ])("make it once if they spell its owner as %s and as %s", async (one, other) => {
    const { declared, sourced } = await loaded({ "a.yaml": text(), ...files(one, other) });
    const entries = declared.filter(({ scope }) => scope === "app");
    expect(entries.map(({ key, fields }) => [key, fields.attributes])).toEqual([
      ["x", { owner: "payments", size: "1" }],
      ["y", { owner: "search", size: "1" }],
    ]);
    expect(sourced?.flatMap(({ sources }) => sources.map((source) => source.entries))).toEqual([1, 1]);
  });

  test("make it once beside an entry that the configuration declares", async () => {
    const own = text("    entries: [{ slug: x, attributes: { size: two } }]\n");
    const { declared } = await loaded({ "a.yaml": own, ...files("pay", "payments") });
    const entries = declared.filter(({ key }) => key === "x");
    expect(entries.map(({ fields }) => fields.attributes)).toEqual([{ owner: "payments", size: "two" }]);
  });

  test("are an error if they mean different owners", async () => {
    const found = await findings({ "a.yaml": text(), ...files("pay", "search") });
    expect(found.map((one) => `${brief(one)} ${one.message}`)).toEqual([
      "b.csv:2:1 E_DUP_OBJECT catalog_types/app/entries/x is declared twice",
    ]);
  });
});

describe("A required value that is missing", () => {
  const text = (entries = "") => `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Level, attribute_type: text, required: true }, { name: Size, attribute_type: text }]
    entries_from:
      - { files: a.csv, slug: { jsonata: name }, attributes: { size: { jsonata: size } } }
      - { files: b.csv, slug: { jsonata: name }, attributes: { size: { jsonata: size }, level: { jsonata: level } } }
${entries}`;
  const files = { "a.csv": "name,size,level\nx,2,\n", "b.csv": "name,size,level\nx,2,\n" };
  const errors = async (all: Files) => {
    const found = await findings(all);
    return found.flatMap((one) => (one.severity === "error" ? [`${brief(one)} ${one.message}`] : []));
  };

  test("in the second of two equal documents is an error", async () => {
    expect(await errors({ "a.yaml": text(), ...files })).toEqual([
      'a.csv:2:1 E_REQUIRED the attribute "level" is required and has no value',
    ]);
  });

  test("is an error if the configuration declares another value of the entry", async () => {
    const other = text("    entries: [{ slug: x, name: X, attributes: { size: three } }]\n");
    expect(await errors({ "a.yaml": other, ...files })).toEqual([
      'a.csv:2:1 E_REQUIRED the attribute "level" is required and has no value',
    ]);
  });

  test("is none if the configuration declares it", async () => {
    const own = text("    entries: [{ slug: x, attributes: { level: high } }]\n");
    expect(await errors({ "a.yaml": own, ...files })).toEqual([]);
  });
});
