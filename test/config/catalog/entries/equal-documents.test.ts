/** Documents that make one entry: equal ones, values that only one of them has, `merge`, `on_duplicate`, and types that add sources. */

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

const ATTRIBUTES = `
    attributes:
      - { name: Owner, attribute_type: text }
      - { name: Tier, attribute_type: text }
`;
const BACKSTAGE = `{ files: svc/*.yaml, slug: { jsonata: name }, name: { jsonata: title }, attributes: { owner: { jsonata: owner } } }`;
const csv = (more: string, attributes = "tier: { jsonata: tier }") =>
  `{ files: "*.csv", slug: { jsonata: name }, ${more}, attributes: { ${attributes} } }`;
const type = (...sources: readonly string[]): string =>
  `catalog_types:\n  - slug: app\n    name: App${ATTRIBUTES}    entries_from:\n${sources.map((one) => `      - ${one}\n`).join("")}`;
const SERVICES = {
  "svc/a.yaml": "name: checkout\ntitle: Checkout\nowner: payments\n",
  "svc/b.yaml": "name: mail\ntitle: Mail\nowner: growth\n",
};

async function entries(files: Files): Promise<Readonly<Record<string, unknown>>> {
  const { declared } = await loaded(files);
  const made = declared.filter(({ kind }) => kind.name === "catalog_entries");
  return Object.fromEntries(made.map(({ key, fields: { name, attributes } }) => [key, { name, attributes }]));
}

const messages = async (files: Files) =>
  (await findings(files)).map(({ code, message, at }) => `${at?.file}:${at?.line} ${code} ${message}`);

describe("merge: true", () => {
  const files = { ...SERVICES, "tiers.csv": "name,tier\ncheckout,gold\nsearch,silver\n" };

  test("joins the values of different attributes, and a document alone makes its entry", async () => {
    expect(await entries({ ...files, "c.yaml": type(BACKSTAGE, csv("merge: true")) })).toEqual({
      checkout: { name: "Checkout", attributes: { owner: "payments", tier: "gold" } },
      mail: { name: "Mail", attributes: { owner: "growth", tier: null } },
      search: { name: "search", attributes: { owner: null, tier: "silver" } },
    });
  });

  test("refuses two values of one attribute, at both places, and takes equal ones", async () => {
    const both = csv("merge: true", "tier: { jsonata: tier }, owner: { jsonata: owner }");
    const rows = "name,tier,owner\ncheckout,gold,sales\nmail,gold,growth\n";
    expect(await messages({ ...SERVICES, "tiers.csv": rows, "c.yaml": type(BACKSTAGE, both) })).toEqual([
      'tiers.csv:2 E_ENTRIES_FROM attributes.owner of the entry "checkout" has two values, "payments" and "sales"',
    ]);
  });

  test.each([
    ["first", "payments"],
    ["last", "sales"],
  ])("takes the %s of two values by on_duplicate", async (which, owner) => {
    const both = csv(`merge: true, on_duplicate: ${which}`, "owner: { jsonata: owner }");
    const made = await entries({
      ...SERVICES,
      "tiers.csv": "name,owner\ncheckout,sales\n",
      "c.yaml": type(BACKSTAGE, both),
    });
    expect(made.checkout).toEqual({ name: "Checkout", attributes: { owner } });
  });

  test("needs a required attribute from one of the sources", async () => {
    const required = (text: string) =>
      text.replace("Tier, attribute_type: text", "Tier, attribute_type: text, required: true");
    const config = required(type(BACKSTAGE, csv("merge: true")));
    expect(await messages({ ...files, "c.yaml": config })).toEqual([
      'svc/b.yaml:1 E_REQUIRED the attribute "tier" is required and has no value',
    ]);
  });

  test("without it, two documents of one slug are an error", async () => {
    const [first] = await messages({ ...files, "c.yaml": type(BACKSTAGE, csv("aliases: []")) });
    expect(first).toContain("E_DUP_OBJECT");
  });
});

describe("on_duplicate", () => {
  const rows = "id,name,tier\n1,checkout,gold\n1,copy,silver\n2,mail,gold\n3,mail,silver\n";
  const source = (which: string) => csv(`external_id: { jsonata: id }, on_duplicate: ${which}`);

  test.each([
    ["first", { checkout: "gold", mail: "gold" }],
    ["last", { copy: "silver", mail: "silver" }],
  ])("keeps the %s of two documents with one id or slug, with a warning each", async (which, tiers) => {
    const files = { "a.csv": rows, "c.yaml": type(source(which)) };
    const made = await entries(files);
    expect(
      Object.entries(made).map(([slug, entry]) => [slug, (entry as { attributes: { tier: string } }).attributes.tier]),
    ).toEqual(Object.entries(tiers));
    expect(await messages(files)).toEqual([
      `a.csv:3 W_ENTRIES_FROM two documents have the external_id "1", and on_duplicate keeps the ${which}`,
      `a.csv:5 W_ENTRIES_FROM two documents have the entry "mail", and on_duplicate keeps the ${which}`,
    ]);
  });

  test("equal documents are one entry without a warning", async () => {
    const files = { "a.csv": "id,name,tier\n1,checkout,gold\n1,checkout,gold\n", "c.yaml": type(source("first")) };
    expect(Object.keys(await entries(files))).toEqual(["checkout"]);
    expect(await messages(files)).toEqual([]);
  });
});

describe("A type of nothing but slug and entries_from", () => {
  const own = (team: string) =>
    `catalog_types:\n  - slug: app\n    entries_from: { files: ./*.csv, slug: { jsonata: name }, attributes: { tier: { jsonata: tier } } }\n${team}`;
  const files = {
    "c.yaml": `catalog_types:\n  - { slug: app, name: App, attributes: [{ name: Tier, attribute_type: text }], entries: [{ slug: hand, name: Hand }] }\n`,
    "pay/catalog.yaml": own(""),
    "pay/apps.csv": "name,tier\ncheckout,gold\n",
    "grow/catalog.yaml": own(""),
    "grow/apps.csv": "name,tier\nmail,silver\n",
  };

  test("adds its sources to the type of another file, with globs that begin at its own", async () => {
    const made = await entries(files);
    expect(Object.keys(made).toSorted()).toEqual(["checkout", "hand", "mail"]);
  });

  test("adds sources to each other where no file has more of the type", async () => {
    const { "c.yaml": _, ...rest } = files;
    const service = Object.fromEntries(
      Object.entries(rest).map(([path, text]) => [
        path,
        text.replace("slug: app", "slug: service").replace(", attributes: { tier: { jsonata: tier } }", ""),
      ]),
    );
    expect(Object.keys(await entries(service)).toSorted()).toEqual(["checkout", "mail"]);
  });

  test("has its errors at its own place", async () => {
    const wrong = own("")
      .replace("slug: { jsonata: name }", "slug: { jsonata: 'name(' }")
      .replace("files:", "flies: a.csv, files:");
    const found = await messages({ ...files, "pay/catalog.yaml": wrong });
    expect(found.filter((line) => line.startsWith("pay/catalog.yaml:3 ")).map((line) => line.split(" ")[1])).toEqual(
      expect.arrayContaining(["E_UNKNOWN_KEY", "E_EXPRESSION"]),
    );
  });

  test("with another key is a second declaration of the type", async () => {
    const [first] = await messages({ ...files, "pay/catalog.yaml": own("    name: Other\n") });
    expect(first).toContain("E_DUP_OBJECT");
  });
});
