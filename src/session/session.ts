/** What every command that talks to the service begins with: the configuration, a connection, and plans made from the two. */

import { type Retry, reader } from "../api/http/client.ts";
import { type Reader, type Writer, withPurpose } from "../api/http/connection.ts";
import { type RequestCount, RequestCounter } from "../api/http/purpose.ts";
import { WINDOW } from "../api/http/rate-limit.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { systemClock } from "../core/clock.ts";
import { PARALLELISM } from "../core/defaults.ts";
import { InvalidConfiguration } from "../core/diagnostic.ts";
import { address, kindNames } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import { version } from "../core/version.ts";
import { nodeDisk } from "../journal/node-disk.ts";
import { recentRequests } from "../journal/recent-requests.ts";
import { kinds } from "../kinds/index.ts";
import { environmentHashes, type LastAppliedHashes, refusedHashes } from "../match/last-applied.ts";
import type { Console } from "../output/console.ts";
import type { Approvals } from "../plan/checks/policy-checks.ts";
import type { Plan, Warning } from "../plan/plan.ts";
import { type ReadingProgress, readingProgress } from "../report/run/progress.ts";
import { requestsText } from "../report/run/requests.ts";
import { openService, type ServiceOptions } from "./connect.ts";
import { type ConfigurationOptions, loadConfiguration } from "./load-configuration.ts";
import { readLock } from "./lock-file.ts";
import { type MadePlan, makePlanFor } from "./make-plan.ts";
import { type PlanFilter, refuseEmptyFilter } from "./plan-filter.ts";
import { analysisAt } from "./plan-findings.ts";
import { takeTokens } from "./tokens.ts";

/** The flags of every command that reads the service. */
export interface SessionOptions extends ConfigurationOptions, ServiceOptions {
  /** As typed: `severities,statuses`. */
  readonly kinds?: string;
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  /** Send every field that the service does not return, whatever is remembered of it. */
  readonly resendUnreadable?: boolean;
  /** Requests in flight at a time, where they may go side by side. */
  readonly parallelism?: number;
}

/** How a plan is to be made. */
export interface PlanRequest {
  readonly filter?: PlanFilter;
  readonly identify: boolean;
  /** Right after an apply: what cannot be read was sent, so there is nothing to remember about it. */
  readonly verifying?: boolean;
  /** Only to look at: each list is read once, and nothing is proved that only a write would need. */
  readonly glance?: boolean;
  /** Analyzers add their warnings, as they would at this moment; left out: none are asked. */
  readonly analyzedAt?: Date;
  /** Another service to plan against, such as a replica of this one; left out: the session's own. */
  readonly against?: Reader;
  /** What to plan instead of what the files declare, and what there is to tell of it. */
  readonly configuration?: Configuration;
  readonly findings?: readonly Warning[];
}

/** A session that can only read. */
export interface ReadingSession {
  readonly configuration: Configuration;
  readonly reader: Reader;
  /** What tells this service from others: its host, and where it is embedded its database. */
  readonly service: string;
  /** Makes a plan against the live state; `identify` binds it to the workspace as well. */
  plan(asked: PlanRequest): Promise<Plan>;
  /** The same, with the live state that was read for it. */
  prepare(asked: PlanRequest): Promise<MadePlan>;
  /** What was sent so far, by purpose. */
  spent(): readonly RequestCount[];
  /** Lets go of the service; with `--verbose` it tells what was sent. */
  close(): void;
}

/** The source of a plan: a session for the files, or a journal for an undo. */
export type PlanSource = Pick<ReadingSession, "configuration" | "reader" | "prepare">;

/** A session that can write as well. */
export interface WritingSession extends ReadingSession {
  /** What the last apply left to remember. */
  readonly lock: LastAppliedHashes;
  readonly writer: Writer;
  /** Requests in flight at a time, where they may go side by side. */
  readonly parallelism: number;
}

const NO_CONSENT: Approvals = { allowDelete: false, acceptRoutingWindow: false };
const KIND_NAMES = kinds.map(({ name }) => name);

/** Opens a session for `plan` and `drift`: what they are given cannot write. */
export async function openReading(options: SessionOptions, io: Io, console: Console): Promise<ReadingSession> {
  const { lock: _lock, writer: _writer, ...reading } = await open(options, NO_CONSENT, io, console);
  return reading;
}

/** Opens a session for `apply`, with what the person has agreed to. What a killed run has just sent counts as sent. */
export async function openWriting(
  options: SessionOptions,
  consent: Approvals,
  io: Io,
  console: Console,
): Promise<WritingSession> {
  return open(options, consent, io, console, (home, service) =>
    recentRequests({ disk: io.disk ?? nodeDisk, home, service }, io.now(), WINDOW),
  );
}

async function open(
  options: SessionOptions,
  consent: Approvals,
  io: Io,
  console: Console,
  sent?: (home: string, service: string) => Promise<readonly number[]>,
): Promise<WritingSession> {
  const tokens = takeTokens(io.env);
  console.conceal([tokens.token, tokens.adminToken]);
  const filter = filterOf(options);
  const configuration = await loadConfiguration(options, io, console);
  const account = new RequestCounter();
  const service = await openService(options, tokens, configuration.settings, io, {
    onRetry: (retry) => tellRetry(retry, console),
    onSend: (purpose) => account.count(purpose),
    ...(sent === undefined ? {} : { earlier: (name) => sent(configuration.settings.home, name) }),
  });
  const read = reader(service.writer);
  const clock = io.clock ?? systemClock;
  const parallelism = options.parallelism ?? PARALLELISM;
  const lock = await readLock(configuration.settings.home, configuration.settings.environment);
  const prepare = async (asked: PlanRequest): Promise<MadePlan> => {
    const { configuration: declared = configuration, findings } = asked;
    const shown = readingProgress(asked.verifying === true ? "Reading again" : "Reading", {
      write: (text) => console.progress(text),
      terminal: io.stderr.terminal,
      paint: console.noteStyle.paint,
      width: console.noteStyle.width,
      now: () => clock.now(),
    });
    try {
      return await makePlanFor(
        declared,
        asked.against ?? told(asked.verifying === true ? withPurpose(read, "verification") : read, shown),
        kinds,
        {
          version,
          filter: asked.filter ?? filter,
          approvals: consent,
          parallelism,
          now: () => io.now(),
          ownPrefixes: service.prefixes,
          lastApplied:
            asked.verifying === true
              ? { hashes: { ...refusedHashes(lock), ...environmentHashes(lock) }, resend: false, recordOmitted: true }
              : { hashes: lock, resend: options.resendUnreadable === true },
          identify: asked.identify,
          glance: asked.glance === true,
          ...(findings === undefined ? {} : { analyze: () => findings }),
          ...(asked.analyzedAt === undefined ? {} : { analyze: analysisAt(asked.analyzedAt) }),
        },
      );
    } catch (error) {
      throw framed(error, declared);
    } finally {
      shown.end();
    }
  };
  return {
    configuration,
    lock,
    reader: read,
    service: service.name,
    writer: service.writer,
    parallelism,
    prepare,
    plan: async (asked) => (await prepare(asked)).plan,
    spent: () => account.counts,
    close: () => {
      service.close();
      if (options.verbose === true) console.note(requestsText(account.counts).trimEnd());
    },
  };
}

/** The same reader; each answer is told. */
function told(source: Reader, shown: ReadingProgress): Reader {
  return {
    host: source.host,
    get: async (ask) => {
      const answer = await source.get(ask);
      shown.step();
      return answer;
    },
  };
}

/** Reads `--kinds`, `--target` and `--exclude`; what names nothing that exists is a wrong command line. */
function filterOf(options: Pick<SessionOptions, "kinds" | "target" | "exclude">): PlanFilter {
  const filter: PlanFilter = {
    typed: true,
    kinds: options.kinds === undefined ? [] : kindNames(options.kinds, KIND_NAMES),
    targets: (options.target ?? []).map((value) => address("--target", value, KIND_NAMES)),
    excludes: (options.exclude ?? []).map((value) => address("--exclude", value, KIND_NAMES)),
  };
  refuseEmptyFilter(filter, kinds);
  return filter;
}

/** The same error, able to show the lines of the files that it is about. */
function framed(error: unknown, configuration: Configuration): unknown {
  if (!(error instanceof InvalidConfiguration)) return error;
  return new InvalidConfiguration(error.diagnostics, (file) => configuration.lines(file));
}

/** Notes an attempt that failed and is made again. */
export function tellRetry({ request, attempt, waitMilliseconds, error }: Retry, console: Console): void {
  const wait = Math.ceil(waitMilliseconds / 1000);
  const what = `${request.method} ${request.path}`;
  console.note(`${sanitised(what)} failed (attempt ${attempt}): ${sanitised(error.message)}; again in ${wait} s`);
}
