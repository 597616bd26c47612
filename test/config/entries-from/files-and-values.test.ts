import { describe, expect, test } from "vitest";
import { brief, type Files, findings, loaded } from "../loading.ts";

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

  test("that a source reads is no configuration, which is a warning if it has resources", async () => {
    const files = { "a.yaml": catalog('"**/*.yaml"'), "b.yaml": severities, "repo/a.yaml": component("a") };
    expect(await addresses(files)).not.toContain("severities/critical");
    expect((await findings(files)).map((finding) => `${brief(finding)} ${finding.message}`)).toEqual([
      "b.yaml:1:1 W_ENTRIES_FROM a source of entries reads this file, so its resources are not configured",
    ]);
  });
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
    const all = await findings({ "a.yaml": type, "repo/a.csv": "name,owner\na,Payments\nb,payments\nc,PAYMENTS\n" });
    expect(all.map(brief)).toEqual(["repo/a.csv:3:3 E_DUP_OBJECT", "repo/a.csv:4:3 E_DUP_OBJECT"]);
  });
});
