/** `doctor`: looks at everything that a plan or an apply will rely on, and says what would be in its way. Sends GET only. */

import type { Reader } from "../api/http/connection.ts";
import { CannotRead, IncompleteList } from "../api/read/cannot-read.ts";
import { ServiceError } from "../api/read/service-error.ts";
import { PREFIX_LENGTH } from "../apply/tokens/sink.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { PARALLELISM } from "../core/defaults.ts";
import { EXIT } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import type { Fields } from "../core/json.ts";
import { fill } from "../core/route.ts";
import { sanitised } from "../core/sanitise.ts";
import { kinds } from "../kinds/index.ts";
import { hasOneList, type Kind } from "../kinds/kind.ts";
import { NOTHING_READ, type Observation } from "../match/observation.ts";
import { ResolvedState } from "../match/resolved-state.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { AnswerFormat } from "../output/formats.ts";
import { workspaceIdentity } from "../plan/checks/seal.ts";
import { observe } from "../refresh/observe.ts";
import { counted } from "../report/format/value.ts";
import { prettyJson } from "../report/plan/json.ts";
import { openRuns } from "../run/runs.ts";
import { readLock } from "../session/lock-file.ts";
import { openReading, type ReadingSession, type SessionOptions } from "../session/session.ts";

/** The flags of `doctor`. */
export interface DoctorOptions extends SessionOptions {
  readonly format?: AnswerFormat;
}

/** One thing that was looked at. */
interface Check {
  readonly about: string;
  /** A finding would be in the way of a plan or an apply; a note may explain what somebody wonders about. */
  readonly status: "fine" | "note" | "finding";
  readonly said: string;
}

/** Beyond this the service's word on when something was made, and ours on what has expired, do not go together. */
const CLOCK_SECONDS = 60;

/** Looks, and tells; findings are exit code 7, a token that is not accepted 6. */
export async function doctor(
  options: DoctorOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  const prefix = prefixOf(io.env.INCIDENTCTL_TOKEN);
  const hasAdmin = (io.env.INCIDENTCTL_ADMIN_TOKEN ?? "") !== "" && options.emulator === undefined;
  const session = await openReading(options, io, console);
  try {
    const { configuration, reader } = session;
    const clock = await clockCheck(reader, io);
    const personal = await reachesAdmin(reader);
    const { observation, checks: reach, isUnknown } = await lookAround(session, options.parallelism ?? PARALLELISM);
    const workspace = workspaceIdentity(new ResolvedState(kinds, configuration, observation));
    const keys = observation.lists.flatMap(({ rows }) => rows);
    const checks: readonly Check[] = [
      configurationCheck(configuration),
      {
        about: "service",
        status: "fine",
        said: `${session.service}, workspace ${workspace ?? "not told from others"}`,
      },
      options.emulator === undefined
        ? tokenCheck(prefix, personal, keys)
        : { about: "token", status: "fine", said: "the embedded service needs none" },
      ...(hasAdmin ? [adminCheck(isUnknown)] : []),
      clock,
      limitsCheck(configuration),
      ...reach,
      await lockCheck(configuration),
      ...(await runChecks(session, io, console)),
    ];
    const findings = checks.filter(({ status }) => status === "finding").length;
    console.answer(
      options.format === "json"
        ? prettyJson({ service: session.service, workspace, findings, checks })
        : textOf(checks, findings, console),
    );
    return findings > 0 ? EXIT.findings : EXIT.success;
  } finally {
    session.close();
  }
}

function prefixOf(token: string | undefined): string | undefined {
  return token === undefined || token === "" ? undefined : token.slice(0, PREFIX_LENGTH);
}

function configurationCheck({ settings, declared, managed, overlaid }: Configuration): Check {
  const { environment } = settings;
  const where = environment === undefined ? "" : `, environment ${environment}`;
  const overlays = overlaid === undefined ? "" : ` with ${counted(overlaid.files.length, "overlay")}`;
  const kindsOf = new Set(managed.map(({ kind }) => kind)).size;
  const said = `${counted(declared.length, "entry", "entries")} in ${counted(kindsOf, "kind")}${where}${overlays}`;
  return { about: "configuration", status: "fine", said };
}

/** Asks any list that the token can read, for the service's time. */
async function clockCheck(reader: Reader, io: Io): Promise<Check> {
  for (const kind of kinds.filter((one) => hasOneList(one) && one.endpoint.admin !== true)) {
    const answer = await unlessRefused(reader.get({ ...fill(kind.endpoint.list, {}), purpose: "probe" }));
    if (answer === undefined) continue;
    if (answer.date === undefined) break;
    const seconds = Math.round((io.now().getTime() - answer.date.getTime()) / 1000);
    const ahead = `${counted(Math.abs(seconds), "second")} ${seconds < 0 ? "behind" : "ahead of"} the service's`;
    return Math.abs(seconds) > CLOCK_SECONDS
      ? { about: "clock", status: "finding", said: `this machine's clock is ${ahead}: set it` }
      : { about: "clock", status: "fine", said: `this machine's clock is ${ahead}` };
  }
  return { about: "clock", status: "note", said: "the service does not tell its time" };
}

/** Whether the ordinary token is an administrator's own; undefined where nothing tells. */
async function reachesAdmin(reader: Reader): Promise<boolean | undefined> {
  const kind = kinds.find((one) => hasOneList(one) && one.endpoint.admin === true);
  if (kind === undefined) return undefined;
  return (await unlessRefused(reader.get({ ...fill(kind.endpoint.list, {}), purpose: "probe" }))) !== undefined;
}

async function unlessRefused<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

/** The kind of token that is used, and its name where the service lists it. The token itself is never told, nor a part of it. */
function tokenCheck(prefix: string | undefined, personal: boolean | undefined, rows: readonly Fields[]): Check {
  const own = rows.find((row) => prefix !== undefined && row.prefix === prefix);
  const called = typeof own?.name === "string" ? ` "${own.name}"` : "";
  const said = `INCIDENTCTL_TOKEN is ${personal === true ? "an administrator's personal token" : `a service key${called}`}`;
  return { about: "token", status: "fine", said };
}

/** A second token that the service does not know helps nobody, whatever is managed. */
function adminCheck(isUnknown: boolean): Check {
  return isUnknown
    ? { about: "token", status: "finding", said: "INCIDENTCTL_ADMIN_TOKEN is not accepted: set another one, or none" }
    : { about: "token", status: "fine", said: "INCIDENTCTL_ADMIN_TOKEN is set as well" };
}

function limitsCheck({ settings }: Configuration): Check {
  const { maxRemovals, requestsPerMinute } = settings;
  const ceiling =
    maxRemovals === undefined
      ? "30% of a kind"
      : "percent" in maxRemovals
        ? `${maxRemovals.percent}% of a kind`
        : `${maxRemovals.entries} of a kind`;
  const said = `${requestsPerMinute} requests a minute, removals up to ${ceiling}`;
  return { about: "limits", status: "fine", said };
}

/** Reads every kind, one after another, so that each says for itself whether the tokens reach it. */
async function lookAround(
  { configuration, reader }: ReadingSession,
  parallelism: number,
): Promise<{
  readonly observation: Observation;
  readonly checks: readonly Check[];
  /** A token was not accepted: the administrator's, since the other one has been tried before. */
  readonly isUnknown: boolean;
}> {
  let isUnknown = false;
  let observation = NOTHING_READ;
  const checks: Check[] = [];
  for (const kind of kinds) {
    const managed = configuration.managed.some((one) => one.kind === kind.name);
    const wanted = hasOneList(kind)
      ? ({ kind: kind.name, scope: "" } as const)
      : ({ kind: kind.name, every: true } as const);
    try {
      observation = await observe(reader, kinds, [wanted], { parallelism, already: observation });
      const live = observation.lists.filter((one) => one.kind === kind.name).flatMap(({ rows }) => rows).length;
      checks.push({ about: kind.name, status: "fine", said: `${live} live${managed ? ", managed" : ""}` });
    } catch (error) {
      if (!(error instanceof CannotRead || error instanceof IncompleteList)) throw error;
      isUnknown ||= error instanceof CannotRead && error.refusal.status === 401;
      observation = { ...observation, unread: [...observation.unread, kind.name] };
      checks.push({ about: kind.name, status: managed ? "finding" : "note", said: whyNot(error, kind, managed) });
    }
  }
  return { observation, checks, isUnknown };
}

function whyNot({ message }: Error, kind: Kind, managed: boolean): string {
  const said = message.startsWith(`${kind.name} `) ? message.slice(kind.name.length + 1) : message;
  return managed ? `${said}; the configuration manages it` : said;
}

/** What is remembered of entries that are no longer declared does no harm, and goes with the next apply. */
async function lockCheck({ settings, declared }: Configuration): Promise<Check> {
  const names = Object.keys(await readLock(settings.home, settings.environment));
  const known = new Set(declared.map(({ address }) => address));
  const stale = names.filter((name) => !known.has(name.slice(0, name.lastIndexOf("#"))));
  const old = stale.length === 0 ? "" : `, ${stale.length} of them of entries that are not declared`;
  return {
    about: "lock",
    status: "fine",
    said: `${counted(names.length, "field")} remembered in incidentctl.lock${old}`,
  };
}

async function runChecks(session: ReadingSession, io: Io, console: Console): Promise<readonly Check[]> {
  const runs = openRuns(session, {}, io, console);
  const others = await runs.activeRuns();
  const going = others.map(({ pid, host, since }): Check => {
    return {
      about: "runs",
      status: "note",
      said: `an apply is in progress: process ${pid} on ${host}, since ${since}`,
    };
  });
  const open = others.length > 0 ? [] : await runs.unfinished();
  const left = open.map(({ run }): Check => {
    return {
      about: "journals",
      status: "finding",
      said: `run ${run} was interrupted; finish it with incidentctl resume`,
    };
  });
  const all = await runs.all();
  const known: Check = {
    about: "journals",
    status: "fine",
    said: `${counted(all.length, "run")} known in ${runs.displayPath(runs.folder)}`,
  };
  return [...going, ...(left.length === 0 ? [known] : left)];
}

const MARKS = { fine: "ok", note: "--", finding: "!!" } as const;
const TONES = { fine: "added", note: "quiet", finding: "alarm" } as const;

function textOf(checks: readonly Check[], findings: number, { answerStyle: { paint } }: Console): string {
  const width = Math.max(...checks.map(({ about }) => about.length));
  const lines = checks.map(
    ({ about, status, said }) => `${paint(TONES[status], MARKS[status])}  ${about.padEnd(width)}  ${sanitised(said)}`,
  );
  const verdict =
    findings === 0
      ? "Nothing is in the way."
      : `${counted(findings, "finding")}: see the line${findings === 1 ? "" : "s"} with !!.`;
  return `${[...lines, "", verdict].join("\n")}\n`;
}
