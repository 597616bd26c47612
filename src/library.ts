/** The stages as other programs call them: the kinds are known, and whatever nobody says is as careful as the command line. */

import { connect as connectTo, type Retry } from "./api/http/client.ts";
import type { Reader, Writer } from "./api/http/connection.ts";
import { apply as carryOut } from "./apply/execute/apply.ts";
import type { Journal, Settlement } from "./apply/execute/journal.ts";
import type { ApplyEvent, ApplyResult } from "./apply/execute/outcome.ts";
import type { TokenSink } from "./apply/tokens/sink.ts";
import type { Configuration } from "./config/load/configuration.ts";
import { load as loadFiles } from "./config/load/load.ts";
import type { Limits } from "./config/source/limits.ts";
import type { Clock } from "./core/clock.ts";
import { PARALLELISM, REQUESTS_PER_MINUTE, TIMEOUT_SECONDS } from "./core/defaults.ts";
import type { Fetch } from "./core/fetch.ts";
import { USER_AGENT, version } from "./core/version.ts";
import { kinds } from "./kinds/index.ts";
import type { LastAppliedHashes } from "./match/last-applied.ts";
import type { Approvals } from "./plan/checks/policy-checks.ts";
import type { Blocked, Plan } from "./plan/plan.ts";
import { declaredValues } from "./run/secret-values.ts";
import { makePlanFor } from "./session/make-plan.ts";
import type { PlanFilter } from "./session/plan-filter.ts";

/** How to load: each may be left out. */
export interface LoadOptions {
  /** Where relative paths begin; the directory of the process when left out. */
  readonly cwd?: string;
  /** For `${env:…}`: usually `process.env`; empty when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** One of the settings' `environments`. */
  readonly environment?: string;
  /** For `${var:…}`, over those of the settings. */
  readonly vars?: Readonly<Record<string, string>>;
  /** How much is read at most; the defaults are those of the command line. */
  readonly limits?: Partial<Limits>;
}

/** How to reach a service. */
export interface ServiceOptions {
  /** Scheme, host and port; the only place that the tokens are sent to. */
  readonly baseUrl: string;
  /** The token of a service key; requests carry none when it is undefined. */
  readonly token: string | undefined;
  /** The token of an administrator, for what needs one: service keys and agents. */
  readonly adminToken?: string;
  /** The only way out: the global `fetch`, or the emulator's. */
  readonly fetch: Fetch;
  /** Reads and writes together, in any sixty seconds; 900 when left out. */
  readonly requestsPerMinute?: number;
  /** Time in seconds for one attempt, the body included; 30 when left out. */
  readonly timeoutSeconds?: number;
  /** What waiting is measured by; the system's clock when left out. */
  readonly clock?: Clock;
  /** A number in [0, 1), for jitter; `Math.random` when left out. */
  readonly random?: () => number;
  /** Told of each attempt that failed and is made again. */
  readonly onRetry?: (retry: Retry) => void;
}

/** What a plan is made with besides the files and the service. */
export interface PlanOptions {
  /** What the caller agrees to; nothing when left out. What it does not cover stands in the plan's `blocked`. */
  readonly approvals?: Partial<Approvals>;
  /** Kinds and addresses to plan for; everything when left out. */
  readonly filter?: Partial<PlanFilter>;
  /** Reads in flight at a time; 8 when left out. */
  readonly parallelism?: number;
  /** First twelve characters of the tokens in use: their keys are never taken away. */
  readonly ownPrefixes?: readonly string[];
  /** What is remembered, as hashes, of fields that the service does not return. */
  readonly lock?: LastAppliedHashes;
}

/** How a plan is carried out: each may be left out. */
export interface ApplyOptions {
  /** What the plan was made from; needed by a plan that sends values from the environment. */
  readonly configuration?: Configuration;
  /** After a refusal go on with what does not depend on it; false when left out. */
  readonly keepGoing?: boolean;
  /** Where one-time tokens go; needed by a plan that reveals one. */
  readonly sink?: TokenSink;
  /** Once aborted nothing more is started; what was sent is still settled. */
  readonly interrupted?: AbortSignal;
  /** Where the run writes down what it does; nowhere when left out. */
  readonly journal?: Journal;
  /** The time for the journal, where no answer of the service tells it. */
  readonly now?: () => Date;
  /** What waiting is measured by; the system's clock when left out. */
  readonly clock?: Clock;
  /** How operations of this plan ended in a run that stopped: what is finished is not sent again. */
  readonly earlier?: readonly Settlement[];
  /** Sends a creation again of which nothing is to be seen, also where that may make a second entry. */
  readonly resend?: boolean;
  /** Operations of one batch under way at a time; one when left out. */
  readonly parallelism?: number;
}

/** The plan holds something that nobody has agreed to. Nothing was sent. */
export class BlockedPlan extends Error {
  /** What nobody has agreed to, and the flag or consent that would. */
  readonly blocked: readonly Blocked[];

  constructor(blocked: readonly Blocked[]) {
    super(blocked.map(({ message }) => message).join("; "));
    this.name = "BlockedPlan";
    this.blocked = blocked;
  }
}

/**
 * Loads the files at or below the paths; without paths, those that the settings name. Throws `InvalidConfiguration` with every
 * error that was found. Sends nothing.
 */
export function load(paths: readonly string[], options: LoadOptions = {}): Promise<Configuration> {
  return loadFiles(paths, { cwd: ".", env: {}, ...options, kinds });
}

/** A connection that reads and writes. Sends nothing yet; throws when the address or a token is not acceptable. */
export function connect(options: ServiceOptions): Writer {
  return connectTo({
    requestsPerMinute: REQUESTS_PER_MINUTE,
    timeoutSeconds: TIMEOUT_SECONDS,
    userAgent: USER_AGENT,
    ...options,
  });
}

/** Makes the plan of a configuration against the live state. Sends GET only. */
export async function plan(configuration: Configuration, service: Reader, options: PlanOptions = {}): Promise<Plan> {
  const { approvals, filter, parallelism = PARALLELISM, ownPrefixes = [], lock = {} } = options;
  const { plan: made } = await makePlanFor(configuration, service, kinds, {
    version,
    approvals: { allowDelete: false, acceptRoutingWindow: false, ...approvals },
    filter: { kinds: [], targets: [], excludes: [], ...filter },
    parallelism,
    ownPrefixes,
    lastApplied: { hashes: lock, resend: false },
    identify: false,
    now: () => new Date(),
  });
  // The getters of the seal hold what the plan was made from; a plan may be kept for long.
  return { ...made, seal: { ...made.seal } };
}

/**
 * Carries a plan out, operation by operation; the events come as things happen, the result is returned at the end. What the
 * service refuses is an outcome and never thrown. Throws {@link BlockedPlan} before anything is sent.
 */
export async function* apply(
  made: Plan,
  service: Writer,
  { configuration, keepGoing = false, ...options }: ApplyOptions = {},
): AsyncGenerator<ApplyEvent, ApplyResult> {
  if (made.blocked.length > 0) throw new BlockedPlan(made.blocked);
  const secret = configuration === undefined ? {} : { secret: declaredValues(configuration) };
  return yield* carryOut(made, service, { ...options, keepGoing, ...secret });
}
