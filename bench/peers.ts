/** Other programs for comparison, and their installation. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "./processes.ts";

/** An installed program. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  /** Folder of the installation, with its `node_modules`. */
  readonly folder: string;
  readonly telling: Command;
  readonly helping: Command;
}

interface Known {
  readonly name: string;
  readonly version: string;
  /** The file to run. Without one the package is a library, and its import counts as its start. */
  readonly file?: string;
}

const KNOWN: readonly Known[] = [
  { name: "auth0-deploy-cli", version: "8.44.0", file: "lib/index.js" },
  { name: "directus-sync", version: "3.4.1", file: "bin/index.js" },
  { name: "contentful-cli", version: "3.10.4", file: "bin/contentful.js" },
  { name: "alchemy", version: "0.94.0", file: "bin/alchemy.js" },
  { name: "@pulumi/pulumi", version: "3.270.0" },
];

/** Timeout of an installation in milliseconds. */
const INSTALL_LIMIT = 120_000;

/** The installed programs, and the reasons why others are missing. */
export interface Installed {
  readonly peers: readonly Peer[];
  readonly missing: readonly string[];
}

/** Installs the programs once in a temporary folder, without running their scripts. Later runs reuse them. */
export function installPeers(): Installed {
  const peers: Peer[] = [];
  const missing: string[] = [];
  for (const known of KNOWN) {
    const folder = join(tmpdir(), "incidentctl-bench-peers", `${known.name.replace("/", "-")}-${known.version}`);
    try {
      if (!existsSync(folder)) install(`${known.name}@${known.version}`, folder);
      peers.push(peerIn(folder, known));
    } catch (error) {
      missing.push(`${known.name} ${known.version}: ${firstLineOf(error)}`);
    }
  }
  return { peers, missing };
}

/** Installs a package into a folder, which appears when it is complete. Returns the milliseconds. */
export function install(what: string, folder: string, options: readonly string[] = []): number {
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, "package.json"), '{ "private": true }\n');
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error", ...options, what];
  const started = performance.now();
  execFileSync("npm", words, { cwd: unfinished, stdio: ["ignore", "ignore", "pipe"], timeout: INSTALL_LIMIT });
  const took = performance.now() - started;
  renameSync(unfinished, folder);
  return took;
}

function peerIn(folder: string, { name, version, file }: Known): Peer {
  const require = createRequire(join(folder, "package.json"));
  if (file === undefined) {
    const importing = { args: ["-e", `require(${JSON.stringify(require.resolve(name))})`] };
    return { name, version, folder, telling: importing, helping: importing };
  }
  const path = join(folder, "node_modules", name, file);
  return { name, version, folder, telling: { args: [path, "--version"] }, helping: { args: [path, "--help"] } };
}

function firstLineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n").find((line) => line.includes("error")) ?? text.split("\n")[0] ?? "";
}
