/** The settings file `incidentctl.yaml`, as values. */

import type { RemovalLimit } from "../../core/flag-values.ts";
import type { Fields } from "../../core/json.ts";
import type { ServiceProfile } from "./service-profile.ts";

/** Policy for live resources of a managed kind that are not in the configuration. */
export type RemovalPolicy = "keep" | "disable" | "delete" | "disable_or_delete";

/** The settings with the values of the chosen environment. */
export interface Settings {
  /** Scheme, host and port that the token may be sent to; absent if the settings have none. */
  readonly baseUrl?: string;
  /** Configuration directories and files, absolute. */
  readonly config: readonly string[];
  readonly removal: { readonly default: RemovalPolicy; readonly kinds: Readonly<Record<string, RemovalPolicy>> };
  readonly maxRemovals?: RemovalLimit;
  /** `base`: the default of `--base`. */
  readonly base?: string;
  /** The maximum of requests per minute. */
  readonly requestsPerMinute: number;
  /** The maximum of incidents that a plan reads to find out whether they use a resource that can be disabled. */
  readonly maxIncidentsRead: number;
  /** Address patterns of resources that are never removed, disabled or replaced; `*` matches any text. */
  readonly protected: readonly string[];
  /** `routing.holding_outcome`: the outcome of alerts while a source changes to rules of its own, or back. */
  readonly holdingOutcome?: Fields;
  /** `service_profile`: what is known about the service. */
  readonly serviceProfile?: ServiceProfile;
  /** The chosen environment. */
  readonly environment?: string;
  /** The names of all environments, in their order. */
  readonly environments: readonly string[];
  readonly vars: Readonly<Record<string, string | number | boolean>>;
  /** The directory of the settings file, or of the configuration. It has `.incidentctl/`. */
  readonly home: string;
}
