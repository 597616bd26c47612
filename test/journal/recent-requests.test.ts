import { expect, test } from "vitest";
import { folderOf, nextJournal, prepareFolder, putAway, type Shelf } from "../../src/journal/folder.ts";
import { sentLately } from "../../src/journal/recent-requests.ts";
import { record } from "../../src/journal/recorder.ts";
import { MemoryDisk } from "./memory-disk.ts";
import { begin, intent } from "./written.ts";

const NOW = new Date("2026-11-21T08:00:00Z");
const shelf: Shelf = { disk: new MemoryDisk(), home: "/home", service: "https://incidents.example.com" };

/** A run whose writes were intended so many seconds before now. */
async function run(ages: readonly number[], finished: boolean): Promise<void> {
  const { run: name, path } = await nextJournal(shelf);
  const recording = { disk: shelf.disk, now: () => NOW, conceal: (text: string) => text };
  const journal = await record(path, folderOf(shelf), begin(name), recording);
  for (const age of ages) {
    await journal.intend({ ...intent("1"), at: new Date(NOW.getTime() - age * 1000).toISOString() });
  }
  if (!finished) return;
  await journal.end("finished");
  await putAway(shelf, path);
}

test("a killed run has sent a check and a write for each intent of the last minute; a finished one is no concern", async () => {
  expect(await sentLately(shelf, NOW, 60_000)).toEqual([]);
  await prepareFolder(shelf);
  await run([1, 2], true);
  await run([70, 59, 3, -5], false);
  expect(await sentLately(shelf, NOW, 60_000)).toEqual([59_000, 59_000, 3000, 3000, 0, 0]);
  expect(await sentLately({ ...shelf, service: "https://other.example.com" }, NOW, 60_000)).toEqual([]);
});
