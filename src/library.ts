/** The stages as functions for other programs. The kinds are built in, and defaults are as strict as those of the command line. */

import { declaredValues } from "./app/saved-plan/secret-values.ts";
import { readAccepted } from "./app/session/accepted-file.ts";
import { makePlanFor } from "./app/session/make-plan.ts";
import type { PlanFilter } from "./app/session/plan-filter.ts";
import { load as loadFiles } from "./config/load/load.ts";
import type { Configuration } from "./config/resources/configuration.ts";
import { PARALLELISM, REQUESTS_PER_MINUTE, TIMEOUT_SECONDS } from "./config/settings/request-defaults.ts";
import type { Limits } from "./config/source/limits.ts";
import type { Clock } from "./core/clock.ts";
import type { Fetch } from "./core/fetch.ts";
import { USER_AGENT, version } from "./core/package.ts";
import { kinds } from "./kinds/index.ts";
import { type Approvals, TOKEN_SINK } from "./plan/checks/policy-checks.ts";
import { sealPlan } from "./plan/checks/seal.ts";
import type { Blocked, Plan, SealedPlan } from "./plan/model/plan.ts";
import { apply as carryOut } from "./run/apply/apply.ts";
import type { Journal, Settlement } from "./run/journal/intent.ts";
import type { ApplyEvent, ApplyResult } from "./run/journal/outcome.ts";
import type { TokenSink } from "./run/tokens/sink.ts";
import { connect as connectTo, type Retry } from "./service/http/client.ts";
import type { Reader, Writer } from "./service/requests/connection.ts";
import type { LastAppliedHashes } from "./workspace/match/last-applied.ts";

/** Options of loading. All are optional. */
export interface LoadOptions {
  /** Base of relative paths. Default: the working directory. */
  readonly cwd?: string;
  /** Values of `${env:…}`, usually `process.env`. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** One of the `environments` of the settings. */
  readonly environment?: string;
  /** Values of `${var:…}`. They override those of the settings. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Limits of what is read. Default: those of the command line. */
  readonly limits?: Partial<Limits>;
}

/** A service and the tokens for it. */
export interface ServiceOptions {
  /** Scheme, host and port. Tokens are sent nowhere else. */
  readonly baseUrl: string;
  /** The token of a service key. Undefined: requests carry no token. */
  readonly token: string | undefined;
  /** An administrator's token, needed for service keys and agents. */
  readonly adminToken?: string;
  /** Sends every request: the global `fetch`, or that of the emulator. */
  readonly fetch: Fetch;
  /** Requests in any 60 seconds, reads and writes together. Default: 900. */
  readonly requestsPerMinute?: number;
  /** Time limit of one attempt in seconds, including the body. Default: 30. */
  readonly timeoutSeconds?: number;
  /** Measures waiting times. Default: the system clock. */
  readonly clock?: Clock;
  /** Returns a number in [0, 1) for jitter. Default: `Math.random`. */
  readonly random?: () => number;
  /** Called before each retry. */
  readonly onRetry?: (retry: Retry) => void;
}

/** Options of a plan. */
export interface PlanOptions {
  /** Approvals. Default: none. Whatever lacks an approval is in `blocked` of the plan. */
  readonly approvals?: Partial<Approvals>;
  /** Kinds and addresses to plan. Default: all. */
  readonly filter?: Partial<PlanFilter>;
  /** Reads in flight at a time. Default: 8. */
  readonly parallelism?: number;
  /** First twelve characters of the tokens in use. Their keys are never removed. */
  readonly ownPrefixes?: readonly string[];
  /** Hashes of last applied values of fields that the service does not return. */
  readonly lock?: LastAppliedHashes;
  /** The time of the plan, on which acceptances of differences depend. Default: now. */
  readonly now?: () => Date;
}

/** Options of an apply. All are optional. */
export interface ApplyOptions {
  /** The configuration of the plan. Required if the plan sends values from the environment. */
  readonly configuration?: Configuration;
  /** Continue after a refusal with operations that do not depend on it. Default: false. */
  readonly keepGoing?: boolean;
  /** Receives one-time tokens. Required if the plan creates one. */
  readonly sink?: TokenSink;
  /** Once aborted, no more requests are sent. The outcome of those in flight is still determined. */
  readonly interrupted?: AbortSignal;
  /** Records the run. Default: no journal. */
  readonly journal?: Journal;
  /** The time for the journal, if no response of the service gives it. */
  readonly now?: () => Date;
  /** Measures waiting times. Default: the system clock. */
  readonly clock?: Clock;
  /** Outcomes of operations of this plan in an interrupted run. Finished operations are not sent again. */
  readonly earlier?: readonly Settlement[];
  /** Send a creation again if its result is not visible, even if that may create a second resource. */
  readonly resend?: boolean;
  /** Operations of one batch in flight at a time. Default: 1. */
  readonly parallelism?: number;
}

/** The plan needs an approval. Nothing was sent. */
export class BlockedPlan extends Error {
  /** Reasons that need an approval, each with the flag that gives it. */
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

/** Makes the plan of a configuration against the live state, without the differences that are accepted. Sends GET only. */
export async function plan(
  configuration: Configuration,
  service: Reader,
  options: PlanOptions = {},
): Promise<SealedPlan> {
  const { approvals, filter, parallelism = PARALLELISM, ownPrefixes = [], lock = {}, now = () => new Date() } = options;
  const made = await makePlanFor(configuration, service, kinds, {
    version,
    approvals: { allowDelete: false, acceptRoutingWindow: false, ...approvals },
    filter: { kinds: [], targets: [], excludes: [], ...filter },
    parallelism,
    ownPrefixes,
    lastApplied: { hashes: lock, resend: false },
    accepted: readAccepted(configuration.settings.home),
    identify: false,
    now,
  });
  return sealPlan(made.plan, made, { saved: false });
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
  const blocked = made.blocked.filter(({ code }) => code !== TOKEN_SINK || options.sink === undefined);
  if (blocked.length > 0) throw new BlockedPlan(blocked);
  const secret = configuration === undefined ? {} : { secret: declaredValues(configuration) };
  return yield* carryOut(made, service, { ...options, keepGoing, ...secret });
}
