import { describe, expect, test } from "vitest";
import { linesOf } from "../../../../src/config/resources/configuration.ts";
import { InvalidConfiguration } from "../../../../src/core/diagnostic.ts";
import { brief, type Files, findings, inDirectory, loadDirectory, loaded } from "../../loading.ts";

const component = (name: string) => `kind: Component\nmetadata: { name: ${name} }\n`;

describe("A file in the directory of the configuration", () => {
  const catalog = (files: string) => `catalog_types:
  - slug: app
    name: App
    entries_from: { files: [${files}], when: { jsonata: kind = 'Component' }, slug: { jsonata: metadata.name } }
`;
  const addresses = async (files: Files) => (await loaded(files)).declared.map(({ address }) => address);
  const severities = "severities:\n  - { slug: critical, name: Critical }\n";

  test("that a source excludes is no configuration, and need not be YAML", async () => {
    const files = {
      "a.yaml": catalog('repo/**/*.yaml, "!**/skeleton/**"'),
      "repo/a.yaml": component("a"),
      "repo/skeleton/a.yaml": "kind: {{ kind }}\nspec: { schedules: [] }\n",
    };
    expect(await addresses(files)).toEqual(["catalog_types/app", "catalog_types/app/entries/a"]);
  });

  test.each(["!config/**", "!config/severities.yaml"])(
    "that has resources is configuration if a source excludes it with %s",
    async (exclusion) => {
      const files = {
        "config/a.yaml": catalog(`"**/*.yaml", "${exclusion}"`),
        "config/severities.yaml": severities,
        "repo/a.yaml": component("a"),
      };
      expect(await addresses(files)).toContain("severities/critical");
      const broken = { ...files, "config/severities.yaml": `${severities}  - {` };
      expect((await findings(broken)).map(brief)).toEqual([expect.stringMatching(/^config\/severities.yaml:3:\d E_/)]);
    },
  );

  test("that a source reads is no configuration, and an error if it has resources", async () => {
    const files = { "a.yaml": catalog('"**/*.yaml"'), "b.yaml": severities, "repo/a.yaml": component("a") };
    expect((await findings(files)).map((finding) => `${brief(finding)} ${finding.message}`)).toEqual([
      "b.yaml:1:1 E_ENTRIES_FROM a source of entries reads this file, which has resources",
    ]);
  });
});

test("a file with errors is reported once, without what follows from them, for all sources that read it", async () => {
  const source = (slug: string, column: string) =>
    `  - slug: ${slug}\n    name: ${slug}\n    entries_from: { files: s.csv, slug: { jsonata: ${column} } }\n`;
  const found = await findings({
    "a.yaml": `catalog_types:\n${source("squad", "owner")}${source("app", "name")}`,
    "s.csv": "name,owner\na,b,c\n",
  });
  expect(found.map(brief)).toEqual(["s.csv:2:1 E_CSV"]);
});

describe("Values that no document has", () => {
  const type = (attributes: string) => `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Level }, { name: Size }]
    entries_from: { files: repo/*.csv, slug: { jsonata: name }, attributes: { ${attributes} } }
`;
  const problemsOf = async (attributes: string, csv: string) => {
    const all = await findings({ "a.yaml": type(attributes), "repo/a.csv": csv });
    return all.map((finding) => `${brief(finding)} ${finding.message}; ${finding.help}`);
  };

  test("are a warning at the expression, with the nearest name", async () => {
    expect(
      await problemsOf("level: { jsonata: level }, size: { jsonata: size }", "name,Level,size\na,x,\nb,y,2\n"),
    ).toEqual([
      'a.yaml:5:97 W_ENTRIES_FROM attributes.level has no value: "level" gives nothing for any of the 2 documents that make entries; Did you mean "Level"?',
    ]);
    const withId = (csv: string) =>
      findings({
        "a.yaml": type("").replace("name }, attributes: {  }", "name }, external_id: { jsonata: id }"),
        "repo/a.csv": csv,
      });
    expect(await withId("id,name\n1,a\n,b\n")).toEqual([]);
    expect(await withId("ID,name\n1,a\n2,b\n")).toMatchObject([
      {
        code: "W_ENTRIES_FROM",
        message: 'external_id has no value: "id" gives nothing for any of the 2 documents that make entries',
        help: 'Without it the slug is the id, so that a document with a new slug makes a new entry. Did you mean "ID"?',
      },
    ]);
    expect(await problemsOf("level: { jsonata: $uppercase(lvl) }", "name\na\n")).toEqual([
      expect.stringContaining('"$uppercase(lvl)" gives nothing for the document that makes an entry; Compare'),
    ]);
  });

  test("are an error once if the type has no such attribute", async () => {
    expect(await problemsOf("levl: { jsonata: level }", "name,level\na,\nb,\n")).toEqual([
      'a.yaml:5:96 E_REF the catalog type app has no attribute "levl"; Did you mean "level"? Allowed: level and size.',
    ]);
  });
});

describe("Several documents that make one entry", () => {
  const type = `catalog_types:
  - { slug: squad, name: Squad, entries_from: { files: repo/*.csv, slug: { jsonata: owner } } }
  - slug: app
    name: App
    attributes: [{ name: Owner, attribute_type: reference, reference_type: squad }]
    entries_from: { files: repo/*.csv, slug: { jsonata: name }, attributes: { owner: { jsonata: owner } } }
`;

  test("make it once if they agree in every value", async () => {
    const configuration = await loaded({
      "a.yaml": type,
      "repo/a.csv": "name,owner\na,Payments\nb,Payments\nc,Growth\n",
    });
    expect(configuration.declared.flatMap(({ scope, key }) => (scope === "squad" ? [key] : []))).toEqual([
      "payments",
      "growth",
    ]);
    expect(configuration.sourced?.map(({ sources }) => sources.map(({ entries: count }) => count))).toEqual([[2], [3]]);
  });

  test("are an error if they differ, and nothing that follows from it", async () => {
    const named = type.replace("jsonata: owner } }", "jsonata: owner }, name: { jsonata: owner } }");
    const all = await findings({ "a.yaml": named, "repo/a.csv": "name,owner\na,Payments\nb,payments\nc,PAYMENTS\n" });
    expect(all.map(brief)).toEqual(["repo/a.csv:3:3 E_DUP_OBJECT", "repo/a.csv:4:3 E_DUP_OBJECT"]);
  });
});

describe("Numbers", () => {
  test("have the digits of the file in texts", async () => {
    const { declared } = await loaded({
      "a.yaml": `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Code, attribute_type: text }, { name: Version, attribute_type: text }]
    entries_from:
      files: "*.yml"
      slug: { jsonata: id }
      attributes: { code: { jsonata: code }, version: { jsonata: spec.version } }
`,
      "b.yml": "id: 007\ncode: &c 0012\nspec: { version: 1.10 }\n---\nid: 1e3\ncode: 0x1F\nspec: { version: 2 }\n",
    });
    expect(
      declared.flatMap(({ key, scope, fields }) => (scope === "app" ? [[key, fields.name, fields.attributes]] : [])),
    ).toEqual([
      ["007", "007", { code: "0012", version: "1.10" }],
      ["1e3", "1e3", { code: "31", version: "2" }],
    ]);
  });
});

describe("Values that are no values of an entry", () => {
  const token = `ghp_${"a".repeat(36)}`;
  const text = (expression: string) => `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Level }, { name: Links, attribute_type: list }]
    entries_from: { files: repo/*.yaml, slug: { jsonata: name }, attributes: { links: { jsonata: '${expression}' } } }
`;
  const problemsOf = async (expression: string) => {
    const document = `name: a\nlinks: [{ url: https://x }]\nsecret: ${token}\nzero: 0\n`;
    return await findings({ "a.yaml": text(expression), "repo/a.yaml": document });
  };

  test.each([
    ["links", "attributes.links is a list of mappings"],
    ["$$", "attributes.links is a mapping"],
    ["[$trim]", "it gives a function, not a value"],
    ["[function($x) { $x }]", "it gives a function, not a value"],
    [
      "($f := function($x, $n) { $n = 0 ? $x : $f([[$x], [$x]], $n - 1) }; $f(1, 60))",
      "it makes a value of more than 20000000 characters",
    ],
    ["1 / zero", "it gives Infinity, which is no number of JSON"],
    ["$pad(name, 100000000)", "it makes a text of more than 200000 characters"],
    ["$number(secret)", "Unable to cast value to a number"],
  ])("such as those of %s are one error without text of the file", async (expression, message) => {
    const all = (await problemsOf(expression)).filter(({ severity }) => severity === "error");
    expect(all.map((finding) => `${finding.at?.file} ${finding.message}`)).toEqual([
      expect.stringMatching(/^repo\/a.yaml /),
    ]);
    expect(all[0]?.message).toContain(message);
    expect(all[0]?.related).toMatchObject([{ at: { file: "a.yaml", line: 5 } }]);
    expect(JSON.stringify(all)).not.toContain(token);
  });

  test("$pad fills as JSONata does", async () => {
    const expression = '[$pad(name, -4, "xy"), $pad(name, 3) & "|", $pad(name, 0)]';
    const { declared } = await loaded({ "a.yaml": text(expression), "repo/a.yaml": "name: a\n" });
    expect(declared.at(-1)?.fields.attributes).toEqual({ links: ["xyxa", "a  |", "a"] });
  });

  test("lines in messages have no token", async () => {
    const files = { "a.yaml": text("bad"), "repo/a.yaml": `{ name: "日本", secret: ${token} }\n` };
    const lines = await inDirectory(files, async (directory) => {
      try {
        const configuration = await loadDirectory(directory);
        return (file: string) => linesOf(configuration, file);
      } catch (error) {
        if (error instanceof InvalidConfiguration) return error.lines;
        throw error;
      }
    });
    expect(lines("repo/a.yaml")?.[0]).toBe(`{ name: "日本", secret: ${"*".repeat(40)} }`);
  });
});

test("A file that is a list has its items as documents", async () => {
  const text = (documents: string) =>
    `catalog_types:\n  - { slug: app, name: App, entries_from: { files: repo/*.json, ${documents}slug: { jsonata: name } } }\n`;
  const json = '[{ "name": "a" }, { "name": "b" }]';
  // With one item it would work, until there is another one.
  for (const list of [json, '[{ "name": "a" }]']) {
    const [problem] = await findings({ "a.yaml": text(""), "repo/a.json": list });
    expect(problem?.message).toBe('slug is "name" of a list, not of a mapping');
    expect(problem?.help).toBe('The document is a list. To make an entry of each of its items, write documents: "".');
  }
  const { declared } = await loaded({ "a.yaml": text('documents: "", '), "repo/a.json": json });
  expect(declared.map(({ key }) => key)).toEqual(["app", "a", "b"]);
});

describe("Helps", () => {
  const type = (expression: string) => `catalog_types:
  - { slug: app, name: App, entries_from: { files: repo/*.csv, slug: { jsonata: ${expression} } } }
`;
  const problemsOf = async (csv: string, expression = "name") => {
    const all = await findings({ "a.yaml": type(expression), "repo/a.csv": csv });
    return all.map((finding) => `${brief(finding)} ${finding.message}; ${finding.help}`);
  };

  test("name a title above the columns, and none is due for columns without a name or a value", async () => {
    expect(await problemsOf("# export of 2026\nname,owner\na,b\n")).toContainEqual(
      expect.stringContaining("remove a title or a comment above it"),
    );
    expect(await problemsOf("name,owner,\na,b,\nc,d,,\n")).toEqual([]);
    expect(await problemsOf("name,owner\na\n")).toEqual([
      expect.stringContaining("has 1 cell, but the header has 2; Write all"),
    ]);
  });

  test("say where globs begin without a repository", async () => {
    const all = await findings({ "a.yaml": type("name") });
    expect(all[0]?.help).toContain("the directory of incidentctl.yaml, since no git repository (.git) is around it");
  });

  test("end after five failures of an expression", async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `x${at}`).join("\n");
    const all = await problemsOf(`name\n${rows}\n`, "$number(name)");
    expect(all).toHaveLength(5);
    expect(all.at(-1)).toContain("it is not tried for the other documents");
  });

  test("find an owner by a name that is nearly its own", async () => {
    const types = `catalog_types:
  - slug: squad
    name: Squad
    entries: [{ slug: x, name: Team Exchange, aliases: [ecks] }]
  - slug: app
    name: App
    attributes: [{ name: Owner, attribute_type: reference, reference_type: squad }]
    entries_from: { files: repo/*.csv, slug: { jsonata: name }, attributes: { owner: { jsonata: $trim(owner) } } }
`;
    const all = await findings({ "a.yaml": types, "repo/a.csv": "name,owner\na,Team Exchang\n" });
    expect(all.map(({ message, help }) => `${message}; ${help}`)).toEqual([
      'there is no catalog entry "Team Exchang" of squad, which the expression "$trim(owner)" gives; Did you mean "team exchange"?',
    ]);
  });

  test("about an ignored entry say how to make none", async () => {
    const all = await findings({
      "incidentctl.yaml": "version: 1\nconfig: [a.yaml]\nignore: [catalog_types/app/entries/x*]\n",
      "a.yaml": type("name"),
      "repo/a.csv": "name\nx\n",
    });
    expect(all.map(({ help }) => help)).toEqual([
      "Exclude its document with when of entries_from, or remove its pattern from ignore in incidentctl.yaml.",
    ]);
  });

  test("name a wrong glob alone, not the files of the others", async () => {
    const files = `catalog_types:
  - { slug: app, name: App, entries_from: { files: [repo/*.yaml, ../../x.yaml], slug: { jsonata: name } } }
`;
    expect((await findings({ "a.yaml": files, "repo/a.yaml": "name: a\n" })).map(({ code }) => code)).toEqual([
      "E_GLOB",
    ]);
  });

  test("about a required value that a document lacks come with the files", async () => {
    const text = `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Code, attribute_type: text, required: true }]
    entries: [{ slug: b, name: B, attributes: { code: x } }]
    entries_from: { files: repo/*.csv, slug: { jsonata: name }, attributes: { code: { jsonata: code } } }
`;
    const all = await findings({ "a.yaml": text, "repo/a.csv": "name,code\na,\nb,\nc,y\n" });
    expect(all.map((finding) => `${brief(finding)} ${finding.message}`)).toEqual([
      'repo/a.csv:2:1 E_REQUIRED the attribute "code" is required and has no value',
    ]);
  });

  test("are none for owners that an expression leaves out", async () => {
    const text = `catalog_types:
  - { slug: squad, name: Squad, entries: [{ slug: x, name: X }] }
  - slug: app
    name: App
    attributes: [{ name: Owner, attribute_type: reference, reference_type: squad }]
    entries_from:
      files: repo/*.csv
      slug: { jsonata: name }
      attributes: { owner: { jsonata: "owner in ['gone'] ? null : owner" } }
`;
    expect(await findings({ "a.yaml": text, "repo/a.csv": "name,owner\na,gone\nb,x\n" })).toEqual([]);
  });

  test("leave descriptions their invisible characters, as everywhere", async () => {
    const text = `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Description }]
    entries_from: { files: repo/*.csv, slug: { jsonata: name }, attributes: { description: { jsonata: d } } }
`;
    expect(await findings({ "a.yaml": text, "repo/a.csv": "name,d\na,x\u200by\u202b\n" })).toEqual([]);
  });
});
