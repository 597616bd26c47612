/** Edits that apply to any list of resources: rename, reorder, toggle a flag, remove. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/model/kind.ts";

/** A document that differs from another by one edit. */
export interface Edit {
  /** Description for the message of a failing test. */
  readonly does: string;
  readonly document: Fields;
}

const SWITCHES: readonly string[] = ["enabled", "active", "required", "visible"];

/**
 * All results of each kind of edit in each list of a module's example. Some are invalid, because other resources
 * may refer to a removed one.
 */
export function editsOf(module: string, document: Fields): readonly (readonly Edit[])[] {
  return kinds
    .filter((kind) => kind.module === module)
    .flatMap((kind) => listsOf(kind, document).map((at) => [kind, at] as const))
    .flatMap(([kind, at]) => {
      const entries = valueAt(document, at) as readonly Fields[];
      const edit = (does: string, list: readonly Fields[]): Edit => ({
        does: `${does} in ${at.join("/")}`,
        document: replaced(document, at, list),
      });
      const each = (does: string, change: (entry: Fields) => Fields | undefined) =>
        entries.flatMap((entry, index) => {
          const changed = change(entry);
          return changed === undefined ? [] : [edit(does, entries.with(index, changed))];
        });
      const without = entries.map((_entry, index) => edit("drop a resource", entries.toSpliced(index, 1)));
      return [
        each("rename a resource", (entry) => renamed(kind, entry)),
        each("toggle a flag", toggled),
        entries.length > 1 ? [edit("reverse the order", entries.toReversed())] : [],
        without,
      ];
    })
    .filter((choices) => choices.length > 0);
}

type Path = readonly (string | number)[];

function listsOf(kind: Kind, document: Fields): readonly Path[] {
  const { parent, scopes } = kind;
  if (parent !== undefined) {
    const parents = valueAt(document, [parent.kind]);
    const places = isList(parents) ? parents.map((_parent, index) => [parent.kind, index, parent.field]) : [];
    return present(document, places);
  }
  if (scopes === undefined) return present(document, [[kind.name]]);
  const places = scopes.patterns.flatMap((pattern) => {
    const names = pattern.split("/").slice(1, pattern.endsWith("*") ? -1 : undefined);
    const at = [kind.name, ...names];
    const held = valueAt(document, at);
    if (!pattern.endsWith("*")) return [at];
    return isFields(held) ? Object.keys(held).map((scope) => [...at, scope]) : [];
  });
  return present(document, places);
}

function present(document: Fields, places: readonly Path[]): readonly Path[] {
  return places.filter((at) => isList(valueAt(document, at)));
}

function valueAt(value: Json, at: Path): Json | undefined {
  return at.reduce<Json | undefined>((part, step) => {
    if (typeof step === "number") return isList(part) ? part[step] : undefined;
    return isFields(part) ? part[step] : undefined;
  }, value);
}

function replaced(document: Fields, at: Path, value: Json): Fields {
  const put = (holder: Json | undefined, [step, ...rest]: Path): Json => {
    if (step === undefined) return value;
    if (typeof step === "number") return isList(holder) ? holder.with(step, put(holder[step], rest)) : value;
    return isFields(holder) ? { ...holder, [step]: put(holder[step], rest) } : value;
  };
  return put(document, at) as Fields;
}

function renamed(kind: Kind, entry: Fields): Fields | undefined {
  if (typeof entry.name !== "string" || kind.identity.labels?.includes("name") === true) return undefined;
  const name = `${entry.name} again`;
  return kind.identity.keys.includes("name") ? { ...entry, name, renamed_from: entry.name } : { ...entry, name };
}

function toggled(entry: Fields): Fields | undefined {
  const name = SWITCHES.find((one) => typeof entry[one] === "boolean");
  return name === undefined ? undefined : { ...entry, [name]: entry[name] !== true };
}
