import fs from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Secret } from "../../../src/run/exchange/secret.ts";
import { fileSink } from "../../../src/run/tokens/file-sink.ts";

const issued = { address: "agents/responder", prefix: "ff_012345678", token: new Secret("ff_0123456789abcdef") };
const line = `${JSON.stringify({ ...issued, token: issued.token.reveal() })}\n`;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-"));
  path = join(folder, "tokens.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

/** What the path held each time something was brought to the disk while the work ran. */
async function syncs(work: () => Promise<void>): Promise<readonly string[]> {
  const held = () => readFile(path, "utf8").catch(() => "nothing");
  const { fsync } = fs;
  const seen: string[] = [];
  const watched = (fd: number, done: fs.NoParamCallback): void =>
    fsync(fd, async (error) => {
      seen.push(await held());
      done(error);
    });
  fs.fsync = watched as typeof fsync;
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    fs.fsync = fsync;
    syncBuiltinESMExports();
  }
  return seen;
}

describe("a power cut", () => {
  it("leaves the old file or the new one: the new one is synced before its rename, the folder after", async () => {
    const sink = fileSink(path);
    expect(await syncs(() => sink.store(issued))).toEqual(["nothing", line]);
    expect(await syncs(() => sink.store(issued))).toEqual([line, line + line]);
  });
});
