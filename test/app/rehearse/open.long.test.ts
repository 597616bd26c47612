import { type ChildProcess, type SpawnOptionsWithoutStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rehearse } from "../../../src/app/rehearse/rehearse-command.ts";
import type { RehearseOptions } from "../../../src/app/rehearse/rehearse-definition.ts";
import { openInBrowser } from "../../../src/app/serve/open-browser.ts";
import { openWorld } from "../../commands/world.ts";
import { withFiles } from "../../support/files.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

const files = {
  "severities.yaml":
    "severities:\n  - { slug: critical, name: Outage }\n  - { slug: major, name: Major }\n  - { slug: minor, name: Minor, default: true }\n",
  // The replica refuses an ability that nobody knows.
  "agents/agents.yaml": "agents:\n  - { slug: bot, name: Bot, grants: [{ ability: moon.fly }] }\n",
};

interface Served {
  readonly link: string;
  /** The text of a page, read with the cookie of the link. */
  read(path: string): Promise<string>;
  /** Interrupts the program, and returns its exit code and its output. */
  end(): Promise<{ readonly exit: unknown; readonly stdout: string; readonly stderr: string }>;
}

/** Programs that a failed test may have left running. */
const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
});

/** Starts the built program, and waits for its link. */
async function serveRehearsal(place: SpawnOptionsWithoutStdio, ...args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [program, "rehearse", "--emulator", "--open", ...args], place);
  running.add(child);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  const exited = once(child, "exit").finally(() => running.delete(child));
  while (!/sign-in\S+\n/.test(output.stderr)) {
    if (child.exitCode !== null) throw new Error(`it has ended: ${output.stderr}`);
    await setTimeout(20);
  }
  const link = /http:\/\/127\.0\.0\.1:\d+\/sign-in\S+/.exec(output.stderr)?.[0] ?? "";
  const cookie = (await fetch(link)).headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    link,
    read: async (path) => (await fetch(new URL(path, link), { headers: { cookie } })).text(),
    end: async () => {
      child.kill("SIGINT");
      const [exit] = await exited;
      return { exit, ...output };
    },
  };
}

describe("rehearse --open with the built program", () => {
  test("serves the replica with the plan applied until it is interrupted, and leaves the service as it is", async () => {
    await withFiles(files, async (folder) => {
      const served = await serveRehearsal({ cwd: folder }, "severities.yaml");
      const page = await served.read("/configuration");
      expect(page).toContain("Outage");
      expect(page).toMatch(
        /<p class="notice">A replica of \S+, with the plan applied\. Nothing here reaches the service\./,
      );
      expect(await served.read("/requests")).toContain("PATCH /api/v1/severities/critical");
      expect(await served.read("/forms/declare")).toContain("Declare incident");
      expect((await fetch(served.link)).status).toBe(401);
      // The file of the live workspace is free while the replica is served.
      const plan = spawnSync(process.execPath, [program, "plan", "severities.yaml", "--emulator"], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(plan.stdout).toContain("~ severities/critical");
      const { exit, stdout, stderr } = await served.end();
      expect(exit).toBe(0);
      expect(stdout).toMatch(/^Rehearsed 1 operation on a replica.*Rehearsal: all checks passed\.\n$/s);
      expect(stderr).toContain("no browser was opened, since the output is not a terminal");
    });
  });

  test("serves what could be applied after findings, says so, and exits with 7", async () => {
    await withFiles(files, async (folder) => {
      const served = await serveRehearsal({ cwd: folder }, "agents", "--quiet");
      const page = await served.read("/access");
      expect(page).toContain("as far as the plan could be applied: the rehearsal has 1 finding.");
      expect(page).toContain("<code>bot</code>");
      const { exit, stderr } = await served.end();
      expect(exit).toBe(7);
      expect(stderr).toBe(`web page of the replica, with a link that works once: ${served.link}\n`);
    });
  });

  test("masks the values that the configuration takes from the environment", async () => {
    const hook = `webhooks:\n  - { name: Status page, url: "https://hooks.example/\${env:HOOK_KEY}", subscribed_events: [incident.created] }\n`;
    await withFiles({ "webhooks.yaml": hook }, async (folder) => {
      const served = await serveRehearsal({ cwd: folder, env: { ...process.env, HOOK_KEY: "main" } }, "webhooks.yaml");
      const list = await served.read("/configuration/webhooks");
      expect(list).toContain("https://hooks.example/(secret)");
      expect(list).toContain('<main id="main"');
      const [detail = ""] = /\/configuration\/webhooks\/[-0-9a-f]{36}/.exec(list) ?? [];
      expect(await served.read(detail)).toContain("https://hooks.example/(secret)");
      expect((await served.end()).exit).toBe(0);
    });
  });

  test("is refused before anything is read if the output is for a program", async () => {
    await withFiles(files, async (folder) => {
      for (const format of ["json", "html"]) {
        const args = ["rehearse", "severities.yaml", "--open", "--format", format];
        const ended = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: "utf8" });
        expect(ended.status).toBe(64);
        // The error is a document too, if the output is one.
        expect(ended.stdout.startsWith(format === "json" ? "{" : "<!doctype html>"), ended.stdout).toBe(true);
        expect(ended.stderr).toContain("--open serves the replica until it is interrupted");
      }
    });
  });
});

describe("the opener of the system", () => {
  let folder: string;
  let env: Record<string, string | undefined>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "incidentctl-opener-"));
    env = { PATH: [folder, process.env.PATH].join(delimiter), DISPLAY: ":0" };
    const script = `#!/bin/sh\necho "$@" > ${folder}/arguments.new\ncat "$1" > ${folder}/page\nmv ${folder}/arguments.new ${folder}/arguments\n`;
    for (const name of ["xdg-open", "open"]) {
      await writeFile(join(folder, name), script);
      await chmod(join(folder, name), 0o755);
    }
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** The arguments of the opener and the page that it was told to open. */
  async function opened(): Promise<{ readonly file: string; readonly page: string }> {
    while (!(await readdir(folder)).includes("arguments")) await setTimeout(20);
    const file = (await readFile(join(folder, "arguments"), "utf8")).trim();
    return { file, page: await readFile(join(folder, "page"), "utf8") };
  }

  test("gets a file that only its owner can read, and no key on its command line", async () => {
    const link = "http://127.0.0.1:1234/sign-in?key=secret";
    const opening = await openInBrowser(link, env, "linux");
    expect(opening.isStarted).toBe(true);
    const { file, page } = await opened();
    expect(file).toMatch(/incidentctl-open-\w+\/open\.html$/);
    expect(page).toContain(`content="0; url=${link}"`);
    expect((await stat(file)).mode & 0o077).toBe(0);
    await opening.remove();
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  test("is not started without a screen, and one that is missing is no error", async () => {
    expect((await openInBrowser("http://x/", { ...env, DISPLAY: "" }, "linux")).isStarted).toBe(false);
    const opening = await openInBrowser("http://x/", { DISPLAY: ":0", PATH: "/nowhere" }, "linux");
    expect(opening.isStarted).toBe(false);
    await opening.remove();
  });

  test.each([
    ["opens the link on a terminal", ":0", "opening the link in a browser"],
    ["is left alone without a screen", "", "no browser could be opened: open the link yourself"],
  ])("%s", async (_what, display, message) => {
    const world = await openWorld({ "severities.yaml": files["severities.yaml"] });
    const interrupted = new AbortController();
    let stderr = "";
    Object.assign(world.io.env, { ...env, DISPLAY: display, WAYLAND_DISPLAY: "" });
    const isTerminal = { terminal: true } as const;
    const ended = world.run<RehearseOptions>(
      (options, io, console) =>
        rehearse(
          options,
          {
            ...io,
            stdout: { ...isTerminal, write: () => {} },
            stderr: { ...isTerminal, write: () => {} },
            interruption: () => interrupted.signal,
          },
          {
            ...console,
            note: (line) => {
              stderr += `${line}\n`;
              if (line.startsWith("serving")) interrupted.abort();
            },
          },
        ),
      { paths: [], open: true },
    );
    expect((await ended).exit).toBe(0);
    expect(stderr).toContain(message);
    if (display !== "" && process.platform === "linux") expect((await opened()).file).toContain("open.html");
    await world.close();
  });
});
