/** What an analyzer is, what it finds, and the severities of both. */

import type { Diagnostic, Location } from "../core/diagnostic.ts";
import type { View } from "./view.ts";

/** A rule about a whole configuration, as data for reports and documents. */
export interface Rule {
  /** Never given to another rule: `A004`. */
  readonly id: string;
  /** Two or three words in kebab case. */
  readonly name: string;
  /** The severity of its findings; one that is less certain is a note. */
  readonly severity: Diagnostic["severity"];
  /** One sentence: what is wrong where it finds something. */
  readonly title: string;
  /** Why it matters, most of all at night. */
  readonly why: string;
  /** What to do about it. */
  readonly fix: string;
}

/** A rule with the function that looks for it. */
export interface Analyzer extends Rule {
  find(view: View): Iterable<Hit>;
}

/** One place where a rule finds something. */
export interface Hit {
  /** One sentence about this place. */
  readonly message: string;
  /** What it is about. */
  readonly address: string;
  readonly at?: Location | undefined;
  /** Where the entry starts: a waiver for this line counts too. */
  readonly entry?: Location | undefined;
  readonly related?: Diagnostic["related"];
  /** When it is not the rule's own. */
  readonly severity?: Diagnostic["severity"];
}

/** A finding as reports show it. */
export interface Finding extends Diagnostic {
  readonly address?: string;
  /** Why and until when nobody wants to hear of it. */
  readonly waived?: { readonly until: string; readonly reason: string; readonly at: Location };
}
