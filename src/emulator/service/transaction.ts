/** Transactions: all changes of one happen at one time, and work can be scheduled for after the commit. */

import type { ServiceContext } from "./service-context.ts";

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
