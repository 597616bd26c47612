/** A rule of a schema that a value breaks, and which of several such rules to report. */

import { type Fields, fieldsIn, isFields } from "../../core/json.ts";
import { suggest } from "../../core/suggest.ts";

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

/**
 * The violations without consequences: of a value with the wrong type only that is reported, and a wrong key is reported without the
 * key that is missing for it.
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
  // A number means that several branches match: then nothing is missing.
  if (keyword !== "oneOf" || (typeof params.passingSchemas !== "undefined" && params.passingSchemas !== null))
    return [];
  const branches = Array.isArray(schema.oneOf) ? schema.oneOf : [];
  return branches.flatMap((branch) => (isRequirement(branch) ? branch.required : []));
}

function isRequirement(branch: unknown): branch is { readonly required: readonly string[] } {
  return typeof branch === "object" && branch !== null && "required" in branch && Array.isArray(branch.required);
}

/** Whether somebody who wrote a key meant one of the names: it is a misspelling, its last word, a field of it, or the id of the resource. */
function standsFor(key: string, names: readonly string[], schema: Fields): boolean {
  if (suggest(key, names) !== undefined || names.some((name) => name.endsWith(`_${key}`))) return true;
  return names.includes(fieldWith(key, schema) ?? "") || (key === "id" && names.some((name) => KEYS.has(name)));
}

/** The fields that name resources. */
const KEYS: ReadonlySet<string> = new Set(["slug", "name"]);

/** The field of a mapping whose own mapping has the key; undefined if there is none, or more than one. */
export function fieldWith(key: string, { properties }: Fields): string | undefined {
  const fields = Object.entries(fieldsIn(properties));
  const [first, ...rest] = fields.filter(
    ([, field]) => isFields(field) && isFields(field.properties) && Object.hasOwn(field.properties, key),
  );
  return rest.length === 0 ? first?.[0] : undefined;
}
