/**
 * Rehearses the plan with a fault at every request. Each run starts on a fresh replica and gets one fault; then the plan is made and
 * applied again. It must reach the same result as the run without faults, without duplicates.
 */

import type { Operation, Plan } from "../../plan/model/plan.ts";
import type { SecretParts } from "../../preview/routing-tests/secret-parts.ts";
import { type ApplyResult, isComplete } from "../../run/journal/outcome.ts";
import type { FaultRuns, RehearsalFinding, SampleResult } from "../../view/rehearsal/rehearsal.ts";
import { type Inventory, inventoryDifferences } from "./differences.ts";
import type { OutcomeDecoder } from "./outcome-keys.ts";
import { type ApplyPlan, type Replan, remainingAfter, run } from "./run.ts";
import type { NamedSample } from "./samples.ts";
import type { RehearsalStage } from "./stage.ts";
import { SampleWatch } from "./watch.ts";

/** A fault of one request. */
interface InjectedFault {
  readonly title: string;
  readonly phase: "before-read" | "before-commit" | "after-commit";
  readonly action: Parameters<RehearsalStage["replica"]["control"]["faults"]["add"]>[0]["action"];
}

const failing = { type: "status", status: 500, body: error("internal_error") } as const;
const throttling = {
  type: "status",
  status: 429,
  headers: { "retry-after": "1" },
  body: error("rate_limited"),
} as const;

const FAULTS: readonly InjectedFault[] = [
  { title: "connection reset before it took effect", phase: "before-commit", action: { type: "reset" } },
  { title: "connection reset after it took effect", phase: "after-commit", action: { type: "reset" } },
  { title: "500 before it took effect", phase: "before-commit", action: failing },
  { title: "500 after it took effect", phase: "after-commit", action: failing },
  { title: "429", phase: "before-read", action: throttling },
];

/** Most runs after the one with the fault. */
const MORE_RUNS = 2;

/** Input of the runs with faults. */
export interface FaultsInput {
  readonly plan: Plan;
  readonly open: () => RehearsalStage;
  readonly carryOut: ApplyPlan;
  readonly replan: Replan;
  readonly samples: readonly NamedSample[];
  readonly secrets: SecretParts;
  readonly exposed: (source: string | undefined) => boolean;
  readonly decode: OutcomeDecoder;
  /** Inventory after the run without faults. */
  readonly end: Inventory;
  readonly look: (stage: RehearsalStage) => Promise<Inventory>;
  /** Returns the prefixes of all valid tokens. */
  readonly tokens: (stage: RehearsalStage) => Promise<readonly string[]>;
  /** Prefixes of the tokens before the run. */
  readonly former: readonly string[];
  /** Describes an error. */
  readonly explain: (error: unknown) => string;
  /** Called after every run. */
  readonly progress: (run: number, runs: number) => void;
}

/** Runs every combination and returns what failed; equal findings of several faults are merged. */
export async function runFaults(
  input: FaultsInput,
): Promise<FaultRuns & { readonly findings: readonly RehearsalFinding[] }> {
  const { operations } = input.plan;
  const findingsByText = new Map<string, { readonly finding: RehearsalFinding; readonly faults: string[] }>();
  const runs = operations.length * FAULTS.length;
  let recovered = 0;
  let exceeded = 0;
  for (const operation of operations) {
    for (const disturbance of FAULTS) {
      const { findings, again } = await runWithFault(input, operation, disturbance);
      if (again) recovered += 1;
      for (const finding of findings) {
        const key = JSON.stringify([finding.operation, finding.message]);
        const known = findingsByText.get(key) ?? { finding, faults: [] };
        known.faults.push(disturbance.title);
        findingsByText.set(key, known);
      }
      exceeded += 1;
      input.progress(exceeded, runs);
    }
  }
  const findings = [...findingsByText.values()].map(({ finding, faults }) => ({ ...finding, faults }));
  return { runs, recovered, findings };
}

async function runWithFault(
  input: FaultsInput,
  operation: Operation,
  disturbance: InjectedFault,
): Promise<{ readonly findings: readonly RehearsalFinding[]; readonly again: boolean }> {
  const stage = input.open();
  const finding = (message: string): RehearsalFinding => {
    return { subject: "faults", message, operation: operation.id, address: operation.address };
  };
  try {
    const watch = new SampleWatch(input.samples, stage.evaluator, input.secrets);
    await watch.sendSamples("");
    const first = await applyWithFault(input, stage, watch, operation, disturbance);
    const { last, again } = await finishRun(input, stage, watch, first);
    if (!isComplete(last)) return { findings: [finding(unfinishedMessage(last, input))], again };
    await watch.sendSamples("the end");
    const open = await remainingAfter(stage.writer, input.replan, last.outcomes);
    const findings = [
      ...(open.length > 0
        ? [finding(`after planning and applying again, ${operationsText(open)} is still planned`)]
        : []),
      ...inventoryDifferences(input.end, await input.look(stage)).map(finding),
      ...routingProblems(watch.results(input.exposed, input.decode)).map(finding),
      ...lostTokens(await input.tokens(stage), [...input.former, ...stage.storedTokens]).map(finding),
    ];
    return { findings, again };
  } catch (error) {
    return { findings: [finding(`the plan cannot be made again: ${input.explain(error)}`)], again: false };
  } finally {
    stage.close();
  }
}

/** Applies the plan with one fault. Samples are sent only after the fault: before it, the run equals the one without faults. */
async function applyWithFault(
  { plan, carryOut }: FaultsInput,
  stage: RehearsalStage,
  watch: SampleWatch,
  operation: Operation,
  { phase, action }: InjectedFault,
): Promise<ApplyResult> {
  let isOver = false;
  const { faults } = stage.replica.control;
  const result = await run(plan, stage, carryOut, {
    started: ({ id, method }) => {
      if (id !== operation.id) return;
      isOver = true;
      faults.add({ method, phase, action });
    },
    watch,
    looking: () => isOver,
  });
  faults.clear();
  return result;
}

async function finishRun(
  { replan, carryOut }: FaultsInput,
  stage: RehearsalStage,
  watch: SampleWatch,
  first: ApplyResult,
): Promise<{ readonly last: ApplyResult; readonly again: boolean }> {
  let last = first;
  for (let more = 0; !isComplete(last) && more < MORE_RUNS; more++) {
    last = await run(await replan(stage.writer, { verifying: false }), stage, carryOut, { watch });
  }
  return { last, again: !isComplete(first) && isComplete(last) };
}

function unfinishedMessage({ outcomes }: ApplyResult, { explain }: FaultsInput): string {
  const bad = outcomes.find((outcome) => "error" in outcome);
  const why = bad !== undefined && "error" in bad ? `: ${bad.operation.address}: ${explain(bad.error)}` : "";
  return `it does not finish after planning and applying again ${MORE_RUNS} times${why}`;
}

function routingProblems(results: readonly SampleResult[]): readonly string[] {
  return results
    .filter(({ others, exposed }) => others.length > 0 && !exposed)
    .map(
      ({ name, source }) =>
        `${name}${source === undefined ? "" : ` from ${source}`} has an outcome that is neither the old one nor the new one`,
    );
}

/** Describes valid tokens that were not stored: a token is only in the response to its create. */
function lostTokens(tokens: readonly string[], known: readonly string[]): readonly string[] {
  const lost = tokens.filter((prefix) => !known.includes(prefix));
  return lost.map((prefix) => `the token ${prefix} is valid, but was not stored`);
}

function operationsText(operations: readonly Operation[]): string {
  const [first] = operations;
  const rest = operations.length - 1;
  return `${first?.method} ${first?.path}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function error(type: string): string {
  return JSON.stringify({ error: { type, message: "a fault of the rehearsal", request_id: "rehearsal" } });
}
