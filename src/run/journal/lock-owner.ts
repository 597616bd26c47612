/** The process that holds the run lock. Another process can find out later whether it still runs. */

import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { isProcessRunning } from "../../core/file-system.ts";

/** A process on a machine. The keys are those of the lock file. */
export interface LockOwner {
  readonly pid: number;
  /** Start time as the system states it, which tells processes apart that had the same number; null if unknown. */
  readonly started: string | null;
  readonly host: string;
  /** Id of the boot of the machine; null if unknown. */
  readonly boot: string | null;
}

/** Processes of a machine. */
export interface Processes {
  self(): Promise<LockOwner>;
  /** The running process with this number on this machine; undefined if there is none. */
  find(pid: number): Promise<{ readonly started: string | null } | undefined>;
}

/** The processes of this machine. */
export const systemProcesses: Processes = {
  self: async () => ({
    pid: process.pid,
    started: await startOf(process.pid),
    host: hostname(),
    boot: await firstLine("/proc/sys/kernel/random/boot_id"),
  }),
  find: async (pid) => (isProcessRunning(pid) ? { started: await startOf(pid) } : undefined),
};

/** Whether the owner certainly no longer runs. False for an owner on another machine, or before a reboot. */
export async function isGone(owner: LockOwner, processes: Processes): Promise<boolean> {
  const self = await processes.self();
  if (owner.host !== self.host || owner.boot !== self.boot) return false;
  const running = await processes.find(owner.pid);
  return (
    running === undefined || (running.started !== null && owner.started !== null && running.started !== owner.started)
  );
}

/** Start of a process in ticks since boot: field 22 of its `stat`, the 20th after the name in parentheses. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await firstLine(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

async function firstLine(path: string): Promise<string | null> {
  try {
    return (await readFile(path, "utf8")).split("\n")[0] ?? null;
  } catch {
    return null;
  }
}
