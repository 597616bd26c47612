/** Analyzers and their findings. */

import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import type { PlannedWorkspace } from "./planned-workspace.ts";

/** A rule about a whole configuration, as data for reports and docs. */
export interface AnalyzerRule {
  /** Id that no other rule ever gets: `A004`. */
  readonly id: string;
  /** Two or three words in kebab case. */
  readonly name: string;
  /** Severity of its findings, unless a finding has its own. */
  readonly severity: Diagnostic["severity"];
  /** The problem, in one sentence. */
  readonly title: string;
  /** The harm that it does. */
  readonly why: string;
  /** The remedy, in the imperative. */
  readonly fix: string;
}

/** A rule with the function that finds violations. */
export interface Analyzer extends AnalyzerRule {
  find(workspace: PlannedWorkspace): Iterable<Hit>;
}

/** One violation of a rule. */
export interface Hit {
  /** The problem at this place, as a clause without a full stop. */
  readonly message: string;
  /** Address of the resource. */
  readonly address: string;
  readonly at?: Location | undefined;
  /** Start of the resource; a waiver for this line applies too. */
  readonly resourceAt?: Location | undefined;
  /** The template that made the value out of another file; many hits of one template become one. */
  readonly madeAt?: Location | undefined;
  readonly related?: Diagnostic["related"];
  /** The remedy, if it is another than that of the rule. */
  readonly help?: string | undefined;
  /** Severity, if it differs from that of the rule. */
  readonly severity?: Diagnostic["severity"];
}

/** A violation, as reports show it. */
export interface Finding extends Diagnostic {
  /** The waiver that applies to it. */
  readonly waived?: { readonly until: string; readonly reason: string; readonly at: Location };
}
