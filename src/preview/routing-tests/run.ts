/** Runs routing tests on the live rules by the service, or on the declared rules offline, calibrated by the service if there is one. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { RoutingTest } from "../../config/resources/routing-tests.ts";
import { checkLiveReferences } from "../../config/rules/routing-tests.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { MASK } from "../../core/value-text.ts";
import { type AlertContext, buildContext } from "../../kinds/routing/context.ts";
import { evaluate, type RoutingEvaluation, type RuleStep } from "../../kinds/routing/evaluate.ts";
import { type Destination, findMismatches, isSameDestination } from "../../kinds/routing/expectation.ts";
import { type EffectiveRules, effectiveRules, type RoutingRule } from "../../kinds/routing/rules.ts";
import type { Evaluator } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import { UnexpectedResponse } from "../../service/requests/unexpected-response.ts";
import { Calibration } from "./calibration.ts";
import type { TestResult, TestRun, Trust } from "./result.ts";
import { type LiveRouting, type Routing, readRouting } from "./rule-lists.ts";
import { hasSecretConditions, shownOutcome } from "./secret-parts.ts";
import { NO_RULES, readServiceEvaluation, type ServiceEvaluation } from "./service-evaluation.ts";

/** A service that evaluates alerts, and its routing rules. */
export interface LiveRoutingService {
  readonly evaluator: Evaluator;
  readonly live: LiveRouting;
  /** Evaluations in flight at a time. */
  readonly parallelism: number;
}

/** Reads the live rules that tests need. Throws `InvalidConfiguration` if a test is about something that is not live. */
export async function readLiveRouting(
  tests: readonly RoutingTest[],
  configuration: Configuration,
  evaluator: Evaluator,
  parallelism: number,
): Promise<LiveRoutingService> {
  const sources = [...new Set(tests.flatMap(({ source }) => source ?? []))];
  const live = await readRouting(evaluator, configuration, sources, parallelism);
  const findings = new Findings();
  checkLiveReferences(tests, configuration, (kind) => (live.state.live(kind) ?? []).map(({ key }) => key), findings);
  const errors = findings.list("error");
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  return { evaluator, live, parallelism };
}

/** Runs every test against the live rules. */
export async function runLive(tests: readonly RoutingTest[], service: LiveRoutingService): Promise<TestRun> {
  const evaluations = await evaluateAllLive(tests, service);
  const results = tests.map((test, index): TestResult => {
    const evaluation = evaluations[index];
    if (evaluation === undefined) {
      const why = `the workspace has no alert source "${test.source ?? ""}"`;
      return { ...describeTest(test), status: "failed", destination: undefined, reasons: [why], trace: () => [] };
    }
    const destination = liveDestination(evaluation, test, service.live);
    const reasons = findMismatches(test, destination);
    const status = reasons.length === 0 ? "passed" : "failed";
    const trace = () => liveTrace(evaluation, test, service.live);
    return { ...describeTest(test), status, destination, reasons, trace };
  });
  return { mode: "live", results, warnings: warningsOf(evaluations) };
}

/** Runs every test against the planned rules, offline; a service calibrates the evaluation. */
export async function runPlanned(
  mode: "offline" | "compare",
  tests: readonly RoutingTest[],
  planned: Routing,
  service: LiveRoutingService | { readonly why: string },
): Promise<TestRun> {
  if ("why" in service) {
    const results = tests.map((test) => testOffline(test, planned, (own) => undecidedReasons(own.evaluation)));
    return { mode, trust: { calibrated: false, why: service.why }, results, warnings: [] };
  }
  const { live } = service;
  // For a source that the service does not have yet, the workspace rules are evaluated, to calibrate operators.
  const samples = tests.map((test) => (isLive(test, live) ? test : dropSource(test)));
  const evaluations = await evaluateAllLive(samples, service);
  const calibration = new Calibration();
  for (const [index, sample] of samples.entries()) calibrate(calibration, sample, evaluations[index] ?? NO_RULES, live);
  const results = tests.map((test, index): TestResult => {
    const result = testOffline(test, planned, (own) => [
      ...calibration.doubts(own.evaluation),
      ...fallbackDoubts(test, own, calibration, live),
    ]);
    const evaluation = isLive(test, live) ? evaluations[index] : undefined;
    if (mode === "offline" || evaluation === undefined) return result;
    const before = liveDestination(evaluation, test, live);
    const moves = result.destination === undefined || !isSameDestination(before, result.destination);
    return { ...result, before, moves };
  });
  const trust: Trust = { calibrated: true, ...calibration.operators };
  return { mode, trust, results, warnings: warningsOf(evaluations) };
}

/** The offline evaluation of a test. */
interface OwnEvaluation {
  readonly effective: EffectiveRules;
  readonly context: AlertContext;
  readonly evaluation: RoutingEvaluation;
}

function evaluateOffline({ source, fields }: RoutingTest, { sets, catalog }: Routing): OwnEvaluation {
  const effective = effectiveRules(sets, source);
  const context = buildContext(fields, catalog);
  return { effective, context, evaluation: evaluate(effective.rules ?? [], context) };
}

function testOffline(
  test: RoutingTest,
  routing: Routing,
  doubtsOf: (own: OwnEvaluation) => readonly string[],
): TestResult {
  const own = evaluateOffline(test, routing);
  const { effective, evaluation } = own;
  const base = { ...describeTest(test), trace: evaluation.trace };
  if (effective.rules === undefined) {
    const reasons = ["the configuration does not have the rules that apply to this alert"];
    return { ...base, status: "untrusted", destination: undefined, reasons };
  }
  const destination = evaluation.isUndecided ? undefined : destinationOf(evaluation.rule, effective, routing);
  const reasons = destination === undefined ? [] : findMismatches(test, destination);
  const doubts = doubtsOf(own);
  const status =
    doubts.length > 0 || destination === undefined ? "untrusted" : reasons.length > 0 ? "failed" : "passed";
  return { ...base, status, destination, reasons: [...reasons, ...doubts] };
}

/** The reasons why an evaluation is undecided. */
function undecidedReasons({ isUndecided, trace }: RoutingEvaluation): readonly string[] {
  return isUndecided ? (trace().at(-1)?.conditions ?? []).flatMap(({ why }) => why ?? []) : [];
}

/** Doubts about the fallback of a source that has or will have no rules of its own: services differ. */
function fallbackDoubts(
  test: RoutingTest,
  own: OwnEvaluation,
  calibration: Calibration,
  live: LiveRouting,
): readonly string[] {
  const { source } = test;
  if (source === undefined || own.effective.scope !== "" || !isLive(test, live)) return [];
  if ((live.sets.sources.get(source) ?? []).length > 0) {
    return [`services differ on whether "${source}" falls back to the workspace rules when its own rules are removed`];
  }
  const doubt = own.effective.rules?.length === 0 ? undefined : calibration.fallbackDoubt(source);
  return doubt === undefined ? [] : [doubt];
}

function calibrate(
  calibration: Calibration,
  sample: RoutingTest,
  evaluated: ServiceEvaluation,
  live: LiveRouting,
): void {
  const { effective, context, evaluation } = evaluateOffline(sample, live);
  if (sample.source !== undefined && effective.scope === "" && (effective.rules ?? []).length > 0) {
    const fellBack = evaluated.matched || evaluated.trace.length > 0;
    calibration.compareFallback(sample.source, fellBack);
    if (!fellBack) return;
  }
  calibration.compare(evaluation, context, evaluated, evaluation.rule?.priority);
}

/** The evaluation of each sample by the service; undefined if the service does not have its source. */
async function evaluateAllLive(
  tests: readonly RoutingTest[],
  service: LiveRoutingService,
): Promise<readonly (ServiceEvaluation | undefined)[]> {
  const evaluations: (ServiceEvaluation | undefined)[] = [];
  for (let at = 0; at < tests.length; at += service.parallelism) {
    const batch = tests.slice(at, at + service.parallelism);
    evaluations.push(...(await Promise.all(batch.map((test) => evaluateLive(test, service)))));
  }
  return evaluations;
}

async function evaluateLive(
  test: RoutingTest,
  { evaluator, live }: LiveRoutingService,
): Promise<ServiceEvaluation | undefined> {
  if (!isLive(test, live)) return undefined;
  const { source, fields } = test;
  try {
    const response = await evaluator.evaluate({ fields, ...(source === undefined ? {} : { source }) });
    const evaluation = readServiceEvaluation(response.body);
    if (evaluation !== undefined) return evaluation;
    const request = { method: "POST", path: "/api/v1/routing/evaluate" };
    throw new UnexpectedResponse(request, response.status, `${response.status} without the field matched`);
  } catch (error) {
    // Neither the source nor the workspace has rules.
    if (error instanceof ServiceError && error.status === 422) return NO_RULES;
    throw error;
  }
}

function isLive({ source }: RoutingTest, { state }: LiveRouting): boolean {
  return source === undefined || (state.live("alert_sources") ?? []).some(({ row }) => row.name === source);
}

function dropSource({ source: _unknown, ...test }: RoutingTest): RoutingTest {
  return test;
}

function liveDestination(evaluated: ServiceEvaluation, { source }: RoutingTest, live: LiveRouting): Destination {
  if (!evaluated.matched) return { rule: undefined };
  const { rules = [], scope } = effectiveRules(live.sets, source);
  const rule = rules.find(({ priority }) => priority !== undefined && priority === evaluated.priority);
  const outcome = evaluated.outcome === undefined ? (rule?.outcome ?? {}) : live.outcome(evaluated.outcome);
  const place = rule === undefined ? undefined : rules.indexOf(rule) + 1;
  return { rule: { scope, place, label: rule?.label, outcome, shownOutcome: shownOutcome(outcome, live.secrets) } };
}

function destinationOf(
  rule: RoutingRule | undefined,
  { rules = [], scope }: EffectiveRules,
  { secrets }: Routing,
): Destination {
  if (rule === undefined) return { rule: undefined };
  const { label, outcome } = rule;
  const place = rules.indexOf(rule) + 1;
  return { rule: { scope, place, label, outcome, shownOutcome: shownOutcome(outcome, secrets) } };
}

function liveTrace(
  evaluated: ServiceEvaluation,
  { source, fields }: RoutingTest,
  live: LiveRouting,
): readonly RuleStep[] {
  const { rules = [], scope } = effectiveRules(live.sets, source);
  const places = new Map(rules.map(({ priority }, at) => [priority, at] as const).reverse());
  return evaluated.trace.map(({ priority, skipped, matched, conditions }, index) => {
    const at = places.get(priority) ?? index;
    const rule = places.has(priority) ? rules[at] : undefined;
    const isSecret = hasSecretConditions(live.secrets, scope, rule?.label);
    return {
      place: at + 1,
      ...(rule?.label === undefined ? {} : { label: rule.label }),
      skipped,
      matched,
      conditions: conditions.map(({ actual = null, value, ...condition }) => {
        const derived = actual !== null && !Object.hasOwn(fields, condition.field);
        const shown = {
          field: isSecret && live.secrets.hasSecretField ? MASK : condition.field,
          value: isSecret ? MASK : value,
          actual: derived && live.secrets.derived.has(condition.field) ? MASK : actual,
        };
        return { ...condition, ...shown, derived };
      }),
    };
  });
}

/** The parts of a test that are in its result. */
function describeTest(test: RoutingTest): Pick<TestResult, "name" | "source" | "fields" | "at" | "expected"> {
  const { name, source, fields, at } = test;
  return { name, source, fields, at, expected: test };
}

function warningsOf(evaluations: readonly (ServiceEvaluation | undefined)[]): readonly string[] {
  return [...new Set(evaluations.flatMap((evaluation) => evaluation?.warnings ?? []))];
}
