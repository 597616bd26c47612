import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Secret } from "../../../src/run/exchange/secret.ts";
import { commandSink } from "../../../src/run/tokens/command-sink.ts";
import { UnusableSink } from "../../../src/run/tokens/sink.ts";

const issued = { address: "agents/responder", prefix: "ff_012345678", token: new Secret("ff_0123456789abcdef") };

let folder: string;
let environment: Record<string, string | undefined>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-"));
  environment = {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    FOLDER: folder,
    INCIDENTCTL_TOKEN: "ff_a",
    INCIDENTCTL_ADMIN_TOKEN: "ff_b",
  };
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe("a token command", () => {
  it("gets the line on its standard input, its arguments unchanged, and no token of the environment", async () => {
    await program("store", 'cat > "$FOLDER/line"; printf "%s|" "$@" > "$FOLDER/words"; env > "$FOLDER/environment"');
    const sink = commandSink(`store --as 'a b' "$HOME" ; *`, environment);
    await sink.probe();
    await sink.store(issued);
    expect(JSON.parse(await readFile(join(folder, "line"), "utf8"))).toEqual({
      ...issued,
      token: issued.token.reveal(),
    });
    expect(await readFile(join(folder, "words"), "utf8")).toBe("--as|a b|$HOME|;|*|");
    expect(await readFile(join(folder, "environment"), "utf8")).not.toContain("INCIDENTCTL_");
  });

  it("fails with a status other than 0, and its error output is printed without the token", async () => {
    await program("store", "cat >&2; echo no room >&2; exit 3");
    const error: unknown = await commandSink("store", environment)
      .store(issued)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnusableSink);
    expect(String(error)).toMatch(/exited with status 3: .*\[secret\].*no room/s);
    expect(String(error)).not.toContain(issued.token.reveal());
  });

  it("has only the start of a long error output printed", async () => {
    await program(
      "store",
      "cat >/dev/null; i=0; while [ $i -lt 3000 ]; do echo 'no room at all' >&2; i=$((i+1)); done; exit 1",
    );
    const error: unknown = await commandSink("store", environment)
      .store(issued)
      .catch((reason: unknown) => reason);
    expect(String(error).length).toBeLessThan(2_200);
  });

  it("fails if it is killed, or cannot be started", async () => {
    await program("store", "kill -9 $$");
    await expect(commandSink("store", environment).store(issued)).rejects.toThrow("was killed by SIGKILL");
    await expect(commandSink("./no/such/program", environment).store(issued)).rejects.toThrow("cannot be run (ENOENT)");
  });

  it("fails if it does not end in time, even if it ignores signals", async () => {
    await program("store", "trap '' TERM INT; cat >/dev/null; while :; do sleep 0.1; done");
    await expect(commandSink("store", environment, 300).store(issued)).rejects.toThrow("was killed by SIGKILL");
  });

  it("is not awaited after its end, even if it leaves a process running", async () => {
    await program("store", 'cat > "$FOLDER/line"; sleep 5 &');
    const started = performance.now();
    await commandSink("store", environment).store(issued);
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  it("fails if its disk is full", async () => {
    await program("store", "cat > /dev/full");
    await expect(commandSink("store", environment).store(issued)).rejects.toThrow(/exited with status 1: .*No space/s);
  });

  it("fails if it does not read the token", async () => {
    await program("store", "exec 0<&-; sleep 0.2; exit 0");
    const long = { ...issued, token: new Secret("f".repeat(1_000_000)) };
    await expect(commandSink("store", environment).store(long)).rejects.toThrow("did not read the token");
  });

  it.each(["", "  ", "''", "store 'open"])("is refused when its line is %j", (line) => {
    expect(() => commandSink(line, environment)).toThrow(UnusableSink);
  });

  it("is checked without being run: it must be a program, on the PATH or by its own path", async () => {
    const path = await program("store", 'touch "$FOLDER/run"');
    await commandSink("store", environment).probe();
    await commandSink(path, {}).probe();
    await expect(readFile(join(folder, "run"))).rejects.toThrow("ENOENT");
    await chmod(path, 0o644);
    await expect(commandSink("store", environment).probe()).rejects.toThrow("there is no program");
    await expect(commandSink(folder, environment).probe()).rejects.toThrow("there is no program");
    await expect(commandSink("store", {}).probe()).rejects.toThrow("there is no program");
  });
});
