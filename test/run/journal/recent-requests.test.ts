import { expect, test } from "vitest";
import {
  archive,
  type JournalStore,
  journalFolder,
  nextJournal,
  prepareFolder,
} from "../../../src/run/journal/journal-store.ts";
import { recentRequests } from "../../../src/run/journal/recent-requests.ts";
import { startJournal } from "../../../src/run/journal/recorder.ts";
import { MemoryDisk } from "../../support/memory-disk.ts";
import { begin, intent } from "./sample-journal.ts";

const NOW = new Date("2026-11-21T08:00:00Z");
const store: JournalStore = { disk: new MemoryDisk(), home: "/home", service: "https://incidents.example.com" };

/** A run with intents of these ages in seconds. */
async function run(ages: readonly number[], finished: boolean): Promise<void> {
  const { run: name, path } = await nextJournal(store);
  const recording = { disk: store.disk, now: () => NOW, conceal: (text: string) => text };
  const journal = await startJournal(path, journalFolder(store), begin(name), recording);
  for (const age of ages) {
    await journal.intend({ ...intent("1"), at: new Date(NOW.getTime() - age * 1000).toISOString() });
  }
  if (!finished) return;
  await journal.end("finished");
  await archive(store, path);
}

test("each intent of an unfinished run counts as two requests of its age; finished runs do not count", async () => {
  expect(await recentRequests(store, NOW, 60_000)).toEqual([]);
  await prepareFolder(store);
  await run([1, 2], true);
  await run([70, 59, 3, -5], false);
  expect(await recentRequests(store, NOW, 60_000)).toEqual([59_000, 59_000, 3000, 3000, 0, 0]);
  expect(await recentRequests({ ...store, service: "https://other.example.com" }, NOW, 60_000)).toEqual([]);
});
