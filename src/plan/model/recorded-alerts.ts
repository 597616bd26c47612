/** Recorded alerts beside a plan: how many of them it routes differently. They decide about nothing in the plan. */

import type { Fields } from "../../core/json.ts";

/** Recorded alerts, routed before and after a plan. */
export interface RecordedAlerts {
  /** The file, as typed. */
  readonly file: string;
  /** The rules before: those of the workspace, or of the base; absent if there are none to compare with. */
  readonly before?: { readonly from: "workspace" | "base"; readonly name: string };
  readonly alerts: number;
  /** Alerts that get another outcome. */
  readonly changed: number;
  /** Alerts that get the same outcome from another rule. */
  readonly rerouted: number;
  /** Alerts that may change: this cannot be decided offline. */
  readonly undecided: number;
  /** The number of alerts by outcome; `before` is absent if there is nothing to compare with. */
  readonly outcomes: readonly { readonly outcome: string; readonly before?: number; readonly after: number }[];
  /** The most alerts first. */
  readonly changes: readonly AlertChange[];
  /** Assumptions, and probable mistakes in the file. */
  readonly notes: readonly string[];
}

/** Alerts that go from one rule to another. */
export interface AlertChange {
  readonly effect: "changed" | "rerouted" | "undecided";
  readonly before: AlertRoute;
  readonly after: AlertRoute;
  readonly alerts: number;
}

/** Where an alert goes. */
export interface AlertRoute {
  /** `lost`: no alert source takes it. */
  readonly result: "rule" | "no_rule" | "lost" | "undecided";
  /** The alert source that the rule belongs to; null for the workspace. */
  readonly scope?: string | null;
  /** Position of the rule in its list, counted from 1. */
  readonly place?: number;
  /** Name of the rule in the configuration; null if it has none there. */
  readonly rule?: string | null;
  readonly outcome?: Fields;
  /** Why it is undecided. */
  readonly why?: string;
}
