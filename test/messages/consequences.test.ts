/** The errors of a configuration as a user reads them: causes first, without their consequences, at most ten. */

import { describe, expect, it } from "vitest";
import { command } from "../bad-input/run.ts";
import { type Files, inDirectory } from "../config/loading.ts";

/** What `validate` prints on standard error. */
async function errorsOf(files: Files, args: readonly string[] = []): Promise<string> {
  return inDirectory(files, async (folder) => (await command(["validate", ...args], folder)).stderr);
}

const RULES =
  "routing_rules:\n  workspace:\n    - { name: all, outcome: { action: notify_only, notify: { type: owning_team, of: service } } }\n";

/** The codes of the errors in a text, in their order. */
function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/error\[(\w+)\]/g)].map(([, code = ""]) => code);
}

it("An item of the wrong type is told apart from its list", async () => {
  const rules = "routing_rules:\n  workspace:\n    - { outcome: { action: drop }, conditions: [x] }\n";
  const text = await errorsOf({ "x.yaml": rules });
  expect(codesIn(text)).toEqual(["E_TYPE"]);
  expect(text).toContain('an item of "conditions" must be a mapping, not the text "x"');
});

describe("Errors leave out what another error causes:", () => {
  it.each<readonly [title: string, files: Files, codes: readonly string[]]>([
    [
      "a resource with a misspelt key field is not missing for those that refer to it",
      {
        "x.yaml":
          "custom_fields:\n  - { slugg: region, name: Region, field_type: single_select, options: [eu] }\nforms:\n  declare:\n    - { custom_field: region }\n",
      },
      ["E_UNKNOWN_KEY"],
    ],
    [
      "a resource with an invalid slug is not missing for those that refer to it",
      {
        "x.yaml":
          "custom_fields:\n  - { slug: Region!, name: Region, field_type: single_select, options: [eu] }\nforms:\n  declare:\n    - { custom_field: region }\n",
      },
      ["E_SLUG"],
    ],
    [
      "a wrong type breaks no other rule",
      { "x.yaml": "forms:\n  declare:\n    - { system_field: summary, visible: yes, required: true }\n" },
      ["E_TYPE"],
    ],
    [
      "the key that is misspelt is not missing as well",
      { "x.yaml": "forms:\n  declare:\n    - { field: severity }\n" },
      ["E_UNKNOWN_KEY"],
    ],
    [
      "what a file that is not YAML would declare is not missing",
      {
        "a.yaml": "forms:\n  declare:\n    - { custom_field: region }\n",
        "b.yaml": "custom_fields:\n  - { slug: [region\n",
      },
      ["E_SYNTAX"],
    ],
  ])("%s", async (_, files, codes) => {
    expect(codesIn(await errorsOf(files))).toEqual(codes);
  });
});

describe("Errors come in the order in which they are mended:", () => {
  it("a file that is not YAML before wrong values in files before it", async () => {
    const files = { "a.yaml": "severities:\n  - { slug: a, colour: red }\n", "b.yaml": "statuses: [\n" };
    expect(codesIn(await errorsOf(files))).toEqual(["E_SYNTAX", "E_UNKNOWN_KEY"]);
  });

  it("wrong values before references to nothing", async () => {
    const form = "custom_fields: []\nforms:\n  declare:\n    - { custom_field: region }\n";
    const files = { "a.yaml": form, "b.yaml": "severities:\n  - { slug: a, colour: red }\n" };
    expect(codesIn(await errorsOf(files))).toEqual(["E_UNKNOWN_KEY", "E_REF"]);
  });
});

describe("Of many errors", () => {
  const many = {
    "x.yaml": `severities:\n${Array.from({ length: 14 }, (_, at) => `  - { slug: s${at}, f${at}: 1 }\n`).join("")}`,
  };

  it("ten are printed, and --verbose shows all", async () => {
    const text = await errorsOf(many);
    expect(codesIn(text)).toHaveLength(10);
    expect(text).toContain("… and 4 more; --verbose shows all");
    expect(codesIn(await errorsOf(many, ["--verbose"]))).toHaveLength(14);
  });

  it("JSON has all", async () => {
    await inDirectory(many, async (folder) => {
      const { stdout } = await command(["validate", "--format", "json"], folder);
      expect(JSON.parse(stdout).diagnostics).toHaveLength(14);
    });
  });

  it("one that many places share is printed once", async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `  - { slug: s${at}, name: "\${var:prefix} ${at}" }\n`);
    const text = await errorsOf({ "x.yaml": `severities:\n${lines.join("")}`, "y.yaml": RULES });
    expect(codesIn(text)).toEqual(["E_VAR"]);
    expect(text).toContain("Also at x.yaml:3:23, x.yaml:4:23, x.yaml:5:23 and 36 more places.");
  });
});

it("A token in the settings is answered with the variable to set", async () => {
  expect(await errorsOf({ "incidentctl.yaml": "version: 1\ntoken: abc\n" })).toContain(
    "Set INCIDENTCTL_TOKEN in the environment",
  );
});
