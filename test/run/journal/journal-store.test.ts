import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  archive,
  type JournalStore,
  journalFolder,
  listJournals,
  nextJournal,
  prepareFolder,
  readContents,
} from "../../../src/run/journal/journal-store.ts";
import { nodeDisk } from "../../../src/run/journal/node-disk.ts";
import { startJournal } from "../../../src/run/journal/recorder.ts";
import { MemoryDisk } from "../../support/memory-disk.ts";
import { begin } from "./sample-journal.ts";

function store(
  service = "https://incidents.example.com",
  disk = new MemoryDisk(),
): JournalStore & { disk: MemoryDisk } {
  return { disk, home: "/home", service };
}

async function run(on: JournalStore, closed = true): Promise<string> {
  const { run: name, path } = await nextJournal(on);
  const recording = { disk: on.disk, now: () => new Date(0), conceal: (text: string) => text };
  const journal = await startJournal(path, journalFolder(on), begin(name), recording);
  await journal.end("finished");
  if (closed) await archive(on, path);
  return name;
}

describe("the journals in memory", () => {
  test("journals are listed in the order in which their runs began", async () => {
    const here = store();
    await prepareFolder(here);
    const names = [await run(here), await run(here, false), await run(here)];
    const found = await listJournals(here);
    expect(found.map(({ run: name }) => name)).toEqual(names);
    expect(found.map(({ isOpen }) => isOpen)).toEqual([false, true, false]);
    expect(names).toEqual(["0001", "0002", "0003"]);
    const [first] = found;
    expect(first === undefined ? first : (await readContents(here.disk, first))?.begin.run).toBe(names[0]);
  });

  test("journals of another service are not listed", async () => {
    const here = store();
    await prepareFolder(here);
    await run(here);
    expect(await listJournals(store("https://other.example.com", here.disk))).toEqual([]);
  });

  test("the last twenty archived journals are kept, and every unfinished one", async () => {
    const here = store();
    await prepareFolder(here);
    const open = await run(here, false);
    for (let count = 0; count < 23; count++) await run(here);
    const found = await listJournals(here);
    expect(found).toHaveLength(21);
    expect(found[0]?.run).toBe(open);
    expect(found[1]?.run).toBe("0005");
  });

  test("a folder that does not exist has no journals", async () => {
    expect(await listJournals(store())).toEqual([]);
  });

  test("a full disk is an error before anything is sent", async () => {
    const here = store("https://incidents.example.com", new MemoryDisk({ capacity: 0 }));
    await expect(prepareFolder(here)).rejects.toThrow("cannot keep journals in /home/.incidentctl/journals: ENOSPC");
  });
});

describe("the folder on this machine", () => {
  let home: string;
  let here: JournalStore;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "incidentctl-journals-"));
    here = { disk: nodeDisk, home, service: "https://incidents.example.com" };
  });
  afterEach(() => rm(home, { recursive: true }));

  test("is for its owner only, and git ignores it", async () => {
    await prepareFolder(here);
    await prepareFolder(here);
    await run(here, false);
    const [journal] = await listJournals(here);
    expect((await stat(journalFolder(here))).mode & 0o777).toBe(0o700);
    expect((await stat(journal?.path ?? "")).mode & 0o777).toBe(0o600);
    expect(await readFile(join(home, ".incidentctl", ".gitignore"), "utf8")).toBe("*\n");
    expect(journal === undefined ? journal : (await readContents(nodeDisk, journal))?.entries).toHaveLength(1);
  });

  test("is refused if it is a link or a file, and made private if it is open to other users", async () => {
    await symlink(tmpdir(), join(home, ".incidentctl"));
    await expect(prepareFolder(here)).rejects.toThrow("it is a link or not a folder");
    await rm(join(home, ".incidentctl"));
    await writeFile(join(home, ".incidentctl"), "");
    await expect(prepareFolder(here)).rejects.toThrow("it is a link or not a folder");
    await rm(join(home, ".incidentctl"));
    await prepareFolder(here);
    await chmod(journalFolder(here), 0o755);
    await prepareFolder(here);
    expect((await stat(journalFolder(here))).mode & 0o777).toBe(0o700);
  });

  test("a link in the place of a journal is not followed", async () => {
    await prepareFolder(here);
    const { path } = await nextJournal(here);
    await writeFile(join(home, "elsewhere"), "mine");
    await symlink(join(home, "elsewhere"), path);
    await expect(nodeDisk.openForAppend(path)).rejects.toThrow("ELOOP");
    await expect(nodeDisk.create(path)).rejects.toThrow("EEXIST");
    await expect(nodeDisk.read(path)).rejects.toThrow("ELOOP");
    expect(await readFile(join(home, "elsewhere"), "utf8")).toBe("mine");
  });

  test("a file can be truncated and appended to", async () => {
    const path = join(home, "file");
    const file = await nodeDisk.create(path);
    await file.write(Buffer.from("one two"));
    await file.close();
    const again = await nodeDisk.openForAppend(path);
    await again.truncate(4);
    await again.write(Buffer.from("three"));
    await again.sync();
    await again.close();
    expect(await readFile(path, "utf8")).toBe("one three");
    await nodeDisk.rename(path, join(home, "other"));
    expect(await nodeDisk.list(home)).toEqual(["other"]);
    expect(await nodeDisk.inspect(path)).toBeUndefined();
  });
});
