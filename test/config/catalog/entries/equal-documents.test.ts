/** Documents that make one entry: equal ones, and values that only one of them has. */

import { describe, expect, test } from "vitest";
import { brief, type Files, findings, loaded } from "../../loading.ts";

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

describe("Two spellings of a slug", () => {
  const text = (more = "") => `catalog_types:
  - slug: squad
    name: Squad
    entries_from: { files: ["*.csv"], slug: { jsonata: owner } }
${more}`;
  const files = { "a.csv": "owner\nTeam Pay\nteam-pay\n", "b.csv": "owner\nTEAM PAY\nsearch\n" };

  test("make one entry, named by the first, with a warning at the second", async () => {
    const configuration = await loaded({ "a.yaml": text(), ...files });
    const entries = configuration.declared.filter(({ scope }) => scope === "squad");
    expect(entries.map(({ key, fields }) => [key, fields.name, fields.external_id])).toEqual([
      ["team_pay", "Team Pay", "Team Pay"],
      ["search", "search", "search"],
    ]);
    expect(configuration.warnings.map((one) => `${brief(one)} ${one.message}`)).toEqual([
      'a.csv:3:1 W_ENTRIES_FROM "team-pay" and "Team Pay" are one entry, with the name "Team Pay"',
    ]);
    expect(configuration.warnings[0]?.related).toMatchObject([{ at: { file: "a.csv", line: 2 } }]);
  });

  test("make one entry if the slug is made from the name, and of several sources", async () => {
    const several = text().replace(
      /entries_from.*/,
      "entries_from: [{ files: a.csv, name: { jsonata: owner } }, { files: b.csv, slug: { jsonata: owner } }]",
    );
    const { declared } = await loaded({ "a.yaml": several, ...files });
    expect(declared.flatMap(({ scope, fields }) => (scope === "squad" ? [fields.name] : []))).toEqual([
      "Team Pay",
      "search",
    ]);
  });

  test("are no warning if the configuration names the entry", async () => {
    const own = text("    entries: [{ slug: team_pay, name: Payments }]\n");
    expect(await findings({ "a.yaml": own, ...files })).toEqual([]);
  });

  test("are an error if another expression names the entries, which tells what differs", async () => {
    const named = text().replace("jsonata: owner }", "jsonata: owner }, name: { jsonata: owner }");
    const [error] = await findings({ "a.yaml": named, ...files });
    expect([error?.code, error?.message, error?.related?.map(({ message }) => message)]).toEqual([
      "E_DUP_OBJECT",
      "catalog_types/squad/entries/team_pay is declared twice",
      ["first here, with another name and external_id"],
    ]);
  });
});
