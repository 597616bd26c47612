/** Says of each change of a plan whether it is of the change of the files, or was there before. It changes nothing else in the plan. */

import { defined } from "../../core/json.ts";
import { isSameValue } from "../../kinds/values/same-value.ts";
import type { Change, FieldChange, Plan, PlanBase } from "../model/plan.ts";
import { type DeclarationChanges, includesAddress } from "./declaration-changes.ts";

/** The plan with its base, the origin of each change, and what is no longer managed. */
export function attribute(plan: Plan, base: PlanBase, changes: DeclarationChanges): Plan {
  const { released } = changes;
  const removed = removedByFiles(plan.changes, changes);
  return {
    ...plan,
    base,
    ...(released.length === 0 ? {} : { released }),
    changes: plan.changes.map((change) => {
      const isOwn = removed.has(change) || isOfFiles(change, changes);
      return { ...change, origin: isOwn ? "files" : "workspace" };
    }),
  };
}

/** Whether the declaration of a change's resource differs from that of the base. */
function isOfFiles(change: Change, { changed, moved, prefixes, removedRules, policies }: DeclarationChanges): boolean {
  const { address, kind, action, neighbours } = change;
  const isRemoval = action === "delete" || action === "disable";
  if (isRemoval && policies.has(kind)) return true;
  if (includesAddress(prefixes, address)) return true;
  // The rank of a rule that goes is that in the workspace, where the files may have another rule.
  if (isRemoval && removedRules.has(listOf(change))) return false;
  return changed.has(address) || ((action === "move" || neighbours !== undefined) && moved.has(address));
}

function listOf({ address }: Change): string {
  return address.slice(0, address.lastIndexOf("/") + 1);
}

/**
 * The rules that go because the files have them no more: those with the values of the base, and, since the service may say a value in
 * another way, as many others as the files have lost.
 */
function removedByFiles(changes: readonly Change[], { removedRules }: DeclarationChanges): ReadonlySet<Change> {
  const removed = new Set<Change>();
  for (const [list, rules] of removedRules) {
    const deletions = changes.filter((change) => change.action === "delete" && listOf(change) === list);
    const open = [...rules];
    for (const change of deletions) {
      const at = open.findIndex((rule) => hasValues(change, rule));
      if (at < 0) continue;
      open.splice(at, 1);
      removed.add(change);
    }
    for (const change of deletions.filter((one) => !removed.has(one)).slice(0, open.length)) removed.add(change);
  }
  return removed;
}

function hasValues({ fields }: Change, rule: readonly FieldChange[]): boolean {
  const liveValue = (path: string) => fields.find((field) => field.path === path)?.before ?? null;
  return rule.every(({ path, before }) => isSameValue(liveValue(path), before));
}

/** A plan with what only explains an equal one, in place of its own: what the base says of it, and what is not managed. */
export function withExplanation(plan: Plan, { base, released, unmanaged, recorded_alerts, changes }: Plan): Plan {
  const { base: _base, released: _released, unmanaged: _unmanaged, ...rest } = plan;
  return {
    ...rest,
    ...defined({ base, released, unmanaged, recorded_alerts }),
    changes: plan.changes.map(({ origin: _origin, ...change }, at) => {
      const origin = changes[at]?.origin;
      return origin === undefined ? change : { ...change, origin };
    }),
  };
}
