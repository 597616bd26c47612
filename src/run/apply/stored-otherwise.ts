/** Finds out, from the responses of a run, which differences remain because the service stored something else than it was sent. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { StoredOtherwise } from "../../plan/checks/update-last-applied.ts";
import { type Change, type FieldChange, fingerprint } from "../../plan/model/plan.ts";
import { idIn } from "../../plan/model/snapshot.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import { responseFieldsOf } from "../exchange/response-match.ts";
import type { Outcome } from "../journal/outcome.ts";

/** The configuration with the id of each resource that the service stored under another name than was sent: its name does not tell it. */
export function withCreatedIds(configuration: Configuration, outcomes: readonly Outcome[]): Configuration {
  const answered = new Map(
    outcomes.flatMap((outcome) => {
      const row = outcome.status === "done" ? (outcome.created ?? outcome.updated) : undefined;
      return row === undefined ? [] : [[outcome.operation.address, row] as const];
    }),
  );
  const pinned = configuration.declared.map((resource) => {
    const row = answered.get(resource.address);
    const name = row?.[resource.keyField];
    if (row === undefined || name === resource.key) return resource;
    const [id] = resource.kind.identity.pin === undefined ? [] : idIn(resource.kind, row);
    const { pin = id } = resource;
    // The lists in a scope are under its live name.
    const renamed = typeof name === "string" ? { renamedFrom: name } : {};
    return pin === undefined ? resource : { ...resource, pin, ...renamed };
  });
  return pinned.every((resource, at) => resource === configuration.declared[at])
    ? configuration
    : { ...configuration, declared: pinned };
}

/** The fields of those changes of which this run has sent every field, and whose live values are those with which the service answered. */
export function storedOtherwise(
  changes: readonly Change[],
  outcomes: readonly Outcome[],
  { matching, state }: Pick<ResolvedWorkspace, "matching" | "state">,
): readonly StoredOtherwise[] {
  if (changes.length === 0) return [];
  const byAddress = new Map(matching.existing().map(({ declared, live }) => [declared.address, live]));
  return changes.flatMap(({ address, kind, fields }) => {
    // Rules are matched by their place.
    const live = byAddress.get(address) ?? state.all(kind).find((resource) => resource.address === address);
    const done = outcomes.filter(({ status, operation }) => status === "done" && operation.address === address);
    const isAnswered = ({ path }: FieldChange) =>
      live !== undefined && done.some((outcome) => shows(outcome, path.slice(1), live));
    return fields.every(isAnswered) ? fields.map((field) => ({ address, field })) : [];
  });
}

/** Whether a response shows a value otherwise than it was sent: that of a creation has all that was stored. */
export function storesOtherwise(outcome: Extract<Outcome, { readonly status: "done" }>): boolean {
  return Object.keys(outcome.stored ?? {}).length > 0;
}

/** Whether the response to an operation shows the live value of a field, which is not the one that was sent. */
function shows(outcome: Outcome, name: string, { row }: LiveResource): boolean {
  const { stored = {} } = outcome.status === "done" ? outcome : {};
  return responseFieldsOf(name, outcome.operation.guard ?? {}).some(
    (wire) => stored[wire] !== undefined && stored[wire] === fingerprint(row[wire] ?? null),
  );
}
