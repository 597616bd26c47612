/**
 * The reference of the language is what the schemas, the kinds and `explain` say, so that nobody writes it and it is never old:
 * `npm run documents` writes it anew.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Explanation, explain } from "../../src/config/resources/schema-docs.ts";
import { settingsSchema } from "../../src/config/schema/settings-schema.ts";
import { fieldsIn } from "../../src/core/json.ts";
import { kinds } from "../../src/kinds/index.ts";
import { OWNERSHIP, ownershipTable } from "../commands/ownership/table.ts";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const page = join(docs, "reference.md");

/** A kind, a setting or a field of one; undefined if there is none of the name. */
function explained(names: readonly string[]): Explanation | undefined {
  const found = explain(kinds, names);
  return "unknown" in found ? undefined : found;
}

/** Every field below, the outer ones first; a mapping with keys of the user's has one row for them. */
function fieldsBelow(top: readonly string[], path: readonly string[]): readonly (readonly [string, Explanation])[] {
  const { fields = [] } = explained([...top, ...path]) ?? {};
  const names = fields.length > 0 ? fields.map(({ name }) => name) : ["*"];
  return names.flatMap((name) => {
    const below = [...path, name];
    const field = explained([...top, ...below]);
    // A condition may hold others of its form, and any other value has no field of its own.
    if (field === undefined || path.includes(name) || (name === "*" && field.description === "")) return [];
    return [[below.join("."), field] as const, ...fieldsBelow(top, below)];
  });
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").replaceAll("<", "&lt;");

function rowOf([path, { type, description, notes, values = [] }]: readonly [string, Explanation]): string {
  const among = values.length === 0 ? [] : [`Values: ${values.map((value) => `\`${String(value)}\``).join(", ")}.`];
  return `| \`${path}\` | ${cell(type)} | ${cell([description, ...notes, ...among].join(" "))} |`;
}

function fieldTable(top: readonly string[]): readonly string[] {
  return ["| Field | Type | Meaning |", "|---|---|---|", ...fieldsBelow(top, []).map(rowOf)];
}

function kindSection(name: string): readonly string[] {
  const kind = explained([name]);
  if (kind === undefined) throw new Error(`${name} is not explained`);
  const { type, description, notes, references, referencedBy, example } = kind;
  const linked = (names: readonly string[]): string => names.map((one) => `[${one}](#${one})`).join(", ");
  const lists = OWNERSHIP.filter((row) => row.kind.name === name);
  return [
    `## ${name}`,
    "",
    `${cell(description)} (${cell(type)})`,
    "",
    ...notes.map((note) => `- ${cell(note)}`),
    ...(references.length === 0 ? [] : [`- It references ${linked(references)}.`]),
    ...(referencedBy.length === 0 ? [] : [`- It is referenced by ${linked(referencedBy)}.`]),
    "",
    ...fieldTable([name]),
    "",
    "| List | Missing | `[]` | Not listed |",
    "|---|---|---|---|",
    ...lists.map(
      ({ where, missing, empty, unlisted }) => `| ${where} | ${missing.words} | ${empty.words} | ${unlisted.words} |`,
    ),
    "",
    ...(example === undefined ? [] : ["```yaml", example, "```", ""]),
  ];
}

const sections = [
  "# The language",
  "",
  "<!-- Written by a test from the schemas: npm run documents -->",
  "",
  "Each kind and each setting, with its fields. `incidentctl explain KIND.field` says the same of one field, and",
  "[editors](editors.md) show it where you write.",
  "",
  `Kinds: ${kinds.map(({ name }) => `[${name}](#${name})`).join(", ")}. Settings: [incidentctl.yaml](#settings).`,
  "",
  "What holds for all of them:",
  "",
  "- A list that the files state is owned: what is live and not listed is removed, as the table of the kind says, and a deletion needs",
  "  `--allow-delete`. A list that no file states is not managed. `[]` states an empty one; a key without a value is an error. See",
  "  [ownership.md](ownership.md).",
  "- A field that a resource leaves out is not compared and keeps its live value. `null` empties a field whose type says *or null*; elsewhere it is",
  "  an error.",
  "- `${var:NAME}` and `${env:NAME}` stand for variables and for values of the environment, and `${file:PATH}` for the text of a file: see",
  "  [environments.md](environments.md).",
  "- Resources that other files make, such as a Backstage catalog: [catalog-sources.md](catalog-sources.md). Routing tests, `*.test.yaml`:",
  "  [routing-tests.md](routing-tests.md).",
  "",
  ...kinds.flatMap(({ name }) => kindSection(name)),
  "## Settings",
  "",
  "The file `incidentctl.yaml`, at the root of the configuration.",
  "",
  ...fieldTable(["settings"]),
  "",
  "```yaml",
  explained(["settings"])?.example ?? "",
  "```",
  "",
];

test("the page is what the schemas say", async () => {
  await expect(sections.join("\n")).toMatchFileSnapshot(page);
});

test("the page about ownership has the table of all lists", async () => {
  const ownership = join(docs, "ownership.md");
  const text = readFileSync(ownership, "utf8").replace(/\| List \| Missing .*(?:\n\|.*)*/, ownershipTable);
  expect(text).toContain(ownershipTable());
  await expect(text).toMatchFileSnapshot(ownership);
});

test("each key of a kind and of the settings has a row that says something", () => {
  const rows = [...kinds.map(({ name }) => [name]), ["settings"]].flatMap((top) =>
    fieldsBelow(top, []).map(([path, { description }]) => [[...top, path].join("."), description] as const),
  );
  expect(rows.filter(([, description]) => description === "").map(([name]) => name)).toEqual([]);
  const named = new Set(rows.map(([name]) => name));
  for (const key of Object.keys(fieldsIn(settingsSchema(kinds).properties))) expect(named).toContain(`settings.${key}`);
});

test("each key of the settings that the example workspace has is explained with an example", () => {
  expect(explained(["limits", "max_removals"])?.example).toMatch(/^max_removals: 30%/);
  expect(explained(["settings", "removal"])?.example).toContain("\n  webhooks: delete");
  expect(explained(["ignore"])?.example).toBeUndefined();
});

test("the index of docs names every page", () => {
  const index = readFileSync(join(docs, "README.md"), "utf8");
  const pages = readdirSync(docs).filter((name) => name.endsWith(".md") && name !== "README.md");
  expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});
