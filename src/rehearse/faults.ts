/**
 * The same plan with a fault at every request: each time on a fresh replica, the run is disturbed once, then planned and
 * applied again. It must end where the undisturbed run ended, and nothing may be there twice.
 */

import type { ApplyResult } from "../apply/execute/outcome.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import { type Inventory, misplaced } from "./differences.ts";
import type { FaultRuns, RehearsalFinding, SampleResult } from "./rehearsal.ts";
import { type CarryOut, isWhole, type Replan, remaining, run } from "./run.ts";
import type { NamedSample } from "./samples.ts";
import type { Stage } from "./stage.ts";
import { Watch } from "./watch.ts";

/** What goes wrong with one request. */
interface Disturbance {
  readonly title: string;
  readonly phase: "before-read" | "before-commit" | "after-commit";
  readonly action: Parameters<Stage["replica"]["control"]["faults"]["add"]>[0]["action"];
}

const failing = { type: "status", status: 500, body: error("internal_error") } as const;
const throttling = {
  type: "status",
  status: 429,
  headers: { "retry-after": "1" },
  body: error("rate_limited"),
} as const;

const DISTURBANCES: readonly Disturbance[] = [
  { title: "connection reset before it took effect", phase: "before-commit", action: { type: "reset" } },
  { title: "connection reset after it took effect", phase: "after-commit", action: { type: "reset" } },
  { title: "500 before it took effect", phase: "before-commit", action: failing },
  { title: "500 after it took effect", phase: "after-commit", action: failing },
  { title: "429", phase: "before-read", action: throttling },
];

/** After the run that is disturbed, so many more. */
const MORE_RUNS = 2;

/** What the runs are given. */
export interface FaultsInput {
  readonly plan: Plan;
  readonly open: () => Stage;
  readonly carryOut: CarryOut;
  readonly replan: Replan;
  readonly samples: readonly NamedSample[];
  readonly exposed: (source: string | undefined) => boolean;
  /** Where the undisturbed run ended. */
  readonly end: Inventory;
  readonly look: (stage: Stage) => Promise<Inventory>;
  /** Prefixes of the tokens that work. */
  readonly tokens: (stage: Stage) => Promise<readonly string[]>;
  /** Those that worked before the run. */
  readonly former: readonly string[];
  /** An error in words. */
  readonly explain: (error: unknown) => string;
  /** Told of every run that is over. */
  readonly progress: (run: number, runs: number) => void;
}

/** Runs every combination, and tells what did not hold; the same of several faults is told once. */
export async function runFaults(
  input: FaultsInput,
): Promise<FaultRuns & { readonly findings: readonly RehearsalFinding[] }> {
  const { operations } = input.plan;
  const found = new Map<string, { readonly finding: RehearsalFinding; readonly faults: string[] }>();
  const runs = operations.length * DISTURBANCES.length;
  let recovered = 0;
  let over = 0;
  for (const operation of operations) {
    for (const disturbance of DISTURBANCES) {
      const { findings, again } = await disturbed(input, operation, disturbance);
      if (again) recovered += 1;
      for (const finding of findings) {
        const key = JSON.stringify([finding.operation, finding.message]);
        const known = found.get(key) ?? { finding, faults: [] };
        known.faults.push(disturbance.title);
        found.set(key, known);
      }
      over += 1;
      input.progress(over, runs);
    }
  }
  const findings = [...found.values()].map(({ finding, faults }) => ({ ...finding, faults }));
  return { runs, recovered, findings };
}

async function disturbed(
  input: FaultsInput,
  operation: Operation,
  disturbance: Disturbance,
): Promise<{ readonly findings: readonly RehearsalFinding[]; readonly again: boolean }> {
  const stage = input.open();
  const finding = (message: string): RehearsalFinding => {
    return { subject: "faults", message, operation: operation.id, address: operation.address };
  };
  try {
    const watch = new Watch(input.samples, stage.evaluator);
    await watch.look("");
    const first = await runDisturbed(input, stage, watch, operation, disturbance);
    const { last, again } = await finish(input, stage, watch, first);
    if (!isWhole(last)) return { findings: [finding(unfinished(last, input))], again };
    await watch.look("the end");
    const open = await remaining(stage.writer, input.replan, last.outcomes);
    const findings = [
      ...(open.length > 0 ? [finding(`after planning and applying again ${wordsFor(open)} is still to do`)] : []),
      ...misplaced(input.end, await input.look(stage)).map(finding),
      ...astray(watch.results(input.exposed)).map(finding),
      ...stray(await input.tokens(stage), [...input.former, ...stage.kept]).map(finding),
    ];
    return { findings, again };
  } catch (error) {
    return { findings: [finding(`planning again is not possible: ${input.explain(error)}`)], again: false };
  } finally {
    stage.close();
  }
}

/** Before the fault everything is as in the undisturbed run: nobody has to look there again. */
async function runDisturbed(
  { plan, carryOut }: FaultsInput,
  stage: Stage,
  watch: Watch,
  operation: Operation,
  { phase, action }: Disturbance,
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

async function finish(
  { replan, carryOut }: FaultsInput,
  stage: Stage,
  watch: Watch,
  first: ApplyResult,
): Promise<{ readonly last: ApplyResult; readonly again: boolean }> {
  let last = first;
  for (let more = 0; !isWhole(last) && more < MORE_RUNS; more++) {
    last = await run(await replan(stage.writer, { verifying: false }), stage, carryOut, { watch });
  }
  return { last, again: !isWhole(first) && isWhole(last) };
}

function unfinished({ outcomes }: ApplyResult, { explain }: FaultsInput): string {
  const bad = outcomes.find((outcome) => "error" in outcome);
  const why = bad !== undefined && "error" in bad ? `: ${bad.operation.address}: ${explain(bad.error)}` : "";
  return `planning and applying again ${MORE_RUNS} times does not finish it${why}`;
}

function astray(results: readonly SampleResult[]): readonly string[] {
  return results
    .filter(({ others, exposed }) => others.length > 0 && !exposed)
    .map(
      ({ name, source }) =>
        `${name}${source === undefined ? "" : ` from ${source}`} gets an answer that is neither the old one nor the new one`,
    );
}

/** A token is in the answer to its creation and nowhere else: one that works is kept, or is in nobody's hands. */
function stray(tokens: readonly string[], known: readonly string[]): readonly string[] {
  const lost = tokens.filter((prefix) => !known.includes(prefix));
  return lost.map((prefix) => `the token ${prefix} works, and nobody has it`);
}

function wordsFor(operations: readonly Operation[]): string {
  const [first] = operations;
  const rest = operations.length - 1;
  return `${first?.method} ${first?.path}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function error(type: string): string {
  return JSON.stringify({ error: { type, message: "a fault of the rehearsal", request_id: "rehearsal" } });
}
