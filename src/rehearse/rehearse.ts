/** The rehearsal: the real applier carries out the real plan on a replica of the live workspace, and everything is looked at. */

import type { Reader } from "../api/http/connection.ts";
import type { Fields, Json } from "../core/json.ts";
import type { Dialects } from "../emulator/dialects.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import { assumptionsOf } from "./assumptions.ts";
import { chooseDialects } from "./dialects.ts";
import { firstDifference, type Inventory, inventory, tokensIn } from "./differences.ts";
import { runFaults } from "./faults.ts";
import type { FaultRuns, Look, Rehearsal, RehearsalFinding, SampleResult, Subject } from "./rehearsal.ts";
import { type CarryOut, isWhole, type Replan, remaining, run } from "./run.ts";
import { type NamedSample, samplesOf } from "./samples.ts";
import { type SnapshotOptions, takeSnapshot } from "./snapshot.ts";
import { openStage, type Stage, sourceOf } from "./stage.ts";
import { Watch } from "./watch.ts";

/** What a rehearsal is given. */
export interface RehearsalInput {
  /** The plan made against the live service. */
  readonly plan: Plan;
  readonly kinds: readonly Kind[];
  /** The live service. It is only read. */
  readonly reader: Reader;
  readonly reading: SnapshotOptions;
  /** Where the person knows better than the answers tell. */
  readonly dialects: Partial<Dialects>;
  /** Samples beside those that the rules give rise to. */
  readonly samples: readonly NamedSample[];
  readonly withFaults: boolean;
  /** The person has accepted the routing windows that the plan names. */
  readonly windowsAccepted: boolean;
  readonly carryOut: CarryOut;
  readonly replan: Replan;
  /** An error in words. */
  readonly explain: (error: unknown) => string;
  readonly progress: (run: number, runs: number) => void;
}

/** Rehearses. Throws what reading the live service throws; what goes wrong on the replica is a finding. */
export async function rehearse(input: RehearsalInput): Promise<Rehearsal> {
  const { plan, kinds } = input;
  const snapshot = await takeSnapshot(input.reader, kinds, input.reading);
  const dialects = chooseDialects(snapshot, kinds, input.dialects);
  const source = sourceOf(snapshot, kinds, plan, dialects);
  const open = () => openStage(source, snapshot.refused, plan.target.host);
  const { samples, without } = samplesOf(input.samples, source.rows, plan);
  const exposed = windowsOf(plan, input.windowsAccepted);

  const stage = open();
  try {
    const copy = await takeSnapshot(stage.writer, kinds, input.reading);
    const assumptions = assumptionsOf({ plan, snapshot, copy, dialects, replica: stage.replica, without });
    const undisturbed = await runUndisturbed(input, stage, new Watch(samples, stage.evaluator), exposed);
    const base = { plan, assumptions, samples: undisturbed.samples };
    const { looks, findings } = undisturbed;
    if (!input.withFaults || undisturbed.end === undefined) return { ...base, looks, findings };
    const { findings: more, ...faults } = await runFaults({
      ...input,
      plan: undisturbed.plan,
      open,
      samples,
      exposed,
      end: undisturbed.end,
      look: (other) => look(input, other),
      tokens: async (other) => tokensIn((await takeSnapshot(other.writer, kinds, input.reading)).collections, kinds),
      former: tokensIn(copy.collections, kinds),
    });
    return { ...base, looks: [...looks, faultsLook(faults, more)], findings: [...findings, ...more], faults };
  } finally {
    stage.close();
  }
}

interface Undisturbed {
  readonly looks: readonly Look[];
  readonly findings: readonly RehearsalFinding[];
  readonly samples: readonly SampleResult[];
  /** As it was carried out. */
  readonly plan: Plan;
  /** Undefined when the run did not reach its end. */
  readonly end: Inventory | undefined;
}

async function runUndisturbed(
  input: RehearsalInput,
  stage: Stage,
  watch: Watch,
  exposed: (source: string | undefined) => boolean,
): Promise<Undisturbed> {
  const { findings: same, plan } = await compared(input, stage);
  await watch.look("");
  const result = await run(plan, stage, input.carryOut, { watch });
  await watch.look("the end");
  const samples = watch.results(exposed);
  const failed: readonly RehearsalFinding[] = result.outcomes.flatMap((outcome): readonly RehearsalFinding[] => {
    const { id: operation, address, method, path } = outcome.operation;
    const about = { subject: "operations", operation, address } as const;
    if ("error" in outcome) return [{ ...about, message: `${method} ${path}: ${input.explain(outcome.error)}` }];
    return outcome.status === "pending" ? [{ ...about, message: `${method} ${path} waits for an approval` }] : [];
  });
  const routed = astray(samples);
  const next = isWhole(result) ? await nextPlan(input, stage, result.outcomes) : undefined;
  const findings = [...same, ...failed, ...(next ?? []), ...routed];
  const { done, fell_back, retained } = result.counts;
  const parts = [
    `${done + fell_back} of ${plan.operations.length} operations carried out`,
    ...(fell_back > 0 ? [`${fell_back} of them by disabling`] : []),
    ...(retained > 0 ? [`${retained} preserved because in use`] : []),
  ];
  const looks = [
    lookAt("replica", same, `${plan.operations.length} operations planned here and there`),
    lookAt("operations", failed, parts.join(", ")),
    ...(next === undefined ? [] : [lookAt("next-plan", next, "planned again after the last operation")]),
    lookAt(
      "routing",
      routed,
      `${samples.length} sample alerts, sent before, after every routing write, and at the end`,
    ),
  ];
  const isEnd = next !== undefined && next.length === 0;
  return { looks, findings, samples, plan, end: isEnd ? await look(input, stage) : undefined };
}

interface Compared {
  readonly findings: readonly RehearsalFinding[];
  /** The real plan; what is checked before its requests is as the replica tells it. */
  readonly plan: Plan;
}

/** The plan made again on the replica must be the real one. */
async function compared({ plan, replan, explain }: RehearsalInput, { writer }: Stage): Promise<Compared> {
  const finding = (message: string): Compared => ({ findings: [{ subject: "replica", message }], plan });
  try {
    const { operations } = await replan(writer, { verifying: false });
    const difference = firstDifference(plan.operations.map(unguarded), operations.map(unguarded));
    if (difference === undefined) return { findings: [], plan: { ...plan, operations } };
    const { at, left, right } = difference;
    return finding(`the replica differs at ${at}: live ${worded(left)}, replica ${worded(right)}`);
  } catch (error) {
    return finding(`no plan can be made against the replica: ${explain(error)}`);
  }
}

/** A guard speaks of rows as the service writes them, and a replica may write some otherwise. */
function unguarded({ guard: _guard, ...operation }: Operation): Operation {
  return operation;
}

async function nextPlan(
  { replan, explain }: RehearsalInput,
  { writer }: Stage,
  outcomes: Parameters<typeof remaining>[2],
): Promise<readonly RehearsalFinding[]> {
  try {
    return (await remaining(writer, replan, outcomes)).map(({ address, method, path, why }) => {
      return { subject: "next-plan", address, message: `${method} ${path} would still be to do: ${why}` };
    });
  } catch (error) {
    return [{ subject: "next-plan", message: `no plan can be made after it: ${explain(error)}` }];
  }
}

function astray(samples: readonly SampleResult[]): readonly RehearsalFinding[] {
  return samples
    .filter(({ others, exposed }) => others.length > 0 && !exposed)
    .map(({ name, source, others }) => {
      const [first] = others;
      const from = source === undefined ? "" : ` from ${source}`;
      const message = `${name}${from} gets neither its old nor its new answer, but ${worded(first?.answer)}`;
      return { subject: "routing", message, ...(first === undefined ? {} : { operation: first.operation }) };
    });
}

/** The scopes for which the plan names a window, once somebody has accepted it. */
function windowsOf({ warnings }: Plan, accepted: boolean): (source: string | undefined) => boolean {
  const places = accepted
    ? warnings.flatMap(({ code, address }) => (code === "W_ROUTING_WINDOW" ? [address] : []))
    : [];
  return (source) => places.some((place) => place?.endsWith(`/${source ?? "workspace"}`) === true);
}

async function look({ kinds, reading }: RehearsalInput, { writer }: Stage): Promise<Inventory> {
  return inventory((await takeSnapshot(writer, kinds, reading)).collections, kinds);
}

function lookAt(subject: Subject, findings: readonly RehearsalFinding[], did: string): Look {
  return { subject, held: findings.length === 0, did };
}

function faultsLook({ runs, recovered }: FaultRuns, findings: readonly RehearsalFinding[]): Look {
  const did = `${runs} runs with one fault each, ${recovered} of them finished by planning and applying again`;
  return lookAt("faults", findings, did);
}

function worded(value: Json | Fields | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
