/** Who mentions whom around some entries: what they mention and what mentions them, for the picture of a plan. */

import type { Configuration } from "../config/configuration.ts";
import { addressOf } from "../kinds/resource.ts";
import type { State } from "./state.ts";

/** One entry mentions another one. */
export interface Mention {
  /** Addresses. */
  readonly from: string;
  readonly to: string;
}

/** The mentions that begin or end at these addresses, in the files and, of what nobody declares, in the workspace. */
export function mentionsAround(
  addresses: ReadonlySet<string>,
  configuration: Configuration,
  state: State,
): readonly Mention[] {
  const declared = new Set(configuration.declared.map(({ address }) => address));
  const others = [...state.kinds.keys()].flatMap((kind) => state.all(kind));
  const entries = [...configuration.declared, ...others.filter(({ address }) => !declared.has(address))];
  return entries.flatMap(({ kind, scope, address, fields }) =>
    (kind.references?.(fields, state, scope) ?? []).flatMap((reference): readonly Mention[] => {
      const target = state.kinds.get(reference.kind);
      const to = target === undefined ? address : addressOf(target, reference.scope, reference.key);
      return to !== address && (addresses.has(address) || addresses.has(to)) ? [{ from: address, to }] : [];
    }),
  );
}
