/** Analyzers and their findings: their places, and which of them fail a command. */

import { locationOf, startOf, templateAt } from "../../config/resources/origins.ts";
import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import type { FailOn } from "../../core/flag-values.ts";
import type { PlannedResource, PlannedWorkspace } from "./planned-workspace.ts";

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
  readonly severity?: Diagnostic["severity"] | undefined;
  /** The workspace was read, and what the plan would write is certainly wrong. */
  readonly refusesPlan?: boolean;
}

/** A violation, as reports show it. */
export interface Finding extends Diagnostic {
  /** No plan is made with it. */
  readonly refusesPlan?: boolean;
  /** The waiver that applies to it. */
  readonly waived?: { readonly until: string; readonly reason: string; readonly at: Location };
}

/** ASCII words with single spaces, which need no normalization. */
const NORMALIZED = /^[!-~]+(?: [!-~]+)*$/;

/** The text without differences in case, white space and Unicode form. */
export function foldedText(text: string): string {
  const spaced = NORMALIZED.test(text) ? text : text.normalize("NFC").trim().replace(/\s+/g, " ");
  return spaced.toLowerCase();
}

/** Address and place of a hit: a field of the resource by its JSON Pointer, or the resource itself. */
export function placeOf(
  { address, declared }: PlannedResource,
  pointer = "",
): Pick<Hit, "address" | "at" | "resourceAt" | "madeAt"> {
  if (declared === undefined) return { address, at: undefined, resourceAt: undefined, madeAt: undefined };
  const { origins } = declared;
  const at = startOf(declared);
  return {
    ...{ address, at: pointer === "" ? at : locationOf(origins, pointer), resourceAt: at },
    madeAt: templateAt(origins, pointer),
  };
}

/** A place of another resource for the `related` of a hit; nothing if the resource is not declared. */
export function relatedPlace({ declared }: PlannedResource, message: string, pointer = ""): Pick<Hit, "related"> {
  if (declared === undefined) return {};
  return { related: [{ message, at: pointer === "" ? startOf(declared) : locationOf(declared.origins, pointer) }] };
}

const FAILING: Readonly<Record<FailOn, readonly Finding["severity"][]>> = {
  error: ["error"],
  warning: ["error", "warning"],
  note: ["error", "warning", "note"],
  never: [],
};

/** Whether a finding fails with `--fail-on`. A waived one never does. */
export function failsAt(failOn: FailOn): (finding: Finding) => boolean {
  const severities = FAILING[failOn];
  return ({ severity, waived }) => waived === undefined && severities.includes(severity);
}
