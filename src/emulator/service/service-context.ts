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

/** The service inside a transaction. */
export interface TransactionContext extends ServiceContext {
  /** The transaction's time, the same for all of its changes. */
  readonly timestamp: string;
  /** Schedules work for after the commit, such as a delivery or a draft. A rollback discards it. */
  afterCommit(task: (service: ServiceContext) => void | Promise<void>): void;
}

/** Runs the function as one transaction, then starts the work that it scheduled. Throws the function's errors. */
export function runTransaction<Result>(
  service: ServiceContext,
  run: (context: TransactionContext) => Result,
  now: Date = service.now(),
): Result {
  const tasks: Parameters<TransactionContext["afterCommit"]>[0][] = [];
  const timestamp = now.toISOString();
  const transaction: TransactionContext = { ...service, timestamp, afterCommit: (task) => void tasks.push(task) };
  const result = service.database.transaction(() => run(transaction));
  for (const task of tasks) service.background.run(() => task(service));
  return result;
}
