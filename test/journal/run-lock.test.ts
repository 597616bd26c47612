import { spawnSync } from "node:child_process";
import { beforeEach, describe, expect, test } from "vitest";
import { folderOf, prepareFolder, type Shelf } from "../../src/journal/folder.ts";
import { type Holder, isGone, type Processes, systemProcesses } from "../../src/journal/lock-owner.ts";
import { type Claiming, claim, claims } from "../../src/journal/run-lock.ts";
import { VirtualClock } from "../api/virtual-clock.ts";
import { MemoryDisk } from "./memory-disk.ts";

const ME: Holder = { pid: 100, started: "7000", host: "here", boot: "b1" };

let shelf: Shelf & { disk: MemoryDisk };
let clock: VirtualClock;

beforeEach(async () => {
  shelf = { disk: new MemoryDisk(), home: "/home", service: "https://incidents.example.com" };
  clock = new VirtualClock();
  await prepareFolder(shelf);
});

/** The machine as this process sees it: who runs, and when each started. */
function machine(self: Partial<Holder> = {}, running: Readonly<Record<number, string>> = { 100: "7000" }): Processes {
  return {
    self: async () => ({ ...ME, ...self }),
    look: async (pid) => (running[pid] === undefined ? undefined : { started: running[pid] }),
  };
}

function claiming(processes: Processes, patience = 0): Claiming {
  return { processes, clock, now: () => new Date("2031-05-01T10:00:00Z"), patience };
}

const SECOND = { pid: 200, started: "9000" };
const BOTH = { 100: "7000", 200: "9000" };

describe("one run at a time", () => {
  test("a second run is refused and told who holds it, since when, and where", async () => {
    const release = await claim(shelf, claiming(machine()));
    await expect(claim(shelf, claiming(machine(SECOND, BOTH)))).rejects.toThrow(
      /process 100 on here, since 2031-05-01T10:00:00.000Z; .* remove \/home\/\.incidentctl\/journals\/\w+\.100\.\w+\.running$/,
    );
    await release();
    const again = await claim(shelf, claiming(machine(SECOND, BOTH)));
    await again();
    expect(await shelf.disk.list(folderOf(shelf))).toEqual([]);
  });

  test("another service is another matter", async () => {
    await claim(shelf, claiming(machine()));
    await claim({ ...shelf, service: "https://other.example.com" }, claiming(machine(SECOND, BOTH)));
  });

  test("a run that was killed holds nothing", async () => {
    await claim(shelf, claiming(machine()));
    await claim(shelf, claiming(machine(SECOND, { 200: "9000" })));
    expect(await shelf.disk.list(folderOf(shelf))).toHaveLength(1);
  });

  test("nor does one whose number another process has now", async () => {
    await claim(shelf, claiming(machine()));
    await claim(shelf, claiming(machine(SECOND, { 100: "8000", 200: "9000" })));
  });

  test.each([
    ["another machine", { host: "there" }],
    ["another start of the machine", { boot: "b2" }],
  ])("of %s nobody knows whether it goes on", async (_name, other) => {
    await claim(shelf, claiming(machine(other)));
    await expect(claim(shelf, claiming(machine(SECOND, { 200: "9000" })))).rejects.toThrow("another run is going on");
  });

  test("a claim that cannot be understood counts", async () => {
    await claim(shelf, claiming(machine()));
    const [name = ""] = await shelf.disk.list(folderOf(shelf));
    shelf.disk.put(`${folderOf(shelf)}/${name}`, Buffer.from("{"));
    await expect(claim(shelf, claiming(machine(SECOND, BOTH)))).rejects.toThrow("process 0 on an unknown machine");
  });

  test("whoever has patience waits", async () => {
    const release = await claim(shelf, claiming(machine()));
    const waiting = claim(shelf, claiming(machine(SECOND, BOTH), 60_000));
    while (clock.slept.length < 10) await new Promise(setImmediate);
    await release();
    await waiting;
    expect(clock.now()).toBeLessThan(60_000);
  });

  test("patience ends", async () => {
    await claim(shelf, claiming(machine()));
    await expect(claim(shelf, claiming(machine(SECOND, BOTH), 5_000))).rejects.toThrow("another run is going on");
    expect(clock.now()).toBeGreaterThanOrEqual(5_000);
  });

  test("of runs that start at the same moment at most one goes on", async () => {
    for (let round = 0; round < 50; round++) {
      const started = await Promise.allSettled([
        claim(shelf, claiming(machine({}, BOTH))),
        claim(shelf, claiming(machine(SECOND, BOTH))),
      ]);
      const held = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      expect(held.length).toBeLessThanOrEqual(1);
      for (const release of held) await release();
    }
  });

  test("those who only look see who is at work", async () => {
    expect(await claims(shelf, machine())).toEqual([]);
    await claim(shelf, claiming(machine()));
    expect(await claims(shelf, machine())).toMatchObject([{ pid: 100, host: "here" }]);
  });
});

describe("the processes of this machine", () => {
  test("this one runs, and one that has ended does not", async () => {
    const self = await systemProcesses.self();
    expect(self.pid).toBe(process.pid);
    expect(await isGone(self, systemProcesses)).toBe(false);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    expect(await isGone({ ...self, pid }, systemProcesses)).toBe(true);
    expect(await systemProcesses.look(1)).toBeDefined();
  });
});
