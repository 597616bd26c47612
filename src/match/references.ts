/** Who mentions whom. */

import type { Configuration } from "../config/load/configuration.ts";
import type { Reference } from "../kinds/lookup.ts";
import { addressOf, type Live } from "../kinds/resource.ts";
import type { State } from "./resolved-state.ts";

/** A mention, and the address that it leads to. */
export interface Mentioned {
  readonly reference: Reference;
  readonly address: string;
}

/** What an entry mentions with these fields; mentions of kinds that nobody knows are left out. */
export function mentions(
  state: State,
  { kind, scope, fields }: Pick<Live, "kind" | "scope" | "fields">,
): readonly Mentioned[] {
  return (kind.references?.of?.(fields, state, scope) ?? []).flatMap((reference) => {
    const target = state.kinds.get(reference.kind);
    return target === undefined ? [] : [{ reference, address: addressOf(target, reference.scope, reference.key) }];
  });
}

/** One entry mentions another one. */
export interface Mention {
  /** Addresses. */
  readonly from: string;
  readonly to: string;
}

/** The mentions that begin or end at these addresses, in the files and, of what nobody declares, in the workspace: the picture of a plan. */
export function mentionsAround(
  addresses: ReadonlySet<string>,
  configuration: Configuration,
  state: State,
): readonly Mention[] {
  const declared = new Set(configuration.declared.map(({ address }) => address));
  const others = [...state.kinds.keys()].flatMap((kind) => state.all(kind));
  const entries = [...configuration.declared, ...others.filter(({ address }) => !declared.has(address))];
  return entries.flatMap((entry) => {
    const from = entry.address;
    return mentions(state, entry).flatMap(({ address: to }): readonly Mention[] =>
      to !== from && (addresses.has(from) || addresses.has(to)) ? [{ from, to }] : [],
    );
  });
}
