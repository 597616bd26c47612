/** The JSON value of a tree after substitution. */

import type { Findings } from "../../core/findings.ts";
import { bare, escapedStep, type Json } from "../../core/json.ts";
import { partAt, type SchemaPart, typesOf } from "../schema/schema.ts";
import type { Source } from "../source/source.ts";
import { hasSubstitution, isOdd, textFlaw } from "../source/text.ts";
import { literalValue, type Node, placeOf, type ScalarNode, textOf } from "../source/tree.ts";
import { type ResolveSubstitution, substitute, toType, withoutEnvironment } from "./substitution.ts";

/** The substitutions that a place allows: everything, nothing from the environment, or nothing. */
export type Substitutable = "any" | "no environment" | "nothing";

/** The substitutions of all files. */
export interface SubstitutionResolver {
  resolverFor(source: Source): ResolveSubstitution;
}

/** A value after substitution. */
export interface ResolvedValue {
  readonly json: Json;
  /** JSON Pointers of values from the environment. */
  readonly secrets: readonly string[];
  /** JSON Pointers of values with an error, which need no further checks. */
  readonly unresolved: ReadonlySet<string>;
}

const NOTHING: readonly string[] = [];
const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the value of a tree. A text that is one substitution takes the type of the schema, which is asked for then: reading the
 * schemas takes time, and most values need none. `substitutable` tells what may be substituted in the value at a JSON Pointer.
 */
export function resolveValue(
  node: Node,
  schema: () => SchemaPart | undefined,
  source: Source,
  resolver: SubstitutionResolver,
  findings: Findings,
  substitutable: (pointer: string) => Substitutable = () => "any",
): ResolvedValue {
  const literal = literalValue(node);
  if (literal !== undefined) return { json: literal, secrets: NOTHING, unresolved: NONE };
  const secrets: string[] = [];
  const unresolved = new Set<string>();
  /** The path to the current value. Its pointer and schema are computed on request. */
  const path: (string | number)[] = [];
  const pointer = (): string => path.map((step) => `/${escapedStep(String(step))}`).join("");
  const part = (): SchemaPart | undefined =>
    path.reduce<SchemaPart | undefined>((above, step) => partAt(above, String(step)), schema());

  function below(step: string | number, at: Node, name: string): Json {
    path.push(step);
    const json = value(at, name);
    path.pop();
    return json;
  }

  function value(at: Node, name: string): Json {
    const same = literalValue(at);
    if (same !== undefined) return same;
    switch (at.type) {
      case "list":
        return at.items.map((item, index) => below(index, item, name));
      case "map": {
        // Without a prototype "__proto__" is a key like any other.
        const fields = bare();
        for (const [key, member] of at.members) fields[key] = below(key, member.value, key);
        return fields;
      }
      case "scalar":
        if (typeof at.value === "number") checkSpelling(at, at.value, name);
        return typeof at.value === "string" && hasSubstitution(at.value) ? scalar(at, at.value, name) : at.value;
    }
  }

  /** Refuses other spellings of an integer, such as 010. */
  function checkSpelling(at: ScalarNode, value: number, name: string): void {
    const written = textOf(at, source);
    if (!isOdd(value, written)) return;
    if (!typesOf(part()).includes("integer")) return;
    const help = `Write ${String(at.value)}.`;
    findings.error("E_TYPE", `"${name}" must be written in digits, not ${written}`, placeOf(at, source), { help });
    unresolved.add(pointer());
  }

  function scalar(at: ScalarNode, text: string, name: string): Json {
    const place = placeOf(at, source);
    const here = pointer();
    const allowed = substitutable(here);
    if (allowed === "nothing") {
      findings.error("E_SUBSTITUTION", `"${name}" cannot have a substitution`, place, {
        help: "Write the value itself.",
      });
      unresolved.add(here);
      return text;
    }
    const resolve = resolver.resolverFor(at.source ?? source);
    const result = substitute(text, allowed === "any" ? resolve : withoutEnvironment(resolve));
    for (const { code, message, help } of result.errors) findings.error(code, message, place, { help });
    if (result.errors.length > 0) unresolved.add(here);
    const typed = result.whole ? toType(result.value, typesOf(part())) : result.value;
    const flaw = typeof typed === "string" ? textFlaw(typed, name) : undefined;
    if (flaw !== undefined) findings.error(flaw[0], flaw[1], place);
    if (result.secret) secrets.push(here);
    return typed;
  }

  return { json: value(node, ""), secrets, unresolved };
}
