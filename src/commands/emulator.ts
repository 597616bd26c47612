/** `emulator`: serves the embedded service until it is interrupted, on loopback unless another address is given. */

import { resolve } from "node:path";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { quoted } from "../core/sanitise.ts";
import { parseDialects } from "../emulator/dialects.ts";
import { createEmulator } from "../emulator/emulator.ts";
import { type DeliveryTarget, deliveryTarget } from "../emulator/modules/webhooks/outbound.ts";
import { isAddress, serve } from "../emulator/serve.ts";
import { type Console, type ConsoleOptions, openConsole } from "../output/console.ts";
import { refuseMissingFolder } from "../output/require-folder.ts";
import { compileWebAssemblyFast } from "../session/v8-flags.ts";

/** The flags of `emulator`. */
export interface EmulatorFlags extends ConsoleOptions {
  /** The port; 0, the default, chooses a free one. */
  readonly port?: number;
  /** The address to listen on; 127.0.0.1 if absent. */
  readonly host?: string;
  /** The database file; in memory if absent. */
  readonly file?: string;
  /** `name=value` switches. */
  readonly dialect?: readonly string[];
  /** Contents of a new workspace. */
  readonly workspace?: "default" | "bare";
  /** Fills a new workspace with people and incidents. */
  readonly seed?: boolean;
  /** Where webhooks are delivered to. */
  readonly deliverTo?: readonly string[];
  /** Serves the control surface, whose key is printed too. */
  readonly control?: boolean;
}

const REACH: Readonly<Record<string, string>> = {
  loopback: "every port of this machine's loopback addresses",
  anywhere: "any address, also in your own network",
};

/** URLs on addresses that no other machine can reach. */
const LOOPBACK = /^http:\/\/(?:127\.|\[::1\])/;

/** Serves until interrupted. stdout holds lines that a shell can read, for a client in another terminal. */
export async function emulator(
  options: EmulatorFlags,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  const interrupted = io.interruption();
  if (options.seed === true && options.workspace === "bare") throw misuse("--seed needs the default workspace");
  if (options.file !== undefined) refuseMissingFolder(resolve(io.cwd, options.file), options.file);
  if (options.host !== undefined && !isAddress(options.host)) {
    throw misuse(`--host takes an IP address, not ${quoted(options.host)}`);
  }
  const deliverTo = (options.deliverTo ?? []).map(targetOf);
  compileWebAssemblyFast();
  const service = createEmulator({
    dialects: dialectsOf(options.dialect ?? []),
    control: options.control === true,
    seed: options.seed === true,
    deliverTo,
    ...(options.file === undefined ? {} : { file: resolve(io.cwd, options.file) }),
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
  });
  try {
    const address = options.host === undefined ? {} : { host: options.host, allowNonLoopback: true };
    const server = await serve(service, { port: options.port ?? 0, ...address }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message.replace(/^listen E[A-Z]+: /, "") : String(error);
      throw new Stop(EXIT.error, `cannot serve: ${reason}; give another --port, or none for a free one`);
    });
    // Bypasses the console, which would mask the tokens if the environment has them already.
    io.stdout.write(
      [
        `export INCIDENTCTL_URL=${localUrl(server.url)}`,
        `export INCIDENTCTL_TOKEN=${service.serviceToken}`,
        `export INCIDENTCTL_ADMIN_TOKEN=${service.adminToken}`,
        ...(service.control === undefined ? [] : [`export INCIDENTCTL_CONTROL_KEY=${service.control.key}`]),
        "",
      ].join("\n"),
    );
    if (!LOOPBACK.test(server.url))
      console.note("warning: every machine that can reach this address reaches the service");
    for (const target of deliverTo) console.note(`warning: webhooks are delivered to ${REACH[target] ?? target}`);
    console.note("serving until interrupted (Ctrl+C)");
    await aborted(interrupted);
    await server.close();
  } finally {
    await service.close();
  }
  return EXIT.success;
}

/** The URL for a client on this machine: an address that stands for all of them is not one to connect to. */
function localUrl(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

function targetOf(name: string): DeliveryTarget {
  const target = deliveryTarget(name);
  if (target === undefined) throw misuse(`--deliver-to takes HOST:PORT, loopback or anywhere, not ${quoted(name)}`);
  return target;
}

function dialectsOf(switches: readonly string[]): ReturnType<typeof parseDialects> {
  try {
    return parseDialects(switches);
  } catch (error) {
    throw misuse(error instanceof Error ? error.message : String(error));
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
