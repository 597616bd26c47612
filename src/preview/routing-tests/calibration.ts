/**
 * Calibration of the offline evaluation: each sample is evaluated on the live rules offline and by the service. An operator, a field from
 * the catalog or a fallback is trusted if both always agreed on it, and not if it never occurred.
 */

import { evaluateCondition } from "../../kinds/routing/condition.ts";
import type { AlertContext } from "../../kinds/routing/context.ts";
import type { ConditionStep, RoutingEvaluation } from "../../kinds/routing/evaluate.ts";
import type { ServiceEvaluation } from "./service-evaluation.ts";

/** The compared operators, fields or sources → the first disagreement, as a message; undefined if both always agreed. */
type Comparisons = Map<string, string | undefined>;

/** The comparisons so far, and the doubts that follow from them. */
export class Calibration {
  readonly #operators: Comparisons = new Map();
  readonly #fields: Comparisons = new Map();
  readonly #sources: Comparisons = new Map();
  #disagreements = 0;

  /** Compares the two evaluations of one sample on the live rules. */
  compare(
    own: RoutingEvaluation,
    context: AlertContext,
    served: ServiceEvaluation,
    priority: number | undefined,
  ): void {
    const before = this.#disagreements;
    this.#compareFields(context, served);
    this.#compareConditions(served);
    if (own.isUndecided || this.#disagreements > before) return;
    const isSame = served.matched === (own.rule !== undefined) && (!served.matched || served.priority === priority);
    const hasTrace = served.trace.some(({ conditions }) => conditions.length > 0);
    for (const { operator } of own.trace().flatMap(({ conditions }) => conditions)) {
      if (!isSame) this.#disagree(this.#operators, operator, "the service matches another rule than this program");
      else if (!hasTrace) this.#agree(this.#operators, operator);
    }
  }

  /** Records whether the workspace rules applied to a source without its own rules. */
  compareFallback(source: string, fellBack: boolean): void {
    if (fellBack) this.#agree(this.#sources, source);
    else this.#disagree(this.#sources, source, `the service does not let "${source}" fall back to the workspace rules`);
  }

  /** Operators on which both agreed, and operators on which they did not. */
  get operators(): { readonly trusted: readonly string[]; readonly doubted: readonly string[] } {
    const names = [...this.#operators.keys()].sort();
    const trusted = names.filter((name) => this.#operators.get(name) === undefined);
    return { trusted, doubted: names.filter((name) => !trusted.includes(name)) };
  }

  /** The doubt about the fallback of a source; undefined if it is trusted. */
  fallbackDoubt(source: string): string | undefined {
    return doubtAbout(this.#sources, source, `no sample shows whether "${source}" falls back to the workspace rules`);
  }

  /** The doubts about an evaluation. */
  doubts({ trace }: RoutingEvaluation): readonly string[] {
    const doubts = trace()
      .filter(({ skipped }) => !skipped)
      .flatMap(({ conditions, matched }) => {
        const doubtful = conditions.map((condition) => ({ condition, doubt: this.#doubt(condition) }));
        // One certain failure decides, whatever the other conditions are.
        if (matched === false && doubtful.some(({ condition, doubt }) => condition.matched === false && !doubt))
          return [];
        return doubtful.flatMap(({ condition, doubt }) =>
          doubt === undefined || (matched === false && condition.matched === true) ? [] : [doubt],
        );
      });
    return [...new Set(doubts)];
  }

  #doubt({ field, operator, derived, why }: ConditionStep): string | undefined {
    if (why !== undefined) return why;
    const doubt = doubtAbout(this.#operators, operator, `the live rules never use ${operator} on these samples`);
    if (doubt !== undefined) return doubt;
    if (derived)
      return doubtAbout(this.#fields, field, `no sample shows that the service takes ${field} from the catalog`);
    return this.#fields.get(field);
  }

  /** Compares operators on the text that the service saw, so that differences in the catalog do not count. */
  #compareConditions({ trace }: ServiceEvaluation): void {
    for (const { field, operator, value, actual, matched } of trace.flatMap(({ conditions }) => conditions)) {
      const own = evaluateCondition({ operator, value }, actual).matched;
      if (matched === undefined || own === undefined) continue;
      if (own === matched) this.#agree(this.#operators, operator);
      else
        this.#disagree(this.#operators, operator, `the service evaluates ${operator} differently, on field ${field}`);
    }
  }

  #compareFields(context: AlertContext, served: ServiceEvaluation): void {
    const traced = served.trace.flatMap(({ conditions }) =>
      conditions.map(({ field, actual }) => [field, actual] as const),
    );
    const seen = new Map<string, string | undefined>([...(served.context ?? []), ...traced]);
    const derived = [...context].flatMap(([name, { from }]) => (from === "catalog" ? [name] : []));
    const names = served.context === undefined ? seen.keys() : [...seen.keys(), ...derived];
    for (const name of new Set(names)) {
      const own = context.get(name);
      if (own?.text === seen.get(name)) {
        if (own?.from === "catalog") this.#agree(this.#fields, name);
      } else {
        this.#disagree(this.#fields, name, `the service has another text for ${name} than this program`);
      }
    }
  }

  #agree(comparisons: Comparisons, name: string): void {
    comparisons.set(name, comparisons.get(name));
  }

  #disagree(comparisons: Comparisons, name: string, why: string): void {
    comparisons.set(name, comparisons.get(name) ?? why);
    this.#disagreements += 1;
  }
}

function doubtAbout(comparisons: Comparisons, name: string, unseen: string): string | undefined {
  return comparisons.has(name) ? comparisons.get(name) : unseen;
}
