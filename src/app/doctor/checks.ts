/** The checks of what the tokens can read, of the clock, and of what is on this machine. They send only GET requests. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { isIgnored } from "../../config/settings/exemptions.ts";
import { removalLimitFor } from "../../config/settings/removal-policy.ts";
import type { Fields } from "../../core/json.ts";
import { fill } from "../../core/route.ts";
import { programLine, type RunWords } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { hasOneList, type Kind } from "../../kinds/model/kind.ts";
import { addressOf } from "../../kinds/model/resource.ts";
import { CannotRead, IncompleteList } from "../../service/lists/cannot-read.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import type { HealthCheck } from "../../view/workspace/doctor.ts";
import { isTokenKey } from "../../workspace/match/last-applied.ts";
import { NOTHING_READ, type Observation, type ObservedList } from "../../workspace/match/observation.ts";
import { keyOfRow } from "../../workspace/match/resolved-state.ts";
import { isDisabledRow, observe } from "../../workspace/read/observe.ts";
import type { Runs } from "../run/runs.ts";
import { readLock } from "../session/lock-file.ts";

/** Difference of the clocks, in seconds, beyond which expiry dates and creation times cannot be compared. */
const CLOCK_SECONDS = 60;

/** Compares this machine's clock with the service's, by the first list that the token can read. */
export async function clockCheck(reader: Reader, now: () => Date): Promise<HealthCheck> {
  for (const kind of kinds.filter((one) => hasOneList(one) && one.endpoint.admin !== true)) {
    const response = await probe(reader, kind);
    if (response === undefined) continue;
    if (response.date === undefined) break;
    const seconds = Math.round((now().getTime() - response.date.getTime()) / 1000);
    const ahead = `${counted(Math.abs(seconds), "second")} ${seconds < 0 ? "behind" : "ahead of"} the service's`;
    return Math.abs(seconds) > CLOCK_SECONDS
      ? { subject: "clock", status: "finding", message: `this machine's clock is ${ahead}: set it` }
      : { subject: "clock", status: "fine", message: `this machine's clock is ${ahead}` };
  }
  return { subject: "clock", status: "note", message: "the service does not report its time" };
}

/** Whether the ordinary token is an administrator's own: it can read a kind that only administrators can. */
export async function isAdminToken(reader: Reader): Promise<boolean> {
  const kind = kinds.find((one) => hasOneList(one) && one.endpoint.admin === true);
  return kind !== undefined && (await probe(reader, kind)) !== undefined;
}

/** The response of a kind's list; undefined if the token cannot read it. */
async function probe(reader: Reader, kind: Kind): Promise<Awaited<ReturnType<Reader["get"]>> | undefined> {
  try {
    return await reader.get({ ...fill(kind.endpoint.list, {}), purpose: "probe" });
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

/** The kind of token in use, and its name if the service lists it. No part of the token itself is printed. */
export function tokenCheck(prefix: string | undefined, isAdmin: boolean, rows: readonly Fields[]): HealthCheck {
  const key = rows.find((row) => prefix !== undefined && row.prefix === prefix);
  const name = typeof key?.name === "string" ? ` "${key.name}"` : "";
  const message = `INCIDENTCTL_TOKEN is ${isAdmin ? "an administrator's personal token" : `a service key${name}`}`;
  return { subject: "token", status: "fine", message };
}

/** A token that the service does not know is a finding, even if no managed kind needs it. */
export function adminTokenCheck(isUnknown: boolean): HealthCheck {
  return isUnknown
    ? {
        subject: "token",
        status: "finding",
        message: "INCIDENTCTL_ADMIN_TOKEN is not accepted: set another one, or none",
      }
    : { subject: "token", status: "fine", message: "INCIDENTCTL_ADMIN_TOKEN is set as well" };
}

/** Checks of read access with the tokens. */
export interface Access {
  readonly observation: Observation;
  /** One check for each kind. */
  readonly checks: readonly HealthCheck[];
  /** The service does not know the administrator's token. */
  readonly isAdminTokenUnknown: boolean;
}

/** Reads every kind by itself, so that each has its own result. */
export async function readEveryKind(
  reader: Reader,
  configuration: Configuration,
  parallelism: number,
): Promise<Access> {
  let isAdminTokenUnknown = false;
  let observation = NOTHING_READ;
  const checks: HealthCheck[] = [];
  for (const kind of kinds) {
    const isManaged = configuration.managed.some((one) => one.kind === kind.name);
    const target = hasOneList(kind)
      ? ({ kind: kind.name, scope: "" } as const)
      : ({ kind: kind.name, every: true } as const);
    try {
      observation = await observe(reader, kinds, [target], { parallelism, earlier: observation });
      const lists = observation.lists.filter((one) => one.kind === kind.name);
      const count = lists.reduce((sum, { rows }) => sum + rows.length, 0);
      const managed = isManaged ? `, managed${removalLimitText(configuration, kind, lists)}` : "";
      checks.push({ subject: kind.name, status: "fine", message: `${count} live${managed}` });
    } catch (error) {
      if (!(error instanceof CannotRead || error instanceof IncompleteList)) throw error;
      // The ordinary token has been accepted before.
      isAdminTokenUnknown ||= error instanceof CannotRead && error.refusal.status === 401;
      observation = { ...observation, unread: [...observation.unread, kind.name] };
      const message = error.message.startsWith(`${kind.name} `)
        ? error.message.slice(kind.name.length + 1)
        : error.message;
      const refused = error instanceof CannotRead ? `${error.refusal.status} ${kind.endpoint.admin}` : message;
      checks.push({
        ...{ subject: kind.name, cause: refused },
        ...(isManaged
          ? { status: "finding", message: `${message}; the configuration manages it` }
          : { status: "note", message }),
      });
    }
  }
  return { observation, checks, isAdminTokenUnknown };
}

/** The number of removals that one apply may make without another approval. */
function removalLimitText({ settings, exemptions }: Configuration, kind: Kind, lists: readonly ObservedList[]): string {
  const { permanent, ownedByParent, order } = kind.lifecycle;
  if (permanent === true || ownedByParent === true || order === "rank") return "";
  const isCounted = (row: Fields, scope: string): boolean =>
    !isDisabledRow(kind, row) && !isIgnored(exemptions, addressOf(kind, scope, String(keyOfRow(kind, row) ?? "")));
  const enabled = lists.flatMap(({ rows, scope }) => rows.filter((row) => isCounted(row, scope))).length;
  return `, at most ${counted(removalLimitFor(settings.maxRemovals, enabled), "removal")} in one apply`;
}

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
export async function runChecks(runs: Runs, words: RunWords): Promise<readonly HealthCheck[]> {
  const active = await runs.activeRuns();
  const running = active.map(({ pid, host, since }): HealthCheck => {
    const message = `an apply is in progress: process ${pid} on ${host}, since ${since}`;
    return { subject: "runs", status: "note", message };
  });
  const unfinished = active.length > 0 ? [] : await runs.unfinished();
  const interrupted = unfinished.map(({ run }): HealthCheck => {
    const message = `run ${run} was interrupted; finish it with ${programLine("resume", words)}`;
    return { subject: "journals", status: "finding", message };
  });
  if (interrupted.length > 0) return [...running, ...interrupted];
  const message = `${counted((await runs.all()).length, "run")} in ${runs.displayPath(runs.folder)}`;
  return [...running, { subject: "journals", status: "fine", message }];
}
