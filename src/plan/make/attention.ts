/** The changes that a reviewer should look at first, and why. */

import type { Kind } from "../../kinds/model/kind.ts";
import { addressOf } from "../../kinds/model/resource.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Draft } from "../diff/step.ts";

/**
 * Why the change deserves a reviewer's attention; undefined if it does not. Removals, one-time tokens, and rules that may change the
 * outcome of live alerts always do; the row of a kind names the rest. Inside a resource that the plan creates, nothing is in use yet.
 */
export function attentionTo(draft: Draft, state: ResolvedState, created: ReadonlySet<string>): string | undefined {
  const { change, kind, scope, steps, keepsOutcomes } = draft;
  const { action, reason, risk } = change;
  if (action === "disable" && draft.declared !== undefined) return "the configuration disables it";
  if (action === "delete" || action === "disable") return risk === "safe" ? undefined : reason;
  if (steps.some(({ reveals }) => reveals !== undefined)) return "issues a one-time token";
  const owner = ownerOf(kind, scope, state);
  if (owner !== undefined && created.has(owner)) return undefined;
  if (kind.rule !== undefined) return keepsOutcomes === true ? undefined : reason;
  return kind.reviewReason?.({
    scope,
    isNew: action === "create",
    fields: new Map(change.fields.map(({ path, before, after }) => [path.slice(1), { before, after }])),
  });
}

/** The address of the resource that the list belongs to; undefined if it belongs to the workspace. */
function ownerOf({ parent, scopes }: Kind, scope: string, { kinds }: ResolvedState): string | undefined {
  const owner = kinds.get(parent?.kind ?? scopes?.kind ?? "");
  return owner === undefined ? undefined : addressOf(owner, "", scope);
}
