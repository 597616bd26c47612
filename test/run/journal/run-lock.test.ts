import { spawnSync } from "node:child_process";
import { beforeEach, describe, expect, test } from "vitest";
import { type JournalStore, journalFolder, prepareFolder } from "../../../src/run/journal/journal-store.ts";
import { isGone, type LockOwner, type Processes, systemProcesses } from "../../../src/run/journal/lock-owner.ts";
import { acquire, activeLocks, type LockOptions } from "../../../src/run/journal/run-lock.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { MemoryDisk } from "../../support/memory-disk.ts";

const ME: LockOwner = { pid: 100, started: "7000", host: "here", boot: "b1" };

let store: JournalStore & { disk: MemoryDisk };
let clock: VirtualClock;

beforeEach(async () => {
  store = { disk: new MemoryDisk(), home: "/home", service: "https://incidents.example.com" };
  clock = new VirtualClock();
  await prepareFolder(store);
});

/** The processes of a machine: this one, and the running ones with their start. */
function machine(
  self: Partial<LockOwner> = {},
  running: Readonly<Record<number, string>> = { 100: "7000" },
): Processes {
  return {
    self: async () => ({ ...ME, ...self }),
    find: async (pid) => (running[pid] === undefined ? undefined : { started: running[pid] }),
  };
}

function options(processes: Processes, timeout = 0): LockOptions {
  return { processes, clock, now: () => new Date("2031-05-01T10:00:00Z"), timeout };
}

const SECOND = { pid: 200, started: "9000" };
const BOTH = { 100: "7000", 200: "9000" };

describe("one run at a time", () => {
  test("a second run is refused, and the error names the owner, the time and the lock file", async () => {
    const release = await acquire(store, options(machine()));
    await expect(acquire(store, options(machine(SECOND, BOTH)))).rejects.toThrow(
      /process 100 on here, since 2031-05-01T10:00:00.000Z; .* remove \/home\/\.incidentctl\/journals\/\w+\.100\.\w+\.running; else wait with --lock-timeout SECONDS$/,
    );
    await release();
    const again = await acquire(store, options(machine(SECOND, BOTH)));
    await again();
    expect(await store.disk.list(journalFolder(store))).toEqual([]);
  });

  test("runs on different services do not exclude each other", async () => {
    await acquire(store, options(machine()));
    await acquire({ ...store, service: "https://other.example.com" }, options(machine(SECOND, BOTH)));
  });

  test("the lock of a killed run is stale", async () => {
    await acquire(store, options(machine()));
    await acquire(store, options(machine(SECOND, { 200: "9000" })));
    expect(await store.disk.list(journalFolder(store))).toHaveLength(1);
  });

  test("so is a lock whose process number another process has now", async () => {
    await acquire(store, options(machine()));
    await acquire(store, options(machine(SECOND, { 100: "8000", 200: "9000" })));
  });

  test.each([
    ["another machine", { host: "there" }],
    ["an earlier boot of the machine", { boot: "b2" }],
  ])("the lock of %s counts, since its process cannot be checked", async (_name, other) => {
    await acquire(store, options(machine(other)));
    await expect(acquire(store, options(machine(SECOND, { 200: "9000" })))).rejects.toThrow(
      "another run is in progress",
    );
  });

  test("a lock that cannot be parsed counts", async () => {
    await acquire(store, options(machine()));
    const [name = ""] = await store.disk.list(journalFolder(store));
    store.disk.put(`${journalFolder(store)}/${name}`, Buffer.from("{"));
    await expect(acquire(store, options(machine(SECOND, BOTH)))).rejects.toThrow("process 0 on an unknown machine");
  });

  test("a run with a timeout waits", async () => {
    const release = await acquire(store, options(machine()));
    const waiting = acquire(store, options(machine(SECOND, BOTH), 60_000));
    while (clock.slept.length < 10) await new Promise(setImmediate);
    await release();
    await waiting;
    expect(clock.now()).toBeLessThan(60_000);
  });

  test("a run fails after its timeout", async () => {
    await acquire(store, options(machine()));
    await expect(acquire(store, options(machine(SECOND, BOTH), 5_000))).rejects.toThrow("another run is in progress");
    expect(clock.now()).toBeGreaterThanOrEqual(5_000);
  });

  test("of runs that start at the same moment at most one continues", async () => {
    for (let round = 0; round < 50; round++) {
      const started = await Promise.allSettled([
        acquire(store, options(machine({}, BOTH))),
        acquire(store, options(machine(SECOND, BOTH))),
      ]);
      const held = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      expect(held.length).toBeLessThanOrEqual(1);
      for (const release of held) await release();
    }
  });

  test("runs in progress are visible to a process that only reads", async () => {
    expect(await activeLocks(store, machine())).toEqual([]);
    await acquire(store, options(machine()));
    expect(await activeLocks(store, machine())).toMatchObject([{ pid: 100, host: "here" }]);
  });
});

describe("the processes of this machine", () => {
  test("this one runs, and an ended one does not", async () => {
    const self = await systemProcesses.self();
    expect(self.pid).toBe(process.pid);
    expect(await isGone(self, systemProcesses)).toBe(false);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    expect(await isGone({ ...self, pid }, systemProcesses)).toBe(true);
    expect(await systemProcesses.find(1)).toBeDefined();
  });
});
