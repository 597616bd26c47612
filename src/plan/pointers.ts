/** What points at an entry: declared entries, live ones, and incidents. */

import type { Configuration } from "../config/configuration.ts";
import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { addressOf, type Live } from "../kinds/resource.ts";
import type { State } from "./state.ts";

/** A mention of an entry by another one. */
export interface Pointer {
  /** The entry that mentions it. */
  readonly address: string;
  /** JSON Pointer to the mention; empty when the entry lies in the scope that the mentioned one names. */
  readonly path: string;
  /** The option of the mentioned entry that is meant, if one is. */
  readonly choice?: string;
  readonly in: "files" | "workspace";
  /** Where it is declared. */
  readonly source?: { readonly file: string; readonly line: number; readonly column: number };
}

/** What is known of the entry at an address. */
export interface Pointers {
  readonly declared: boolean;
  readonly live: Live | undefined;
  readonly pointers: readonly Pointer[];
}

/** Everything that points at the entry, the files' mentions first. */
export function pointersTo(configuration: Configuration, state: State, address: string): Pointers {
  const lives = [...state.kinds.values()].flatMap((kind) => state.all(kind.name));
  const declared = configuration.declared.flatMap((entry) =>
    mentions(state, entry.kind, entry.scope, entry.fields, address).map(({ at, choice }): Pointer => {
      const { file, line, column } = at === "" ? entry.at : entry.place(at);
      return { address: entry.address, path: at, ...choice, in: "files", source: { file, line, column } };
    }),
  );
  const live = lives.flatMap((entry) =>
    mentions(state, entry.kind, entry.scope, entry.fields, address).map(
      ({ at, choice }): Pointer => ({ address: entry.address, path: at, ...choice, in: "workspace" }),
    ),
  );
  return {
    declared: configuration.declared.some((entry) => entry.address === address),
    live: lives.find((entry) => entry.address === address),
    pointers: [...declared, ...live].filter((pointer) => pointer.address !== address),
  };
}

interface Mention {
  readonly at: string;
  readonly choice: { readonly choice?: string };
}

function mentions(state: State, kind: Kind, scope: string, fields: Fields, address: string): readonly Mention[] {
  return (kind.references?.(fields, state, scope) ?? []).flatMap(({ at, kind: name, scope: of, key, choice }) => {
    const target = state.kinds.get(name);
    if (target === undefined || addressOf(target, of, key) !== address) return [];
    return [{ at, choice: choice === undefined ? {} : { choice } }];
  });
}
