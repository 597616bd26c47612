/**
 * Where journals lie: `.incidentctl/journals` beside the settings. A journal's name tells when its run began among the
 * others, which service it was for, and whether somebody has to look after it.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Disk, refusalOf, writeAll } from "../core/disk.ts";
import { type Contents, readJournal } from "./read.ts";

/** The journals of one service in one folder. */
export interface Shelf {
  readonly disk: Disk;
  /** The folder that holds `.incidentctl`. */
  readonly home: string;
  /** Scheme, host and port; of the embedded service its database as well. */
  readonly service: string;
}

/** A journal on its shelf. */
export interface Shelved {
  /** Counts the runs of the service in this folder: 0001. */
  readonly run: string;
  readonly path: string;
  /** Named as one that nobody has finished. */
  readonly open: boolean;
}

/** The folder cannot hold journals; nothing was sent. */
export class UnusableFolder extends Error {
  constructor(path: string, why: string) {
    super(`journals cannot be kept in ${path}: ${why}`);
    this.name = "UnusableFolder";
  }
}

/** Finished journals that are kept for undo. */
const KEPT = 20;
const OTHERS = 0o077;
const OPEN = "unfinished";
const CLOSED = "journal";
const NAME = /^(\d{4,})\.([0-9a-f]{8})\.(unfinished|journal)$/;

/** The folder of the journals. */
export function folderOf({ home }: Pick<Shelf, "home">): string {
  return join(home, ".incidentctl", "journals");
}

/** What stands for the service in names. */
export function markOf({ service }: Pick<Shelf, "service">): string {
  return createHash("sha256").update(service).digest("hex").slice(0, 8);
}

/** Makes the folder where there is none. Throws {@link UnusableFolder} when it is not for its owner only. */
export async function prepareFolder({ disk, home }: Pick<Shelf, "disk" | "home">): Promise<void> {
  const [outer, inner] = [join(home, ".incidentctl"), folderOf({ home })];
  try {
    await makeFolder(disk, outer, false);
    if ((await disk.inspect(inner)) === undefined) await ignored(disk, outer);
    await makeFolder(disk, inner, true);
    await disk.syncFolder(home);
    await disk.syncFolder(outer);
  } catch (error) {
    throw error instanceof UnusableFolder ? error : new UnusableFolder(inner, refusalOf(error));
  }
}

async function makeFolder(disk: Disk, path: string, secluded: boolean): Promise<void> {
  await disk.makeFolder(path);
  const found = await disk.inspect(path);
  if (found?.is !== "folder") throw new UnusableFolder(path, "it is a link or no folder");
  if (!found.own) throw new UnusableFolder(path, "it belongs to another user");
  if (secluded && (found.mode & OTHERS) !== 0) {
    throw new UnusableFolder(path, "others than its owner may open it; make it private with chmod 700");
  }
}

/** Nothing in the folder belongs into a repository. */
async function ignored(disk: Disk, folder: string): Promise<void> {
  const path = join(folder, ".gitignore");
  if ((await disk.inspect(path)) !== undefined) return;
  const file = await disk.create(path);
  try {
    await writeAll(file, Buffer.from("*\n"));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The journals of the service, the oldest first. */
export async function journals(shelf: Shelf): Promise<readonly Shelved[]> {
  const folder = folderOf(shelf);
  const mark = markOf(shelf);
  return (await shelf.disk.list(folder))
    .flatMap((name): readonly Shelved[] => {
      const [, run = "", service, state] = NAME.exec(name) ?? [];
      return service === mark ? [{ run, path: join(folder, name), open: state === OPEN }] : [];
    })
    .sort((left, right) => Number(left.run) - Number(right.run));
}

/** Reads a journal; undefined when its run was killed before it could send anything. */
export async function contentsOf(disk: Disk, { path }: Shelved): Promise<Contents | undefined> {
  return readJournal(path, await disk.read(path));
}

/** The name of the next journal of the service; whoever asks holds its claim. */
export async function nextJournal(shelf: Shelf): Promise<Shelved> {
  const highest = Math.max(0, ...(await journals(shelf)).map(({ run }) => Number(run)));
  const run = String(highest + 1).padStart(4, "0");
  return { run, path: join(folderOf(shelf), `${run}.${markOf(shelf)}.${OPEN}`), open: true };
}

/** Names a journal as one that nobody has to look after any more, and lets go of the oldest. Gives its new path. */
export async function putAway(shelf: Shelf, path: string): Promise<string> {
  const closed = path.replace(new RegExp(`${OPEN}$`), CLOSED);
  if (closed !== path) await shelf.disk.rename(path, closed);
  const old = (await journals(shelf)).filter(({ open }) => !open).slice(0, -KEPT);
  for (const one of old) await shelf.disk.remove(one.path);
  await shelf.disk.syncFolder(folderOf(shelf));
  return closed;
}
