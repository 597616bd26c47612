/** A tree as a JSON value, with its substitutions carried out. */

import { bare, type Json } from "../json.ts";
import type { Findings } from "./findings.ts";
import { partAt, type SchemaPart, typesOf } from "./schema.ts";
import type { Source } from "./source.ts";
import { hasSubstitution, type Resolve, substitute, typed } from "./substitution.ts";
import { textFlaw } from "./text.ts";
import { escaped, type Node, placeOf, type ScalarNode, textOf } from "./tree.ts";

/** Finds the values of substitutions for the texts of a file. */
export interface Resolver {
  for(source: Source): Resolve;
}

/** A value, and where something in it came from the environment. */
export interface Value {
  readonly json: Json;
  /** JSON Pointers. */
  readonly secrets: readonly string[];
  /** JSON Pointers of what could not be resolved; nothing more is said about these values. */
  readonly unresolved: ReadonlySet<string>;
}

/**
 * The value of a tree; a text that is one whole substitution takes the type that the schema wants there.
 * `allowed` says of a JSON Pointer whether something may be put in at all.
 */
export function evaluate(
  node: Node,
  schema: SchemaPart | undefined,
  source: Source,
  resolver: Resolver,
  findings: Findings,
  allowed: (pointer: string) => boolean = () => true,
): Value {
  const secrets: string[] = [];
  const unresolved = new Set<string>();

  function value(at: Node, part: SchemaPart | undefined, pointer: string, name: string): Json {
    switch (at.type) {
      case "list":
        return at.items.map((item, index) => value(item, partAt(part, String(index)), `${pointer}/${index}`, name));
      case "map": {
        // Without a prototype "__proto__" is a key like any other.
        const fields = bare();
        for (const [key, member] of at.members) {
          fields[key] = value(member.value, partAt(part, key), `${pointer}/${escaped(key)}`, key);
        }
        return fields;
      }
      case "scalar":
        if (typeof at.value === "number" && typesOf(part).includes("integer")) counted(at, pointer, name);
        return typeof at.value === "string" && hasSubstitution(at.value)
          ? scalar(at, at.value, part, pointer, name)
          : at.value;
    }
  }

  /** A number that is counted with has one spelling: what others read into 010 or 0x10 is never found out. */
  function counted(at: ScalarNode, pointer: string, name: string): void {
    const written = textOf(at, source);
    if (!Number.isInteger(at.value) || /^-?(?:0|[1-9]\d*)$/.test(written)) return;
    const help = `Write ${String(at.value)}.`;
    findings.error("E_TYPE", `"${name}" must be written in digits, not ${written}`, placeOf(at, source), { help });
    unresolved.add(pointer);
  }

  function scalar(at: ScalarNode, text: string, part: SchemaPart | undefined, pointer: string, name: string): Json {
    const place = placeOf(at, source);
    if (!allowed(pointer)) {
      findings.error("E_SUBSTITUTION", `nothing can be put into "${name}"`, place, { help: "Write the value itself." });
      unresolved.add(pointer);
      return text;
    }
    const result = substitute(text, resolver.for(at.source ?? source));
    for (const { code, message, help } of result.errors) findings.error(code, message, place, { help });
    if (result.errors.length > 0) unresolved.add(pointer);
    const found = result.whole ? typed(result.value, typesOf(part)) : result.value;
    const flaw = typeof found === "string" ? textFlaw(found, name) : undefined;
    if (flaw !== undefined) findings.error(flaw[0], flaw[1], place);
    if (result.secret) secrets.push(pointer);
    return found;
  }

  return { json: value(node, schema, "", ""), secrets, unresolved };
}
