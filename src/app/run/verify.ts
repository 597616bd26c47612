/** Verifies a run by a new plan: nothing may be left to do but what the service keeps in use, and what it stored otherwise than it was sent. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { StoredOtherwise } from "../../plan/checks/update-last-applied.ts";
import { type Change, fingerprint, type Plan } from "../../plan/model/plan.ts";
import { idIn } from "../../plan/model/snapshot.ts";
import { responseFieldsOf } from "../../run/exchange/response-match.ts";
import { type ApplyResult, follows, type Outcome, refusedAddresses } from "../../run/journal/outcome.ts";
import type { Verification } from "../../view/run/outcome-view.ts";
import type { Matching } from "../../workspace/match/match.ts";
import { explainError } from "../console/error-report.ts";
import { filterOf } from "../saved-plan/saved-plan.ts";
import { writeLock } from "../session/lock-file.ts";
import type { WritingSession } from "../session/session.ts";

/** Plans again and, if nothing is left, records in the lock what was applied. */
export async function verify(
  plan: Plan,
  { outcomes }: ApplyResult,
  session: WritingSession,
  configuration: Configuration,
): Promise<Verification> {
  try {
    const filter = filterOf(plan);
    const refused = refusedAddresses(outcomes);
    const identified = withCreatedIds(configuration, outcomes);
    const made = await session.prepare({
      ...{ filter, identify: false, verifying: true, configuration: identified, refused },
    });
    const remaining = made.plan;
    const retained = outcomes.filter(({ status }) => status === "retained").map(({ operation }) => operation.address);
    const open = remaining.operations.filter(
      ({ retains, address }) => retains === undefined || !retained.includes(address),
    );
    const isOpen = new Set(open.map(({ address }) => address));
    const changes = remaining.changes.filter(({ address }) => isOpen.has(address));
    const stored = changes.flatMap((change) => storedOtherwise(change, outcomes, made.matching));
    const explained = new Set(stored.map(({ address }) => address));
    if (open.some(({ address }) => !explained.has(address))) return { status: "differs", remaining };
    // The lock records the files, not the state that an undo restores.
    if (configuration === session.configuration) {
      const tried = new Set(outcomes.filter((outcome) => !follows(outcome)).map(({ operation }) => operation));
      const operations = plan.operations.filter((operation) => tried.has(operation));
      await writeLock(configuration, { ...plan, operations }, made, session.lock, stored);
    }
    return stored.length === 0 ? { status: "verified" } : { status: "verified", stored };
  } catch (error) {
    return { status: "unread", reason: explainError(error).join(" ") };
  }
}

/** The configuration with the id of each resource that the run created under another name than was sent: its name does not tell it. */
function withCreatedIds(configuration: Configuration, outcomes: readonly Outcome[]): Configuration {
  const created = new Map(
    outcomes.flatMap((outcome) =>
      outcome.status === "done" && outcome.created !== undefined
        ? [[outcome.operation.address, outcome.created] as const]
        : [],
    ),
  );
  const pinned = configuration.declared.map((resource) => {
    const row = created.get(resource.address);
    if (row === undefined || resource.pin !== undefined || row[resource.keyField] === resource.key) return resource;
    const [pin] = resource.kind.identity.pin === undefined ? [] : idIn(resource.kind, row);
    return pin === undefined ? resource : { ...resource, pin };
  });
  return pinned.every((resource, at) => resource === configuration.declared[at])
    ? configuration
    : { ...configuration, declared: pinned };
}

/** The fields of a change, if this run has sent all of them and the live values are those with which the service answered; none otherwise. */
function storedOtherwise(change: Change, outcomes: readonly Outcome[], matching: Matching): readonly StoredOtherwise[] {
  const { address, fields } = change;
  const live = matching.existing().find(({ declared }) => declared.address === address)?.live;
  if (live === undefined) return [];
  const isAnswered = (name: string) =>
    outcomes.some(
      (outcome) =>
        outcome.status === "done" &&
        outcome.operation.address === address &&
        responseFieldsOf(name, outcome.operation.guard ?? {}).some(
          (wire) =>
            outcome.stored?.[wire] !== undefined && outcome.stored[wire] === fingerprint(live.row[wire] ?? null),
        ),
    );
  return fields.every(({ path }) => isAnswered(path.slice(1))) ? fields.map((field) => ({ address, field })) : [];
}
