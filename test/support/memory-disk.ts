/**
 * A disk in memory for journals. It can be full, fail to sync, write fewer bytes than requested, stop in the
 * middle of a call as if the process had been killed, and lose unsynced data in a power cut.
 */

import { dirname } from "node:path";
import type { Disk, DiskFile, PathStatus } from "../../src/core/file-system.ts";

/** A call that changes the disk. Calls are counted from 1. */
export interface DiskCall {
  readonly number: number;
  readonly name: "create" | "write" | "sync" | "truncate" | "rename" | "remove" | "makeFolder" | "syncFolder";
  readonly path: string;
}

/** Faults of the disk. The first that applies to a call counts. */
export interface DiskFaults {
  /** Free bytes. */
  readonly capacity?: number;
  /** Returns the error code with which a call fails. */
  readonly fails?: (call: DiskCall) => string | undefined;
  /** Maximum number of bytes in one write. */
  readonly chunk?: number;
  /** From the call with this number on, syncs succeed without effect. */
  readonly liesFrom?: number;
  /** Awaited before the call. A promise that never settles stops the process there. */
  readonly before?: (call: DiskCall) => Promise<void> | void;
}

interface Held {
  bytes: Buffer;
  /** Synced bytes, which survive a power cut. */
  durable: Buffer;
}

/** The faults of a disk that stops syncing after some syncs of files and folders. */
export function failingSyncs(count: number): DiskFaults {
  let left = count;
  return { fails: ({ name }) => ((name === "sync" || name === "syncFolder") && left-- <= 0 ? "EIO" : undefined) };
}

export class MemoryDisk implements Disk {
  faults: DiskFaults;
  /** Calls that changed the disk. */
  readonly calls: DiskCall[] = [];
  /** Paths of the files that were closed, once for each time. */
  readonly closed: string[] = [];
  #files: Map<string, Held> = new Map();
  #folders: Set<string> = new Set();
  /** File names after a power cut. */
  #durable: Map<string, Held> = new Map();
  #written = 0;

  constructor(faults: DiskFaults = {}) {
    this.faults = faults;
  }

  readonly inspect: Disk["inspect"] = async (path): Promise<PathStatus | undefined> => {
    if (this.#files.has(path)) return { type: "file", mode: 0o600, isOwn: true };
    return this.#folders.has(path) ? { type: "folder", mode: 0o700, isOwn: true } : undefined;
  };

  readonly read: Disk["read"] = async (path) => Buffer.from(this.#held(path).bytes);

  readonly create: Disk["create"] = async (path) => {
    await this.#called("create", path);
    if (this.#files.has(path)) throw coded("EEXIST");
    this.#files.set(path, { bytes: Buffer.alloc(0), durable: Buffer.alloc(0) });
    return this.#open(path);
  };

  readonly openForAppend: Disk["openForAppend"] = async (path) => {
    this.#held(path);
    return this.#open(path);
  };

  readonly makeFolder: Disk["makeFolder"] = async (path) => {
    if (this.#folders.has(path)) return;
    await this.#called("makeFolder", path);
    this.#folders.add(path);
  };

  readonly makePrivate: Disk["makePrivate"] = async () => {};

  readonly list: Disk["list"] = async (path) => {
    return [...this.#files.keys()]
      .filter((name) => dirname(name) === path)
      .map((name) => name.slice(path.length + 1))
      .sort();
  };

  readonly rename: Disk["rename"] = async (from, to) => {
    await this.#called("rename", to);
    this.#files.set(to, this.#held(from));
    this.#files.delete(from);
  };

  readonly remove: Disk["remove"] = async (path) => {
    await this.#called("remove", path);
    this.#files.delete(path);
  };

  readonly syncFolder: Disk["syncFolder"] = async (path) => {
    await this.#called("syncFolder", path);
    for (const name of this.#durable.keys()) if (dirname(name) === path) this.#durable.delete(name);
    for (const [name, held] of this.#files) if (dirname(name) === path) this.#durable.set(name, held);
  };

  /** Stores a file as if it had been synced. */
  put(path: string, bytes: Uint8Array): void {
    const held = { bytes: Buffer.from(bytes), durable: Buffer.from(bytes) };
    this.#files.set(path, held);
    this.#durable.set(path, held);
  }

  /** The text of a file. */
  text(path: string): string {
    return this.#held(path).bytes.toString("utf8");
  }

  /** Texts of all files, by path. */
  texts(): ReadonlyMap<string, string> {
    return new Map([...this.#files].map(([path, { bytes }]) => [path, bytes.toString("latin1")]));
  }

  /** Contents of the files after a power cut, by path. */
  durable(): ReadonlyMap<string, Buffer> {
    return new Map([...this.#durable].map(([path, { durable }]) => [path, durable]));
  }

  /** Marks the process of a lock as ended, so that the lock does not count. */
  forgetClaims(): void {
    for (const name of [...this.#files.keys(), ...this.#durable.keys()]) {
      if (!/\.(running|draft)$/.test(name)) continue;
      this.#files.delete(name);
      this.#durable.delete(name);
    }
  }

  /** A power cut: unsynced data is lost, and so are file names in unsynced folders. */
  cutPower(): void {
    for (const held of this.#files.values()) held.bytes = held.durable;
    for (const held of this.#durable.values()) held.bytes = held.durable;
    this.#files = new Map(this.#durable);
  }

  #open(path: string): DiskFile {
    const held = this.#held(path);
    return {
      write: async (bytes) => {
        await this.#called("write", path);
        const { capacity = Number.POSITIVE_INFINITY, chunk = bytes.length } = this.faults;
        const free = capacity - this.#written;
        if (free <= 0) throw coded("ENOSPC");
        const taken = Math.min(bytes.length, free, chunk);
        held.bytes = Buffer.concat([held.bytes, bytes.subarray(0, taken)]);
        this.#written += taken;
        return taken;
      },
      sync: async () => {
        await this.#called("sync", path);
        const { liesFrom = Number.POSITIVE_INFINITY } = this.faults;
        if (this.calls.length < liesFrom) held.durable = held.bytes;
      },
      truncate: async (length) => {
        await this.#called("truncate", path);
        held.bytes = held.bytes.subarray(0, length);
      },
      close: async () => void this.closed.push(path),
    };
  }

  #held(path: string): Held {
    const held = this.#files.get(path);
    if (held === undefined) throw coded("ENOENT");
    return held;
  }

  async #called(name: DiskCall["name"], path: string): Promise<void> {
    const call = { number: this.calls.length + 1, name, path };
    this.calls.push(call);
    await this.faults.before?.(call);
    const code = this.faults.fails?.(call);
    if (code !== undefined) throw coded(code);
  }
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}
