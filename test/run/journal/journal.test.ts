import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  isUnfinished,
  lastSettlements,
  remainingOperations,
  runEnding,
  unresolvedIntents,
} from "../../../src/run/journal/journal-status.ts";
import { readJournal, UnreadableJournal } from "../../../src/run/journal/read.ts";
import { formatLine } from "../../../src/run/journal/record.ts";
import {
  type Recorder,
  type RecordingOptions,
  resumeJournal,
  startJournal,
  UnwritableJournal,
} from "../../../src/run/journal/recorder.ts";
import { failingSyncs, MemoryDisk } from "../../support/memory-disk.ts";
import { begin, intent, settled } from "./sample-journal.ts";

const PATH = "/home/one.unfinished";
const asIs = (text: string) => text;

let disk: MemoryDisk;

beforeEach(() => {
  disk = new MemoryDisk();
});

function recording(on: MemoryDisk, conceal: RecordingOptions["conceal"] = asIs): RecordingOptions {
  return { disk: on, now: () => new Date("2031-05-01T10:00:05Z"), conceal };
}

/** A run of two operations, of which the second is sent and not answered. */
async function half(on: MemoryDisk = disk): Promise<Recorder> {
  const journal = await startJournal(PATH, "/home", begin(), recording(on));
  await journal.intend(intent("1"));
  await journal.settle(settled("1"));
  await journal.intend(intent("2"));
  return journal;
}

function contents(on: MemoryDisk = disk) {
  const read = readJournal(PATH, Buffer.from(on.text(PATH), "utf8"));
  if (read === undefined) throw new Error("nothing was read");
  return read;
}

describe("a journal that was written", () => {
  test("is read back as it was", async () => {
    const journal = await half();
    await journal.end("stopped");
    const read = contents();
    expect(read.begin).toMatchObject(begin());
    expect(read.entries.map(({ type }) => type)).toEqual(["intent", "settlement", "intent", "end"]);
    expect(runEnding(read)).toBe("stopped");
    expect(lastSettlements(read)).toEqual([settled("1")]);
    expect(unresolvedIntents(read)).toEqual([intent("2")]);
    expect(remainingOperations(read).map(({ id }) => id)).toEqual(["2"]);
    expect(isUnfinished(read)).toBe(true);
  });

  test("holds only the id of an operation that is sent as planned, and any other operation whole", async () => {
    const journal = await half();
    const fallback = {
      ...intent("2"),
      operation: { ...intent("2").operation, method: "PATCH" as const, body: { a: 1 } },
    };
    await journal.intend(fallback);
    const [, first = "", , second = "", third = ""] = disk.text(PATH).split("\n");
    expect(first).toContain('"operation":"1"');
    expect(second).toContain('"operation":"2"');
    expect(third).toContain('"operation":{"id":"2"');
    expect(contents().entries.flatMap((entry) => (entry.type === "intent" ? [entry.intent] : []))).toEqual([
      intent("1"),
      intent("2"),
      fallback,
    ]);
  });

  test("is refused if it holds an operation that the plan does not have", () => {
    const strange = formatLine({ n: 1, type: "intent", intent: { ...intent("1"), operation: "9" } }, asIs);
    const bytes = Buffer.concat([formatLine({ ...begin(), n: 0 }, asIs), strange]);
    expect(() => readJournal(PATH, bytes)).toThrow("is out of order or unknown");
  });

  test("is durable, its name included, before the first promise resolves", async () => {
    await startJournal(PATH, "/home", begin(), recording(disk));
    expect(disk.calls.map(({ name, path }) => `${name} ${path}`)).toEqual([
      `create ${PATH}`,
      `write ${PATH}`,
      `sync ${PATH}`,
      "syncFolder /home",
    ]);
    disk.cutPower();
    expect(contents().entries).toEqual([]);
  });

  test("survives a power cut up to the last promise that resolved", async () => {
    await half();
    disk.cutPower();
    expect(unresolvedIntents(contents())).toEqual([intent("2")]);
  });

  test("is complete on a disk that takes few bytes at a time", async () => {
    disk = new MemoryDisk({ chunk: 7 });
    await half();
    expect(unresolvedIntents(contents())).toEqual([intent("2")]);
  });

  test("holds no known secret", async () => {
    const conceal = (text: string) => text.replaceAll("Ümläut", "(secret)");
    const journal = await startJournal(PATH, "/home", begin(), recording(disk, conceal));
    await journal.intend(intent("1"));
    expect(disk.text(PATH)).not.toContain("Ümläut");
    expect(unresolvedIntents(contents())[0]?.before).toEqual([{ id: "1", name: "(secret)" }]);
  });

  test("keeps the order of calls that are not awaited", async () => {
    const journal = await startJournal(PATH, "/home", begin(), recording(disk));
    await Promise.all([journal.intend(intent("1")), journal.settle(settled("1")), journal.end("finished")]);
    expect(contents().entries.map(({ type }) => type)).toEqual(["intent", "settlement", "end"]);
    await expect(journal.intend(intent("2"))).rejects.toThrow(UnwritableJournal);
  });
});

describe("records of concurrent operations", () => {
  const ids = ["1", "2", "3", "4", "5", "6", "7", "8"];
  const operations = ids.map((id) => intent(id).operation);

  async function beside(on: MemoryDisk = disk): Promise<Recorder> {
    const journal = await startJournal(PATH, "/home", begin("0001", operations), recording(on));
    await Promise.all(ids.map((id) => journal.intend(intent(id))));
    return journal;
  }

  test("share a sync: those that are appended during a write are written together", async () => {
    const journal = await beside();
    expect(disk.calls.filter(({ name }) => name === "sync")).toHaveLength(3);
    expect(unresolvedIntents(contents())).toEqual(ids.map((id) => intent(id)));
    expect(disk.text(PATH).split("\n")[2]).toContain('"operation":"8"');
    await journal.end("stopped");
    const later = await resumeJournal(PATH, contents(), recording(disk));
    await later.settle(settled("8"));
    expect(lastSettlements(contents())).toEqual([settled("8")]);
    expect(contents().entries.map(({ type }) => type)).toEqual([
      ...ids.map(() => "intent"),
      "end",
      "resumed",
      "settlement",
    ]);
  });

  test("are all there or none, wherever the write was cut off", async () => {
    await beside();
    const whole = Buffer.from(disk.text(PATH), "utf8");
    const from = whole.subarray(0, -1).lastIndexOf(0x0a) + 1;
    for (let length = from; length < whole.length; length += 7) {
      const torn = Buffer.concat([whole.subarray(0, length), Buffer.alloc(whole.length - length)]);
      expect(readJournal(PATH, torn)?.entries.map(({ type }) => type)).toEqual(["intent"]);
    }
  });

  test("are all rejected if they cannot be written", async () => {
    const full = new MemoryDisk(failingSyncs(3));
    const journal = await startJournal(PATH, "/home", begin("0001", operations), recording(full));
    const ended = await Promise.allSettled(ids.map((id) => journal.intend(intent(id))));
    expect(ended.map(({ status }) => status)).toEqual(ids.map((_, at) => (at === 0 ? "fulfilled" : "rejected")));
  });
});

describe("the status of a run", () => {
  test("an operation that was retried has the status of its last attempt", async () => {
    const journal = await half();
    await journal.settle(settled("2", "failed"));
    await journal.intend(intent("2", 2));
    expect(unresolvedIntents(contents())).toEqual([intent("2", 2)]);
    await journal.settle(settled("2", "unknown"));
    expect(unresolvedIntents(contents())).toEqual([intent("2", 2)]);
    await journal.settle(settled("2", "retained"));
    expect(unresolvedIntents(contents())).toEqual([]);
    expect(remainingOperations(contents())).toEqual([]);
    expect(isUnfinished(contents())).toBe(true);
    await journal.end("finished");
    expect(isUnfinished(contents())).toBe(false);
  });
});

describe("a journal that another run continues", () => {
  test("loses an incomplete record", async () => {
    await half();
    const whole = Buffer.from(disk.text(PATH), "utf8");
    disk.put(PATH, Buffer.concat([whole, whole.subarray(0, 40)]));
    const journal = await resumeJournal(PATH, contents(), recording(disk));
    await journal.settle(settled("2"));
    await journal.end("finished");
    expect(contents().entries.map(({ type }) => type)).toEqual([
      "intent",
      "settlement",
      "intent",
      "resumed",
      "settlement",
      "end",
    ]);
    expect(isUnfinished(contents())).toBe(false);
  });

  test("is unfinished again", async () => {
    const journal = await half();
    await journal.end("stopped");
    await resumeJournal(PATH, contents(), recording(disk));
    expect(runEnding(contents())).toBeUndefined();
  });
});

describe("a disk that fails", () => {
  async function size(): Promise<number> {
    const plenty = new MemoryDisk();
    await half(plenty);
    return Buffer.byteLength(plenty.text(PATH));
  }

  test("that is full at any byte keeps what was promised and nothing after it", async () => {
    const bytes = await size();
    for (let space = 0; space < bytes; space++) {
      const small = new MemoryDisk({ capacity: space });
      const promised = await tell(small);
      small.cutPower();
      expect(await kept(small)).toEqual(promised);
    }
  });

  test("that fails to sync gets no further write and no second sync", async () => {
    for (let syncs = 0; syncs < 5; syncs++) {
      const broken = new MemoryDisk(failingSyncs(syncs));
      const promised = await tell(broken);
      expect(promised).toHaveLength(Math.max(0, syncs - 1));
      broken.cutPower();
      expect(await kept(broken)).toEqual(promised);
    }
  });

  /** The records whose promises resolved. */
  async function tell(on: MemoryDisk): Promise<readonly string[]> {
    const promised: string[] = [];
    try {
      const journal = await startJournal(PATH, "/home", begin(), recording(on));
      promised.push("begin");
      await journal.intend(intent("1"));
      promised.push("intent");
      await journal.settle(settled("1"));
      promised.push("settlement");
      await journal.intend(intent("2"));
      promised.push("intent");
    } catch (error) {
      expect(error).toBeInstanceOf(UnwritableJournal);
    }
    return promised;
  }

  async function kept(on: MemoryDisk): Promise<readonly string[]> {
    if (!on.texts().has(PATH)) return [];
    const read = readJournal(PATH, await on.read(PATH));
    return read === undefined ? [] : ["begin", ...read.entries.map(({ type }) => type)];
  }

  test("leaves a journal that rejects every record and can be closed", async () => {
    const on = new MemoryDisk();
    const journal = await half(on);
    on.faults = failingSyncs(0);
    await expect(journal.settle(settled("2"))).rejects.toThrow("(EIO)");
    on.faults = {};
    await expect(journal.intend(intent("2", 2))).rejects.toThrow("nothing is sent without it");
    await journal.end("stopped");
    await journal.end("stopped");
    expect(on.closed).toEqual([PATH]);
  });
});

describe("a damaged journal", () => {
  let whole: Buffer;

  beforeEach(async () => {
    const journal = await half();
    await journal.settle(settled("2"));
    whole = Buffer.from(disk.text(PATH), "utf8");
  });

  const types = (bytes: Uint8Array) => readJournal(PATH, bytes)?.entries.map(({ type }) => type);
  const ALL = ["intent", "settlement", "intent", "settlement"];

  test("that was cut at any byte yields the records before the cut", () => {
    const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a);
    for (let length = 0; length < whole.length; length++) {
      const count = ends.filter((end) => end < length).length;
      expect(types(whole.subarray(0, length))).toEqual(count === 0 ? undefined : ALL.slice(0, count - 1));
    }
  });

  test("with zeros at the end yields the records before them", () => {
    for (let length = 0; length < whole.length; length += 13) {
      const zeroed = Buffer.concat([whole.subarray(0, length), Buffer.alloc(whole.length - length)]);
      expect(types(zeroed)).toEqual(types(whole.subarray(0, length)));
    }
  });

  test("with an unwritten page in the last record yields the records before it", () => {
    const last = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
    const holed = Buffer.from(whole);
    holed.fill(0, last + 4, last + 30);
    expect(types(holed)).toEqual(ALL.slice(0, 3));
  });

  test("with an unwritten page before other records is refused", () => {
    const holed = Buffer.from(whole);
    holed.fill(0, 100, 140);
    expect(() => types(holed)).toThrow("the record at byte 0 is damaged");
  });

  test("with any flipped bit is refused with the offset of the record", () => {
    const starts = [0, ...[...whole.keys()].filter((at) => whole[at] === 0x0a).map((at) => at + 1)];
    for (let at = 0; at < whole.length; at++) {
      const start = Math.max(...starts.filter((one) => one <= at));
      for (let bit = 0; bit < 8; bit++) {
        const bent = Buffer.from(whole);
        bent[at] = (whole[at] ?? 0) ^ (1 << bit);
        expect(() => types(bent), `byte ${at}, bit ${bit}`).toThrow(`the record at byte ${start} is damaged`);
      }
    }
  });

  test("with random bytes anywhere is refused or cut off there", () => {
    fc.assert(
      fc.property(
        fc.nat(whole.length),
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        fc.boolean(),
        (at, junk, insert) => {
          const rest = whole.subarray(insert ? at : at + junk.length);
          const bent = Buffer.concat([whole.subarray(0, at), junk, rest]);
          if (bent.equals(whole)) return;
          try {
            const read = types(bent);
            expect(ALL.slice(0, read?.length)).toEqual(read ?? []);
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadableJournal);
          }
        },
      ),
    );
  });

  test("with other line ends is refused", () => {
    const changed = Buffer.from(whole.toString("utf8").replaceAll("\n", "\r\n"));
    expect(() => types(changed)).toThrow("the record at byte 0 is damaged: its length is wrong");
  });

  test("whose last record is repeated counts it once", () => {
    const last = whole.subarray(whole.lastIndexOf(0x0a, whole.length - 2) + 1);
    expect(types(Buffer.concat([whole, last, last]))).toEqual(ALL);
  });

  test("with swapped or missing records is refused", () => {
    const lines = whole.toString("utf8").split(/(?<=\n)/);
    const [first = "", second = "", third = "", ...rest] = lines;
    expect(() => types(Buffer.from([first, third, second, ...rest].join("")))).toThrow("is out of order or unknown");
    expect(() => types(Buffer.from([first, third, ...rest].join("")))).toThrow("is out of order or unknown");
    expect(() => types(Buffer.from([second, third].join("")))).toThrow("does not start like a journal");
  });

  test("of a newer format or with an unknown record is refused", () => {
    const newer = formatLine({ ...begin(), format_version: 2 as 1, n: 0 }, asIs);
    expect(() => types(newer)).toThrow("its format 2 is newer than this program");
    const strange = formatLine({ n: 1, type: "dream" as "end", at: "", how: "finished" }, asIs);
    expect(() => types(Buffer.concat([formatLine({ ...begin(), n: 0 }, asIs), strange]))).toThrow(
      "out of order or unknown",
    );
  });

  test("that is another file is refused", () => {
    expect(() => types(Buffer.from("severities:\n  - slug: critical\n"))).toThrow("does not start like a record");
    expect(types(Buffer.alloc(0))).toBeUndefined();
  });
});
