/** Warnings of a plan: what the files of shared lists lack, declared resources that another system made as well, and what an undo leaves. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { startOf } from "../../config/resources/origins.ts";
import { SOURCE_WARNING } from "../../config/resources/sourced-list.ts";
import { type Diagnostic, sourcePlace } from "../../core/diagnostic.ts";
import type { Matching } from "../../workspace/match/match.ts";
import type { Change, Plan, Warning } from "../model/plan.ts";

/** A warning for each declared resource of a shared list whose system, or id there, is another one in the service. It keeps both. */
export function otherOrigins({ lists }: Matching): readonly Warning[] {
  return lists.flatMap(({ madeBy, matches }) =>
    matches.flatMap(({ declared, live }): readonly Warning[] => {
      const { system = "", id = "" } = declared.kind.identity.origin ?? {};
      const origin = live?.row[system];
      if (madeBy === undefined || typeof origin !== "string") return [];
      const place = { address: declared.address, source: sourcePlace(startOf(declared)) };
      const [own, kept] = [declared.fields[id], live?.row[id]];
      if (madeBy.includes(origin)) {
        if (typeof own !== "string" || typeof kept !== "string" || own === kept) return [];
        const message = `its ${id} is "${kept}" in the service, not "${own}", and stays so; if it gets another name, it is removed and made again`;
        return [{ code: "W_ORIGIN", message, ...place }];
      }
      const message = `its ${system} is "${origin}", not "${madeBy.join('" or "')}": another configuration or system may change it too, and it stays when its file goes; if none does any more, write take_over: ["${origin}"] beside entries_from's ${system}`;
      return [{ code: "W_ORIGIN", message, ...place }];
    }),
  );
}

/** A warning for each shared list in which the plan updates resources that the service records no origin of, since people made them. */
export function updatesOfOthers(
  { lists }: Matching,
  changes: readonly Pick<Change, "address" | "action">[],
): readonly Warning[] {
  const updated = new Set(changes.flatMap(({ address, action }) => (action === "update" ? [address] : [])));
  return lists.flatMap(({ madeBy, matches }): readonly Warning[] => {
    const addresses = matches.flatMap(({ declared, live }) => {
      const origin = live?.row[declared.kind.identity.origin?.system ?? ""];
      return madeBy !== undefined && origin === null && updated.has(declared.address) ? [declared.address] : [];
    });
    const [first, ...rest] = addresses;
    if (first === undefined) return [];
    const which = rest.length === 0 ? first : `${first} and ${rest.length} more`;
    const message = `the plan updates what people made: ${which}; the service records no source on an update, so it stays when its file goes`;
    return [{ code: "W_ORIGIN", message, address: first }];
  });
}

/** The warnings of the files, since their removals may follow from them: a glob that matches nothing, a value that no document has. */
export function sourceWarnings({ warnings }: Configuration): readonly Warning[] {
  return warnings
    .filter(({ code }) => code === SOURCE_WARNING)
    .map(({ code, message, at }) => ({
      code,
      message,
      ...(at === undefined ? {} : { source: sourcePlace(at) }),
    }));
}

/** A warning for each made resource that the plan leaves alone, because it is not certain which live one it is. */
export function unsettledWarnings(reasons: readonly Diagnostic[]): readonly Warning[] {
  return reasons.map(({ message, help, address, at }) => ({
    code: "W_HELD_BACK",
    message: `it stays as it is, and so does what references it: ${message}. ${help ?? ""}`.trimEnd(),
    ...(address === undefined ? {} : { address }),
    ...(at === undefined ? {} : { source: sourcePlace(at) }),
  }));
}

/** A warning for each created resource that the plan does not delete, unless the plan says so already. */
export function undoRemainders(
  { run, created }: { readonly run: string; readonly created: readonly string[] },
  { changes, warnings }: Pick<Plan, "changes" | "warnings">,
): readonly Warning[] {
  return created.flatMap((address) => {
    const change = changes.find((one) => one.address === address);
    const isDeleted =
      change?.action === "delete" || changes.some(({ cascades }) => cascades?.includes(address) === true);
    if (isDeleted || warnings.some((warning) => warning.address === address)) return [];
    const message =
      change === undefined
        ? `${address} stays: the removal policy of the settings keeps its kind`
        : `${address} is disabled and not deleted: ${change.reason.replace(`made by run ${run}; `, "")}`;
    return [{ code: "W_UNDO", address, message }];
  });
}
