/** Connects a command to the service, or to the embedded emulator. */

import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { TIMEOUT_SECONDS } from "../../config/settings/request-defaults.ts";
import type { Settings } from "../../config/settings/settings.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Fetch } from "../../core/fetch.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { USER_AGENT } from "../../core/package.ts";
import type { Emulator } from "../../emulator/emulator.ts";
import { PREFIX_LENGTH } from "../../plan/model/token-paths.ts";
import { type ConnectOptions, connect } from "../../service/http/client.ts";
import { plainHttpWarning, trustedOrigin } from "../../service/http/credentials.ts";
import { openNetwork } from "../../service/http/network.ts";
import type { Writer } from "../../service/requests/connection.ts";
import type { ConnectionOptions } from "../command/shared-flags.ts";
import { refuseLinks, refuseMissingFolder } from "../console/require-folder.ts";
import type { Tokens } from "./tokens.ts";
import { compileWebAssemblyFast } from "./v8-flags.ts";

/** An open connection to a service. */
export interface Service {
  readonly writer: Writer;
  /** Name of the service: its host, or the emulator's database. */
  readonly name: string;
  /** Prefixes of the tokens in use, as the service shows them. */
  readonly prefixes: readonly string[];
  close(): void;
}

/** Callbacks of a connection, and requests of earlier runs that count for its rate limit. */
export interface ConnectionHooks extends Pick<ConnectOptions, "onRetry" | "onSend" | "onEnd"> {
  /** Called with a warning about the address. */
  readonly warn: (line: string) => void;
  /** Returns the ages, in milliseconds, of the last requests to the service of this name. */
  readonly earlier?: (service: string) => Promise<readonly number[]>;
}

/**
 * Connects without sending anything. A missing token, or an address that the token must not be sent to, ends the command.
 * `onRetry` is called for every retry, `onSend` and `onEnd` before and after every request.
 */
export async function openService(
  options: Omit<ConnectionOptions, "parallelism">,
  tokens: Tokens,
  settings: Settings,
  io: Io,
  { warn, onRetry, onSend, onEnd, earlier }: ConnectionHooks,
): Promise<Service> {
  const run = {
    requestsPerMinute: options.rate ?? settings.requestsPerMinute,
    timeoutSeconds: options.timeout ?? TIMEOUT_SECONDS,
    ...(onRetry === undefined ? {} : { onRetry }),
    ...(onSend === undefined ? {} : { onSend }),
    ...(onEnd === undefined ? {} : { onEnd }),
    ...(io.clock === undefined ? {} : { clock: io.clock }),
  };
  if (options.emulator !== undefined) {
    if (options.url !== undefined) throw misuse("--url and --emulator exclude each other");
    return openEmulator(options.emulator, settings.home, io.cwd, run);
  }
  const plainHttpHost = io.env.INCIDENTCTL_PLAIN_HTTP_HOST ?? "";
  const baseUrl = chooseBaseUrl(options.url, io.env.INCIDENTCTL_URL, settings, plainHttpHost);
  if (tokens.token === undefined) {
    throw new Stop(EXIT.cannotSee, "there is no token: set INCIDENTCTL_TOKEN, or use --emulator");
  }
  const network = await openNetwork(io.env, run.timeoutSeconds, baseUrl);
  const origin = trustedOrigin(baseUrl, plainHttpHost);
  const warning = plainHttpWarning(origin);
  if (warning !== undefined) warn(warning);
  const sent = await earlier?.(origin);
  const writer = connect({
    baseUrl,
    plainHttpHost,
    token: tokens.token,
    ...adminOf(tokens),
    fetch: io.fetch ?? network,
    userAgent: USER_AGENT,
    ...run,
    ...(sent === undefined ? {} : { earlier: sent }),
  });
  return { writer, name: writer.host, prefixes: prefixesOf(tokens), close: () => {} };
}

/** Returns the base URL, after checking that the settings allow tokens to be sent there. */
function chooseBaseUrl(
  flag: string | undefined,
  variable: string | undefined,
  { baseUrl: setting, environment, environments }: Settings,
  plainHttpHost: string,
): string {
  const chosen = flag ?? (variable === "" ? undefined : variable) ?? setting;
  if (chosen === undefined && environment === undefined && environments.length > 0) {
    const flags = environments.map((name) => `-e ${name}`);
    throw new Stop(EXIT.error, `there is no service URL; choose an environment: ${flags.join(" or ")}`);
  }
  if (chosen === undefined) {
    throw new Stop(
      EXIT.error,
      "there is no service URL: set base_url in incidentctl.yaml or INCIDENTCTL_URL, or use --url or --emulator",
    );
  }
  const origin = trustedOrigin(chosen, plainHttpHost);
  if (setting !== undefined && trustedOrigin(setting) !== origin) {
    const source = flag === undefined ? "INCIDENTCTL_URL" : "--url";
    throw new Stop(
      EXIT.error,
      `${source} names ${origin}, but the settings' base_url is ${trustedOrigin(setting)}; the token is not sent there`,
    );
  }
  return chosen;
}

async function openEmulator(
  file: string,
  home: string,
  cwd: string,
  run: Pick<ConnectOptions, "requestsPerMinute" | "timeoutSeconds" | "onRetry" | "onSend" | "onEnd" | "clock">,
): Promise<Service> {
  const { createEmulator } = await import("../../emulator/emulator.ts");
  const database = await databaseFile(file, home, cwd);
  compileWebAssemblyFast();
  const emulator = createEmulator({ file: database });
  const tokens = { token: emulator.serviceToken, adminToken: emulator.adminToken };
  const writer = connect({ baseUrl: "http://localhost", ...tokens, fetch: fetchFrom(emulator), ...run });
  return { writer, name: `emulator ${database}`, prefixes: prefixesOf(tokens), close: () => emulator.close() };
}

/** Returns a `fetch` that sends every request to the emulator in this process. */
export function fetchFrom(emulator: Pick<Emulator, "request">): Fetch {
  return async (input, init) => {
    const { headers, ...response } = await emulator.request(input, init);
    // An HTTP server adds this header.
    const date = new Date().toUTCString();
    const has = (name: string): boolean => name === "date" || headers.has(name);
    return { ...response, headers: { get: (name) => (name === "date" ? date : headers.get(name)), has } };
  };
}

/** Returns the database file of the emulator: the named one, or the default one in a folder for its owner only. */
async function databaseFile(file: string, home: string, cwd: string): Promise<string> {
  const path = file === "" ? join(home, ".incidentctl", "emulator.db") : resolve(cwd, file);
  if (file !== "") {
    refuseMissingFolder(path, file);
    return path;
  }
  refuseLinks(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

function adminOf({ adminToken }: Tokens): { adminToken?: string } {
  return adminToken === undefined ? {} : { adminToken };
}

function prefixesOf(tokens: Tokens): readonly string[] {
  return [tokens.token, tokens.adminToken].flatMap((token) => token?.slice(0, PREFIX_LENGTH) ?? []);
}
