/** A plan with what its base says of it. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { isInPart, withinPart } from "../../config/resources/part.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { joinWords } from "../../core/suggest.ts";
import { kinds } from "../../kinds/index.ts";
import { listName } from "../../kinds/model/resource.ts";
import { attribute } from "../../plan/base/attribute.ts";
import type { DeclarationChanges } from "../../plan/base/declaration-changes.ts";
import type { Plan, PlanBase, Warning } from "../../plan/model/plan.ts";
import { shortened } from "../../plan/removal/draft.ts";
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
export function explainedBy(
  plan: Plan,
  compared: ComparedBase,
  configuration: Configuration,
  filter: PlanFilter,
): Plan {
  if ("warning" in compared) return { ...plan, warnings: [...plan.warnings, compared.warning] };
  const base = { ...compared.base, ...(filter.onlyChanged === undefined ? {} : { changed: filter.onlyChanged }) };
  const released = compared.changes.released.filter((one) => coversReleased(one, filter, kinds));
  const warnings = [...plan.warnings, ...leftOut(compared.changes, configuration, filter)];
  return attribute({ ...plan, warnings }, base, { ...compared.changes, released });
}

/** A warning about the resources that only the base declares in some paths, of lists that these paths do not hold any more. */
function leftOut(
  { gone }: DeclarationChanges,
  configuration: Configuration,
  { paths }: PlanFilter,
): readonly Warning[] {
  if (paths === undefined) return [];
  const lists = (part: Configuration) => new Set(part.managed.map(({ kind, scope }) => listName(kind, scope)));
  const [managed, held] = [lists(configuration), lists(withinPart(configuration, paths))];
  const addresses = gone.flatMap(({ list, address, file }) =>
    managed.has(list) && !held.has(list) && isInPart(paths, file) ? [address] : [],
  );
  if (addresses.length === 0) return [];
  const message = `${shortened(addresses)} ${addresses.length === 1 ? "was" : "were"} declared in ${joinWords(paths)} by the base and by no file now: a plan of a path removes nothing; to see what happens, plan without the path`;
  return [{ code: W_BASE, message }];
}
