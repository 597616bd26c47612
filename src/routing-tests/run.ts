/** Runs routing tests: by the service, or by our own evaluator, which is held against the service where there is one. */

import type { Evaluator } from "../api/http/connection.ts";
import { ServiceError } from "../api/read/service-error.ts";
import { UnexpectedAnswer } from "../api/read/unexpected-response.ts";
import type { RoutingTest } from "../config/load/routing-tests.ts";
import type { LiveRouting, Routing } from "../refresh/routing-rules.ts";
import { type Context, contextOf } from "../routing/context.ts";
import { type Evaluation, evaluate, type RuleStep } from "../routing/evaluate.ts";
import { type Destination, misses, sameDestination } from "../routing/expectation.ts";
import { type InForce, type Rule, rulesInForce } from "../routing/rules.ts";
import { Calibration } from "./calibration.ts";
import type { TestResult, TestRun, Trust } from "./result.ts";
import { NO_RULES, type Served, servedEvaluation } from "./service-evaluation.ts";

/** A service to ask, and what was read from it. */
export interface Asked {
  readonly evaluator: Evaluator;
  readonly live: LiveRouting;
  /** Samples in flight at a time. */
  readonly parallelism: number;
}

/** Runs every test against the live rules. */
export async function runLive(tests: readonly RoutingTest[], asked: Asked): Promise<TestRun> {
  const served = await serveAll(tests, asked);
  const results = tests.map((test, index): TestResult => {
    const answer = served[index];
    if (answer === undefined) {
      const why = `the workspace has no alert source "${test.source ?? ""}"`;
      return { ...told(test), status: "failed", destination: undefined, reasons: [why], trace: () => [] };
    }
    const destination = servedDestination(answer, test, asked.live);
    const reasons = misses(test, destination);
    const status = reasons.length === 0 ? "passed" : "failed";
    const trace = () => servedTrace(answer, test, asked.live);
    return { ...told(test), status, destination, reasons, trace };
  });
  return { mode: "live", results, warnings: warningsOf(served) };
}

/** Runs every test against the rules as they will be, by our own evaluator; `asked` to find out how far it can be believed. */
export async function runPlanned(
  mode: "offline" | "compare",
  tests: readonly RoutingTest[],
  planned: Routing,
  asked: Asked | { readonly why: string },
): Promise<TestRun> {
  if ("why" in asked) {
    const results = tests.map((test) => judged(test, planned, (own) => undecided(own.evaluation)));
    return { mode, trust: { calibrated: false, why: asked.why }, results, warnings: [] };
  }
  const { live } = asked;
  // A source that the service does not have yet cannot be asked about; the workspace's rules still say something of operators.
  const samples = tests.map((test) => (isLive(test, live) ? test : withoutSource(test)));
  const served = await serveAll(samples, asked);
  const calibration = new Calibration();
  for (const [index, sample] of samples.entries()) calibrate(calibration, sample, served[index] ?? NO_RULES, live);
  const results = tests.map((test, index): TestResult => {
    const result = judged(test, planned, (own) => [
      ...calibration.doubts(own.evaluation),
      ...fallbackDoubts(test, own, calibration, live),
    ]);
    const answer = isLive(test, live) ? served[index] : undefined;
    if (mode === "offline" || answer === undefined) return result;
    const before = servedDestination(answer, test, live);
    const moves = result.destination === undefined || !sameDestination(before, result.destination);
    return { ...result, before, moves };
  });
  const trust: Trust = { calibrated: true, ...calibration.operators };
  return { mode, trust, results, warnings: warningsOf(served) };
}

/** A test as our evaluator sees it. */
interface Own {
  readonly inForce: InForce;
  readonly context: Context;
  readonly evaluation: Evaluation;
}

function evaluated({ source, fields }: RoutingTest, { sets, catalog }: Routing): Own {
  const inForce = rulesInForce(sets, source);
  const context = contextOf(fields, catalog);
  return { inForce, context, evaluation: evaluate(inForce.rules ?? [], context) };
}

function judged(test: RoutingTest, routing: Routing, doubtsOf: (own: Own) => readonly string[]): TestResult {
  const own = evaluated(test, routing);
  const { inForce, evaluation } = own;
  const base = { ...told(test), trace: evaluation.trace };
  if (inForce.rules === undefined) {
    const reasons = ["the files do not hold the rules that decide about this alert"];
    return { ...base, status: "untrusted", destination: undefined, reasons };
  }
  const destination = evaluation.undecided ? undefined : destinationOf(evaluation.rule, inForce);
  const reasons = destination === undefined ? [] : misses(test, destination);
  const doubts = doubtsOf(own);
  const status =
    doubts.length > 0 || destination === undefined ? "untrusted" : reasons.length > 0 ? "failed" : "passed";
  return { ...base, status, destination, reasons: [...reasons, ...doubts] };
}

/** Why our evaluator could not decide; empty when it could. */
function undecided({ undecided: isOpen, trace }: Evaluation): readonly string[] {
  return isOpen ? (trace().at(-1)?.conditions ?? []).flatMap(({ why }) => why ?? []) : [];
}

/** A source that loses its own rules, or has none, falls back: whether the service sees it so is not a matter of course. */
function fallbackDoubts(test: RoutingTest, own: Own, calibration: Calibration, live: LiveRouting): readonly string[] {
  const { source } = test;
  if (source === undefined || own.inForce.scope !== "" || !isLive(test, live)) return [];
  if ((live.sets.sources.get(source) ?? []).length > 0) {
    return [`whether "${source}" falls back to the workspace rules once its own are gone differs between services`];
  }
  const doubt = own.inForce.rules?.length === 0 ? undefined : calibration.fallbackDoubt(source);
  return doubt === undefined ? [] : [doubt];
}

function calibrate(calibration: Calibration, sample: RoutingTest, served: Served, live: LiveRouting): void {
  const { inForce, context, evaluation } = evaluated(sample, live);
  if (sample.source !== undefined && inForce.scope === "" && (inForce.rules ?? []).length > 0) {
    const answered = served.matched || served.trace.length > 0;
    calibration.compareFallback(sample.source, answered);
    if (!answered) return;
  }
  calibration.compare(evaluation, context, served, evaluation.rule?.priority);
}

/** Asks the service about each sample; undefined where it does not know the source. */
async function serveAll(tests: readonly RoutingTest[], asked: Asked): Promise<readonly (Served | undefined)[]> {
  const served: (Served | undefined)[] = [];
  for (let at = 0; at < tests.length; at += asked.parallelism) {
    const some = tests.slice(at, at + asked.parallelism);
    served.push(...(await Promise.all(some.map((test) => serve(test, asked)))));
  }
  return served;
}

async function serve(test: RoutingTest, { evaluator, live }: Asked): Promise<Served | undefined> {
  if (!isLive(test, live)) return undefined;
  const { source, fields } = test;
  try {
    const answer = await evaluator.evaluate({ fields, ...(source === undefined ? {} : { source }) });
    const served = servedEvaluation(answer.body);
    if (served !== undefined) return served;
    const request = { method: "POST", path: "/api/v1/routing/evaluate" };
    throw new UnexpectedAnswer(request, answer.status, `${answer.status} and nothing about a match`);
  } catch (error) {
    // No rule set is in force, neither the source's nor the workspace's.
    if (error instanceof ServiceError && error.status === 422) return NO_RULES;
    throw error;
  }
}

function isLive({ source }: RoutingTest, { state }: LiveRouting): boolean {
  return source === undefined || (state.live("alert_sources") ?? []).some(({ row }) => row.name === source);
}

function withoutSource({ source: _unknown, ...test }: RoutingTest): RoutingTest {
  return test;
}

function servedDestination(served: Served, { source }: RoutingTest, live: LiveRouting): Destination {
  if (!served.matched) return { rule: undefined };
  const { rules = [], scope } = rulesInForce(live.sets, source);
  const rule = rules.find(({ priority }) => priority !== undefined && priority === served.priority);
  const outcome = served.outcome === undefined ? (rule?.outcome ?? {}) : live.outcome(served.outcome);
  const place = rule === undefined ? undefined : rules.indexOf(rule) + 1;
  return { rule: { scope, place, label: rule?.label, outcome } };
}

function destinationOf(rule: Rule | undefined, { rules = [], scope }: InForce): Destination {
  if (rule === undefined) return { rule: undefined };
  return { rule: { scope, place: rules.indexOf(rule) + 1, label: rule.label, outcome: rule.outcome } };
}

function servedTrace(served: Served, { source, fields }: RoutingTest, live: LiveRouting): readonly RuleStep[] {
  const { rules = [] } = rulesInForce(live.sets, source);
  const places = new Map(rules.map(({ priority }, at) => [priority, at] as const).reverse());
  return served.trace.map(({ priority, skipped, matched, conditions }, index) => {
    const at = places.get(priority) ?? index;
    const rule = places.has(priority) ? rules[at] : undefined;
    return {
      place: at + 1,
      ...(rule?.label === undefined ? {} : { label: rule.label }),
      skipped,
      matched,
      conditions: conditions.map(({ actual, ...condition }) => ({
        ...condition,
        actual: actual ?? null,
        derived: actual !== undefined && !Object.hasOwn(fields, condition.field),
      })),
    };
  });
}

/** The parts of a test that its result repeats. */
function told({
  name,
  source,
  fields,
  at,
  expect,
  forbid,
}: RoutingTest): Pick<TestResult, "name" | "source" | "fields" | "at" | "wanted"> {
  return {
    name,
    ...(source === undefined ? {} : { source }),
    fields,
    at,
    wanted: { ...(expect === undefined ? {} : { expect }), forbid },
  };
}

function warningsOf(served: readonly (Served | undefined)[]): readonly string[] {
  return [...new Set(served.flatMap((answer) => answer?.warnings ?? []))];
}
