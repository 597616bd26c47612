/** Edits that suit any list of entries: another name, another order, a switch turned, an entry gone. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/kind.ts";

/** A document that differs from another by one edit. */
export interface Edit {
  /** What was done, for the message of a failing test. */
  readonly does: string;
  readonly document: Fields;
}

const SWITCHES: readonly string[] = ["enabled", "active", "required", "visible"];

/**
 * For each kind of edit in each list of a module's example every document that it could give. Not all of them hold
 * together: the entry that is gone may be mentioned.
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
      const without = entries.map((_entry, index) => edit("drop an entry", entries.toSpliced(index, 1)));
      return [
        each("rename an entry", (entry) => renamed(kind, entry)),
        each("turn a switch", turned),
        entries.length > 1 ? [edit("reverse the order", entries.toReversed())] : [],
        without,
      ];
    })
    .filter((choices) => choices.length > 0);
}

type Path = readonly (string | number)[];

/** Where the lists of a kind lie in the document. */
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
  return at.reduce<Json | undefined>((found, step) => {
    if (typeof step === "number") return isList(found) ? found[step] : undefined;
    return isFields(found) ? found[step] : undefined;
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

function turned(entry: Fields): Fields | undefined {
  const found = SWITCHES.find((name) => typeof entry[name] === "boolean");
  return found === undefined ? undefined : { ...entry, [found]: entry[found] !== true };
}
