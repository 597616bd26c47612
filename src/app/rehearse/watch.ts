/** Watches sample alerts during an apply: their outcomes at the start, after every write of routing rules, and at the end. */

import { canonical, type Fields, fieldsIn } from "../../core/json.ts";
import { type SecretParts, shownOutcome } from "../../preview/routing-tests/secret-parts.ts";
import { readServiceEvaluation } from "../../preview/routing-tests/service-evaluation.ts";
import { rowsOf } from "../../service/lists/envelope.ts";
import type { Evaluator } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import type { SampleOutcome, SampleResult } from "../../view/rehearsal/rehearsal.ts";
import type { OutcomeDecoder } from "./outcome-keys.ts";
import type { NamedSample } from "./samples.ts";

/** The outcome of a sample at one time; undefined if the source takes no alerts (404) or the outcome is unknown. */
interface ObservedOutcome {
  /** Id of the last operation; empty at the start. */
  readonly operation: string;
  readonly answer: SampleOutcome | undefined;
}

const SOURCES = "/api/v1/alert_sources";

/** Outcomes of every sample alert on one replica, over time. */
export class SampleWatch {
  readonly #samples: readonly NamedSample[];
  readonly #evaluator: Evaluator;
  readonly #secrets: SecretParts;
  readonly #observed: readonly ObservedOutcome[][];
  /** Ids of the sources at the start, by name. */
  #ids: ReadonlyMap<string, string> | undefined;

  /** Results do not have the values of the secret parts of rules. */
  constructor(samples: readonly NamedSample[], evaluator: Evaluator, secrets: SecretParts) {
    this.#secrets = secrets;
    this.#samples = samples;
    this.#evaluator = evaluator;
    this.#observed = samples.map(() => []);
  }

  /** Sends every sample; `operation` is the last one. */
  async sendSamples(operation: string): Promise<void> {
    const now = await this.#sources();
    this.#ids ??= now;
    const names = new Map([...now].map(([name, id]) => [id, name]));
    for (const [index, sample] of this.#samples.entries()) {
      const id = this.#ids.get(sample.source ?? "");
      // A renamed source keeps its id and its alerts; what becomes of one that was not live at the start, its name tells.
      const source = sample.source === undefined ? undefined : id === undefined ? sample.source : names.get(id);
      const isRemoved = sample.source !== undefined && (source === undefined || !now.has(source));
      const answer = isRemoved ? undefined : await this.#answer(sample.fields, source);
      this.#observed[index]?.push({ operation, answer });
    }
  }

  /** Returns the result of each sample. `exposed` tells whether a scope has an accepted routing window. */
  results(exposed: (source: string | undefined) => boolean, decode: OutcomeDecoder): readonly SampleResult[] {
    const shown = (answer: SampleOutcome | undefined): SampleOutcome | undefined =>
      answer === undefined || answer === null ? answer : fieldsIn(shownOutcome(decode(answer), this.#secrets));
    return this.#samples.map((sample, index) => {
      const outcomes = this.#observed[index] ?? [];
      const [first, last] = [outcomes.at(0)?.answer, outcomes.at(-1)?.answer];
      // Until a source that goes is removed, its alerts may have the outcome of the new rules.
      const lastServed = outcomes.findLast(({ answer }) => answer !== undefined)?.answer;
      const known = [first, last, lastServed].map(text);
      // A source that does not exist at the start has no alerts yet.
      const others = first === undefined ? [] : outcomes.filter(({ answer }) => !known.includes(text(answer)));
      const { name, source, fields } = sample;
      const moves = text(first ?? null) !== text(last ?? null) || (first !== undefined && last === undefined);
      return {
        ...{ name, fields, ...(source === undefined ? {} : { source }) },
        ...{ before: shown(first), after: shown(last), moves },
        others: others.map(({ operation, answer }) => ({ operation, answer: shown(answer) })),
        exposed: exposed(source),
      };
    });
  }

  async #sources(): Promise<ReadonlyMap<string, string>> {
    if (this.#samples.every(({ source }) => source === undefined)) return new Map();
    const answer = await this.#evaluator.get({ path: SOURCES, purpose: "page" });
    const rows = rowsOf({ method: "GET", path: SOURCES }, answer, "alert_sources");
    // A disabled source answers as one that does not exist.
    return new Map(rows.filter(({ enabled }) => enabled !== false).map(({ name, id }) => [String(name), String(id)]));
  }

  async #answer(fields: NamedSample["fields"], source: string | undefined): Promise<SampleOutcome | undefined> {
    try {
      const { body } = await this.#evaluator.evaluate({ fields, ...(source === undefined ? {} : { source }) });
      const served = readServiceEvaluation(body);
      return served === undefined ? undefined : (served.outcome ?? null);
    } catch (error) {
      // There is no rule set: the outcome is the same as without a matching rule.
      if (error instanceof ServiceError && error.status === 422) return null;
      throw error;
    }
  }
}

function text(answer: Fields | null | undefined): string {
  return answer === undefined ? "" : canonical(answer);
}
