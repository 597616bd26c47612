import { describe, expect, test } from "vitest";
import { originsOf } from "../../../../src/config/load/origins.ts";
import { expressionOf, locationOf, startOf } from "../../../../src/config/resources/origins.ts";
import type { Fields } from "../../../../src/core/json.ts";
import { brief, type Files, findings, inDirectory, loadDirectory, loaded } from "../../loading.ts";

/** A type `service` with two attributes, and a type `team`, made out of the files below `repo/`. */
const CATALOG = `
catalog_types:
  - slug: squad
    name: Squad
    entries_from:
      files: repo/**/*.yaml
      when: { jsonata: kind = 'Group' }
      slug: { jsonata: metadata.name }
      name: { jsonata: metadata.title }
      aliases: { jsonata: metadata.aliases }
  - slug: app
    name: App
    attributes:
      - { name: Owner, attribute_type: reference, reference_type: squad }
      - { name: Size, attribute_type: number }
      - { name: Public, attribute_type: boolean }
      - { name: Level, attribute_type: select, options: ["1", "2", gold] }
    entries_from:
      files: repo/**/*.yaml
      when: { jsonata: kind = 'Component' }
      slug: { jsonata: metadata.name }
      name: { jsonata: metadata.title }
      attributes:
        owner: { jsonata: spec.owner }
        size: { jsonata: spec.size }
        public: { jsonata: spec.public }
        level: { jsonata: spec.level }
`;

const GROUPS = `kind: Group
metadata: { name: payments, title: Payments, aliases: [pay, "group:acme/money"] }
---
kind: Group
metadata: { name: site-search, title: Team Search }
`;

function component(name: string, spec = ""): string {
  return `kind: Component\nmetadata:\n  name: ${name}\nspec: { ${spec} }\n`;
}

/** Address → fields of the entries that the files declare. */
async function entries(files: Files): Promise<Readonly<Record<string, Fields>>> {
  const { declared } = await loaded({ "a.yaml": CATALOG, "repo/groups.yaml": GROUPS, ...files });
  return Object.fromEntries(
    declared.flatMap(({ kind, scope, key, fields }) =>
      kind.name === "catalog_entries" ? [[`${scope}/${key}`, fields]] : [],
    ),
  );
}

/** The errors; the few documents have no value for some attributes, which are warnings. */
async function problems(files: Files): Promise<readonly string[]> {
  const all = await findings({ "a.yaml": CATALOG, "repo/groups.yaml": GROUPS, ...files });
  return all.filter(({ severity }) => severity === "error").map((finding) => `${brief(finding)} ${finding.message}`);
}

describe("Entries out of other files", () => {
  test("have the fields that the expressions give, their origin, and no value where the document has none", async () => {
    const made = await entries({ "repo/a.yaml": component("Payments-API", "owner: payments, size: 3") });
    expect(made["app/payments_api"]).toEqual({
      slug: "payments_api",
      name: "Payments-API",
      attributes: { owner: "payments", size: 3, public: null, level: null },
      source: "incidentctl",
      external_id: "Payments-API",
    });
  });

  test.each([
    ["size: '3', public: 'yes', level: 1", { size: 3, public: true, level: "1" }],
    ["size: 2.5, public: FALSE, level: '2'", { size: 2.5, public: false, level: "2" }],
    ["size: '007', public: N, level: 1.0", { size: 7, public: false, level: "1" }],
    ["size: 1.50, public: 1", { size: 1.5, public: true, level: null }],
    ["level: Gold", { size: null, public: null, level: "gold" }],
    ["size: '', public: ~, level: '  1 '", { size: null, public: null, level: "1" }],
  ])("have values in the types of their attributes: %s", async (spec, values) => {
    const made = await entries({ "repo/a.yaml": component("a", spec) });
    expect(made["app/a"]?.attributes).toEqual({ owner: null, ...values });
  });

  test.each([
    ["payments"],
    ["Payments"],
    ["pay"],
    ["group:default/payments"],
    ["default/payments"],
    ["group:acme/money"],
    ["PAY"],
  ])("reference others as %s", async (owner) => {
    const made = await entries({ "repo/a.yaml": component("a", `owner: "${owner}"`) });
    expect(made["app/a"]?.attributes).toMatchObject({ owner: "payments" });
  });

  test.each(["site-search", "site_search", "group:site-search", "Team Search", "team search"])(
    "reference another one as %s",
    async (owner) => {
      const made = await entries({ "repo/a.yaml": component("a", `owner: "${owner}"`) });
      expect(made["app/a"]?.attributes).toMatchObject({ owner: "site_search" });
    },
  );

  test("with the alias of another one lead to that alias", async () => {
    const files = { "repo/more.yaml": "kind: Group\nmetadata: { name: x, aliases: [PAY] }\n" };
    const found = await findings({ "a.yaml": CATALOG, "repo/groups.yaml": GROUPS, ...files });
    const { related } = found.find(({ code }) => code === "E_ALIAS") ?? {};
    expect(related).toMatchObject([{ at: { file: "repo/groups.yaml", line: 2, column: 55 } }]);
  });

  test("have text that looks like a substitution as it is", async () => {
    const made = await entries({
      "repo/a.yaml": `kind: Component\nmetadata: { name: a, title: 'A \${env:HOME} $\${x}' }\n`,
    });
    expect(made["app/a"]?.name).toBe(`A \${env:HOME} $\${x}`);
  });

  test("are at the places in the foreign files that they come from", async () => {
    const { declared } = await loaded({
      "a.yaml": CATALOG,
      "repo/groups.yaml": GROUPS,
      "repo/a.yaml": component("a", "owner: payments"),
    });
    const entry = declared.find(({ address }) => address === "catalog_types/app/entries/a");
    expect(entry && startOf(entry)).toMatchObject({ file: "repo/a.yaml", line: 1, column: 1 });
    const [slug, owner] = ["/slug", "/attributes/owner"].map((pointer) => entry && locationOf(entry.origins, pointer));
    expect(slug).toEqual({ file: "repo/a.yaml", line: 3, column: 9, length: 1 });
    expect(owner).toEqual({ file: "repo/a.yaml", line: 4, column: 16, length: 8 });
    expect(entry && expressionOf(entry.origins, "/attributes/owner")).toBe("spec.owner");
  });
});

test("Equal documents of two sources are one entry, without the values that one of them reads and has none of", async () => {
  const text = `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Level, attribute_type: text }, { name: Size, attribute_type: text }, { name: Zone, attribute_type: text }]
    entries_from:
      - { files: a.csv, slug: { jsonata: name }, attributes: { level: { jsonata: level }, size: { jsonata: size } } }
      - files: b.csv
        slug: { jsonata: name }
        attributes: { zone: { jsonata: zone }, size: { jsonata: size }, level: { jsonata: level } }
`;
  const { declared } = await loaded({
    "a.yaml": text,
    "a.csv": "name,level,size\nx,1,2\n",
    "b.csv": "name,level,size,zone\nx,1,2,\n",
  });
  const entries = declared.filter(({ kind }) => kind.name === "catalog_entries");
  expect(entries.map(({ fields }) => fields.attributes)).toEqual([{ level: "1", size: "2", zone: null }]);
});

describe("Entries that the configuration declares too", () => {
  const both = CATALOG.concat(`    entries:
      - { slug: a, name: By hand, attributes: { size: 9 } }
      - { slug: own, name: Own }
`);

  test("win value by value, and the replaced value is told", async () => {
    const configuration = await loaded({
      "a.yaml": both,
      "repo/groups.yaml": GROUPS,
      "repo/a.yaml": component("a", "owner: pay, size: 1"),
    });
    const entry = configuration.declared.find(({ address }) => address === "catalog_types/app/entries/a");
    expect(entry?.fields).toMatchObject({ name: "By hand", attributes: { owner: "payments", size: 9, level: null } });
    if (entry === undefined) throw new Error("no entry");
    const origins = new Map(originsOf(entry, configuration).map((origin) => [origin.path, origin]));
    expect(origins.get("/attributes/size")).toMatchObject({
      file: "a.yaml",
      covers: [{ written: "1", file: "repo/a.yaml" }],
    });
    expect(origins.get("/attributes/owner")).toMatchObject({ file: "repo/a.yaml", expression: "spec.owner" });
  });

  test("take a made value away with null, which has its origin", async () => {
    const configuration = await loaded({
      "a.yaml": both.replace("size: 9", "size: null, owner: ~"),
      "repo/groups.yaml": GROUPS,
      "repo/a.yaml": component("a", "owner: pay, size: 1, level: gold"),
    });
    const entry = configuration.declared.find(({ address }) => address === "catalog_types/app/entries/a");
    expect(entry?.fields.attributes).toEqual({ owner: null, size: null, level: "gold", public: null });
    if (entry === undefined) throw new Error("no entry");
    const origins = new Map(originsOf(entry, configuration).map((origin) => [origin.path, origin]));
    expect(origins.get("/attributes/size")).toMatchObject({
      value: null,
      file: "a.yaml",
      covers: [{ written: "1", file: "repo/a.yaml" }],
    });
  });

  test("take no value away by accident", async () => {
    const errors = async (values: string, files: Files = { "repo/a.yaml": component("a", "size: 1") }) => {
      const all = await findings({ "a.yaml": both.replace("size: 9", values), "repo/groups.yaml": GROUPS, ...files });
      return all.flatMap(({ severity, code, help }) => (severity === "error" ? [`${code} ${help}`] : []));
    };
    expect(await errors("size:")).toEqual(["E_NULL To take the made value away, write null."]);
    expect(await errors("siz: null")).toEqual([expect.stringContaining('E_REF Did you mean "size"?')]);
    // The document may have lost its value, and the entry its document.
    expect(await errors("size: null", { "repo/a.yaml": component("a") })).toEqual([]);
    expect(await errors("size: null", { "repo/b.yaml": component("b") })).toEqual([]);
  });

  test("cannot take a required value away", async () => {
    const required = both.replace("attribute_type: number }", "attribute_type: number, required: true }");
    const files = { "a.yaml": required.replace("size: 9", "size: null"), "repo/a.yaml": component("a", "size: 1") };
    expect(await problems(files)).toEqual([
      'repo/a.yaml:1:1 E_REQUIRED the attribute "size" is required and has no value',
    ]);
  });

  test("twice are an error, made or not", async () => {
    const twice = both.concat("      - { slug: a }\n      - { slug: own, name: Own }\n");
    expect(await problems({ "a.yaml": twice, "repo/a.yaml": component("a") })).toEqual([
      "a.yaml:31:17 E_DUP_OBJECT catalog_types/app/entries/a is declared twice",
      "a.yaml:32:17 E_DUP_OBJECT catalog_types/app/entries/own is declared twice",
    ]);
  });

  test("alone come from this configuration too", async () => {
    expect((await entries({ "a.yaml": both }))["app/own"]).toMatchObject({ source: "incidentctl", external_id: "own" });
  });
});

test("A type whose slug is a variable has its entries, too", async () => {
  const text = CATALOG.replace("slug: app", `slug: "\${var:type}"`);
  const files = { "a.yaml": text, "repo/groups.yaml": GROUPS, "repo/a.yaml": component("a") };
  const { declared } = await loaded(files, { vars: { type: "app" } });
  expect(declared.map(({ address }) => address)).toContain("catalog_types/app/entries/a");
});

describe("Findings", () => {
  test.each<[string, Files, readonly string[]]>([
    [
      "two files that make the same entry",
      { "repo/a.yaml": component("a-b"), "repo/b.yaml": component("a_b") },
      ["repo/b.yaml:3:9 E_DUP_OBJECT catalog_types/app/entries/a_b is declared twice"],
    ],
    [
      "a document without a name",
      { "repo/a.yaml": "kind: Component\nmetadata: {}\n" },
      ["repo/a.yaml:1:1 E_ENTRIES_FROM slug is nothing"],
    ],
    [
      "a name of another type",
      { "repo/a.yaml": "kind: Component\nmetadata: { name: [a, b] }\n" },
      ["repo/a.yaml:1:1 E_ENTRIES_FROM slug is a list, not a text"],
    ],
    [
      "a name without letters",
      { "repo/a.yaml": "kind: Component\nmetadata: { name: '日本' }\n" },
      ['repo/a.yaml:1:1 E_ENTRIES_FROM slug is "日本", which has no letter from a to z and no digit'],
    ],
    [
      "a value that its attribute does not allow",
      { "repo/a.yaml": component("a", "level: '7'") },
      ['repo/a.yaml:4:16 E_ENUM the attribute "level" cannot be "7"'],
    ],
    [
      "a missing owner",
      { "repo/a.yaml": component("a", "owner: paymnts") },
      ['repo/a.yaml:4:16 E_REF there is no catalog entry "paymnts" of squad, which the expression "spec.owner" gives'],
    ],
    [
      "a user, who is no team of the same name",
      { "repo/a.yaml": component("a", 'owner: "user:default/payments"') },
      [
        'repo/a.yaml:4:16 E_REF there is no catalog entry "user:default/payments" of squad, which the expression "spec.owner" gives',
      ],
    ],
    [
      "a name of two owners",
      {
        "repo/a.yaml": component("a", "owner: Same"),
        "repo/b.yaml":
          "kind: Group\nmetadata: { name: x, title: Same }\n---\nkind: Group\nmetadata: { name: y, title: Same }\n",
      },
      ['repo/a.yaml:4:16 E_AMBIGUOUS "Same" may be catalog_types/squad/entries/x or catalog_types/squad/entries/y'],
    ],
    [
      "an alias of two entries",
      { "repo/more.yaml": "kind: Group\nmetadata: { name: x, aliases: [PAY, payments] }\n" },
      [
        'repo/more.yaml:2:31 E_ALIAS the alias "PAY" is an alias of catalog_types/squad/entries/payments too',
        'repo/more.yaml:2:31 E_ALIAS the alias "payments" is the slug of catalog_types/squad/entries/payments too',
      ],
    ],
    [
      "a token in a value",
      { "repo/a.yaml": component("a", `owner: glpat-${"x".repeat(20)}`) },
      ["repo/a.yaml:4:16 E_SECRET_IN_CONFIG attributes.owner would hold text that looks like a token of GitLab"],
    ],
    ["a file that is no YAML", { "repo/a.yaml": "a: [" }, [expect.stringMatching(/^repo\/a\.yaml:1:\d E_/)]],
  ] as const)("about %s point to where it is", async (_what, files, expected) => {
    expect(await problems({ "repo/z.yaml": component("z"), ...files })).toEqual(expected);
  });

  test.each<[string, string, string]>([
    ["a condition that is a text", "when: { jsonata: kind }", 'E_ENTRIES_FROM when is "Component", not true or false'],
    ["a broken expression", "when: { jsonata: 'kind =' }", "E_EXPRESSION"],
    ["an expression that fails", "when: { jsonata: '$uppercase(5)' }", "E_EXPRESSION"],
    ["an unknown key", "wen: { jsonata: kind }", "E_UNKNOWN_KEY"],
    ["an expression under another key", "when: { cel: kind }", "E_UNKNOWN_KEY"],
    [
      "a text where an expression is meant",
      "external_id: metadata.name",
      'external_id is "metadata.name" for each document',
    ],
    ["a condition that is no expression", "when: kind = 'Component'", `when is "kind = 'Component'" for each document`],
    ["a glob that leads out", "manage: all, files: ../../x/*.yaml", "E_GLOB"],
  ])("about %s", async (_what, part, message) => {
    const source = part.includes("files") ? part : `files: repo/*.yaml, ${part}`;
    const text = `catalog_types:\n  - slug: app\n    name: App\n    entries_from: { slug: { jsonata: metadata.name }, ${source} }\n`;
    const found = await findings({ "a.yaml": text, "repo/a.yaml": component("a") });
    expect(found.map(({ code, message: own }) => `${code} ${own}`)).toContainEqual(expect.stringContaining(message));
  });

  test("are one if a slug or an expression is wrong, however many documents there are", async () => {
    const source = (slug: string) =>
      `catalog_types:\n  - slug: app\n    name: App\n    entries_from: { files: repo/*.yaml, slug: ${slug} }\n`;
    const files = { "repo/a.yaml": component("a"), "repo/b.yaml": component("b") };
    const briefs = async (slug: string) => (await findings({ "a.yaml": source(slug), ...files })).map(brief);
    expect(await briefs("metadata.name")).toEqual(["a.yaml:4:47 E_ENTRIES_FROM"]);
    expect(await briefs("{ jsonata: 'metadata.' }")).toEqual([expect.stringMatching(/^a.yaml:4:\d+ E_EXPRESSION$/)]);
  });

  test("about a source in an overlay, which may not have one", async () => {
    const found = await findings(
      {
        "incidentctl.yaml":
          "version: 1\nconfig: [a.yaml]\nenvironments:\n  test: { base_url: https://x.example, overlays: [o.yaml] }\n",
        "a.yaml": CATALOG,
        "repo/groups.yaml": GROUPS,
        "repo/a.yaml": component("a"),
        "o.yaml": "catalog_types:\n  - slug: app\n    entries_from: { files: x.yaml, slug: a }\n",
      },
      { environment: "test" },
    );
    const errors = found.filter(({ severity }) => severity === "error");
    expect(errors.map((one) => `${brief(one)} ${one.message}`)).toEqual([
      'o.yaml:3:5 E_OVERLAY "entries_from" cannot be in an overlay',
    ]);
  });

  test("tell which glob matches nothing, and which files make nothing", async () => {
    const text = `catalog_types:
  - slug: app
    name: App
    entries_from:
      files: [repo/*.yaml, gone/*.yaml]
      when: { jsonata: kind = 'Nothing' }
      slug: { jsonata: metadata.name }
`;
    const found = await findings({ "a.yaml": text, "repo/a.yaml": component("a") });
    expect(found.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'warning the glob "gone/*.yaml" matches no file',
      'warning no document of 1 file of "repo/*.yaml", "gone/*.yaml" makes an entry',
    ]);
  });
});

test("files without a document are a warning: their export may have failed", async () => {
  const text = `catalog_types:
  - slug: app
    name: App
    entries_from: { files: repo/*.csv, slug: { jsonata: name } }
`;
  const found = await findings({ "a.yaml": text, "repo/a.csv": "name,owner\n" });
  expect(found.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
    'warning there is no document in 1 file of "repo/*.csv"',
  ]);
});

describe("The digest of the configuration", () => {
  const digest = async (files: Files): Promise<string> => (await loaded({ "a.yaml": CATALOG, ...files })).digest;

  test("changes with the entries, and not with what makes none", async () => {
    const before = await digest({ "repo/a.yaml": component("a") });
    expect(await digest({ "repo/a.yaml": `# a note\n${component("a")}`, "repo/other.yaml": "kind: API\n" })).toBe(
      before,
    );
    expect(await digest({ "repo/a.yaml": component("a", "size: 1") })).not.toBe(before);
  });
});

test("the same files make the same entries, wherever the repository is", async () => {
  const files = { "in/a.yaml": CATALOG.replaceAll("repo/", "./repo/"), "in/repo/groups.yaml": GROUPS };
  const made = async (folder: string) =>
    await inDirectory(files, async (directory) => (await loadDirectory(`${directory}/${folder}`)).declared.length);
  expect(await made("in")).toBe(4);
  expect(await made("")).toBe(4);
});
