/** Watches sample alerts while a plan is applied: what becomes of each at the start, after every write, and at the end. */

import type { Evaluator } from "../api/http/connection.ts";
import { rowsOf } from "../api/read/envelope.ts";
import { ServiceError } from "../api/read/service-error.ts";
import { canonical, type Fields } from "../core/json.ts";
import { readServiceEvaluation } from "../routing-tests/service-evaluation.ts";
import type { Answer, SampleResult } from "./rehearsal.ts";
import type { NamedSample } from "./samples.ts";

/** An answer; undefined where the source does not exist, or nobody can tell. */
interface Seen {
  /** Id of the operation before it; empty at the start. */
  readonly operation: string;
  readonly answer: Answer | undefined;
}

const SOURCES = "/api/v1/alert_sources";

/** The history of every sample on one replica. */
export class Watch {
  readonly #samples: readonly NamedSample[];
  readonly #evaluator: Evaluator;
  readonly #seen: readonly Seen[][];
  /** Ids of the sources that exist at the start, by their names then. */
  #ids: ReadonlyMap<string, string> | undefined;

  constructor(samples: readonly NamedSample[], evaluator: Evaluator) {
    this.#samples = samples;
    this.#evaluator = evaluator;
    this.#seen = samples.map(() => []);
  }

  /** Sends every sample; `operation` is the one that was carried out last. */
  async look(operation: string): Promise<void> {
    const now = await this.#sources();
    this.#ids ??= now;
    const names = new Map([...now].map(([name, id]) => [id, name]));
    for (const [index, sample] of this.#samples.entries()) {
      const id = this.#ids.get(sample.source ?? "");
      // A renamed source keeps its id, and the alerts that it sends.
      const source = sample.source === undefined ? undefined : id === undefined ? sample.source : names.get(id);
      const gone = sample.source !== undefined && (source === undefined || !now.has(source));
      const answer = gone ? undefined : await this.#answer(sample.fields, source);
      this.#seen[index]?.push({ operation, answer });
    }
  }

  /** What became of each sample. `exposed` tells the scopes whose windows were accepted. */
  results(exposed: (source: string | undefined) => boolean): readonly SampleResult[] {
    return this.#samples.map((sample, index) => {
      const seen = this.#seen[index] ?? [];
      const [first, last] = [seen.at(0)?.answer, seen.at(-1)?.answer];
      const known = [text(first), text(last)];
      // Nobody sends alerts to a source that is only being made.
      const others = first === undefined ? [] : seen.filter(({ answer }) => !known.includes(text(answer)));
      const { name, source, fields } = sample;
      const told = { name, fields, ...(source === undefined ? {} : { source }) };
      return { ...told, before: first, after: last, others, exposed: exposed(source) };
    });
  }

  async #sources(): Promise<ReadonlyMap<string, string>> {
    if (this.#samples.every(({ source }) => source === undefined)) return new Map();
    const answer = await this.#evaluator.get({ path: SOURCES, purpose: "page" });
    const rows = rowsOf({ method: "GET", path: SOURCES }, answer, "alert_sources");
    return new Map(rows.map(({ name, id }) => [String(name), String(id)]));
  }

  async #answer(fields: NamedSample["fields"], source: string | undefined): Promise<Answer | undefined> {
    try {
      const { body } = await this.#evaluator.evaluate({ fields, ...(source === undefined ? {} : { source }) });
      const served = readServiceEvaluation(body);
      return served === undefined ? undefined : (served.outcome ?? null);
    } catch (error) {
      // No rule set is in force: nothing becomes of the alert, as if no rule had matched.
      if (error instanceof ServiceError && error.status === 422) return null;
      throw error;
    }
  }
}

function text(answer: Fields | null | undefined): string {
  return answer === undefined ? "" : canonical(answer);
}
