/** A tree as a JSON value, with its substitutions carried out. */

import type { Findings } from "../../core/findings.ts";
import { bare, type Json } from "../../core/json.ts";
import { partAt, type SchemaPart, typesOf } from "../schema/schema.ts";
import type { Source } from "../source/source.ts";
import { isOdd, textFlaw } from "../source/text.ts";
import { escaped, type Node, placeOf, type ScalarNode, textOf } from "../source/tree.ts";
import { literalValue } from "../source/yaml/lazy-nodes.ts";
import { hasSubstitution, type Resolve, substitute, typed } from "./substitution.ts";

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

const NOTHING: readonly string[] = [];
const NONE: ReadonlySet<string> = new Set();

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
  const literal = literalValue(node);
  if (literal !== undefined) return { json: literal, secrets: NOTHING, unresolved: NONE };
  const secrets: string[] = [];
  const unresolved = new Set<string>();
  /** The keys and places in lists that lead to what is read. Few values need them, so nothing is made of them ahead. */
  const path: (string | number)[] = [];
  const pointer = (): string => path.map((step) => `/${escaped(String(step))}`).join("");
  const part = (): SchemaPart | undefined =>
    path.reduce<SchemaPart | undefined>((above, step) => partAt(above, String(step)), schema);

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
        if (typeof at.value === "number") counted(at, at.value, name);
        return typeof at.value === "string" && hasSubstitution(at.value) ? scalar(at, at.value, name) : at.value;
    }
  }

  /** A number that is counted with has one spelling. */
  function counted(at: ScalarNode, value: number, name: string): void {
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
    if (!allowed(here)) {
      findings.error("E_SUBSTITUTION", `nothing can be put into "${name}"`, place, { help: "Write the value itself." });
      unresolved.add(here);
      return text;
    }
    const result = substitute(text, resolver.for(at.source ?? source));
    for (const { code, message, help } of result.errors) findings.error(code, message, place, { help });
    if (result.errors.length > 0) unresolved.add(here);
    const found = result.whole ? typed(result.value, typesOf(part())) : result.value;
    const flaw = typeof found === "string" ? textFlaw(found, name) : undefined;
    if (flaw !== undefined) findings.error(flaw[0], flaw[1], place);
    if (result.secret) secrets.push(here);
    return found;
  }

  return { json: value(node, ""), secrets, unresolved };
}
