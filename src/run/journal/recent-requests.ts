/** Recent requests of unfinished runs, which still count against the rate limit of the service. */

import { type JournalFile, type JournalStore, listJournals, readContents } from "./journal-store.ts";
import { type JournalContents, UnreadableJournal } from "./read.ts";

/** Requests for each intent: the check and the write. */
const REQUESTS_PER_INTENT = 2;

/**
 * Ages in milliseconds of the requests in unfinished journals of the service that are younger than `span`. A request from the future,
 * where clocks differ, has age 0.
 */
export async function recentRequests(store: JournalStore, now: Date, span: number): Promise<readonly number[]> {
  const open = (await listJournals(store)).filter(({ isOpen, foreign }) => isOpen && foreign === undefined);
  const contents = await Promise.all(open.map((one) => readableContents(store, one)));
  return contents
    .flatMap((one) => one?.entries ?? [])
    .flatMap((entry) => (entry.type === "intent" ? [Math.max(0, now.getTime() - Date.parse(entry.intent.at))] : []))
    .filter((age) => age < span)
    .flatMap((age) => Array<number>(REQUESTS_PER_INTENT).fill(age));
}

/** The contents of a journal; undefined if it cannot be read. A command that writes reports that by itself. */
async function readableContents({ disk }: JournalStore, file: JournalFile): Promise<JournalContents | undefined> {
  try {
    return await readContents(disk, file);
  } catch (error) {
    if (error instanceof UnreadableJournal) return undefined;
    throw error;
  }
}
