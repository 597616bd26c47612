/** Verifies a run by a new plan: nothing may be left to do but what the service keeps in use, and what it stored otherwise than it was sent. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { kinds } from "../../kinds/index.ts";
import { isSameField } from "../../kinds/values/same-field.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import {
  createdOtherwise,
  storedOtherwise,
  storesOtherwise,
  switchedBy,
  withCreatedIds,
} from "../../run/apply/stored-otherwise.ts";
import { UnexpectedSlug } from "../../run/exchange/failure.ts";
import { type ApplyResult, follows, type Outcome, refusedAddresses } from "../../run/journal/outcome.ts";
import type { Recorder } from "../../run/journal/recorder.ts";
import type { Verification } from "../../view/run/outcome-view.ts";
import { explainError } from "../console/error-report.ts";
import { filterOf } from "../saved-plan/saved-plan.ts";
import type { MadePlan } from "../session/make-plan.ts";
import type { WritingSession } from "../session/session.ts";
import { writeLock, writeStored } from "../session/write-lock.ts";

/** A run: the configuration that it was planned from, and its journal. */
export interface RecordedPart {
  readonly configuration: Configuration;
  readonly recorder: Recorder;
}

/** Plans again and, if nothing is left, records in the lock what was applied. */
export async function verify(
  plan: Plan,
  { outcomes }: ApplyResult,
  session: WritingSession,
  { configuration, recorder: journal }: RecordedPart,
): Promise<Verification> {
  try {
    const made = await planAgain(plan, outcomes, session, configuration);
    const remaining = made.plan;
    const retained = outcomes.filter(({ status }) => status === "retained").map(({ operation }) => operation.address);
    const open = remaining.operations.filter(
      ({ retains, address }) => retains === undefined || !retained.includes(address),
    );
    const isOpen = new Set(open.map(({ address }) => address));
    const changes = remaining.changes.filter(({ address }) => isOpen.has(address));
    const { stored, recorded, explains, later } = storedOtherwise(changes, outcomes, plan.changes, made);
    await journal.amend(later);
    const isVerified = open.every(({ address }) => explains(address));
    // Of the state that an undo restores, the lock records only what the service stored otherwise.
    if (isVerified && configuration === session.configuration) {
      const tried = new Set(outcomes.filter((outcome) => !follows(outcome)).map(({ operation }) => operation));
      const operations = plan.operations.filter((operation) => tried.has(operation));
      await writeLock(configuration, { ...plan, operations }, made, session.lock, recorded);
    } else if (plan.rotates === undefined) {
      await writeStored(configuration, recorded);
    }
    if (!isVerified) return { status: "differs", remaining };
    return stored.length === 0 ? { status: "verified" } : { status: "verified", stored };
  } catch (error) {
    return { status: "unread", reason: explainError(error).join(" ") };
  }
}

/**
 * Records in the lock what the service stored otherwise than a run that did not end as planned has sent it, so that no later plan sends it
 * again or creates a second one. Returns why it could not.
 */
export async function recordStored(
  plan: Plan,
  { outcomes }: ApplyResult,
  session: WritingSession,
  { configuration, recorder: journal }: RecordedPart,
): Promise<readonly string[]> {
  const created = createdOtherwise(configuration, outcomes);
  if (plan.rotates !== undefined || (created.length === 0 && !outcomes.some(isOtherwise))) return [];
  try {
    await writeStored(configuration, created);
    // Such a resource stands in the way of every plan, until a person writes its slug.
    if (outcomes.some((outcome) => outcome.status === "failed" && outcome.error instanceof UnexpectedSlug)) return [];
    const made = await planAgain(plan, outcomes, session, configuration);
    const { recorded, later } = storedOtherwise(made.plan.changes, outcomes, plan.changes, made);
    await journal.amend(later);
    await writeStored(configuration, recorded);
    return [];
  } catch (error) {
    return explainError(error);
  }
}

/**
 * Records in the lock what the service stored otherwise than an interrupted run has sent it. Only what the files still declare counts: another
 * value was not sent.
 */
export async function recordRecovered(
  plan: Plan,
  outcomes: readonly Outcome[],
  session: WritingSession,
  journal: Recorder,
): Promise<void> {
  const { configuration } = session;
  await writeStored(configuration, createdOtherwise(configuration, outcomes));
  if (!outcomes.some(isOtherwise)) return;
  try {
    const made = await planAgain(plan, outcomes, session, configuration);
    const sent = made.plan.changes.filter((change) => wasSent(change, plan.changes, made));
    // Somebody may have changed since what a response does not show.
    const { recorded, later } = storedOtherwise(sent, outcomes, [], made);
    await journal.amend(later);
    await writeStored(configuration, recorded);
  } catch (error) {
    // The plan that follows has the same errors.
    if (!(error instanceof InvalidConfiguration)) throw error;
  }
}

/** Whether a run was to set the same values. Rules are told apart by their places alone, which may be those of others now. */
function wasSent({ address, kind: name, fields }: Change, begun: readonly Change[], { state }: MadePlan): boolean {
  const kind = state.kinds.get(name);
  if (kind === undefined || kind.lifecycle.order === "rank") return false;
  const former = begun.find((change) => change.address === address)?.fields ?? [];
  return fields.every(({ path, after }) =>
    former.some((field) => field.path === path && isSameField(kind, path.slice(1), field.after, after)),
  );
}

function isOtherwise(outcome: Outcome): boolean {
  return outcome.status === "done" && storesOtherwise(outcome);
}

/** The plan after a run, with the resources that it created, whatever the service calls them. */
function planAgain(
  plan: Plan,
  outcomes: readonly Outcome[],
  session: WritingSession,
  configuration: Configuration,
): Promise<MadePlan> {
  const refused = refusedAddresses(outcomes);
  const identified = withCreatedIds(configuration, outcomes);
  return session.prepare({
    ...{ filter: filterOf(plan), identify: false, verifying: true, configuration: identified, refused },
    switched: switchedBy(outcomes, kinds),
  });
}
