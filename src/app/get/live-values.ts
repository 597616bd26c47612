/** Live resources as the files would declare them, one value for each kind. */

import { declarableFields } from "../../config/edit/declarable.ts";
import { listPath } from "../../config/resources/lists.ts";
import { escapeSubstitutions } from "../../config/values/substitution.ts";
import { type Fields, fieldsIn, type Json, withValueAt } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import { childrenOf, hasOneList, type Kind } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { newResourceFields } from "../pull/desired-files.ts";

/** Which live resources to show, and how. */
export interface Selection {
  readonly state: ResolvedState;
  /** Of a resource that is not taken and has others in it that are, only the identity is shown. */
  readonly takes: (address: string) => boolean;
  readonly mask: (live: LiveResource, fields: Fields) => Fields;
}

/** The live resources of some kinds as a configuration, and their addresses in the same order. */
export function liveValues(
  shown: readonly Kind[],
  selection: Selection,
): { readonly document: Fields; readonly addresses: readonly string[] } {
  const addresses: string[] = [];
  let document: Json = {};
  for (const kind of shown) {
    document = withValueAt(document, [kind.name], hasOneList(kind) ? [] : {});
    for (const scope of scopesOf(kind, selection.state)) {
      const items = itemsOf(kind, scope, selection, addresses);
      if (items.length > 0) document = withValueAt(document, listPath(kind, escapeSubstitutions(scope)), items);
    }
  }
  return { document: fieldsIn(document), addresses };
}

function scopesOf(kind: Kind, state: ResolvedState): readonly string[] {
  const live = state.all(kind.name).map(({ scope }) => scope);
  return [...new Set([...(kind.scopes?.names ?? []), ...live])];
}

function itemsOf(kind: Kind, scope: string, selection: Selection, addresses: string[]): readonly Fields[] {
  const { state, takes, mask } = selection;
  const list = state.live(kind.name, scope) ?? [];
  return list.flatMap((live) => {
    const isTaken = takes(live.address);
    if (isTaken) addresses.push(live.address);
    const nested = childrenOf(kinds, kind).flatMap((child) => {
      const items = itemsOf(child, live.key, selection, addresses);
      return items.length === 0 || child.parent === undefined ? [] : [[child.parent.field, items] as const];
    });
    if (!isTaken && nested.length === 0) return [];
    const isDuplicateKey = list.filter(({ key }) => key === live.key).length > 1;
    const own = isTaken
      ? newResourceFields(live, mask(live, declarableFields(live, kinds)), { isDuplicateKey })
      : { [live.keyField]: live.key };
    return [{ ...own, ...Object.fromEntries(nested) }];
  });
}
