import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONFIGURATION } from "./configuration.ts";
import { withEditor } from "./editor.ts";

const isEmpty = (lines: readonly string[]): boolean => lines.length === 0;
const isNotEmpty = (lines: readonly string[]): boolean => lines.length > 0;
const [SEVERITIES, RULES] = ["config/severities.yaml", "config/rules.yaml"];

describe("findings while somebody types", () => {
  test("are about the text in the editor, also in other files, and go with their cause", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(SEVERITIES);
      await editor.type(SEVERITIES, "slug: critcal", "slug: critical");
      expect(await editor.findings(RULES, isNotEmpty)).toEqual(['9:60 E_REF there is no severity "critical"']);
      await editor.type(SEVERITIES, "slug: critical", "slug: critcal");
      expect(await editor.findings(RULES, isEmpty)).toEqual([]);
    });
  });

  test("include those of the analyzers", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(RULES);
      await editor.type(RULES, "", "      - { name: rest, outcome: { action: drop } }\n");
      expect(await editor.findings(RULES, isNotEmpty)).toEqual([
        "6:5 A004 routing_rules/Datadog: alerts of the source that none of its rules matches are dropped",
      ]);
    });
  });

  test("of a text that is no YAML leave those of other files, and name the place", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(SEVERITIES);
      await editor.type(SEVERITIES, "{ slug: major, name: Major", "{ slug: major, name: Major, default: true }");
      expect((await editor.findings(SEVERITIES, isNotEmpty)).length).toBe(1);
      expect(editor.linesOf(RULES)).toEqual([]);
    });
  });

  test("include routing tests and other environments, as soon as the typing pauses", async () => {
    const files = {
      ...CONFIGURATION,
      "incidentctl.yaml": "version: 1\nconfig: [config]\nenvironments:\n  eu: { overlays: [overlays/eu.yaml] }\n",
      "overlays/eu.yaml": "severities:\n  - { slug: majro, $remove: true }\n",
      "alerts.test.yaml": "routing_tests:\n  - { name: a, fields: {}, expect: { severity: majr } }\n",
    };
    await withEditor(files, async (editor) => {
      await editor.open("alerts.test.yaml");
      expect(await editor.findings("alerts.test.yaml", isNotEmpty)).toEqual(['2:48 E_REF there is no severity "majr"']);
      expect((await editor.findings("overlays/eu.yaml", isNotEmpty)).length).toBe(1);
      await editor.type("alerts.test.yaml", "severity: major", "severity: majr");
      expect(await editor.findings("alerts.test.yaml", isEmpty)).toEqual([]);
    });
  });

  test("are of the files as they are now when a file is saved that another program has changed", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(SEVERITIES);
      await writeFile(join(editor.folder, "config/more.yaml"), "severities:\n  - { slug: critical, name: Twice }\n");
      await editor.save(SEVERITIES);
      // A list whose order counts stands in two files, and one severity twice.
      const isTwice = (lines: readonly string[]): boolean => lines.some((line) => line.includes("declared twice"));
      expect(await editor.findings(SEVERITIES, isTwice)).toContain(
        "2:13 E_DUP_OBJECT severities/critical is declared twice",
      );
      await rm(join(editor.folder, "config/more.yaml"));
      await editor.save(SEVERITIES);
      expect(await editor.findings(SEVERITIES, isEmpty)).toEqual([]);
    });
  });

  test("go when the last document is closed", async () => {
    await withEditor(CONFIGURATION, async (editor) => {
      await editor.open(SEVERITIES);
      await editor.type(SEVERITIES, "slug: critcal", "slug: critical");
      expect((await editor.findings(RULES, isNotEmpty)).length).toBe(1);
      await editor.close(SEVERITIES);
      expect(await editor.findings(RULES, isEmpty)).toEqual([]);
    });
  });

  test("say of a variable that is not set only that it is not: an editor need not have those of a pipeline", async () => {
    const files = {
      "incidentctl.yaml": "version: 1\n",
      "hooks.yaml": "webhooks:\n  - { name: a, url: 'https://x.example/${env:HOOK}', subscribed_events: [] }\n",
    };
    await withEditor(files, async (editor) => {
      await editor.open("hooks.yaml");
      expect((await editor.findings("hooks.yaml", isNotEmpty)).join()).toContain("HOOK");
      expect(editor.severitiesOf("hooks.yaml")).toEqual(["information"]);
    });
  });
});

describe("no findings", () => {
  test("are of a file outside the configuration, of another language, or of a document that is in no file", async () => {
    const files = { ...CONFIGURATION, "other/compose.yaml": "services: {}\n", "config/notes.txt": "severities: 1\n" };
    await withEditor(files, async (editor) => {
      await editor.open("other/compose.yaml");
      await editor.open("config/notes.txt");
      await editor.open(SEVERITIES, "severities: []\n");
      await editor.findings(RULES, isNotEmpty);
      expect(editor.linesOf("other/compose.yaml")).toEqual([]);
      expect(editor.linesOf("config/notes.txt")).toEqual([]);
      expect(await editor.hover("other/compose.yaml", "serv|ices")).toBeUndefined();
      expect(await editor.proposals("other/compose.yaml", "serv|")).toEqual([]);
    });
  });

  test("are of YAML files without settings above them, unless their keys are names of kinds", async () => {
    await withEditor({ "a.yaml": "apiVersion: v1\n", "b/c.yaml": "severities:\n  - { slug: A }\n" }, async (editor) => {
      await editor.open("a.yaml");
      await editor.open("b/c.yaml");
      expect((await editor.findings("b/c.yaml", isNotEmpty)).join()).toContain("E_SLUG");
      expect(editor.linesOf("a.yaml")).toEqual([]);
    });
  });
});
