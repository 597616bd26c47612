/** The stages as other programs call them: the kinds are known, and whatever nobody says is as careful as the command line. */

import { type ConnectOptions, connect as connectTo } from "../api/client.ts";
import type { Reader, Writer } from "../api/connection.ts";
import { type ApplyOptions as CarryOutOptions, apply as carryOut } from "../apply/apply.ts";
import type { ApplyEvent, ApplyResult } from "../apply/outcome.ts";
import type { Configuration } from "../config/configuration.ts";
import { type LoadOptions as LoadFilesOptions, load as loadFiles } from "../config/load.ts";
import { kinds } from "../kinds/index.ts";
import type { Consent } from "../plan/guards.ts";
import type { Lock } from "../plan/memory.ts";
import type { Blocked, Plan } from "../plan/plan.ts";
import type { Narrowing } from "./narrow.ts";
import { prepare } from "./prepare.ts";
import { declaredValues } from "./secrets.ts";
import { PARALLELISM } from "./session.ts";
import { version } from "./version.ts";

/** How to load: each may be left out. `cwd` is the process's own directory then, and `env` is empty. */
export type LoadOptions = Partial<Omit<LoadFilesOptions, "kinds" | "instead">>;

/** How to reach a service. `requestsPerMinute` is 900 and `timeoutSeconds` is 30 when left out. */
export type ServiceOptions = Pick<ConnectOptions, "baseUrl" | "token" | "fetch"> & Partial<ConnectOptions>;

/** What a plan is made with besides the files and the service. */
export interface PlanOptions {
  /** What the caller agrees to; nothing when left out. What it does not cover stands in the plan's `blocked`. */
  readonly consent?: Partial<Consent>;
  /** Kinds and addresses to plan for; everything when left out. */
  readonly narrowing?: Partial<Narrowing>;
  /** Reads in flight at a time; 8 when left out. */
  readonly parallelism?: number;
  /** First twelve characters of the tokens in use: their keys are never taken away. */
  readonly ownPrefixes?: readonly string[];
  /** What is remembered, as hashes, of fields that the service does not return. */
  readonly lock?: Lock;
}

/** How a plan is carried out. */
export interface ApplyOptions extends Partial<Omit<CarryOutOptions, "secret">> {
  /** What the plan was made from; needed by a plan that sends values from the environment. */
  readonly configuration?: Configuration;
}

/** The plan holds something that nobody has agreed to. Nothing was sent. */
export class BlockedPlan extends Error {
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
  return connectTo({ requestsPerMinute: 900, timeoutSeconds: 30, ...options });
}

/** Makes the plan of a configuration against the live state. Sends GET only. */
export function plan(configuration: Configuration, service: Reader, options: PlanOptions = {}): Promise<Plan> {
  const { consent, narrowing, parallelism = PARALLELISM, ownPrefixes = [], lock = {} } = options;
  return prepare(configuration, service, kinds, {
    version,
    consent: { allowDelete: false, acceptRoutingWindow: false, ...consent },
    narrowing: { kinds: [], targets: [], excludes: [], ...narrowing },
    parallelism,
    ownPrefixes,
    memory: { lock, resend: false },
    identify: false,
    now: () => new Date(),
  });
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
