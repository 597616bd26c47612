/** Rehearses a plan: applies it to a replica of the live workspace, with the same code as a real apply, and checks the result. */

import type { Fields, Json } from "../../core/json.ts";
import { quoted } from "../../core/sanitise.ts";
import { counted, thousands } from "../../core/value-text.ts";
import type { Dialects } from "../../emulator/dialects.ts";
import type { Replica } from "../../emulator/replica/replica.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { Operation, Plan } from "../../plan/model/plan.ts";
import type { SecretParts } from "../../preview/routing-tests/secret-parts.ts";
import { isComplete } from "../../run/journal/outcome.ts";
import type { Reader } from "../../service/requests/connection.ts";
import type {
  FaultRuns,
  Rehearsal,
  RehearsalCheck,
  RehearsalFinding,
  RehearsalSubject,
  SampleResult,
} from "../../view/rehearsal/rehearsal.ts";
import type { ObservedList } from "../../workspace/match/observation.ts";
import { assumptionsOf } from "./assumptions.ts";
import { chooseDialects } from "./dialects.ts";
import { firstDifference, type Inventory, inventoryOf, tokensIn } from "./differences.ts";
import { runFaults } from "./faults.ts";
import { type OutcomeDecoder, outcomeDecoder } from "./outcome-keys.ts";
import { type ApplyPlan, type Replan, remainingAfter, run } from "./run.ts";
import { type NamedSample, samplesOf } from "./samples.ts";
import { type SnapshotOptions, takeSnapshot } from "./snapshot.ts";
import { openStage, type RehearsalStage, replicaSource } from "./stage.ts";
import { SampleWatch } from "./watch.ts";

export interface RehearsalInput {
  /** The plan made against the live service. */
  readonly plan: Plan;
  readonly kinds: readonly Kind[];
  /** The live service. It is only read. */
  readonly reader: Reader;
  readonly reading: SnapshotOptions;
  /** Dialects that the user sets. */
  readonly dialects: Partial<Dialects>;
  /** The dialects that the profile of the service names. */
  readonly profile: Partial<Dialects>;
  /** Sample alerts besides those derived from rules. */
  readonly samples: readonly NamedSample[];
  /** Parts of rules that reports do not show. */
  readonly secrets: SecretParts;
  readonly withFaults: boolean;
  /** The user has accepted the plan's routing windows. */
  readonly windowsAccepted: boolean;
  readonly carryOut: ApplyPlan;
  readonly replan: Replan;
  /** Describes an error. */
  readonly explain: (error: unknown) => string;
  readonly progress: (run: number, runs: number) => void;
  /** Uses the replica with the plan applied, before it is closed. */
  readonly inspect?: InspectReplica | undefined;
}

/** A use of the replica after the run without faults. It is as far as the plan could be carried out. */
export type InspectReplica = (rehearsal: Rehearsal, replica: Replica) => Promise<void>;

/** Rehearses a plan. Throws errors of reading the live service; an error on the replica is a finding. */
export async function rehearse(input: RehearsalInput): Promise<Rehearsal> {
  const { plan, kinds } = input;
  const snapshot = await takeSnapshot(input.reader, kinds, input.reading);
  const dialects = chooseDialects(snapshot, kinds, input.dialects, input.profile);
  const source = replicaSource(snapshot, kinds, plan, dialects);
  const open = () => openStage(source, snapshot.refused, plan.target.host);
  const { samples, without, leftOut } = samplesOf(input.samples, source.rows, plan, input.secrets);
  const exposed = windowsOf(plan, input.windowsAccepted);

  const stage = open();
  try {
    const copy = await takeSnapshot(stage.writer, kinds, input.reading);
    const assumptions = assumptionsOf({ plan, snapshot, copy, dialects, replica: stage.replica, without, leftOut });
    const undisturbed = await runWithoutFaults(
      input,
      stage,
      new SampleWatch(samples, stage.evaluator, input.secrets),
      exposed,
      (now) => outcomeDecoder(kinds, copy.collections, now),
    );
    const base = { plan, assumptions, samples: undisturbed.samples };
    const { looks, findings } = undisturbed;
    const finish = async (rehearsal: Rehearsal): Promise<Rehearsal> => {
      await input.inspect?.(rehearsal, stage.replica);
      return rehearsal;
    };
    if (!input.withFaults || undisturbed.end === undefined) return await finish({ ...base, looks, findings });
    const { findings: more, ...faults } = await runFaults({
      ...input,
      plan: undisturbed.plan,
      open,
      samples,
      exposed,
      decode: undisturbed.decode,
      end: undisturbed.end,
      look: async (other) => inventoryOf(await listsOf(input, other), kinds),
      tokens: async (other) => tokensIn(await listsOf(input, other), kinds),
      former: tokensIn(copy.collections, kinds),
    });
    const checks = { looks: [...looks, faultsCheck(faults, more)], findings: [...findings, ...more] };
    return await finish({ ...base, ...checks, faults });
  } finally {
    stage.close();
  }
}

interface FaultFreeRun {
  readonly looks: readonly RehearsalCheck[];
  readonly findings: readonly RehearsalFinding[];
  readonly samples: readonly SampleResult[];
  /** The plan that was applied. */
  readonly plan: Plan;
  /** Undefined if the run did not finish. */
  readonly end: Inventory | undefined;
  readonly decode: OutcomeDecoder;
}

async function runWithoutFaults(
  input: RehearsalInput,
  stage: RehearsalStage,
  watch: SampleWatch,
  exposed: (source: string | undefined) => boolean,
  decoderFor: (now: readonly ObservedList[]) => OutcomeDecoder,
): Promise<FaultFreeRun> {
  const { findings: same, plan } = await planOnReplica(input, stage);
  await watch.sendSamples("");
  const result = await run(plan, stage, input.carryOut, { watch });
  await watch.sendSamples("the end");
  const lists = await listsOf(input, stage);
  const decode = decoderFor(lists);
  const samples = watch.results(exposed, decode);
  const failed: readonly RehearsalFinding[] = result.outcomes.flatMap((outcome): readonly RehearsalFinding[] => {
    const { id: operation, address, method, path } = outcome.operation;
    const about = { subject: "operations", operation, address } as const;
    if ("error" in outcome) return [{ ...about, message: `${method} ${path}: ${input.explain(outcome.error)}` }];
    return outcome.status === "pending" ? [{ ...about, message: `${method} ${path} waits for an approval` }] : [];
  });
  const routed = [...routingFindings(samples), ...unexplainedFindings(samples, input.plan)];
  const next = isComplete(result) ? await nextPlan(input, stage, result.outcomes) : undefined;
  const findings = [...same, ...failed, ...(next ?? []), ...routed];
  const { done, fell_back, retained } = result.counts;
  const parts = [
    `${thousands(done + fell_back)} of ${counted(plan.operations.length, "operation")} carried out`,
    ...(fell_back > 0 ? [`${fell_back} of them by disabling`] : []),
    ...(retained > 0 ? [`${retained} preserved because in use`] : []),
  ];
  const looks = [
    checkOf("replica", same, `${counted(plan.operations.length, "operation")} planned here and there`),
    checkOf("operations", failed, parts.join(", ")),
    ...(next === undefined ? [] : [checkOf("next-plan", next, "planned again after the last operation")]),
    checkOf(
      "routing",
      routed,
      `sample alerts: ${samples.length}, sent before, after every routing write, and at the end`,
    ),
  ];
  const isEnd = next !== undefined && next.length === 0;
  return { looks, findings, samples, plan, end: isEnd ? inventoryOf(lists, input.kinds) : undefined, decode };
}

interface ReplicaPlan {
  readonly findings: readonly RehearsalFinding[];
  /** The plan, with the preconditions of the replica. */
  readonly plan: Plan;
}

/** Makes the plan against the replica, and reports a finding if it differs from the real one. */
async function planOnReplica(
  { plan, replan, explain }: RehearsalInput,
  { writer }: RehearsalStage,
): Promise<ReplicaPlan> {
  const finding = (message: string): ReplicaPlan => ({ findings: [{ subject: "replica", message }], plan });
  try {
    const { operations } = await replan(writer, { verifying: false });
    const difference = firstDifference(plan.operations.map(withoutPrecondition), operations.map(withoutPrecondition));
    if (difference === undefined) return { findings: [], plan: { ...plan, operations } };
    const { at, left, right } = difference;
    return finding(`the replica differs at ${at}: live ${valueText(left)}, replica ${valueText(right)}`);
  } catch (error) {
    return finding(`the plan cannot be made against the replica: ${explain(error)}`);
  }
}

/** Removes the precondition, which contains rows as the service writes them; a replica may write them differently. */
function withoutPrecondition({ guard: _guard, ...operation }: Operation): Operation {
  return operation;
}

async function nextPlan(
  { replan, explain }: RehearsalInput,
  { writer }: RehearsalStage,
  outcomes: Parameters<typeof remainingAfter>[2],
): Promise<readonly RehearsalFinding[]> {
  try {
    return (await remainingAfter(writer, replan, outcomes)).map(({ address, why }) => {
      return { subject: "next-plan", address, message: `still planned: ${why}` };
    });
  } catch (error) {
    return [{ subject: "next-plan", message: `the next plan cannot be made: ${explain(error)}` }];
  }
}

function routingFindings(samples: readonly SampleResult[]): readonly RehearsalFinding[] {
  return samples
    .filter(({ others, exposed }) => others.length > 0 && !exposed)
    .map(({ name, source, others }) => {
      const [first] = others;
      const from = source === undefined ? "" : ` from ${source}`;
      const alert = `${name}${from}`;
      const message = `${alert} has neither its old nor its new outcome, but ${valueText(first?.answer)}`;
      return { subject: "routing", alert, message, ...(first === undefined ? {} : { operation: first.operation }) };
    });
}

/** Alerts that are lost, or end elsewhere, although the plan has no approved change that is meant to do that. */
function unexplainedFindings(
  samples: readonly SampleResult[],
  { changes, blocked }: Plan,
): readonly RehearsalFinding[] {
  const unapproved = new Set(blocked.flatMap(({ addresses }) => addresses));
  const isRerouted = changes.some(({ kind }) => kind === "routing_rules");
  return samples.flatMap(({ name, source, before, after, moves }): readonly RehearsalFinding[] => {
    if (before === undefined || !moves) return [];
    const address = `alert_sources/${source}`;
    const change = changes.find((one) => one.address === address);
    const alert = source === undefined ? name : `${name} from ${quoted(source)}`;
    if (after !== undefined) {
      if (isRerouted || change !== undefined) return [];
      return [
        { subject: "routing", alert, message: `${alert} ends at ${valueText(after)}, and no change explains it` },
      ];
    }
    if (change !== undefined && !unapproved.has(address)) return [];
    const why = change === undefined ? "no change explains it" : `${change.action}: ${change.reason}`;
    return [
      {
        subject: "routing",
        address,
        alert,
        message: `${alert} is lost: its endpoint answers 404 after the plan (${why})`,
      },
    ];
  });
}

/** Returns a function that tells whether a scope has an accepted routing window. */
function windowsOf({ warnings }: Plan, accepted: boolean): (source: string | undefined) => boolean {
  const places = accepted
    ? warnings.flatMap(({ code, address }) => (code === "W_ROUTING_WINDOW" ? [address] : []))
    : [];
  return (source) => places.some((place) => place?.endsWith(`/${source ?? "workspace"}`) === true);
}

async function listsOf(
  { kinds, reading }: RehearsalInput,
  { writer }: RehearsalStage,
): Promise<readonly ObservedList[]> {
  return (await takeSnapshot(writer, kinds, reading)).collections;
}

function checkOf(subject: RehearsalSubject, findings: readonly RehearsalFinding[], did: string): RehearsalCheck {
  return { subject, held: findings.length === 0, did };
}

function faultsCheck({ runs, recovered }: FaultRuns, findings: readonly RehearsalFinding[]): RehearsalCheck {
  const did = `runs with one fault each: ${runs}, ${recovered} of them finished by planning and applying again`;
  return checkOf("faults", findings, did);
}

function valueText(value: Json | Fields | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
