/** Says of each change of a plan whether it is of the change of the files, or was there before. It changes nothing else in the plan. */

import { isSameValue } from "../diff/same-value.ts";
import type { Change, Plan, PlanBase } from "../model/plan.ts";
import type { DeclarationChanges } from "./declaration-changes.ts";

/** The plan with its base, the origin of each change, and what is no longer managed. */
export function attribute(plan: Plan, base: PlanBase, changes: DeclarationChanges): Plan {
  const { released } = changes;
  return {
    ...plan,
    base,
    ...(released.length === 0 ? {} : { released }),
    changes: plan.changes.map((change) => ({ ...change, origin: isOfFiles(change, changes) ? "files" : "workspace" })),
  };
}

/** Whether the declaration of a change's resource differs from that of the base. */
function isOfFiles(change: Change, { changed, moved, prefixes, removedRules, policies }: DeclarationChanges): boolean {
  const { address, kind, action, neighbours, fields } = change;
  const isRemoval = action === "delete" || action === "disable";
  if (isRemoval && policies.has(kind)) return true;
  if (prefixes.some((prefix) => address.startsWith(prefix))) return true;
  const rules = isRemoval ? removedRules.get(address.slice(0, address.lastIndexOf("/") + 1)) : undefined;
  if (rules !== undefined) {
    const liveValue = (path: string) => fields.find((field) => field.path === path)?.before ?? null;
    return rules.some((rule) => rule.every(({ path, before }) => isSameValue(liveValue(path), before)));
  }
  return changed.has(address) || ((action === "move" || neighbours !== undefined) && moved.has(address));
}

/** A plan with what the base of an equal one says of it, in place of its own. */
export function withExplanation(plan: Plan, { base, released, changes }: Plan): Plan {
  const { base: _base, released: _released, ...rest } = plan;
  return {
    ...rest,
    ...(base === undefined ? {} : { base }),
    ...(released === undefined ? {} : { released }),
    changes: plan.changes.map(({ origin: _origin, ...change }, at) => {
      const origin = changes[at]?.origin;
      return origin === undefined ? change : { ...change, origin };
    }),
  };
}
