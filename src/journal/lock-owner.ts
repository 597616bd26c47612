/** Who runs: enough to tell, later and from another process, whether that run is still going on. */

import { readFile } from "node:fs/promises";
import { hostname } from "node:os";

/** A process on a machine. */
export interface Holder {
  readonly pid: number;
  /** When the process started, in the words of the system; a number that was given away again has another. Null where it is not told. */
  readonly started: string | null;
  readonly host: string;
  /** Changes when the machine starts anew; null where it is not told. */
  readonly boot: string | null;
}

/** What is asked of the system. */
export interface Processes {
  self(): Promise<Holder>;
  /** Whether a process of that number runs on this machine, and when it started. */
  look(pid: number): Promise<{ readonly started: string | null } | undefined>;
}

/** The processes of this machine. */
export const systemProcesses: Processes = {
  self: async () => ({
    pid: process.pid,
    started: await startOf(process.pid),
    host: hostname(),
    boot: await firstLine("/proc/sys/kernel/random/boot_id"),
  }),
  look: async (pid) => (isRunning(pid) ? { started: await startOf(pid) } : undefined),
};

/** Whether a holder is certainly gone: its process cannot be found where it ran. Of another machine nobody knows. */
export async function isGone(holder: Holder, processes: Processes): Promise<boolean> {
  const self = await processes.self();
  if (holder.host !== self.host || holder.boot !== self.boot) return false;
  const found = await processes.look(holder.pid);
  return found === undefined || (found.started !== null && holder.started !== null && found.started !== holder.started);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs and belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The start of a process in ticks since the machine started: what follows the 20 blanks after the program's name. */
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
