import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  contentsOf,
  folderOf,
  journals,
  nextJournal,
  prepareFolder,
  putAway,
  type Shelf,
} from "../../src/journal/folder.ts";
import { nodeDisk } from "../../src/journal/node-disk.ts";
import { record } from "../../src/journal/recorder.ts";
import { MemoryDisk } from "./memory-disk.ts";
import { begin } from "./written.ts";

function shelf(service = "https://incidents.example.com", disk = new MemoryDisk()): Shelf & { disk: MemoryDisk } {
  return { disk, home: "/home", service };
}

async function run(on: Shelf, closed = true): Promise<string> {
  const { run: name, path } = await nextJournal(on);
  const recording = { disk: on.disk, now: () => new Date(0), conceal: (text: string) => text };
  const journal = await record(path, folderOf(on), begin(name), recording);
  await journal.end("finished");
  if (closed) await putAway(on, path);
  return name;
}

describe("the folder in memory", () => {
  test("journals are found in the order in which their runs began", async () => {
    const here = shelf();
    await prepareFolder(here);
    const names = [await run(here), await run(here, false), await run(here)];
    const found = await journals(here);
    expect(found.map(({ run: name }) => name)).toEqual(names);
    expect(found.map(({ open }) => open)).toEqual([false, true, false]);
    expect(names).toEqual(["0001", "0002", "0003"]);
    const [first] = found;
    expect(first === undefined ? first : (await contentsOf(here.disk, first))?.begin.run).toBe(names[0]);
  });

  test("another service's journals are not seen", async () => {
    const here = shelf();
    await prepareFolder(here);
    await run(here);
    expect(await journals(shelf("https://other.example.com", here.disk))).toEqual([]);
  });

  test("only the last twenty finished ones are kept, and every unfinished one", async () => {
    const here = shelf();
    await prepareFolder(here);
    const open = await run(here, false);
    for (let count = 0; count < 23; count++) await run(here);
    const found = await journals(here);
    expect(found).toHaveLength(21);
    expect(found[0]?.run).toBe(open);
    expect(found[1]?.run).toBe("0005");
  });

  test("where no journal was ever written there is none", async () => {
    expect(await journals(shelf())).toEqual([]);
  });

  test("a full disk is told before anything else happens", async () => {
    const here = shelf("https://incidents.example.com", new MemoryDisk({ space: 0 }));
    await expect(prepareFolder(here)).rejects.toThrow("journals cannot be kept in /home/.incidentctl/journals: ENOSPC");
  });
});

describe("the folder on this machine", () => {
  let home: string;
  let here: Shelf;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "incidentctl-journals-"));
    here = { disk: nodeDisk, home, service: "https://incidents.example.com" };
  });
  afterEach(() => rm(home, { recursive: true }));

  test("is for its owner only, and belongs into no repository", async () => {
    await prepareFolder(here);
    await prepareFolder(here);
    await run(here, false);
    const [journal] = await journals(here);
    expect((await stat(folderOf(here))).mode & 0o777).toBe(0o700);
    expect((await stat(journal?.path ?? "")).mode & 0o777).toBe(0o600);
    expect(await readFile(join(home, ".incidentctl", ".gitignore"), "utf8")).toBe("*\n");
    expect(journal === undefined ? journal : (await contentsOf(nodeDisk, journal))?.entries).toHaveLength(1);
  });

  test("is refused when it is a link, a file, or open to others", async () => {
    await symlink(tmpdir(), join(home, ".incidentctl"));
    await expect(prepareFolder(here)).rejects.toThrow("it is a link or no folder");
    await rm(join(home, ".incidentctl"));
    await writeFile(join(home, ".incidentctl"), "");
    await expect(prepareFolder(here)).rejects.toThrow("it is a link or no folder");
    await rm(join(home, ".incidentctl"));
    await prepareFolder(here);
    await chmod(folderOf(here), 0o755);
    await expect(prepareFolder(here)).rejects.toThrow("make it private with chmod 700");
  });

  test("a link in a journal's place is not followed", async () => {
    await prepareFolder(here);
    const { path } = await nextJournal(here);
    await writeFile(join(home, "elsewhere"), "mine");
    await symlink(join(home, "elsewhere"), path);
    await expect(nodeDisk.extend(path)).rejects.toThrow("ELOOP");
    await expect(nodeDisk.create(path)).rejects.toThrow("EEXIST");
    await expect(nodeDisk.read(path)).rejects.toThrow("ELOOP");
    expect(await readFile(join(home, "elsewhere"), "utf8")).toBe("mine");
  });

  test("a file can be cut and added to", async () => {
    const path = join(home, "file");
    const file = await nodeDisk.create(path);
    await file.write(Buffer.from("one two"));
    await file.close();
    const again = await nodeDisk.extend(path);
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
