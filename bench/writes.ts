/** Requests of `apply`, its parallelism, and how close it comes to the rate limit. */

import { join } from "node:path";
import type { Measured } from "./goals.ts";
import { inTemporary, program, type Run, run, type Service, serve } from "./processes.ts";
import { countedBy, environmentOf, sumOf, UNLIMITED, writeRunbooks } from "./workspaces.ts";

/** Number of independent resources to create, and the delay of each response in milliseconds. */
const RUNBOOKS = 200;
const DELAY = 50;
/** Default parallelism. */
const IN_FLIGHT = 8;
/** More resources than one minute of requests, with the rate limits of client and service. */
const MANY = 500;
const OWN_LIMIT = 900;
const LIMIT = 1000;
const MINUTE = 60_000;

/** Purposes that are no check: the reading of a plan, the writes, and what should not be needed. */
const NO_CHECK: readonly string[] = ["page", "form", "rules", "entry", "count", "write", "retry", "other"];

/** Measures an apply with delayed responses, and one that the rate limit delays. */
export async function measureWrites(): Promise<readonly Measured[]> {
  return [...(await measureLate()), await measureLimit()];
}

async function measureLate(): Promise<readonly Measured[]> {
  return withRunbooks(RUNBOOKS, ["--delay", String(DELAY)], async (configuration, service) => {
    const env = environmentOf(service);
    const plan = run({ args: [program, "plan", ...UNLIMITED, configuration], env });
    const planned = sumOf((await countedBy(service)).requests);
    const applied = apply(configuration, service, UNLIMITED);
    const sent = sumOf((await countedBy(service)).requests);
    const least = ((sent - planned) * DELAY) / IN_FLIGHT;
    const needed = Number(service.info.least) + RUNBOOKS + checksIn(applied);
    const purposes = spentIn(applied).map(([purpose, requests]) => `${requests} ${purpose.replaceAll("_", " ")}`);
    return [
      { id: "P10", values: [sent / needed], beside: `${RUNBOOKS} new entries: ${purposes.join(", ")}` },
      { id: "P12", values: [(applied.wall - plan.wall) / least] },
    ];
  });
}

async function measureLimit(): Promise<Measured> {
  return withRunbooks(MANY, ["--limit", String(LIMIT)], async (configuration, service) => {
    const { wall } = apply(configuration, service, []);
    const { requests, refused } = await countedBy(service);
    const sent = sumOf(requests);
    const dictated = Math.floor((sent - 1) / OWN_LIMIT) * MINUTE;
    const beside = `${sent} requests in ${(wall / 1000).toFixed(1)} s where ${OWN_LIMIT} a minute dictate ${dictated / 1000} s; ${refused} answers 429`;
    return { id: "P11", values: [dictated / wall], beside };
  });
}

function apply(configuration: string, service: Service, options: readonly string[]): Run {
  const args = [program, "apply", "--yes", "--format", "json", ...options, configuration];
  return run({ args, env: environmentOf(service), limit: 5 * MINUTE });
}

/** Numbers of requests by purpose, from the summary of the run. */
function spentIn({ stdout }: Run): readonly (readonly [purpose: string, requests: number])[] {
  const { requests } = JSON.parse(stdout) as { requests: { by_purpose: Readonly<Record<string, number>> } };
  return Object.entries(requests.by_purpose);
}

function checksIn(applied: Run): number {
  const checks = spentIn(applied).filter(([purpose]) => !NO_CHECK.includes(purpose));
  return checks.reduce((sum, [, requests]) => sum + requests, 0);
}

function withRunbooks<T>(
  count: number,
  options: readonly string[],
  work: (configuration: string, service: Service) => Promise<T>,
): Promise<T> {
  return inTemporary(async (folder) => {
    const configuration = join(folder, "config");
    writeRunbooks(configuration, count);
    const service = await serve("remember.mjs", ["--bare", ...options]);
    try {
      return await work(configuration, service);
    } finally {
      await service.close();
    }
  });
}
