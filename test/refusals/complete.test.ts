/** The table of refusals is complete: it has every reason for which the emulator refuses to write configuration. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { resourceSchema } from "../../src/config/schema/schema.ts";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { notBlank, type ValueSchema } from "../../src/emulator/http/value-schema.ts";
import { allModules } from "../../src/emulator/modules/all-modules.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/model/kind.ts";
import type { Refusal } from "./refusal.ts";
import { withScene } from "./refused.ts";
import { REFUSALS } from "./table.ts";

const emulator = fileURLToPath(new URL("../../src/emulator", import.meta.url));
const rows = Object.values(REFUSALS).flat();

/** Modules that no request to write configuration reaches. */
const OTHERS =
  /^(?:chat|incident-record|incidents|postmortems|responders)\/|^(?:people|workspace-settings)\.ts$|\/(?:custom-field-values|alert|alert-ingest|evaluation|runbook-attachments|delivery|outbound|permission-sets|permissions|principals|tokens)\.ts$/;

/** Functions that respond 404 because the address of a request leads to nothing: the plan read it, and checks it again. */
const ADDRESSES: readonly string[] = [
  "../resource/resource.ts findRow",
  "../resource/write.ts currentRow",
  "access/agents.ts handle",
  "access/api-keys.ts find",
  "access/grants.ts findExisting",
  "access/grants.ts find",
  "catalog/catalog-entries.ts updateEntry",
  "catalog/catalog-types.ts catalogTypeOf",
  "forms/forms.ts updateField",
  "routing/routing-rules.ts find",
  "runbooks/runbooks.ts find",
];

/** Functions that respond 404 for a value of a request, each with the rows about it. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "option-lists/option-list.ts stageError": ["The stage of a status is triage, active, closed or canceled."],
  "forms/forms.ts readForm": ["There are exactly four forms."],
  "custom-fields/custom-fields.ts readCatalogTypeId": ["The catalog type of a field exists."],
  "catalog/catalog-entries.ts memberId": ["A person exists in the workspace."],
  "routing/alert-sources.ts findAlertSource": ["The alert source of a rule exists."],
  "access/grants.ts readTarget": [
    "Abilities on admin-only resources are not granted.",
    "The action of an ability is read, create, update or delete.",
    "An ability is on a resource that the service knows.",
    "The permission set of a grant exists.",
  ],
};

/** Functions that return the reason of a note about a replica. */
const NOTES: readonly string[] = ["parseCondition"];

/** What the service responds to the request of each row: its message and those of its fields, a line each. */
const responses = new Map<Refusal, string>();

beforeAll(async () => {
  for (const row of rows) {
    await withScene(row, async ({ send }) => {
      const { body } = await send(row.request);
      const error = isFields(body) && isFields(body.error) ? body.error : {};
      const fields = isList(error.errors) ? error.errors.filter(isFields) : [];
      const lines = fields.map(({ field, message }) => `${field} ${message}`);
      responses.set(row, [String(error.message), ...lines].join("\n"));
    });
  }
}, 120_000);

/** Files that the modules share, by their path below `modules`. */
const SHARED = ["../resource/resource.ts", "../resource/write.ts", "../service/names.ts", "../store/references.ts"];

const sources = [...filesBelow(join(emulator, "modules")).filter((path) => !OTHERS.test(path)), ...SHARED].map(
  (path) => ({ path, tree: parsed(join(emulator, "modules", path)) }),
);

describe("every reason in the source of the emulator is that of a row", () => {
  const reasons = sources.flatMap(({ path, tree }) => reasonsIn(tree).map((pattern) => ({ path, pattern })));

  test.each(reasons)("$path: $pattern", ({ pattern }) => {
    expect([...responses.values()].some((text) => pattern.test(text))).toBe(true);
  });

  test("there are as many as a reader would count", () => {
    expect(reasons.length).toBeGreaterThan(60);
  });
});

test("every 404 is about the address of a request, or that of a row", () => {
  const thrown = sources.flatMap(({ path, tree }) => throwersOf404(tree).map((name) => `${path} ${name}`));
  const advice =
    "a function that looks up the address of a request belongs in ADDRESSES, one that checks a value in VALUES";
  expect([...new Set(thrown)].sort(), advice).toEqual([...ADDRESSES, ...Object.keys(VALUES)].sort());
  const rules = new Set(rows.filter(({ status }) => status === 404).map(({ rule }) => rule));
  expect([...rules].sort()).toEqual(Object.values(VALUES).flat().sort());
});

describe("every keyword of the schemas of bodies is that of a row, or holds in the schema of the files", () => {
  const bodies = kinds.flatMap((kind) => bodiesOf(kind).map((body) => ({ kind, body })));
  const keywords = bodies.flatMap(({ kind, body }) => keywordsOf(body, "").map((rule) => ({ kind, ...rule })));
  const nameOf = ({ kind, message }: (typeof keywords)[number]): string => `${kind.name} ${message}`;
  const unique = [...new Map(keywords.map((rule) => [nameOf(rule), rule])).values()];

  test.each(unique.map((rule) => ({ ...rule, name: rule.kind.name })))("$name: $message", ({ kind, message }) => {
    // Lists in bodies have one schema wherever they are.
    const own = rows.filter(({ request: [, path] }) => message.includes("\\d") || isPathOfLike(kind, path));
    const isTried = own.some((row) => new RegExp(message, "m").test(responses.get(row) ?? ""));
    expect(isTried, `test/refusals/rows has no request of ${kind.name} that is refused with ${message}`).toBe(true);
  });

  test.each(bodies.map(({ kind, body }) => ({ name: kind.name, kind, body })))(
    "the schema of $name takes no type that the service refuses",
    ({ kind, body }) => {
      const { part } = resourceSchema(kind);
      expect(refusedTypes(isFields(part.properties) ? part.properties : {}, body.properties ?? {}, "")).toEqual([]);
    },
  );
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
}

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

/** Texts of several words inside functions, as patterns: in these files they are reasons, SQL, or sort orders. */
function reasonsIn(tree: ts.SourceFile): readonly RegExp[] {
  const patterns: RegExp[] = [];
  const visit = (node: ts.Node, isInFunction: boolean): void => {
    if (ts.isFunctionDeclaration(node) && NOTES.includes(node.name?.text ?? "")) return;
    if (isInFunction && (ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) && !isInternal(node)) {
      const chunks = chunksOf(node);
      const isReason =
        /[a-z'",:;] [a-z]|^ ?[a-z']+ [a-z]/.test(chunks.join("x")) &&
        !/^\s*(SELECT|UPDATE|DELETE)|\bWHERE\b/.test(chunks[0] ?? "");
      if (isReason) patterns.push(new RegExp(chunks.map(literally).join(".*"), "s"));
      if (isReason) return;
    }
    node.forEachChild((child) => visit(child, isInFunction || ts.isFunctionLike(node)));
  };
  visit(tree, false);
  return patterns;
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Whether a text is a sort order, a sentence of the OpenAPI document, a noun of a note about a replica, rows of a counter, or an error of the emulator itself. */
function isInternal({ parent }: ts.Node): boolean {
  // A search that runs in a context of its own is a text as well.
  if (ts.isNewExpression(parent) || (ts.isCallExpression(parent) && parent.expression.getText() === "runInContext"))
    return true;
  if (
    ts.isCallExpression(parent) &&
    /^(?:.*\.(?:derive|add)|idOf|liveRow|rowCounter|readRows)$/.test(parent.expression.getText())
  )
    return true;
  if (!ts.isPropertyAssignment(parent)) return false;
  const group = parent.parent.parent;
  const isSummary = ts.isPropertyAssignment(group) && group.name.getText() === "summaries";
  return isSummary || ["order", "summary", "description"].includes(parent.name.getText());
}

function chunksOf(node: ts.StringLiteral | ts.TemplateLiteral): readonly string[] {
  return ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
    : [node.text];
}

/** The names of the functions that make a 404, themselves or by `requireFound`. */
function throwersOf404(tree: ts.SourceFile): readonly string[] {
  const names: string[] = [];
  const visit = (node: ts.Node, name: string): void => {
    if (ts.isCallExpression(node) && /^(?:notFound|requireFound)$/.test(node.expression.getText())) names.push(name);
    const own =
      (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isPropertyAssignment(node)) &&
      node.name !== undefined
        ? node.name.getText()
        : name;
    node.forEachChild((child) => visit(child, own));
  };
  visit(tree, "");
  return names;
}

/** The schemas of the bodies that write a kind. */
function bodiesOf(kind: Kind): readonly ValueSchema[] {
  return allModules
    .flatMap(({ endpoints }) => endpoints)
    .flatMap(({ method, path, body }) =>
      body !== undefined && method !== "DELETE" && !path.includes("rotate") && isPathOf(kind, path) ? [body] : [],
    );
}

/** Whether a path is that of a kind, or of another list of options: what holds for one of them holds for all. */
function isPathOfLike(kind: Kind, path: string): boolean {
  const isOptions = ({ identity }: Kind): boolean => identity.slug === "option";
  return kinds.some((other) => (other === kind || (isOptions(other) && isOptions(kind))) && isPathOf(other, path));
}

/** Whether a path is that of a kind's list or of one of its members. */
function isPathOf({ endpoint: { list, create, member } }: Kind, path: string): boolean {
  const [plain = ""] = path.split("?");
  return [create ?? list, member].some((route) => {
    const pattern = route.path.split("/").map((part) => (part.startsWith("{") ? "[^/]+" : part));
    return new RegExp(`^${pattern.join("/")}$`).test(plain);
  });
}

/** The messages for the keywords of a schema, as patterns. Those of its own words are reasons in the source. */
function keywordsOf(schema: ValueSchema, path: string): readonly { readonly message: string }[] {
  if (schema.refusal !== undefined && path !== "") return [];
  const { required = [], properties = {}, items, minLength, minItems, maxItems, pattern } = schema;
  const at = path.replaceAll("[]", "\\[\\d+\\]");
  const messages = [
    ...required
      .filter((name) => properties[name]?.refusal === undefined)
      .map((name) => (path === "" ? `value is empty: ${name}$` : `^${at}\\.${name} is missing`)),
    ...(schema.enum === undefined ? [] : [`^${at} must be one of`]),
    ...(minLength === undefined && minItems === undefined ? [] : [`^${at} can't be`]),
    ...(maxItems === undefined ? [] : [`^${at} takes at most`]),
    ...(pattern === undefined ? [] : [`^${at} ${pattern === notBlank ? "can't be blank" : "is invalid"}`]),
  ];
  return [
    ...messages.map((message) => ({ message })),
    ...Object.entries(properties).flatMap(([name, part]) => keywordsOf(part, path === "" ? name : `${path}.${name}`)),
    ...(items === undefined ? [] : keywordsOf(items, `${path}[]`)),
  ];
}

/** Types in the schema of the files that the schema of the body does not have. */
function refusedTypes(files: Fields, body: { readonly [name: string]: ValueSchema }, path: string): readonly string[] {
  return Object.entries(body).flatMap(([name, schema]) => {
    const part = files[name];
    if (!isFields(part)) return [];
    const accepted = typesIn(schema.type);
    const types = typesIn(part.type).filter((type) => accepted.length > 0 && !accepted.includes(type));
    const inner = isFields(part.items) && isFields(part.items.properties) ? part.items.properties : undefined;
    return [
      ...types.map((type) => `${path}/${name} ${type}`),
      ...(inner === undefined ? [] : refusedTypes(inner, schema.items?.properties ?? {}, `${path}/${name}`)),
    ];
  });
}

function typesIn(type: Json | ValueSchema["type"]): readonly string[] {
  return isList(type) ? type.map(String) : typeof type === "string" ? [type] : [];
}
