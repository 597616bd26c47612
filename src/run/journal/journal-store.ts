/**
 * The journals of a service: files in `.incidentctl/journals` beside the settings. A file name holds the number of the run, a hash of
 * the service, and whether the run is unfinished.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Disk, type PathStatus, refusalOf, writeAll } from "../../core/file-system.ts";
import { type JournalContents, readJournal } from "./read.ts";

/** The journals of one service, below one folder. */
export interface JournalStore {
  readonly disk: Disk;
  /** The folder that holds `.incidentctl`. */
  readonly home: string;
  /** Scheme, host and port; for the embedded service its database too. */
  readonly service: string;
}

/** A journal, as its file name describes it. */
export interface JournalFile {
  /** Number of the run for this service and folder: 0001. */
  readonly run: string;
  readonly path: string;
  /** The run has not been archived: it is in progress, interrupted or in doubt. */
  readonly isOpen: boolean;
  /** The reason for which the file cannot be a journal of this user, so that nothing reads it; absent if it can be one. */
  readonly foreign?: string;
}

/** An earlier run and its journal. */
export interface RecordedRun extends JournalFile {
  readonly contents: JournalContents;
}

/** The folder of the journals cannot be used. Nothing was sent. */
export class UnusableJournalFolder extends Error {
  constructor(path: string, why: string) {
    super(`cannot keep journals in ${path}: ${why}`);
    this.name = "UnusableJournalFolder";
  }
}

/** Archived journals to keep for undo. */
const MAX_ARCHIVED = 20;
const OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
const OPEN = "unfinished";
const CLOSED = "journal";
const NAME = /^(\d{4,9})\.([0-9a-f]{8})\.(unfinished|journal)$/;

/** The folder of the journals. */
export function journalFolder({ home }: Pick<JournalStore, "home">): string {
  return join(home, ".incidentctl", "journals");
}

/** Hash of the service in file names: 8 hex digits. */
export function serviceHash({ service }: Pick<JournalStore, "service">): string {
  return createHash("sha256").update(service).digest("hex").slice(0, 8);
}

/**
 * Creates the folder if it does not exist, and makes it private: in a checkout it is open to others. Throws
 * {@link UnusableJournalFolder} if it is a link or belongs to another user.
 */
export async function prepareFolder({ disk, home }: Pick<JournalStore, "disk" | "home">): Promise<void> {
  const [outer, inner] = [join(home, ".incidentctl"), journalFolder({ home })];
  try {
    await requireFolder(disk, outer);
    if ((await disk.inspect(inner)) === undefined) await writeGitignore(disk, outer);
    const { mode } = await requireFolder(disk, inner);
    if ((mode & OTHERS) !== 0) await disk.makePrivate(inner);
    await disk.syncFolder(home);
    await disk.syncFolder(outer);
  } catch (error) {
    throw error instanceof UnusableJournalFolder ? error : new UnusableJournalFolder(inner, refusalOf(error));
  }
}

async function requireFolder(disk: Disk, path: string): Promise<PathStatus> {
  await disk.makeFolder(path);
  const status = await disk.inspect(path);
  if (status?.type !== "folder") throw new UnusableJournalFolder(path, "it is a link or not a folder; remove it");
  if (!status.isOwn) throw new UnusableJournalFolder(path, "it belongs to another user; remove it");
  return status;
}

/** Keeps the folder out of the repository. */
async function writeGitignore(disk: Disk, folder: string): Promise<void> {
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

/** The journals of the service, the oldest first, with the files that only have the name of one. */
export async function listJournals(store: JournalStore): Promise<readonly JournalFile[]> {
  const folder = journalFolder(store);
  const mark = serviceHash(store);
  const files = (await store.disk.list(folder)).flatMap((name): readonly JournalFile[] => {
    const [, run = "", service, state] = NAME.exec(name) ?? [];
    return service === mark ? [{ run, path: join(folder, name), isOpen: state === OPEN }] : [];
  });
  const judged = await Promise.all(
    files.map(async (file): Promise<JournalFile> => {
      const foreign = foreignReason(await store.disk.inspect(file.path));
      return foreign === undefined ? file : { ...file, foreign };
    }),
  );
  return judged.sort((left, right) => Number(left.run) - Number(right.run));
}

/** The reason for which a file cannot be trusted to be written by this user; undefined if there is none. */
export function foreignReason(status: PathStatus | undefined): string | undefined {
  if (status === undefined) return undefined;
  if (status.type !== "file") return "it is a link or not a file";
  if (!status.isOwn) return "it belongs to another user";
  return (status.mode & WRITABLE_BY_OTHERS) === 0 ? undefined : "other users can write it";
}

/** The contents of a journal; undefined if its run was killed before it could send anything. */
export async function readContents(disk: Disk, { path }: JournalFile): Promise<JournalContents | undefined> {
  return readJournal(path, await disk.read(path));
}

/** The file of the next journal. The caller holds the run lock, so the number is free. */
export async function nextJournal(store: JournalStore): Promise<JournalFile> {
  const highest = Math.max(0, ...(await listJournals(store)).map(({ run }) => Number(run)));
  const run = String(highest + 1).padStart(4, "0");
  const name = `${run}.${serviceHash(store)}.${OPEN}`;
  const folder = journalFolder(store);
  if (!NAME.test(name)) throw new UnusableJournalFolder(folder, `no number follows ${highest}; remove that file`);
  return { run, path: join(folder, name), isOpen: true };
}

/** Names a journal that a run continues as unfinished again, so that every later run sees that it is. Returns its path. */
export async function reopen(store: JournalStore, path: string): Promise<string> {
  const open = path.replace(new RegExp(`${CLOSED}$`), OPEN);
  if (open === path) return path;
  await store.disk.rename(path, open);
  await store.disk.syncFolder(journalFolder(store));
  return open;
}

/** Renames the journal of a finished run and removes the oldest archived ones. Returns the new path. */
export async function archive(store: JournalStore, path: string): Promise<string> {
  const closed = path.replace(new RegExp(`${OPEN}$`), CLOSED);
  if (closed !== path) await store.disk.rename(path, closed);
  const closedJournals = (await listJournals(store)).filter(({ isOpen, foreign }) => !isOpen && foreign === undefined);
  const old = closedJournals.slice(0, -MAX_ARCHIVED);
  for (const one of old) await store.disk.remove(one.path);
  await store.disk.syncFolder(journalFolder(store));
  return closed;
}
