/**
 * One run at a time for each service: before it writes, a run leaves a claim with its name, and then looks for others.
 * Whoever comes later sees the earlier claim, so two runs never both go on. A claim whose process is gone counts nothing.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import { refusalOf, writeAll } from "../core/disk.ts";
import { isFields, type Json } from "../core/json.ts";
import { folderOf, markOf, type Shelf, UnusableFolder } from "./folder.ts";
import { type Holder, isGone, type Processes } from "./lock-owner.ts";

/** A run that goes on. */
export interface Claim extends Holder {
  /** ISO 8601, UTC. */
  readonly since: string;
  /** The file that says so. */
  readonly path: string;
}

/** Another run is going on, or may be. */
class Claimed extends Error {
  readonly by: Claim;
  constructor(by: Claim) {
    super(
      `another run is going on: process ${by.pid} on ${by.host}, since ${by.since}; wait for it with --lock-timeout SECONDS, or, if it is no more, remove ${by.path}`,
    );
    this.name = "Claimed";
    this.by = by;
  }
}

/** What a claim is made with. */
export interface Claiming {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly now: () => Date;
  /** Milliseconds to wait for another run to end. */
  readonly patience: number;
}

/** Two runs that start at the same moment see each other and both step back; a few more tries let one of them through. */
const TRIES = 4;
const PAUSE = 100;

/** Claims the service; the result lets go of it. The folder must exist. Throws {@link Claimed} and {@link UnusableFolder}. */
export async function claim(shelf: Shelf, claiming: Claiming): Promise<() => Promise<void>> {
  const { clock, patience } = claiming;
  const until = clock.now() + patience;
  for (let tries = 1; ; tries++) {
    const release = await leave(shelf, claiming);
    const [other] = (await claims(shelf, claiming.processes)).filter(({ path }) => path !== release.path);
    if (other === undefined) {
      await sweep(shelf, claiming.processes);
      return () => shelf.disk.remove(release.path);
    }
    await shelf.disk.remove(release.path);
    if (tries >= TRIES && clock.now() >= until) throw new Claimed(other);
    await clock.sleep(PAUSE * (0.5 + Math.random()));
  }
}

/** Resolves when no other run goes on. Throws {@link Claimed} when patience ends. Nothing is written. */
export async function awaitFree(shelf: Shelf, { processes, clock, patience }: Claiming): Promise<void> {
  const until = clock.now() + patience;
  for (;;) {
    const [other] = await claims(shelf, processes);
    if (other === undefined) return;
    if (clock.now() >= until) throw new Claimed(other);
    await clock.sleep(PAUSE * (0.5 + Math.random()));
  }
}

/** Runs that go on, or may. Nothing is written. */
export async function claims(shelf: Shelf, processes: Processes): Promise<readonly Claim[]> {
  const found: Claim[] = [];
  for (const one of await allClaims(shelf)) if (!(await isGone(one, processes))) found.push(one);
  return found;
}

/** Removes the claims of those that are gone. */
async function sweep(shelf: Shelf, processes: Processes): Promise<void> {
  for (const one of await allClaims(shelf)) if (await isGone(one, processes)) await shelf.disk.remove(one.path);
}

async function allClaims(shelf: Shelf): Promise<readonly Claim[]> {
  const folder = folderOf(shelf);
  const names = (await shelf.disk.list(folder)).filter((name) => isClaim(name, markOf(shelf)));
  const found = await Promise.all(names.map((name) => readClaim(shelf, join(folder, name))));
  return found.filter((one) => one !== undefined);
}

/** Writes the claim under another name first: whoever sees it sees all of it. */
async function leave(shelf: Shelf, { processes, now }: Claiming): Promise<{ readonly path: string }> {
  const self = await processes.self();
  const name = `${markOf(shelf)}.${self.pid}.${randomBytes(3).toString("hex")}`;
  const [draft, path] = [join(folderOf(shelf), `${name}.draft`), join(folderOf(shelf), `${name}.running`)];
  try {
    const file = await shelf.disk.create(draft);
    try {
      await writeAll(file, Buffer.from(JSON.stringify({ ...self, since: now().toISOString() })));
      await file.sync();
    } finally {
      await file.close();
    }
    await shelf.disk.rename(draft, path);
  } catch (error) {
    throw new UnusableFolder(folderOf(shelf), refusalOf(error));
  }
  return { path };
}

function isClaim(name: string, mark: string): boolean {
  return name.startsWith(`${mark}.`) && name.endsWith(".running");
}

/** Undefined when it went while we looked. What cannot be understood may be a run of another version: it counts. */
async function readClaim({ disk }: Shelf, path: string): Promise<Claim | undefined> {
  let text: string;
  try {
    text = Buffer.from(await disk.read(path)).toString("utf8");
  } catch (error) {
    if (refusalOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const value = parsed(text);
  const told = isFields(value) ? value : {};
  return {
    pid: typeof told.pid === "number" ? told.pid : 0,
    started: typeof told.started === "string" ? told.started : null,
    host: typeof told.host === "string" ? told.host : "an unknown machine",
    boot: typeof told.boot === "string" ? told.boot : null,
    since: typeof told.since === "string" ? told.since : "an unknown time",
    path,
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
