/** A plan with what its base says of it. */

import { EXIT, Stop } from "../../core/exit-codes.ts";
import { kinds } from "../../kinds/index.ts";
import { attribute } from "../../plan/base/attribute.ts";
import type { DeclarationChanges } from "../../plan/base/declaration-changes.ts";
import type { Plan, PlanBase, Warning } from "../../plan/model/plan.ts";
import { coversReleased, type PlanFilter } from "./plan-filter.ts";

/** The base of a plan, and how the files differ from it; or the reason why it is not known. */
export type ComparedBase =
  | { readonly base: PlanBase; readonly changes: DeclarationChanges }
  | { readonly warning: Warning };

/** The code of the warning that there is no base to compare with. */
export const W_BASE = "W_BASE";

/** The addresses that `--only-changed` admits. Ends the command if there is no base. */
export function onlyChangedOf(compared: ComparedBase | undefined): readonly string[] {
  if (compared === undefined) {
    throw new Stop(EXIT.error, "--only-changed compares with a base, and there is none; choose one with --base");
  }
  if ("warning" in compared) throw new Stop(EXIT.error, `--only-changed needs a base; ${compared.warning.message}`);
  return compared.changes.admitted;
}

/** The plan with what its base says of it; of what is no longer managed, that which the filter covers. */
export function explainedBy(plan: Plan, compared: ComparedBase, filter: PlanFilter): Plan {
  if ("warning" in compared) return { ...plan, warnings: [...plan.warnings, compared.warning] };
  const base = { ...compared.base, ...(filter.onlyChanged === undefined ? {} : { changed: filter.onlyChanged }) };
  const released = compared.changes.released.filter((one) => coversReleased(one, filter, kinds));
  return attribute(plan, base, { ...compared.changes, released });
}
