/** An act: what happens in one transaction at one moment, and what it leaves to be done after the commit. */

import type { Service } from "./service-context.ts";

/** The running service inside a transaction. */
export interface Act extends Service {
  /** The time of the act, the same for everything it writes. */
  readonly timestamp: string;
  /** Schedules work for after the commit: deliveries, drafts. It is not run when the act is refused. */
  afterwards(task: (service: Service) => void | Promise<void>): void;
}

/** Runs the function as one transaction, then starts what it left for afterwards. Throws what the function throws. */
export function perform<Result>(service: Service, run: (act: Act) => Result, now: Date = service.now()): Result {
  const tasks: Parameters<Act["afterwards"]>[0][] = [];
  const timestamp = now.toISOString();
  const act: Act = { ...service, timestamp, afterwards: (task) => void tasks.push(task) };
  const result = service.database.transaction(() => run(act));
  for (const task of tasks) service.background.run(() => task(service));
  return result;
}
