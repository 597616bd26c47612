/** Checks of what is on this machine: configuration, limits, lock, journals. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { counted } from "../../core/value-text.ts";
import type { HealthCheck } from "../../view/workspace/doctor.ts";
import { isTokenKey } from "../../workspace/match/last-applied.ts";
import type { Runs } from "../run/runs.ts";
import { readLock } from "../session/lock-file.ts";

/** The size of the configuration, its environment and its overlays. */
export function configurationCheck({ settings, declared, managed, overlays }: Configuration): HealthCheck {
  const { environment } = settings;
  const where = environment === undefined ? "" : `, environment ${environment}`;
  const overlayCount = overlays === undefined ? "" : ` with ${counted(overlays.files.length, "overlay")}`;
  const kinds = new Set(managed.map(({ kind }) => kind)).size;
  const message = `${counted(declared.length, "resource")} in ${counted(kinds, "kind")}${where}${overlayCount}`;
  return { subject: "configuration", status: "fine", message };
}

/** The rate limit and the removal limit. */
export function limitsCheck({ settings: { maxRemovals, requestsPerMinute } }: Configuration): HealthCheck {
  const limit =
    maxRemovals === undefined
      ? "30% of a kind, or 3 of a kind with fewer than 10"
      : "percent" in maxRemovals
        ? `${maxRemovals.percent}% of a kind`
        : `${maxRemovals.entries} of a kind`;
  const message = `${requestsPerMinute} requests a minute, removals up to ${limit}`;
  return { subject: "limits", status: "fine", message };
}

/** The number of fields in the lock. Fields of resources that are no longer declared do no harm; the next apply removes them. */
export async function lockCheck({ settings, declared }: Configuration): Promise<HealthCheck> {
  const fields = Object.keys(readLock(settings) ?? {}).filter((key) => !isTokenKey(key));
  const addresses = new Set(declared.map(({ address }) => address));
  const stale = fields.filter((field) => !addresses.has(field.slice(0, field.lastIndexOf("#"))));
  const old = stale.length === 0 ? "" : `, ${stale.length} of resources that are not in the configuration`;
  return { subject: "lock", status: "fine", message: `${counted(fields.length, "field")} in incidentctl.lock${old}` };
}

/** Running and interrupted runs. */
export async function runChecks(runs: Runs): Promise<readonly HealthCheck[]> {
  const active = await runs.activeRuns();
  const running = active.map(({ pid, host, since }): HealthCheck => {
    const message = `an apply is in progress: process ${pid} on ${host}, since ${since}`;
    return { subject: "runs", status: "note", message };
  });
  const unfinished = active.length > 0 ? [] : await runs.unfinished();
  const interrupted = unfinished.map(({ run }): HealthCheck => {
    const message = `run ${run} was interrupted; finish it with incidentctl resume`;
    return { subject: "journals", status: "finding", message };
  });
  if (interrupted.length > 0) return [...running, ...interrupted];
  const message = `${counted((await runs.all()).length, "run")} in ${runs.displayPath(runs.folder)}`;
  return [...running, { subject: "journals", status: "fine", message }];
}
