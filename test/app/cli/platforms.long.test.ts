/** The built program where the file system differs: each preloaded file simulates a platform. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { fileName } from "../../../src/config/source/files.ts";
import { permissionsOf } from "../../../src/core/file-system.ts";
import { commandSink } from "../../../src/run/tokens/command-sink.ts";
import { withFiles } from "../../support/files.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

const FILES = {
  "config/all.yaml": `agents:
  - { slug: bot, name: Bot }
severities:
  - { slug: critical, name: Outage }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
`,
};

describe.each(["windows", "plug-n-play"])("On the file system of %s", (platform) => {
  const preload = fileURLToPath(new URL(`platforms/${platform}.cjs`, import.meta.url));

  /** Runs the program, and returns its exit code with what it printed on stderr. */
  function run(folder: string, ...args: readonly string[]): readonly [exit: number | null, stderr: string] {
    const { PATH = "" } = process.env;
    const options = { cwd: folder, env: { PATH }, encoding: "utf8", timeout: 60_000 } as const;
    const { status, stderr } = spawnSync(process.execPath, ["--require", preload, program, ...args], options);
    return [status, stderr];
  }

  it("plans and reports are saved, runs keep a journal, and tokens are stored", async () => {
    await withFiles(FILES, async (folder) => {
      const sink = ["--allow-delete", "--secrets-out", "tokens.jsonl"];
      const saved = run(folder, "plan", "config", "--emulator", "--out", "a.plan", "--report", "html=a.html", ...sink);
      expect(saved[0], saved[1]).toBe(0);
      const applied = run(folder, "apply", "config", "--emulator", "--plan", "a.plan", "--yes", ...sink);
      expect(applied[0], applied[1]).toBe(0);
      expect(JSON.parse(readFileSync(join(folder, "tokens.jsonl"), "utf8"))).toMatchObject({ address: "agents/bot" });
      expect(readdirSync(join(folder, "config/.incidentctl/journals"))).toHaveLength(1);
      writeFileSync(
        join(folder, "config/all.yaml"),
        FILES["config/all.yaml"].replace("bot, name: Bot", "bot2, name: B2"),
      );
      const second = run(folder, "apply", "config", "--emulator", "--yes", ...sink);
      expect(second[0], second[1]).toBe(0);
      const lines = readFileSync(join(folder, "tokens.jsonl"), "utf8").trimEnd().split("\n");
      expect(lines).toHaveLength(2);
      const back = run(folder, "undo", "config", "--emulator", "--out", "undo.plan");
      expect(back[0], back[1]).toBe(0);
    });
  });

  it("a repository is started, formatted and filled", async () => {
    await withFiles(FILES, async (folder) => {
      for (const args of [
        ["init", "new"],
        ["fmt", "config"],
        ["pull", "config", "--emulator"],
      ]) {
        const [exit, stderr] = run(folder, ...args);
        expect(exit, stderr).toBe(0);
      }
      expect(existsSync(join(folder, "new/incidentctl.yaml"))).toBe(true);
    });
  });
});

describe("On Windows", () => {
  const { platform } = process;
  const simulate = (value: string): void => void Object.defineProperty(process, "platform", { value });
  afterEach(() => simulate(platform));

  it("the permissions of others, which Node makes up, do not count", () => {
    expect(permissionsOf({ mode: 0o100666 })).toBe(0o666);
    simulate("win32");
    expect(permissionsOf({ mode: 0o100666 })).toBe(0o600);
    expect(permissionsOf({ mode: 0o100444 })).toBe(0o400);
  });

  it("paths in reports have forward slashes", () => {
    expect(fileName("C:\\repo", "C:\\repo\\config\\a.yaml", win32)).toBe("config/a.yaml");
    expect(fileName("C:\\repo\\config", "C:\\repo\\incidentctl.yaml", win32)).toBe("../incidentctl.yaml");
    expect(fileName("/repo", "/repo/config/with\\backslash.yaml", posix)).toBe("config/with\\backslash.yaml");
  });

  it("a token command is found by any spelling of PATH, and without its ending", async () => {
    await withFiles({}, async (folder) => {
      mkdirSync(join(folder, "bin"));
      writeFileSync(join(folder, "bin/store.exe"), "", { mode: 0o755 });
      const probe = (line: string, environment: Record<string, string>) => commandSink(line, environment).probe();
      await expect(probe("store", { Path: join(folder, "bin") })).rejects.toThrow("there is no program store");
      simulate("win32");
      await probe("store", { Path: join(folder, "bin") });
      await probe("store.exe x", { PATH: join(folder, "bin") });
      await probe(join(folder, "bin/store"), {});
      await expect(probe("stone", { Path: join(folder, "bin") })).rejects.toThrow("there is no program stone");
      // A path is not searched for, whichever slash it has.
      await expect(probe("'bin\\store'", { Path: folder })).rejects.toThrow("there is no program");
    });
  });
});
