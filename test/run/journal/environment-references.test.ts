import { beforeEach, describe, expect, test } from "vitest";
import { planHash } from "../../../src/plan/checks/seal.ts";
import { readJournal } from "../../../src/run/journal/read.ts";
import { startJournal } from "../../../src/run/journal/recorder.ts";
import { MemoryDisk } from "../../support/memory-disk.ts";
import { begin, intent } from "./sample-journal.ts";

const PATH = "/home/one.unfinished";

describe("a journal of a run with values from the environment", () => {
  let disk: MemoryDisk;
  const values = new Map([
    ["NAME", "Ümläut is long"],
    ["PART", "is long"],
  ]);
  const entry = { ...intent("1"), before: [{ id: "1", name: `An Ümläut is long, \${env:NAME}` }] };
  const plan = { ...begin().plan, warnings: [{ code: "W", message: "Ümläut is long" }] };
  const first = { ...begin(), plan: { ...plan, seal: { ...plan.seal, hash: planHash(plan) } } };

  beforeEach(() => {
    disk = new MemoryDisk();
  });
  const recording = () => ({ disk, now: () => new Date(0), conceal: (text: string) => text, environment: values });

  async function written(): Promise<Uint8Array> {
    const journal = await startJournal(PATH, "/home", first, recording());
    await journal.intend(entry);
    expect(disk.text(PATH)).not.toContain("Ümläut");
    expect(disk.text(PATH)).toContain(`\${env:NAME}`);
    return Buffer.from(disk.text(PATH), "utf8");
  }

  test("refers to their variables, and has the values again when it is read", async () => {
    const read = readJournal(PATH, await written(), values);
    expect(read?.begin).toMatchObject(first);
    expect(read?.entries).toMatchObject([
      { type: "intent", intent: { ...entry, operation: read?.begin.plan.operations[0] } },
    ]);
  });

  test.each([
    ["are gone", new Map()],
    ["have changed", new Map([["NAME", "Another value"]])],
  ])("has masks in their place if the values %s", async (_case, others) => {
    const read = readJournal(PATH, await written(), others);
    expect(read?.begin.plan.warnings).toEqual([{ code: "W", message: "(secret)" }]);
    expect(JSON.stringify(read?.entries)).toContain(`An (secret), \${env:NAME}`);
  });
});
