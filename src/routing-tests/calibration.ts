/**
 * How far our own evaluation may be believed: each sample is evaluated on the live rules by us and by the service, and only
 * what both did alike is trusted. What never occurred is not trusted either.
 */

import { verdict } from "../routing/condition.ts";
import type { Context } from "../routing/context.ts";
import type { ConditionStep, Evaluation } from "../routing/evaluate.ts";
import type { Served } from "./service-evaluation.ts";

/** What came of the comparisons of one thing. */
interface Experience {
  agreed: number;
  /** The first disagreement in words. */
  disagreed?: string;
}

/** What was learned by comparing; `trusts` and `doubt` answer for what was seen until then. */
export class Calibration {
  readonly #operators = new Map<string, Experience>();
  readonly #fields = new Map<string, Experience>();
  readonly #sources = new Map<string, Experience>();
  #disagreements = 0;

  /** Takes in one sample that was evaluated both ways on the live rules. */
  compare(own: Evaluation, context: Context, served: Served, priority: number | undefined): void {
    const before = this.#disagreements;
    this.#compareFields(context, served);
    this.#compareConditions(served);
    if (own.undecided || this.#disagreements > before) return;
    const alike = served.matched === (own.rule !== undefined) && (!served.matched || served.priority === priority);
    const told = served.trace.some(({ conditions }) => conditions.length > 0);
    for (const { operator } of own.trace().flatMap(({ conditions }) => conditions)) {
      if (!alike) this.#disagree(this.#operators, operator, "the service found another rule than this program");
      else if (!told) this.#agree(this.#operators, operator);
    }
  }

  /** Takes in whether a source without rules of its own was answered by the workspace's. */
  compareFallback(source: string, agreed: boolean): void {
    if (agreed) this.#agree(this.#sources, source);
    else this.#disagree(this.#sources, source, `the service does not let "${source}" fall back to the workspace rules`);
  }

  /** Operators that both evaluated alike, and those that they did not. */
  get operators(): { readonly trusted: readonly string[]; readonly doubted: readonly string[] } {
    const names = [...this.#operators.keys()].sort();
    const trusted = names.filter((name) => this.#operators.get(name)?.disagreed === undefined);
    return { trusted, doubted: names.filter((name) => !trusted.includes(name)) };
  }

  /** Why the fallback of a source is not to be relied on; undefined when it is. */
  fallbackDoubt(source: string): string | undefined {
    return doubtIn(this.#sources, source, `whether "${source}" falls back to the workspace rules was never seen`);
  }

  /** Why an evaluation is not to be relied on; empty when it is. */
  doubts({ trace }: Evaluation): readonly string[] {
    const found = trace()
      .filter(({ skipped }) => !skipped)
      .flatMap(({ conditions, matched }) => {
        const doubtful = conditions.map((condition) => ({ condition, doubt: this.#doubt(condition) }));
        // One failure beyond doubt decides, whatever the other conditions come to.
        if (matched === false && doubtful.some(({ condition, doubt }) => condition.matched === false && !doubt))
          return [];
        return doubtful.flatMap(({ condition, doubt }) =>
          doubt === undefined || (matched === false && condition.matched === true) ? [] : [doubt],
        );
      });
    return [...new Set(found)];
  }

  #doubt({ field, operator, derived, why }: ConditionStep): string | undefined {
    if (why !== undefined) return why;
    const doubt = doubtIn(this.#operators, operator, `the live rules never used ${operator} on these samples`);
    if (doubt !== undefined) return doubt;
    if (derived) return doubtIn(this.#fields, field, `the service was never seen to take ${field} from the catalog`);
    return this.#fields.get(field)?.disagreed;
  }

  /** An operator is judged by the text that the service saw, so that what it makes of the catalog does not count here. */
  #compareConditions({ trace }: Served): void {
    for (const { field, operator, value, actual, matched } of trace.flatMap(({ conditions }) => conditions)) {
      const own = verdict({ operator, value }, actual).matched;
      if (matched === undefined || own === undefined) continue;
      if (own === matched) this.#agree(this.#operators, operator);
      else
        this.#disagree(this.#operators, operator, `the service evaluates ${operator} differently, on field ${field}`);
    }
  }

  #compareFields(context: Context, served: Served): void {
    const shown = served.trace.flatMap(({ conditions }) =>
      conditions.map(({ field, actual }) => [field, actual] as const),
    );
    const seen = new Map<string, string | undefined>([...(served.context ?? []), ...shown]);
    const derived = [...context].flatMap(([name, { from }]) => (from === "catalog" ? [name] : []));
    const names = served.context === undefined ? seen.keys() : [...seen.keys(), ...derived];
    for (const name of new Set(names)) {
      const own = context.get(name);
      if (own?.text === seen.get(name)) {
        if (own?.from === "catalog") this.#agree(this.#fields, name);
      } else {
        this.#disagree(this.#fields, name, `the service knows another text for ${name} than this program`);
      }
    }
  }

  #agree(records: Map<string, Experience>, name: string): void {
    recordOf(records, name).agreed += 1;
  }

  #disagree(records: Map<string, Experience>, name: string, why: string): void {
    recordOf(records, name).disagreed ??= why;
    this.#disagreements += 1;
  }
}

function recordOf(records: Map<string, Experience>, name: string): Experience {
  const known = records.get(name) ?? { agreed: 0 };
  records.set(name, known);
  return known;
}

function doubtIn(records: ReadonlyMap<string, Experience>, name: string, unseen: string): string | undefined {
  const record = records.get(name);
  return record === undefined ? unseen : record.disagreed;
}
