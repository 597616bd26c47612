import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONFIGURATION } from "./configuration.ts";
import { withEditor } from "./editor.ts";

const [RULES, FIELDS, SOURCES] = ["config/rules.yaml", "config/fields.yaml", "config/sources.yaml"];

describe("a name leads to its declaration", () => {
  test.each([
    ["a severity of a rule", RULES, "severity: maj|or", "config/severities.yaml:3:13"],
    ["a team of a rule", RULES, "team: |payments", "config/catalog.yaml:4:17"],
    ["the source whose rules they are", RULES, "Data|dog:", "config/sources.yaml:2:13"],
    ["the field on a form", FIELDS, "custom_field: reg|ion", "config/fields.yaml:2:11"],
    ["the option in a condition", FIELDS, "values: [Eur|ope]", "config/fields.yaml:5:15"],
  ])("%s", async (_, file, around, place) => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(file);
      expect(await editor.definition(file, around)).toEqual([place]);
    });
  });

  test("also the entry in an attribute that only the service declares, as in a default workspace", async () => {
    const file = "config/catalog.yaml";
    const owned = `${CONFIGURATION[file]}  - slug: service
    entries: [{ slug: shop, name: Shop, attributes: { owner_team: payments } }]
`;
    await withEditor({ ...CONFIGURATION, [file]: owned }, async (editor) => {
      await editor.open(file);
      expect(await editor.definition(file, "owner_team: pay|ments")).toEqual([`${file}:4:17`]);
      expect((await editor.rename(file, "slug: pay|ments", "pay"))[file]).toContain("owner_team: pay }");
    });
  });

  test("and a text that names nothing leads nowhere", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(RULES);
      expect(await editor.definition(RULES, "name: every|thing")).toEqual([]);
      expect(await editor.definition(RULES, "out|come")).toEqual([]);
      await editor.type(RULES, "severity: nothing", "severity: major");
      expect(await editor.definition(RULES, "severity: |nothing")).toEqual([]);
    });
  });
});

test("a declaration and a reference have the same references", async () => {
  const files = {
    ...CONFIGURATION,
    "a.test.yaml": "routing_tests:\n  - { name: a, source: Datadog, fields: {}, expect: { severity: critical } }\n",
  };
  await withEditor(files, async (editor) => {
    await editor.open(SOURCES);
    await editor.open(RULES);
    const places = ["config/rules.yaml:6:5", "a.test.yaml:2:24"];
    expect(await editor.references(SOURCES, "name: Data|dog")).toEqual(places);
    expect(await editor.references(RULES, "Data|dog:", true)).toEqual(["config/sources.yaml:2:13", ...places]);
  });
});

test("a name has its references again when a mistake beside it is undone", async () => {
  await withEditor(CONFIGURATION, async (editor) => {
    const file = "config/severities.yaml";
    await editor.open(file);
    const before = await editor.references(file, "slug: maj|or");
    await editor.type(file, "major x", "major");
    await editor.findings(file, (lines) => lines.length > 0);
    await editor.type(file, "major", "major x");
    expect([before.length, await editor.references(file, "slug: maj|or")]).toEqual([1, before]);
  });
});

describe("a hover explains", () => {
  test("a field, its values and the resource that a value names", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(RULES);
      expect(await editor.hover(RULES, "severity: maj|or")).toMatch(
        /^\*\*severities\/major\*\*, Major \(config\/severities\.yaml:3\)\n\n\*\*routing_rules\.outcome\.severity\*\* \*text\*\n/,
      );
      expect(await editor.hover(RULES, "oper|ator")).toContain("`is_one_of`");
      expect(await editor.hover(RULES, "routing|_rules")).toContain("list, under");
    });
  });

  test("nothing where nothing stands", async () => {
    await withEditor({ ...CONFIGURATION, "config/empty.yaml": "# none\nseverities: []\n" }, async (editor) => {
      await editor.open("config/empty.yaml");
      expect(await editor.hover("config/empty.yaml", "# n|one")).toBeUndefined();
    });
  });
});

describe("a rename", () => {
  test("changes the declaration and every reference, and tells the service the former name", async () => {
    const files = {
      ...CONFIGURATION,
      "incidentctl.yaml": "version: 1\nconfig: [config]\nenvironments:\n  eu: { overlays: [overlays/eu.yaml] }\n",
      "overlays/eu.yaml": "alert_sources:\n  - { name: Datadog, enabled: false }\n",
      "a.test.yaml": "routing_tests:\n  - { name: a, source: Datadog, fields: {}, expect: { severity: critical } }\n",
    };
    await withEditor(files, async (editor) => {
      await editor.open(RULES);
      const texts = await editor.rename(RULES, "Data|dog:", "Datadog EU");
      expect(texts[SOURCES]).toContain("- { name: Datadog EU, renamed_from: Datadog, provider: datadog }");
      expect(texts[RULES]).toContain("\n    Datadog EU:\n");
      expect(texts["overlays/eu.yaml"]).toContain("- { name: Datadog EU, enabled: false }");
      expect(texts["a.test.yaml"]).toContain("source: Datadog EU,");
      expect(Object.keys(texts)).toHaveLength(4);
      expect(editor.messages).toEqual([]);
    });
  });

  test.each(['"🧑\u200d🚒 Dog"', "'it''s'", '"a \\u0041"', '"$${x}"'])(
    "finds the name as it is written: %s",
    async (written) => {
      const files = {
        "incidentctl.yaml": "version: 1\n",
        "a.yaml": `alert_sources:\n  - { name: ${written} }\nrouting_rules:\n  sources:\n    ${written}:\n      - outcome: { action: drop }\n`,
      };
      await withEditor(files, async (editor) => {
        await editor.open("a.yaml");
        const text = (await editor.rename("a.yaml", `{ name: |${written.slice(0, 1)}`, "Cat"))["a.yaml"];
        expect(text).toMatch(/^alert_sources:\n {2}- \{ name: (["']?)Cat\1, renamed_from: /);
        expect(text).toMatch(/\n {4}(["']?)Cat\1:\n/);
      });
    },
  );

  test("writes the former name on a line of its own in a block", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(SOURCES);
      expect((await editor.rename(SOURCES, "Shop| probes", "Probes: all"))[SOURCES]).toContain(
        '  - name: "Probes: all" # of the shops\n    renamed_from: Shop probes\n    provider: generic\n',
      );
    });
  });

  test("of an option keeps the values of incidents", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(FIELDS);
      const texts = await editor.rename(FIELDS, "[Eur|ope, ", "EU");
      expect(texts[FIELDS]).toContain("options: [{ label: EU, renamed_from: Europe }, North America]");
      expect(texts[FIELDS]).toContain("values: [EU] }");
    });
  });

  test("of what the service cannot rename changes the files, and says what the plan will do", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(RULES);
      const texts = await editor.rename(RULES, "team: pay|ments", "payment_team");
      expect(texts["config/catalog.yaml"]).toContain("{ slug: payment_team, name: Payments }");
      expect(texts[RULES]).toContain("team: payment_team }");
      expect(editor.messages.join()).toContain("The service has no rename of a catalog entry.");
    });
  });

  test.each([
    ["a name that is taken", "team: pay|ments", "ledger", 'there is already a catalog entry "ledger"'],
    ["a name that is not allowed", "severity: maj|or", "Major!", "slug"],
    ["an empty name", "severity: maj|or", " ", "the new name is empty"],
  ])("to %s is refused, and says why", async (_, around, to, message) => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(RULES);
      await expect(editor.rename(RULES, around, to)).rejects.toThrow(message);
    });
  });

  test("of what is built in is refused", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      const file = "config/catalog.yaml";
      await editor.open(file);
      await expect(editor.rename(file, "slug: te|am", "squad")).rejects.toThrow('the catalog type "team" is built in');
    });
  });

  test("is refused while a file cannot be parsed", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(RULES);
      await editor.open(FIELDS, "custom_fields: [\n");
      await expect(editor.rename(RULES, "severity: maj|or", "big")).rejects.toThrow("config/fields.yaml");
    });
  });

  test("leaves the files as they are until the editor saves them", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(SOURCES);
      await editor.rename(SOURCES, "name: Data|dog", "Other");
      expect(readFileSync(join(editor.folder, SOURCES), "utf8")).toBe(
        CONFIGURATION[SOURCES as keyof typeof CONFIGURATION],
      );
    });
  });
});
