/** Holds plans to what was accepted: the places to leave alone, and the acceptances that do not hold. */

import type { ExemptPlace } from "../../config/settings/exemptions.ts";
import { NO_WORDS, programLine, shellWord } from "../../core/sanitise.ts";
import { fieldPath } from "../../core/value-text.ts";
import type { Blocked, LeftAlone, Plan, Warning } from "../model/plan.ts";
import { ACCEPTED_FILE, type Acceptance } from "./acceptance.ts";
import { type Drift, type JudgedDifference, W_ACCEPTED } from "./drift.ts";

/** The effect of acceptances on a plan. */
export interface ExemptDrift {
  /** For the exemptions of the configuration. */
  readonly places: readonly ExemptPlace[];
  readonly accepted: readonly LeftAlone[];
  /** Acceptances that the plan would break. */
  readonly blocked: readonly Blocked[];
  /** Acceptances that have ended, or end soon. */
  readonly warnings: readonly Warning[];
}

/** The effect of a drift on the plan that it was found in. `valid`: acceptances for its service whose last day has not passed. */
export function exemptAccepted(
  { changes, transitions = [] }: Pick<Plan, "changes" | "transitions">,
  drift: Drift,
  valid: readonly Acceptance[],
): ExemptDrift {
  const isIn = (list: string, { address }: JudgedDifference): boolean => address.startsWith(`${list}/`);
  // The first rule that matches decides: a list is left alone as a whole, or not at all.
  const lists = transitions.map(({ address }) => address);
  const open = lists.filter((list) => [...drift.new, ...drift.expired].some((one) => isIn(list, one)));
  const isInOpenList = (one: JudgedDifference): boolean => open.some((list) => isIn(list, one));
  // Requests for a list in the scope of a renamed resource use its new name.
  const renamedList = (one: JudgedDifference): string | undefined => {
    const key = one.address.slice(one.address.indexOf("/") + 1);
    const field = changes.find(({ address }) => address === one.address)?.fields.find(({ path }) => path === one.path);
    return field?.after === key && field.before !== null ? open.find((list) => list.endsWith(`/${key}`)) : undefined;
  };
  const held = drift.known.filter((one) => !isInOpenList(one) && renamedList(one) === undefined);
  const places = held.map((one): ExemptPlace => {
    const list = lists.find((prefix) => isIn(prefix, one));
    if (list !== undefined) return { address: `${list}/` };
    return one.path === "" ? { address: one.address } : { address: one.address, path: one.path };
  });
  const partly = open.filter((list) => drift.known.some((one) => isIn(list, one)));
  return {
    places,
    accepted: held.map(({ address, path, accepted }) => ({
      address,
      ...(path === "" ? {} : { path }),
      ...(accepted === undefined ? {} : { until: accepted.until }),
      ...(accepted?.by === undefined ? {} : { by: accepted.by }),
      ...(accepted === undefined ? {} : { why: accepted.because }),
    })),
    blocked: [
      ...drift.new.filter(({ conflict }) => conflict === true).map(blockConflict),
      ...partly.map(blockPartOfList),
      ...drift.known.flatMap((one) => blockRename(one, renamedList(one))),
      ...valid.flatMap((one) => blockCascade(one, changes)),
    ],
    warnings: [
      ...held.filter(({ ending }) => ending === true).map(soonWarning),
      ...drift.expired.map((one) => endWarning(one, "that day has passed")),
      ...drift.new
        .filter((one) => one.accepted !== undefined && one.conflict !== true)
        .map((one) => endWarning(one, "the difference has changed since, so the acceptance no longer holds")),
    ],
  };
}

/** An acceptance whose declared value has changed since. */
function blockConflict(one: JudgedDifference): Blocked {
  const { until = "", because = "" } = one.accepted ?? {};
  const command = acceptLine(one.address);
  const message = `${nameOf(one)} was accepted until ${until} (${because}), but its declared value has changed since; to accept it again, run ${command}; to apply it, delete its item from ${ACCEPTED_FILE}`;
  return { code: "ACCEPTED", message, commands: [command], addresses: [one.address] };
}

/** An accepted rename without which the plan cannot change a list. */
function blockRename(one: JudgedDifference, list: string | undefined): readonly Blocked[] {
  if (list === undefined) return [];
  const command = acceptLine(list);
  const message = `the rename of ${one.address} is accepted until ${one.accepted?.until ?? ""}, but the plan changes ${list}, which has the new name; to leave the list alone too, run ${command}; to rename, delete the item of ${one.address} from ${ACCEPTED_FILE}`;
  return [{ code: "ACCEPTED", message, commands: [command], addresses: [one.address] }];
}

/** An accepted resource that the service would delete with another one. */
function blockCascade({ address, path, until, because }: Acceptance, changes: Plan["changes"]): readonly Blocked[] {
  const change = path === "" ? changes.find(({ cascades }) => cascades?.includes(address) === true) : undefined;
  if (change === undefined) return [];
  const message = `${address} was accepted until ${until} (${because}), but is deleted with ${change.address}; to keep it, declare ${change.address}; to delete it, delete its item from ${ACCEPTED_FILE}`;
  return [{ code: "ACCEPTED", message, addresses: [address] }];
}

/** A list of rules of which some differences are accepted and others are not. */
function blockPartOfList(list: string): Blocked {
  const command = acceptLine(list);
  const message = `some differences of ${list} are accepted and others are not, but a list of rules changes only as a whole; to accept all of them, run ${command}; to apply all of them, delete the items of ${list} from ${ACCEPTED_FILE}`;
  return { code: "ACCEPTED", message, commands: [command], addresses: [list] };
}

/** The command that accepts the differences at an address. */
function acceptLine(address: string): string {
  return programLine(`drift accept ${shellWord(address)} --until 30d --because REASON`, NO_WORDS);
}

function endWarning(one: JudgedDifference, why: string): Warning {
  return {
    code: W_ACCEPTED,
    address: one.address,
    message: `${nameOf(one)} was accepted until ${one.accepted?.until ?? ""}, but ${why}`,
  };
}

function soonWarning(one: JudgedDifference): Warning {
  const { address, accepted } = one;
  const commands = [acceptLine(address), programLine(`pull --target ${shellWord(address)}`, NO_WORDS)];
  const message = `${nameOf(one)} is accepted until ${accepted?.until ?? ""}; from the next day on, an apply writes what the files declare. To keep it, run ${commands.join(" or ")}`;
  return { code: W_ACCEPTED, address, message, commands };
}

function nameOf({ address, path }: JudgedDifference): string {
  return path === "" ? address : `${address} ${fieldPath(path)}`;
}
