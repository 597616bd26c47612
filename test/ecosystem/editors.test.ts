/** The schemas in an editor: the real yaml-language-server completes, explains and checks files of every kind. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Editor, startEditor } from "./language-server.ts";
import { newFolder, root, run, succeed } from "./support.ts";

const PROGRAM = join(root, "dist/cli.cjs");
const EXAMPLES = join(root, "examples");

let folder: string;
let editor: Editor;
let files = 0;

beforeAll(async () => {
  folder = newFolder();
  const schemas = { workspace: [], overlay: ["--overlay"], settings: ["--settings"], tests: ["routing_tests"] };
  for (const [name, words] of Object.entries(schemas))
    writeFileSync(join(folder, `${name}.json`), await succeed(folder, process.execPath, [PROGRAM, "schema", ...words]));
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
  await rm(folder, { recursive: true });
});

/** Opens a file with this schema; `|` is the place of the cursor. */
async function open(schema: string, marked: string) {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  const text = `# yaml-language-server: $schema=${schema}.json\n${marked}`;
  const before = text.slice(0, text.indexOf("|")).split("\n");
  const messages = (await editor.open(file, text.replace("|", ""))).map(({ message }) => message);
  const place = [file, before.length - 1, before.at(-1)?.length ?? 0] as const;
  return { messages, complete: () => editor.complete(...place), hover: () => editor.hover(...place) };
}

describe("completion offers", () => {
  test.each([
    ["the kinds", "workspace", "sev|", ["severities"]],
    [
      "the fields of a severity",
      "workspace",
      "severities:\n  - slug: a\n    |",
      ["name", "description", "color", "default"],
    ],
    ["the fields of a status", "workspace", "statuses:\n  - slug: a\n    |", ["name", "enabled"]],
    ["the fields of an incident type", "workspace", "incident_types:\n  - slug: a\n    |", ["name", "enabled"]],
    ["the fields of a role", "workspace", "incident_roles:\n  - slug: a\n    |", ["name", "enabled"]],
    [
      "the types of a custom field",
      "workspace",
      "custom_fields:\n  - slug: a\n    field_type: |",
      ["text", "single_select"],
    ],
    [
      "the operators of a form's condition",
      "workspace",
      "forms:\n  declare:\n    - custom_field: a\n      |",
      ["required", "visible"],
    ],
    ["the fields of a runbook", "workspace", "runbooks:\n  - slug: a\n    |", ["name", "conditions"]],
    ["the fields of a catalog type", "workspace", "catalog_types:\n  - slug: a\n    |", ["attributes", "entries"]],
    [
      "the keys of a source of entries",
      "workspace",
      "catalog_types:\n  - slug: a\n    entries_from:\n      files: b.csv\n      |",
      ["documents", "when", "slug", "name", "aliases", "external_id", "attributes", "source", "manage"],
    ],
    [
      "the keys of one of several sources of entries",
      "workspace",
      "catalog_types:\n  - slug: a\n    entries_from:\n      - files: b.csv\n        |",
      ["documents", "when", "slug", "name"],
    ],
    [
      "the key of an expression",
      "workspace",
      "catalog_types:\n  - slug: a\n    entries_from:\n      files: b.csv\n      slug:\n        |",
      ["jsonata"],
    ],
    [
      "the providers of an alert source",
      "workspace",
      "alert_sources:\n  - name: a\n    provider: |",
      ["generic", "datadog"],
    ],
    [
      "the fields of a routing rule",
      "workspace",
      "routing_rules:\n  workspace:\n    - name: a\n      |",
      ["conditions", "outcome"],
    ],
    [
      "the events of a webhook",
      "workspace",
      "webhooks:\n  - name: a\n    subscribed_events:\n      - |",
      ["incident.created", "lead.assigned"],
    ],
    ["the default of a field", "workspace", "webhooks:\n  - name: a\n    enabled: |", ["true", "false"]],
    [
      "the resources of a key's permissions",
      "workspace",
      "api_keys:\n  - name: a\n    permissions:\n      |",
      ["incidents", "runbooks"],
    ],
    [
      "the abilities of an agent",
      "workspace",
      "agents:\n  - slug: a\n    grants:\n      - ability: |",
      ["incidents.read", "runbooks.update"],
    ],
    ["the keys of an overlay", "overlay", "severities:\n  - slug: a\n    |", ["name", "$remove", "$after"]],
    ["the policies of the settings", "settings", "version: 1\nremoval:\n  default: |", ["keep", "disable_or_delete"]],
    ["the fields of a routing test", "tests", "routing_tests:\n  - name: a\n    |", ["fields", "expect", "forbid"]],
  ])("%s", async (_, schema, text, labels) => {
    const { complete } = await open(schema, text);
    expect(await complete()).toEqual(expect.arrayContaining(labels));
  });
});

test.each([
  ["workspace", "severi|ties: []\n", "How bad an incident is."],
  ["workspace", "webhooks:\n  - name: a\n    subscribed_ev|ents: []\n", "The events that are sent"],
  [
    "workspace",
    "catalog_types:\n  - slug: a\n    entries:\n      - slug: b\n        attri|butes: {}\n",
    "the built-in type service has",
  ],
  [
    "workspace",
    "catalog_types:\n  - slug: a\n    entries_from:\n      fi|les: b.csv\n      slug: { jsonata: name }\n",
    "Globs of the files",
  ],
  [
    "workspace",
    "catalog_types:\n  - slug: a\n    entries_from:\n      - files: b.csv\n        slug: { jsonata: name }\n        man|age: all\n",
    "Which entries are removed when no source makes them any more",
  ],
  ["overlay", "severities:\n  - slug: a\n    $rem|ove: true\n", "Removes the severity in this environment."],
  ["settings", "version: 1\nbase_|url: https://a.example\n", "Tokens are sent nowhere else."],
  ["tests", "routing_tests:\n  - name: a\n    fie|lds: {}\n", "The fields of the alert by name"],
])("hovering over a key of a %s file shows its sentence: %j", async (schema, text, sentence) => {
  const { hover } = await open(schema, text);
  expect(await hover()).toContain(sentence);
});

test("the examples have no problems", async () => {
  for (const name of readdirSync(EXAMPLES).filter((file) => file.endsWith(".yaml"))) {
    const schema = name === "incidentctl.yaml" ? "settings" : name.endsWith(".test.yaml") ? "tests" : "workspace";
    const text = readFileSync(join(EXAMPLES, name), "utf8").replace(/^# yaml-language-server:.*\n/, "");
    expect((await open(schema, `|${text}`)).messages, name).toEqual([]);
  }
});

test.each([
  ["workspace", "severities:\n  - { slug: a, nam|: A }\n", "nam"],
  [
    "workspace",
    "alert_sources:\n  - { name: a, provider: Data Dog| }\n",
    "A provider is written with the letters a to z",
  ],
  [
    "workspace",
    "webhooks:\n  - { name: a, subscribed_events: [created|] }\n",
    "An event is written as words with dots",
  ],
  [
    "workspace",
    "catalog_types:\n  - slug: a\n    entries_from: { files: b.csv, slug: { jsonata: name }, wehn|: true }\n",
    "wehn",
  ],
  [
    "workspace",
    "catalog_types:\n  - slug: a\n    entries_from: [{ files: b.csv, slug: { jsonat|: name } }]\n",
    "jsonat",
  ],
  [
    "workspace",
    "catalog_types:\n  - slug: a\n    entries_from: { files: b.csv, slug: { jsonata: name }, manage: mine| }\n",
    "made_here",
  ],
  ["overlay", "severities:\n  - { slug: a, $remov|: true }\n", "$remov"],
  ["settings", "version: 1\nremoval: { default: burn| }\n", "disable_or_delete"],
  ["tests", "routing_tests:\n  - { name: a, field|: {} }\n", "field"],
])("a mistake in a %s file is named: %j", async (schema, text, words) => {
  const { messages } = await open(schema, text);
  expect(messages.join("\n")).toContain(words);
});

test("init writes schemas that its own files name", async () => {
  const home = join(folder, "new");
  mkdirSync(home);
  const { exit, stderr } = await run(home, process.execPath, [PROGRAM, "init"]);
  expect(exit, stderr).toBe(0);
  const files = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".yaml"));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const text = readFileSync(join(home, file), "utf8");
    const [, schema = ""] = /^# yaml-language-server: \$schema=(.+)$/m.exec(text) ?? [];
    expect(() => readFileSync(join(home, dirname(file), schema)), file).not.toThrow();
    expect(await editor.open(join(home, file), text), file).toEqual([]);
  }
});
