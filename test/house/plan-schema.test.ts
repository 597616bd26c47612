/** The shipped schemas of reports say what the types say. */

import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { driftSchema, planSchema, recordedAlertsSchema } from "../../src/view/plan/schema.ts";
import { undescribed } from "../support/schemas/schema-parts.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = ["src/plan/model/plan.ts", "src/plan/drift/drift.ts", "src/preview/recorded-alerts/replay.ts"].map(
  (file) => `${root}${file}`,
);
const program = ts.createProgram(files, {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  types: ["node"],
});
const checker = program.getTypeChecker();

/** A type as plain data: the name of a plain type, [items], {property, optional?}, or {"*": values}. */
type Outline = string | readonly Outline[] | { readonly [name: string]: Outline };

const joined = (outlines: readonly string[]) => [...new Set(outlines)].sort().join(" | ");

/** The outline of a type of the source. */
function outlineOfType(type: ts.Type): Outline {
  const alias = (type.aliasSymbol ?? type.symbol)?.name;
  if (alias === "Json") return "anything";
  if (alias === "Fields") return "object";
  if (type.isUnion()) {
    const members = type.types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0).map(outlineOfType);
    if (members.length === 1) return members[0] ?? "";
    return joined(members.map((member) => (typeof member === "string" ? member : JSON.stringify(member))));
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) return JSON.stringify(type.value);
  if (
    (type.flags & (ts.TypeFlags.String | ts.TypeFlags.Number | ts.TypeFlags.BooleanLiteral | ts.TypeFlags.Null)) !==
    0
  ) {
    return checker.typeToString(type);
  }
  const items = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (items !== undefined) return [outlineOfType(items)];
  const values = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (values !== undefined) return { "*": outlineOfType(values) };
  return Object.fromEntries(
    checker.getPropertiesOfType(type).map((property) => {
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      return [isOptional ? `${property.name}?` : property.name, outlineOfType(checker.getTypeOfSymbol(property))];
    }),
  );
}

function outlineOfSchema(part: Json | undefined, whole: Fields): Outline {
  if (!isFields(part)) throw new Error("the schema has no such part");
  if (typeof part.$ref === "string") {
    const name = part.$ref.replace("#/$defs/", "");
    return outlineOfSchema(isFields(whole.$defs) ? whole.$defs[name] : undefined, whole);
  }
  if (part.const !== undefined) return JSON.stringify(part.const);
  if (isList(part.enum)) return joined(part.enum.map((value) => JSON.stringify(value)));
  if (part.type === undefined) return "anything";
  if (part.type === "array") return [outlineOfSchema(part.items, whole)];
  if (isFields(part.additionalProperties)) return { "*": outlineOfSchema(part.additionalProperties, whole) };
  if (part.type !== "object" || !isFields(part.properties)) {
    const types = isList(part.type) ? part.type : [part.type];
    return joined(types.map((type) => (type === "integer" ? "number" : String(type))));
  }
  const required = isList(part.required) ? part.required : [];
  return Object.fromEntries(
    Object.entries(part.properties).map(([name, property]) => [
      required.includes(name) ? name : `${name}?`,
      outlineOfSchema(property, whole),
    ]),
  );
}

function typeNamed(file: string, name: string): ts.Type {
  const source = program.getSourceFile(`${root}${file}`);
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
  if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

const plan = outlineOfType(typeNamed("src/plan/model/plan.ts", "SealedPlan")) as Readonly<Record<string, Outline>>;
const drift = outlineOfType(typeNamed("src/plan/drift/drift.ts", "Drift"));
const recorded_alerts = outlineOfType(typeNamed("src/preview/recorded-alerts/replay.ts", "Replay"));

describe.each([
  ["plan", "Plan", planSchema(), plan],
  ["drift", "Drift", driftSchema(), { ...plan, drift }],
  [
    "recorded-alerts",
    "Recorded alerts",
    recordedAlertsSchema(),
    { format_version: "1", mode: '"alerts"', recorded_alerts },
  ],
] as const)("the schema of %s", (name, title, schema, type) => {
  test("has the properties of the TypeScript type, each required and of the same type", () => {
    expect(outlineOfSchema(schema, schema)).toEqual(type);
  });

  test("describes every property in sentences", () => {
    expect(undescribed(schema, name)).toEqual([]);
  });

  test("has a dialect, a title and a description", () => {
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: `urn:incidentctl:schema:${name}:1`,
      title,
      description: expect.stringMatching(/^[A-Z].*\.$/s),
    });
  });
});
