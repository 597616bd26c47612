/** The settings file `incidentctl.yaml`, as values. */

import type { RemovalLimit } from "../../core/flag-values.ts";
import type { Fields } from "../../core/json.ts";

/** What "not listed" does to an entry of a managed kind. */
export type RemovalPolicy = "keep" | "disable" | "delete" | "disable_or_delete";

/** Settings after the chosen environment is laid over them. */
export interface Settings {
  /** Scheme, host and port that the token may be sent to; undefined when no settings file says. */
  readonly baseUrl?: string;
  /** Configuration directories and files, absolute. */
  readonly config: readonly string[];
  readonly removal: { readonly default: RemovalPolicy; readonly kinds: Readonly<Record<string, RemovalPolicy>> };
  readonly maxRemovals?: RemovalLimit;
  /** Requests per minute to stay under. */
  readonly requestsPerMinute: number;
  /** Address patterns whose entries are never removed, disabled or replaced; `*` stands for any text. */
  readonly protected: readonly string[];
  /** `routing.holding_outcome`: what happens to alerts while a source changes over to rules of its own, or back. */
  readonly holdingOutcome?: Fields;
  /** The environment that was chosen. */
  readonly environment?: string;
  readonly vars: Readonly<Record<string, string | number | boolean>>;
  /** Directory of the settings file, or of the configuration: `.incidentctl/` lies here. */
  readonly home: string;
}
