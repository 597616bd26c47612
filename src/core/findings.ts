/** Collects errors and warnings, so that all errors of a configuration are reported together. */

import type { Diagnostic, Location } from "./diagnostic.ts";
import { groupFindings } from "./group-findings.ts";
import { allowedSentence, didYouMean } from "./suggest.ts";

/** Optional parts of a finding. */
export interface FindingDetails {
  readonly related?: Diagnostic["related"];
  readonly help?: string | undefined;
  readonly correction?: string | undefined;
  readonly madeAt?: Location | undefined;
}

/** Guesses take time, and nobody reads more than this many. */
const GUESSES = 100;

/** Stages of a load in their order: findings of one stage can cause those of the next. */
const STAGES = ["files", "values", "references"] as const;

type Stage = (typeof STAGES)[number];

/** A finding with its stage. */
interface StagedFinding {
  readonly stage: Stage;
  readonly finding: Diagnostic;
}

/** Errors and warnings without duplicates. {@link list} returns them by stage, file, line and column: causes come first. */
export class Findings {
  readonly #findings: Map<string, StagedFinding>;
  readonly #address: string | undefined;
  readonly #stage: Stage;

  constructor(address?: string, stage: Stage = "values", findings: Map<string, StagedFinding> = new Map()) {
    this.#address = address;
    this.#stage = stage;
    this.#findings = findings;
  }

  /** The same collection, for findings about a resource. */
  about(address: string | undefined): Findings {
    return new Findings(address, this.#stage, this.#findings);
  }

  /** The same collection, for findings of a stage. */
  during(stage: Stage): Findings {
    return new Findings(this.#address, stage, this.#findings);
  }

  /** The number of different errors so far. */
  get errorCount(): number {
    let count = 0;
    for (const { finding } of this.#findings.values()) if (finding.severity === "error") count += 1;
    return count;
  }

  /** A guess at the intended word, as a sentence; undefined if none is near, or after many findings. */
  guess(word: string, candidates: Iterable<string>): string | undefined {
    return this.#findings.size < GUESSES ? didYouMean(word, candidates) : undefined;
  }

  /** The values that are allowed, as a sentence, and before it a guess at the intended one. */
  allowed(word: string, values: readonly string[]): string {
    const guess = this.guess(word, values);
    return guess === undefined ? allowedSentence(values) : `${guess} ${allowedSentence(values)}`;
  }

  error(code: string, message: string, at: Location | undefined, details: FindingDetails = {}): void {
    this.#add("error", code, message, at, details);
  }

  warning(code: string, message: string, at: Location | undefined, details: FindingDetails = {}): void {
    this.#add("warning", code, message, at, details);
  }

  list(severity: Diagnostic["severity"]): readonly Diagnostic[] {
    return STAGES.flatMap((stage) => {
      const staged = [...this.#findings.values()].filter((one) => one.stage === stage);
      const findings = staged.flatMap(({ finding }) => (finding.severity === severity ? [finding] : []));
      return groupFindings(findings.sort(byPlace)).toSorted(byPlace);
    });
  }

  #add(
    severity: Diagnostic["severity"],
    code: string,
    message: string,
    at: Location | undefined,
    details: FindingDetails,
  ): void {
    const name = `${code} ${at?.file}:${at?.line}:${at?.column} ${message}`;
    if (this.#findings.has(name)) return;
    const finding: Diagnostic = {
      severity,
      code,
      message,
      ...(at === undefined ? {} : { at }),
      ...(this.#address === undefined ? {} : { address: this.#address }),
      ...(details.related === undefined ? {} : { related: details.related }),
      ...(details.help === undefined ? {} : { help: details.help }),
      ...(details.correction === undefined ? {} : { correction: details.correction }),
      ...(details.madeAt === undefined ? {} : { madeAt: details.madeAt }),
    };
    this.#findings.set(name, { stage: this.#stage, finding });
  }
}

function byPlace(left: Diagnostic, right: Diagnostic): number {
  if (left.at === undefined || right.at === undefined)
    return Number(left.at !== undefined) - Number(right.at !== undefined);
  if (left.at.file !== right.at.file) return left.at.file < right.at.file ? -1 : 1;
  return left.at.line - right.at.line || left.at.column - right.at.column;
}
