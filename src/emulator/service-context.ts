/** The running service: what its rooms share, and what its workspace begins with. */

import type { Background } from "./background.ts";
import type { Dialects } from "./dialects.ts";
import type { Outbound } from "./rooms/webhooks/outbound.ts";
import type { Database } from "./store/database.ts";
import type { Reference } from "./store/references.ts";

/** What a new workspace holds: the entries of a fresh workspace of the service, or only what cannot be absent. */
export type Workspace = "default" | "bare";

/** What outlives a request: the parts of the running service that rooms and their background work share. */
export interface Service {
  readonly database: Database;
  readonly dialects: Dialects;
  /** The service's clock; tests set it. */
  readonly now: () => Date;
  /** Every way of pointing that any room registered. */
  readonly references: readonly Reference[];
  /** Where work runs that outlives its request. */
  readonly background: Background;
  /** The way out to webhooks. */
  readonly outbound: Outbound;
}
