/** Size of an installation on the disk, of this program and of others. */

import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./goals.ts";
import { install, type Peer } from "./peers.ts";
import { inTemporary, root } from "./processes.ts";

/** Size of an installation. */
export interface Weight {
  readonly name: string;
  readonly version: string;
  readonly packages: number;
  readonly bytes: number;
  /** Packages with install scripts. */
  readonly scripts: number;
  /** Seconds without a cache; undefined if not measured. */
  readonly seconds?: number;
}

/** Results for installations, this program first. */
export interface Weights {
  readonly measured: readonly Measured[];
  readonly weights: readonly Weight[];
  /** The runtime dependencies of this program, with their bytes. */
  readonly own: readonly { readonly name: string; readonly version: string; readonly bytes: number }[];
}

/** Packs the build, installs it as a user would, and measures it and the others. */
export function measureWeights(peers: readonly Peer[]): Weights {
  return inTemporary((folder) => {
    const words = ["pack", "--ignore-scripts", "--json", "--loglevel", "error", "--pack-destination", folder];
    const [packed] = JSON.parse(execFileSync("npm", words, { cwd: root, encoding: "utf8" }));
    const place = join(folder, "own");
    const fresh = ["--cache", join(folder, "cache")];
    const seconds = install(join(folder, packed.filename), place, fresh) / 1000;
    const own = { ...weigh(place, packed.name, packed.version), seconds };
    const first = peers.find(({ name }) => name === "auth0-deploy-cli");
    const others = peers.map((peer): Weight => {
      const weight = weigh(peer.folder, peer.name, peer.version);
      if (peer !== first) return weight;
      const again = ["--cache", join(folder, "other-cache")];
      return { ...weight, seconds: install(`${peer.name}@${peer.version}`, join(folder, "other"), again) / 1000 };
    });
    return {
      measured: [{ id: "P14", values: [own.packages, own.bytes / 1e6, own.scripts, seconds] }],
      weights: [own, ...others],
      own: packagesIn(place).map(({ at, name, version }) => ({ name, version, bytes: bytesOf(join(place, at)) })),
    };
  });
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly hasInstallScript?: boolean }>>;
}

function weigh(folder: string, name: string, version: string): Weight {
  const packages = packagesIn(folder);
  const scripts = packages.filter(({ script }) => script).length;
  return { name, version, packages: packages.length, scripts, bytes: bytesOf(join(folder, "node_modules")) };
}

function packagesIn(folder: string): readonly { at: string; name: string; version: string; script: boolean }[] {
  const lock: Lock = JSON.parse(readFileSync(join(folder, "node_modules", ".package-lock.json"), "utf8"));
  return Object.entries(lock.packages).map(([at, { version = "", hasInstallScript = false }]) => ({
    at,
    name: at.split("node_modules/").at(-1) ?? at,
    version,
    script: hasInstallScript,
  }));
}

/** Total size of the files below a folder in bytes, without the rounding of a disk. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}
