/** What points at an entry: declared entries, live ones, and incidents. */

import type { Configuration } from "../config/load/configuration.ts";
import type { Live } from "../kinds/resource.ts";
import { type Mentioned, mentions } from "./references.ts";
import type { State } from "./resolved-state.ts";

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
  const own = (mention: Mentioned): boolean => mention.address === address;
  const declared = configuration.declared.flatMap((entry) =>
    mentions(state, entry)
      .filter(own)
      .map((mention): Pointer => {
        const { at } = mention.reference;
        const { file, line, column } = at === "" ? entry.at : entry.place(at);
        return { address: entry.address, ...meaning(mention), in: "files", source: { file, line, column } };
      }),
  );
  const live = lives.flatMap((entry) =>
    mentions(state, entry)
      .filter(own)
      .map((mention): Pointer => ({ address: entry.address, ...meaning(mention), in: "workspace" })),
  );
  return {
    declared: configuration.declared.some((entry) => entry.address === address),
    live: lives.find((entry) => entry.address === address),
    pointers: [...declared, ...live].filter((pointer) => pointer.address !== address),
  };
}

/** Which part of the entry mentions it, and what of it is meant. */
function meaning({ reference: { at, option: choice } }: Mentioned): Pick<Pointer, "path" | "choice"> {
  return { path: at, ...(choice === undefined ? {} : { choice }) };
}
