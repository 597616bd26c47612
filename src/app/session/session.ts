/** Session of a command with the service: the configuration, a connection, and plans made from both. */

import { ExtractionCache } from "../../config/load/extraction-cache.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { linesOf } from "../../config/resources/configuration.ts";
import { PARALLELISM } from "../../config/settings/request-defaults.ts";
import { DISK } from "../../config/source/disk.ts";
import { isRepository, repositoryRoot } from "../../config/source/repository.ts";
import { systemClock } from "../../core/clock.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { address, kindNames } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { version } from "../../core/package.ts";
import { type RunWords, sanitised } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import { topKindOf } from "../../kinds/model/kind.ts";
import type { Approvals } from "../../plan/checks/policy-checks.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { nodeDisk } from "../../run/journal/node-disk.ts";
import { recentRequests } from "../../run/journal/recent-requests.ts";
import { unstoredCreations } from "../../run/journal/unstored-creations.ts";
import { type Retry, reader } from "../../service/http/client.ts";
import { WINDOW } from "../../service/http/rate-limit.ts";
import { type ApiResponse, type Reader, type Writer, withPurpose } from "../../service/requests/connection.ts";
import { type RequestCount, RequestCounter } from "../../service/requests/purpose.ts";
import { readingProgress } from "../../view/run/progress.ts";
import { attemptText, requestsText } from "../../view/run/text.ts";
import {
  type LastApplied,
  type LastAppliedHashes,
  refusedDeletions,
  storedHashes,
  storedTokens,
  whileVerifying,
  withSwitched,
} from "../../workspace/match/last-applied.ts";
import type { BaseOptions, PlanningOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { readAccepted } from "./accepted-file.ts";
import { sessionWords } from "./command-line.ts";
import { openService } from "./connect.ts";
import { type ComparedBase, explainedBy, onlyChangedOf } from "./explained-plan.ts";
import { loadConfiguration, loadContextOf } from "./load-configuration.ts";
import { readLock } from "./lock-file.ts";
import { type MadePlan, type MakePlanOptions, makePlanFor } from "./make-plan.ts";
import { type PlanFilter, refuseEmptyFilter } from "./plan-filter.ts";
import { takeTokens } from "./tokens.ts";

/** The options of a session. Without those that choose resources, its plans are of everything. */
export type ReadingOptions = PlanningOptions & BaseOptions;

/** Parameters of a plan. */
export interface PlanRequest
  extends Partial<Pick<MakePlanOptions, "filter" | "singleReading" | "interrupted" | "undo" | "analyze">> {
  readonly identify: boolean;
  /** The plan verifies an apply: fields that the service does not return were just sent. */
  readonly verifying?: boolean;
  /** Addresses of resources that the service has just refused to delete. */
  readonly refused?: readonly string[];
  /** Addresses of what an apply has just enabled or disabled → whether each is enabled now. */
  readonly switched?: ReadonlyMap<string, boolean>;
  /** Another service to read, such as a replica. Default: the session's. */
  readonly reader?: Reader;
  /** Another configuration than the files'. */
  readonly configuration?: Configuration;
  /** Compares the files with their base, and says of each change whether it is of the change of the files. */
  readonly attributed?: boolean;
}

/** A session that can only read. */
export interface ReadingSession {
  readonly configuration: Configuration;
  readonly reader: Reader;
  /** Name of the service: its host, or the emulator's database. */
  readonly service: string;
  /** Parallel requests. */
  readonly parallelism: number;
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
  /** The words of a command line for the same service, files, environment and variables. */
  readonly words: RunWords;
  /** Makes a plan against the live state; `identify` also binds it to the workspace. */
  plan(request: PlanRequest): Promise<Plan>;
  /** Makes a plan and returns it with the live state. */
  prepare(request: PlanRequest): Promise<MadePlan>;
  /** Numbers of requests so far, by purpose. */
  requestCounts(): readonly RequestCount[];
  /** Closes the connection; with `--verbose`, prints the numbers of requests. */
  close(): void;
}

/** The source of a plan: a session for the files, or a journal for an undo. */
export type PlanSource = Pick<ReadingSession, "configuration" | "reader" | "prepare">;

/** A session that can also write. */
export interface WritingSession extends ReadingSession {
  /** Hashes of the last apply. */
  readonly lock: LastAppliedHashes;
  readonly writer: Writer;
}

const NO_APPROVALS: Approvals = { allowDelete: false, acceptRoutingWindow: false };
const KIND_NAMES = kinds.map(({ name }) => name);

/**
 * Opens a session that cannot write, for `plan` and `drift`. Approvals clear what they approve from `blocked` of its plans. With
 * `mayBeEmpty`, there need not be any file.
 */
export async function openReading(
  options: ReadingOptions,
  io: Io,
  console: Console,
  {
    approvals = NO_APPROVALS,
    mayBeEmpty = false,
  }: { readonly approvals?: Approvals; readonly mayBeEmpty?: boolean } = {},
): Promise<ReadingSession> {
  const {
    lock: _lock,
    writer: _writer,
    ...reading
  } = await openSession(options, { approvals, mayBeEmpty }, io, console);
  return reading;
}

/** Opens a session for `apply` with the user's approvals. The requests of a killed run count for the rate limit. */
export async function openWriting(
  options: ReadingOptions,
  approvals: Approvals,
  io: Io,
  console: Console,
  load?: Loader,
): Promise<WritingSession> {
  const sent = (home: string, service: string) =>
    recentRequests({ disk: io.disk ?? nodeDisk, home, service }, io.now(), WINDOW);
  const loader = load === undefined ? {} : { load };
  return openSession(options, { approvals, mayBeEmpty: false, sent, ...loader }, io, console);
}

/** Loads the configuration of a session. Default: from the files, which must have no errors. */
export type Loader = (options: ReadingOptions, io: Io) => Promise<Configuration>;

interface SessionSettings {
  readonly approvals: Approvals;
  readonly mayBeEmpty: boolean;
  /** The ages, in milliseconds, of the last requests to a service. */
  readonly sent?: (home: string, service: string) => Promise<readonly number[]>;
  readonly load?: Loader;
}

async function openSession(
  options: ReadingOptions,
  { approvals, mayBeEmpty, sent, load }: SessionSettings,
  io: Io,
  console: Console,
): Promise<WritingSession> {
  const tokens = takeTokens(io.env);
  console.conceal([tokens.token, tokens.adminToken]);
  const typed = filterOf(options);
  const cache = new ExtractionCache();
  const files = mayBeEmpty ? DISK : undefined;
  const configuration =
    (await load?.(options, io)) ?? (await loadConfiguration(options, io, console, { files, cache }));
  console.conceal(configuration.secrets, "files");
  const filter = options.withoutAdmin === true ? excludeAdminKinds(typed, configuration) : typed;
  const counter = new RequestCounter();
  const service = await openService(options, tokens, configuration.settings, io, {
    warn: (line) => console.note(line),
    onRetry: (retry) => noteRetry(retry, console),
    onSend: (purpose) => counter.count(purpose),
    ...(options.verbose === true ? { onEnd: (attempt) => console.note(attemptText(attempt)) } : {}),
    ...(sent === undefined ? {} : { earlier: (name) => sent(configuration.settings.home, name) }),
  });
  const read = reader(service.writer);
  const clock = io.clock ?? systemClock;
  const parallelism = options.parallelism ?? PARALLELISM;
  const accepted = readAccepted(configuration.settings.home);
  const opened = readLock(configuration.settings) ?? {};
  // The recovery of an interrupted run, and the run itself, may have recorded what the service stored otherwise.
  const lock = (): LastAppliedHashes => ({ ...opened, ...storedHashes(readLock(configuration.settings) ?? {}) });
  const compare = async (): Promise<ComparedBase | undefined> => {
    const { home, base } = configuration.settings;
    const { base: flag, paths } = options;
    if (flag === undefined && base === undefined && !isRepository(repositoryRoot(home, DISK), DISK)) return undefined;
    const { compareWithBase } = await import("./compare-base.ts");
    return compareWithBase({ paths, flag, configuration, context: loadContextOf(options, io), cache }, io);
  };
  const resendUnreadable = options.resendUnreadable === true;
  const makePlan = async (request: Omit<PlanRequest, "attributed">): Promise<MadePlan> => {
    const {
      configuration: declared = configuration,
      reader: other,
      verifying = false,
      refused = [],
      switched = new Map(),
      ...options
    } = request;
    const hashes = withSwitched({ ...lock(), ...refusedDeletions(refused) }, switched);
    const progress = readingProgress(verifying ? "Reading again" : "Reading", {
      write: (text) => console.progress(text),
      terminal: console.redraws,
      paint: console.noteStyle.paint,
      width: console.noteStyle.width,
      now: () => clock.now(),
    });
    let serviceDate: Date | undefined;
    const onResponse = ({ date }: ApiResponse): void => {
      progress.step();
      serviceDate = date ?? serviceDate;
    };
    const own = verifying ? withPurpose(read, "verification") : read;
    try {
      return await makePlanFor(declared, other ?? observed(own, onResponse), kinds, {
        filter,
        ...options,
        version,
        approvals,
        parallelism,
        now: () => io.now(),
        tokenHistory: async () => {
          const store = { disk: io.disk ?? nodeDisk, home: configuration.settings.home, service: service.name };
          const creations = await unstoredCreations(store);
          return { now: serviceDate ?? io.now(), ...(creations === undefined ? {} : { creations }) };
        },
        ownPrefixes: service.prefixes,
        lastApplied: verifying
          ? whileVerifying({ hashes })
          : { resend: resendUnreadable, hashes, ...tokenMemory(configuration) },
        // Acceptances are for the files, not for the state that an undo restores.
        accepted: declared.undoes === undefined ? accepted : [],
      });
    } catch (error) {
      throw withLines(error, declared);
    } finally {
      progress.end();
    }
  };
  const prepare = async ({ attributed = false, ...request }: PlanRequest): Promise<MadePlan> => {
    if (!attributed) return makePlan(request);
    const comparing = compare();
    const onlyChanged = options.onlyChanged === true ? onlyChangedOf(await comparing) : undefined;
    const paths = configuration.part === undefined ? {} : { paths: configuration.part };
    const narrowed = { ...paths, ...(request.filter ?? filter), ...(onlyChanged === undefined ? {} : { onlyChanged }) };
    const [made, compared] = await Promise.all([makePlan({ ...request, filter: narrowed }), comparing]);
    return compared === undefined ? made : { ...made, plan: explainedBy(made.plan, compared, configuration, narrowed) };
  };
  return {
    configuration,
    get lock() {
      return lock();
    },
    reader: read,
    service: service.name,
    writer: service.writer,
    parallelism,
    ownPrefixes: service.prefixes,
    words: sessionWords(options, configuration.settings),
    prepare,
    plan: async (request) => (await prepare(request)).plan,
    requestCounts: () => counter.counts,
    close: () => {
      service.close();
      if (options.verbose === true) console.note(requestsText(counter.counts).trimEnd());
    },
  };
}

/** The tokens that the lock knows to be stored by now. Without a lock, nothing is known of any. */
function tokenMemory({ settings }: Configuration): Pick<LastApplied, "storedTokens"> {
  const lock = readLock(settings);
  return lock === undefined ? {} : { storedTokens: storedTokens(lock) };
}

/** Returns the reader with a function that gets each response. */
function observed(source: Reader, onResponse: (response: ApiResponse) => void): Reader {
  return {
    host: source.host,
    get: async (ask) => {
      const response = await source.get(ask);
      onResponse(response);
      return response;
    },
  };
}

/** Parses `--kinds`, `--target` and `--exclude`. An unknown kind is a usage error. */
function filterOf(options: Pick<ReadingOptions, "kinds" | "target" | "exclude">): PlanFilter {
  const filter: PlanFilter = {
    typed: true,
    kinds: options.kinds === undefined ? [] : kindNames(options.kinds, KIND_NAMES),
    targets: (options.target ?? []).map((value) => address("--target", value, KIND_NAMES)),
    excludes: (options.exclude ?? []).map((value) => address("--exclude", value, KIND_NAMES)),
  };
  refuseEmptyFilter(filter, kinds);
  return filter;
}

/** Also excludes the managed kinds that only an administrator's token can read. If there are none, the plan is not partial. */
function excludeAdminKinds(filter: PlanFilter, { managed }: Configuration): PlanFilter {
  const isManaged = (name: string): boolean => managed.some(({ kind }) => kind === name);
  const excluded = kinds.filter(({ name, endpoint }) => endpoint.admin === true && isManaged(name)).map(topKindOf);
  return { ...filter, excludes: [...new Set([...filter.excludes, ...excluded])] };
}

/** Returns the error with access to the lines of the configuration files. */
function withLines(error: unknown, configuration: Configuration): unknown {
  if (!(error instanceof InvalidConfiguration)) return error;
  return new InvalidConfiguration(error.diagnostics, (file) => linesOf(configuration, file));
}

/** Prints a note about a failed attempt that will be repeated. */
export function noteRetry({ request, attempt, waitMilliseconds, error }: Retry, console: Console): void {
  const wait = Math.ceil(waitMilliseconds / 1000);
  const requestText = `${request.method} ${request.path}`;
  console.note(
    `${sanitised(requestText)} failed (attempt ${attempt}): ${sanitised(error.message)}; retrying in ${wait} s`,
  );
}
