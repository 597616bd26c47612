import { spawnSync } from "node:child_process";
import { chmod, link, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Secret } from "../../../src/run/exchange/secret.ts";
import { fileSink } from "../../../src/run/tokens/file-sink.ts";
import { UnusableSink } from "../../../src/run/tokens/sink.ts";

const issued = { address: "agents/responder", prefix: "ff_012345678", token: new Secret("ff_0123456789abcdef") };
const line = `${JSON.stringify({ ...issued, token: issued.token.reveal() })}\n`;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-"));
  path = join(folder, "tokens.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

async function mode(of: string): Promise<number> {
  return (await lstat(of)).mode & 0o777;
}

describe("a token file", () => {
  it("is readable by its owner only, with any umask, with one line for each token", async () => {
    const mask = process.umask(0);
    try {
      const sink = fileSink(path);
      await sink.store(issued);
      await sink.store({ ...issued, address: "api_keys/pager" });
    } finally {
      process.umask(mask);
    }
    expect(await readFile(path, "utf8")).toBe(`${line}${line.replace("agents/responder", "api_keys/pager")}`);
    expect(await mode(path)).toBe(0o600);
    expect(await readdir(folder)).toEqual(["tokens.jsonl"]);
  });

  it("is not created or changed by a check", async () => {
    await fileSink(path).probe();
    expect(await readdir(folder)).toEqual([]);
    await fileSink(path).store(issued);
    await fileSink(path).probe();
    expect(await readFile(path, "utf8")).toBe(line);
  });

  it("keeps its earlier lines", async () => {
    await writeFile(path, "something\n", { mode: 0o600 });
    await fileSink(path).store(issued);
    expect(await readFile(path, "utf8")).toBe(`something\n${line}`);
  });

  it.each([0o644, 0o640, 0o604, 0o660])("is refused if others can open it: mode %o", async (wrong) => {
    await writeFile(path, "");
    await chmod(path, wrong);
    await expect(fileSink(path).probe()).rejects.toThrow(UnusableSink);
    await expect(fileSink(path).store(issued)).rejects.toThrow("chmod 600");
    expect(await readFile(path, "utf8")).toBe("");
  });

  it("is refused if it is a link, also to a valid file or to nothing", async () => {
    const target = join(folder, "target");
    await symlink(target, path);
    await expect(fileSink(path).probe()).rejects.toThrow("it is a link");
    await writeFile(target, "", { mode: 0o600 });
    await expect(fileSink(path).store(issued)).rejects.toThrow("it is a link");
    expect(await readFile(target, "utf8")).toBe("");
  });

  it("is refused if it is not a regular file", async () => {
    await mkdir(path, { mode: 0o700 });
    await expect(fileSink(path).probe()).rejects.toThrow("not a regular file");
    for (const device of ["/dev/null", "/dev/full", "/dev/stdout"]) {
      await expect(fileSink(device).probe()).rejects.toThrow(UnusableSink);
      await expect(fileSink(device).store(issued)).rejects.toThrow(UnusableSink);
    }
  });

  it("is refused if it is read-only, or has another hard link", async () => {
    await writeFile(path, "mine\n", { mode: 0o400 });
    await expect(fileSink(path).probe()).rejects.toThrow("it is read-only");
    await chmod(path, 0o600);
    await link(path, join(folder, "other"));
    await expect(fileSink(path).store(issued)).rejects.toThrow("hard link");
    expect(await readFile(path, "utf8")).toBe("mine\n");
  });

  it("is refused if its folder is a link, also to a valid folder", async () => {
    await mkdir(join(folder, "real"), { mode: 0o700 });
    await symlink(join(folder, "real"), join(folder, "linked"));
    const sink = fileSink(join(folder, "linked", "tokens"));
    await expect(sink.probe()).rejects.toThrow("its folder is a link");
    await expect(sink.store(issued)).rejects.toThrow("its folder is a link");
    expect(await readdir(join(folder, "real"))).toEqual([]);
  });

  it("is refused if it cannot be written, with the reason of the file system", async () => {
    await expect(fileSink("/proc/tokens").probe()).rejects.toThrow(/the file system reports E/);
  });

  it("loses no line if several runs write to it at once", async () => {
    const addresses = Array.from({ length: 8 }, (_, at) => `agents/a${at}`);
    await Promise.all(addresses.map((address) => fileSink(path).store({ ...issued, address })));
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines.map((text) => JSON.parse(text).address).toSorted()).toEqual(addresses);
    expect(await readdir(folder)).toEqual(["tokens.jsonl"]);
  });

  it("does not wait for an ended run", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    await writeFile(join(folder, ".tokens.jsonl.lock"), String(pid));
    await fileSink(path).store(issued);
    expect(await readdir(folder)).toEqual(["tokens.jsonl"]);
  });

  it("is refused if its folder does not exist, is a file, or is writable by everybody", async () => {
    await expect(fileSink(join(folder, "none", "tokens")).probe()).rejects.toThrow("ENOENT");
    await writeFile(join(folder, "file"), "");
    await expect(fileSink(join(folder, "file", "tokens")).probe()).rejects.toThrow("ENOTDIR");
    await chmod(folder, 0o777);
    await expect(fileSink(path).probe()).rejects.toThrow("everybody can write to its folder");
    await chmod(folder, 0o1777);
    await fileSink(path).probe();
  });

  it("is refused with its path and without a token", async () => {
    const error: unknown = await fileSink(join(folder, "none", "tokens"))
      .store(issued)
      .catch((reason: unknown) => reason);
    expect(String(error)).toContain(join(folder, "none", "tokens"));
    expect(String(error)).not.toContain(issued.token.reveal());
  });
});

describe("the temporary file of a killed run", () => {
  const left = () => join(folder, ".tokens.jsonl.new");

  it("replaces the token file if it is complete, since it may have the only copy of a token", async () => {
    await writeFile(path, "first\n", { mode: 0o600 });
    await writeFile(left(), "first\nsecond\n", { mode: 0o600 });
    await fileSink(path).store(issued);
    expect(await readFile(path, "utf8")).toBe(`first\nsecond\n${line}`);
    expect(await readdir(folder)).toEqual(["tokens.jsonl"]);
  });

  it.each(["", "first\nsec", "another\n", `first\n${" ".repeat(64 * 1024)}`])(
    "is moved aside if it is %j",
    async (text) => {
      await writeFile(path, "first\n", { mode: 0o600 });
      await writeFile(left(), text, { mode: 0o600 });
      await fileSink(path).probe();
      expect(await readFile(path, "utf8")).toBe("first\n");
      expect(await readdir(folder)).toEqual(["tokens.jsonl"]);
    },
  );

  it("is ignored if it is a link", async () => {
    await symlink("/etc/passwd", left());
    await expect(fileSink(path).probe()).rejects.toThrow("it is a link");
  });
});
