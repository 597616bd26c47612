/** `emulator`: serves the embedded service until it is interrupted, on loopback unless another address is given. */

import { readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { quoted } from "../../core/sanitise.ts";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { isHostName, isWebOrigin } from "../../emulator/http/allowed-origins.ts";
import type { WorkspaceContent } from "../../emulator/seeds/seeds.ts";
import { isAddress, serve } from "../../emulator/serve.ts";
import { type DeliveryTarget, deliveryTarget } from "../../emulator/service/outbound.ts";
import { createWebPages } from "../../emulator/web/web-pages.ts";
import type { Console } from "../console/console.ts";
import { refuseMissingFolder } from "../console/require-folder.ts";
import { saveFile } from "../console/save-file.ts";
import { compileWebAssemblyFast } from "../session/v8-flags.ts";
import type { EmulatorFlags, ExportFlags } from "./emulator-definition.ts";
import { readFixedTokens, tokenLines } from "./fixed-tokens.ts";
import { dialectFlags, serveUntil } from "./serving.ts";

export type { ExportFlags };

const REACH: Readonly<Record<string, string>> = {
  loopback: "every port of this machine's loopback addresses",
  anywhere: "any address, also in your own network",
};

/** Addresses that no other machine can reach. */
const LOOPBACK_ADDRESS = /^(?:127\.|::1$)/;

/** Serves until interrupted. stdout holds lines that a shell can read, for a client in another terminal. */
export async function emulator(options: EmulatorFlags, io: Io, console: Console): Promise<number> {
  const interrupted = io.interruption();
  checkSeed(options);
  if (options.file !== undefined) refuseMissingFolder(resolve(io.cwd, options.file), options.file);
  if (options.host !== undefined && !isAddress(options.host)) {
    throw misuse(`--host takes an IP address, not ${quoted(options.host)}`);
  }
  const { allowHost = [], allowOrigin = [], readyFile } = options;
  checkOrigins(allowHost, allowOrigin);
  if (readyFile !== undefined) refuseMissingFolder(resolve(io.cwd, readyFile), readyFile, "the ready file");
  const deliverTo = (options.deliverTo ?? []).map(targetOf);
  const isLoopback = options.host === undefined || LOOPBACK_ADDRESS.test(options.host);
  const { controlKey, ...tokens } = await readFixedTokens(io, options.tokensFile, isLoopback);
  compileWebAssemblyFast();
  const service = createEmulator({
    dialects: dialectFlags(options.dialect),
    // The pages show the request log and the faults, which belong to the control surface.
    control: options.control === true ? true : "in-process",
    seed: options.seed === true,
    ...(typeof options.seed === "string" ? { content: await contentOf(options.seed, io) } : {}),
    deliverTo,
    tokens,
    controlKey,
    file: options.file === undefined ? undefined : resolve(io.cwd, options.file),
    workspace: options.workspace,
  });
  try {
    const address = options.host === undefined ? {} : { host: options.host, allowNonLoopback: true };
    const reach = { allowHosts: allowHost, allowOrigins: allowOrigin };
    const pages = createWebPages(service, { isWritable: options.control === true });
    const listening = { port: options.port ?? 0, pages: pages.handler, ...address, ...reach };
    const server = await serve(service, listening).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message.replace(/^listen E[A-Z]+: /, "") : String(error);
      throw new Stop(EXIT.error, `cannot serve: ${reason}; give another --port, or none for a free one`);
    });
    let removeReadyFile = (): Promise<void> => Promise.resolve();
    try {
      const url = localUrl(server.url);
      const key = options.control === true ? service.control?.key : undefined;
      const keys = key === undefined ? {} : { controlKey: key };
      // Bypasses the console, which would mask the tokens if the environment has them already.
      const lines = tokenLines({ service: service.serviceToken, admin: service.adminToken, ...keys });
      io.stdout.write([`export INCIDENTCTL_URL=${url}`, ...lines, ""].join("\n"));
      if (!service.isNew) for (const line of unusedContent(options)) console.note(line);
      if (!isLoopback) console.note("warning: every machine that can reach this address reaches the service");
      for (const line of reachWarnings(allowHost, allowOrigin)) console.note(line);
      for (const target of deliverTo) console.note(`warning: webhooks are delivered to ${REACH[target] ?? target}`);
      if (readyFile !== undefined) {
        removeReadyFile = await writeReadyFile(readyFile, readyState(url, service, key), io.cwd);
      }
      console.note(`web page, with a link that works once: ${url}${pages.link}`);
      await serveUntil(interrupted, console);
    } finally {
      await removeReadyFile();
      await server.close();
    }
  } finally {
    await service.close();
  }
  return EXIT.success;
}

/** `emulator export`: writes the workspace of an emulator as a seed file. */
export async function emulatorExport(options: ExportFlags, io: Io, console: Console): Promise<number> {
  const { exportWorkspace } = await import("./export-workspace.ts");
  return exportWorkspace(options, io, console);
}

/** Ends the command for flags that state the content of a new workspace twice. */
function checkSeed({ seed, workspace }: EmulatorFlags): void {
  if (seed === true && workspace === "bare") throw misuse("--seed needs the default workspace");
  if (typeof seed === "string" && workspace !== undefined)
    throw misuse("--workspace has no effect with --seed=FILE; write base: in the file");
}

/** A warning for the flags about the content of a new workspace, of which a file with a workspace gets nothing. */
function unusedContent({ file = "", seed, workspace }: EmulatorFlags): readonly string[] {
  const flags = [...(seed === undefined ? [] : ["--seed"]), ...(workspace === undefined ? [] : ["--workspace"])];
  if (flags.length === 0) return [];
  return [`warning: ${quoted(file)} has a workspace already, which ${flags.join(" and ")} did not change`];
}

/** The content of a seed file. The emulator loads no configuration without one. */
async function contentOf(file: string, io: Io): Promise<WorkspaceContent> {
  const { seededContent } = await import("./seeded-content.ts");
  return seededContent(file, io);
}

/** The URL for a client on this machine: an address that stands for all of them is not one to connect to. */
function localUrl(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** Ends the command for a flag that names no host or no origin. */
function checkOrigins(hosts: readonly string[], origins: readonly string[]): void {
  const host = hosts.find((name) => !isHostName(name));
  if (host !== undefined)
    throw misuse(`--allow-host takes a host name, as emulator or emulator:8080, not ${quoted(host)}`);
  const origin = origins.find((each) => !isWebOrigin(each));
  if (origin === undefined) return;
  throw misuse(`--allow-origin takes the origin of a web page, as http://localhost:5173, not ${quoted(origin)}`);
}

function reachWarnings(hosts: readonly string[], origins: readonly string[]): readonly string[] {
  return [
    ...hosts.map(
      (name) =>
        `warning: requests for the host ${name} are accepted: whoever controls the name can let web pages reach the service`,
    ),
    ...origins.map((origin) => `warning: web pages of ${origin} can use the service with a token that they have`),
  ];
}

function readyState(url: string, { serviceToken, adminToken }: Emulator, controlKey: string | undefined): ReadyState {
  const key = controlKey === undefined ? {} : { control_key: controlKey };
  return { url, token: serviceToken, admin_token: adminToken, ...key, pid: process.pid };
}

function targetOf(name: string): DeliveryTarget {
  const target = deliveryTarget(name);
  if (target === undefined) throw misuse(`--deliver-to takes HOST:PORT, loopback or anywhere, not ${quoted(name)}`);
  return target;
}

/** The content of a ready file. */
interface ReadyState {
  readonly url: string;
  readonly token: string;
  readonly admin_token: string;
  /** Absent without a control surface. */
  readonly control_key?: string;
  /** The process that serves. */
  readonly pid: number;
}

/** Writes the file at once and as a whole, readable for its owner alone. Returns a function that removes it. */
async function writeReadyFile(path: string, state: ReadyState, cwd: string): Promise<() => Promise<void>> {
  const text = `${JSON.stringify(state, null, 2)}\n`;
  await saveFile(path, text, cwd);
  return async () => {
    // Another emulator may have written the file since.
    const current = await readFile(resolve(cwd, path), "utf8").catch(() => "");
    if (current === text) await rm(resolve(cwd, path), { force: true });
  };
}
