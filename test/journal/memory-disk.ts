/** A file system in memory that can be full, take few bytes at a time, fail to sync, or lose power. */

import { dirname } from "node:path";
import type { Disk, DiskFile } from "../../src/core/disk.ts";

/** Faults of the disk. */
export interface MemoryDiskFaults {
  /** Bytes until it is full. */
  space?: number;
  /** Bytes that it takes at a time. */
  chunk?: number;
  /** Syncs until they fail. */
  syncs?: number;
}

interface Stored {
  bytes: Buffer;
  /** Bytes that survive a power cut. */
  durable: Buffer;
}

/** Files in memory; `log` lists the calls in order. */
export class MemoryDisk implements Disk {
  readonly log: string[] = [];
  readonly faults: MemoryDiskFaults;
  #files = new Map<string, Stored>();
  /** Names that survive a power cut. */
  #names = new Map<string, Stored>();
  readonly #folders: Set<string>;

  constructor(faults: MemoryDiskFaults = {}, home = "/home") {
    this.faults = faults;
    this.#folders = new Set([home]);
  }

  /** Discards all that is not durable. */
  cutPower(): void {
    for (const stored of this.#names.values()) stored.bytes = stored.durable;
    this.#files = new Map(this.#names);
  }

  put(path: string, bytes: Uint8Array): void {
    const stored = { bytes: Buffer.from(bytes), durable: Buffer.from(bytes) };
    this.#files.set(path, stored);
    this.#names.set(path, stored);
  }

  text(path: string): string {
    return this.#at(path).bytes.toString("utf8");
  }

  paths(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  async inspect(path: string): ReturnType<Disk["inspect"]> {
    if (this.#folders.has(path)) return { type: "folder", mode: 0o700, isOwn: true };
    return this.#files.has(path) ? { type: "file", mode: 0o600, isOwn: true } : undefined;
  }

  async read(path: string): Promise<Uint8Array> {
    return this.#at(path).bytes;
  }

  async create(path: string): Promise<DiskFile> {
    if (this.#files.has(path)) throw failure("EEXIST");
    this.#require(0);
    const stored: Stored = { bytes: Buffer.alloc(0), durable: Buffer.alloc(0) };
    this.#files.set(path, stored);
    return this.#open(path, stored);
  }

  async openForAppend(path: string): Promise<DiskFile> {
    return this.#open(path, this.#at(path));
  }

  async makeFolder(path: string): Promise<void> {
    if (!this.#folders.has(dirname(path))) throw failure("ENOENT");
    this.#folders.add(path);
  }

  async makePrivate(_path: string): Promise<void> {}

  async list(path: string): Promise<readonly string[]> {
    return this.paths()
      .filter((name) => dirname(name) === path)
      .map((name) => name.slice(path.length + 1));
  }

  async rename(from: string, to: string): Promise<void> {
    const stored = this.#at(from);
    this.#files.delete(from);
    this.#files.set(to, stored);
  }

  async remove(path: string): Promise<void> {
    this.#files.delete(path);
  }

  async syncFolder(path: string): Promise<void> {
    this.#sync(path);
    for (const name of this.#names.keys()) if (dirname(name) === path) this.#names.delete(name);
    for (const [name, stored] of this.#files) if (dirname(name) === path) this.#names.set(name, stored);
  }

  #open(path: string, stored: Stored): DiskFile {
    return {
      write: async (bytes) => {
        const taken = bytes.subarray(0, Math.min(this.faults.chunk ?? bytes.length, this.faults.space ?? bytes.length));
        if (taken.length === 0) throw failure("ENOSPC");
        this.#require(taken.length);
        stored.bytes = Buffer.concat([stored.bytes, taken]);
        this.log.push(`write ${path}`);
        return taken.length;
      },
      sync: async () => {
        this.#sync(path);
        stored.durable = stored.bytes;
      },
      truncate: async (length) => {
        stored.bytes = stored.bytes.subarray(0, length);
      },
      close: async () => void this.log.push(`close ${path}`),
    };
  }

  #sync(path: string): void {
    if (this.faults.syncs !== undefined && this.faults.syncs-- <= 0) throw failure("EIO");
    this.log.push(`sync ${path}`);
  }

  #require(bytes: number): void {
    if (this.faults.space === undefined) return;
    if (this.faults.space < bytes) throw failure("ENOSPC");
    this.faults.space -= bytes;
  }

  #at(path: string): Stored {
    const stored = this.#files.get(path);
    if (stored === undefined) throw failure("ENOENT");
    return stored;
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
