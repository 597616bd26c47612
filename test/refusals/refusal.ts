/** A row of the table of refusals: what a service refuses, the smallest configuration that asks for it, and where it is caught. */

import type { Json } from "../../src/core/json.ts";
import type { Dialects } from "../../src/emulator/dialects.ts";

/** A request: method, path below /api/v1, body. `{name.id}` is a field of an earlier response, `{severities.minor}` the id of a live row. */
export type Request = readonly [method: "POST" | "PATCH" | "DELETE", path: string, body?: Json];

/** Where a refusal is caught. */
export type Caught =
  /** `validate` and `plan` refuse the files. */
  | "validate"
  /** Only `plan` knows the live state that makes it a refusal: an error, or a blocked line. */
  | "plan"
  /** The plan leaves the request out: it preserves or disables the resource, or sends another request. */
  | "left out"
  /** Only the service knows: the apply fails and says where. */
  | "service"
  /** Only the service knows: the apply preserves the resource and goes on. */
  | "preserved";

/** One rule by which a service refuses a write. */
export interface Refusal {
  /** The rule, as a sentence about the service. */
  readonly rule: string;
  /** Where the interface states it: its section, or the one of the wire facts. */
  readonly source: string;
  /** YAML in `a.yaml`. The line that the message must name ends with `# here`; it stays a comment. */
  readonly files: string;
  /** The address that the message must name. */
  readonly address: string;
  /** Requests that make the live state, each under a name for later ones. */
  readonly live?: Readonly<Record<string, Request>>;
  /** The request that the configuration asks for, and what the service responds. */
  readonly request: Request;
  readonly status: 400 | 404 | 422;
  /** A part of the service's message. */
  readonly reason: string;
  readonly caught: Caught;
  /** Code of the error, blocked line or warning. */
  readonly code?: string;
  /** Code of the finding with which `validate` warns of it already. */
  readonly warning?: string;
  /** Why only the service knows. */
  readonly why?: string;
  readonly dialects?: Partial<Dialects>;
}
