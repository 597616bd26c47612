/** The context that all modules share. */

import type { Dialects } from "../dialects.ts";
import type { Database } from "../store/database.ts";
import type { ReferenceCounter } from "../store/references.ts";
import type { Background } from "./background.ts";
import type { OutboundSender } from "./outbound.ts";

/** The content of a new workspace: the resources of the service's own fresh workspace, or only those that cannot be absent. */
export type WorkspaceTemplate = "default" | "bare";

/** The parts of the running service that outlive a request, for modules and background work. */
export interface ServiceContext {
  readonly database: Database;
  readonly dialects: Dialects;
  /** The current time, which tests can set. */
  readonly now: () => Date;
  /** The reference counters of all modules. */
  readonly referenceCounters: readonly ReferenceCounter[];
  /** Work that outlives its request. */
  readonly background: Background;
  /** The sender of webhook requests. */
  readonly outbound: OutboundSender;
}
