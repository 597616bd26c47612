/** Violations of a schema by a value, and which of several to report. */

import type { Findings } from "../../core/findings.ts";
import { type Fields, fieldsIn, objectsIn, textsIn } from "../../core/json.ts";
import { suggest } from "../../core/suggest.ts";
import type { Source } from "../source/source.ts";
import type { Found, Node } from "../source/tree.ts";

/** A schema rule that a value breaks. */
export interface Violation {
  /** JSON Pointer to the value. */
  readonly pointer: string;
  /** The keyword of the rule. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The part of the schema with the keyword. */
  readonly schema: Fields;
  /** Whether the value is a text of blanks only. */
  readonly isBlank: boolean;
  /** The key, if the rule is about a key and not about its value. */
  readonly key?: string;
}

/** The value that was checked: its tree and its name. */
export interface ViolatedValue {
  readonly source: Source;
  readonly node: Node;
  /** In messages, like "severity". */
  readonly title: string;
  /** The key field of a resource, if it has one. */
  readonly key?: string | undefined;
  /** Help for a key that holds a secret, other than that for resources. */
  readonly secretHelp?: string;
  /** Returns the known values of the field at a JSON Pointer. */
  readonly knownValues?: (pointer: string) => readonly string[];
  /** Help for a key without a value, other than that for resources. */
  readonly absence?: string;
  /** Returns help for a key that belongs in another file. */
  readonly elsewhere?: (key: string) => string | undefined;
}

/** A violation, and the value that it is about. */
export interface ViolationContext {
  readonly violation: Violation;
  readonly subject: ViolatedValue;
  /** The invalid value. */
  readonly found: Found;
  /** Its key in messages. */
  readonly name: string;
  readonly findings: Findings;
}

/**
 * The violations without those that follow from another one: of a value with the wrong type only the type is reported, and of a wrong
 * key not also the missing key that was meant.
 */
export function withoutConsequences(violations: readonly Violation[]): readonly Violation[] {
  if (violations.length < 2) return violations;
  const wrongTypes = new Set(violations.filter(({ keyword }) => keyword === "type").map(({ pointer }) => pointer));
  const unknownKeys = violations.filter(({ keyword }) => keyword === "additionalProperties");
  return violations.filter((violation) => {
    if (violation.keyword !== "type" && wrongTypes.has(violation.pointer)) return false;
    const missing = missingKeys(violation);
    if (missing.length === 0) return true;
    return !unknownKeys.some(
      ({ pointer, params, schema }) =>
        pointer === violation.pointer && standsFor(String(params.additionalProperty), missing, schema),
    );
  });
}

/** The keys of which a violation says that one is missing. */
function missingKeys({ keyword, params, schema }: Violation): readonly string[] {
  if (keyword === "required") return [String(params.missingProperty)];
  // `passingSchemas` is a list if several branches match: then nothing is missing.
  return keyword === "oneOf" && !Array.isArray(params.passingSchemas) ? requiredByBranches(schema) : [];
}

/** The keys of a schema's `oneOf` of which one is required. */
export function requiredByBranches({ oneOf }: Fields): readonly string[] {
  return objectsIn(oneOf).flatMap(({ required }) => textsIn(required));
}

/** Whether a key was written in place of one of the names: as a misspelling, its last word, a field of it, or the id of the resource. */
function standsFor(key: string, names: readonly string[], schema: Fields): boolean {
  if (suggest(key, names) !== undefined || names.some((name) => name.endsWith(`_${key}`))) return true;
  return names.includes(fieldWith(key, schema) ?? "") || (key === "id" && names.some((name) => KEYS.has(name)));
}

/** The fields that name resources. */
const KEYS: ReadonlySet<string> = new Set(["slug", "name"]);

/** The field of a mapping whose own mapping has the key; undefined if there is none, or more than one. */
export function fieldWith(key: string, { properties }: Fields): string | undefined {
  const fields = Object.entries(fieldsIn(properties));
  const [first, ...rest] = fields.filter(([, field]) => Object.hasOwn(fieldsIn(fieldsIn(field).properties), key));
  return rest.length === 0 ? first?.[0] : undefined;
}
