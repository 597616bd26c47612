/** What docs/pipelines.md asks for on GitHub, done by its words with a real npm: from an empty repository to a change that is applied, timed. */

import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Files } from "../pipelines/simulator/repository.ts";
import { environmentsOf, openWorld, startWorkspace } from "../pipelines/simulator/world.ts";
import { type Ended, script } from "../pipelines/workflow.ts";
import { newFolder, pack, run, succeed } from "./support.ts";

/** Processor time that the program may take from the push to the comment, in seconds, on a machine that starts Node in this time. */
const PROGRAM_SECONDS = 2;
const NODE_SECONDS = 0.05;

let folder: string;
let program: string;

beforeAll(async () => {
  folder = newFolder();
  const home = join(folder, "installed");
  await succeed(folder, "npm", ["install", "--global", "--ignore-scripts", "--prefix", home, await pack(folder)]);
  program = join(home, "bin/incidentctl");
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The files of a folder, without those of git, by their paths. */
function filesOf(home: string): Files {
  const paths = readdirSync(home, { recursive: true, encoding: "utf8" }).map((path) => join(home, path));
  const own = paths.filter((path) => statSync(path).isFile() && !relative(home, path).startsWith(".git/"));
  return Object.fromEntries(own.map((path) => [relative(home, path), readFileSync(path)]));
}

test("a new repository reviews, comments and applies its first change, and the program takes less than two seconds", async () => {
  const workspace = await startWorkspace();
  const home = join(folder, "repository");
  mkdirSync(home);
  await succeed(home, "git", ["init", "--quiet", "--initial-branch", "main"]);
  const token = { INCIDENTCTL_TOKEN: workspace.emulator.adminToken };
  const started = await run(home, program, ["init", "--ci", "github", "--pull", "--url", workspace.url], token);
  expect(started.exit, started.stderr).toBe(0);

  // The command that packs the program is run as it is printed.
  const [, command = ""] = /^ {2}(.*npm pack.*)$/m.exec(started.stderr) ?? [];
  await succeed(home, "sh", ["-e", "-c", command]);
  await rm(join(home, ".incidentctl"), { recursive: true, force: true });

  const world = await openWorld(filesOf(home), environmentsOf(workspace));
  const seconds: [string, number][] = [];
  const prefix = join(folder, "runner");
  world.machine.path = `${join(prefix, "bin")}:${process.env.PATH ?? ""}`;
  world.machine.script = async (text, cwd, env): Promise<Ended> => {
    const settings = Object.entries(process.env).filter(([name]) => /^npm_config_|^NODE_EXTRA_CA_CERTS$/i.test(name));
    const npm = { ...Object.fromEntries(settings), npm_config_prefix: prefix, HOME: process.env.HOME ?? folder };
    const ended = await script(`${text}\ntimes`, cwd, { ...npm, ...env });
    seconds.push([text, processorSeconds(ended)]);
    return ended;
  };
  try {
    const severities = "config/severities.yaml";
    const before = readFileSync(join(home, severities), "utf8");
    const [, name = ""] = /name: (\w+)/.exec(before) ?? [];
    const pull = await world.open("rename", { [severities]: before.replace(`name: ${name}`, "name: Renamed") });
    expect(world.review(pull).jobs.map((job) => [job.name, job.conclusion])).toEqual([
      ["review workspace", "success"],
      ["comment", "success"],
    ]);
    expect(world.comment(pull, "review")).toContain(`-   name: "${name}"\n+   name: "Renamed"\n`);

    const own = seconds.filter(([text]) => text.includes("incidentctl ci "));
    const taken = own.reduce((sum, [text, time]) => sum + (text.includes("npm install") ? 0 : time), 0);
    const bare = await Promise.all(Array.from({ length: 5 }, () => timed(`"${process.execPath}" --eval 0`)));
    // Both take longer where other programs run.
    const slowdown = Math.max(1, (bare.toSorted((one, other) => one - other)[2] ?? Number.NaN) / NODE_SECONDS);
    console.log([...seconds, ["limit", PROGRAM_SECONDS * slowdown] as const].map(timeLine).join("\n"));
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(PROGRAM_SECONDS * slowdown);

    world.approve(pull);
    expect((await world.start(world.merge(pull))).conclusion).toBe("success");
    expect(world.comment(pull, "apply")).toContain("✅ **Applied: 1 of 1 operation done.**");
    expect(await workspace.severities()).toContain("Renamed");
  } finally {
    await world.close();
    await workspace.close();
  }
});

function timeLine([text, time]: readonly [string, number]): string {
  return `${time.toFixed(2)} s  ${text}`;
}

/** The processor time of a script. */
async function timed(text: string): Promise<number> {
  return processorSeconds(await script(`${text}\ntimes`, folder, {}));
}

/** The last line of what a shell prints with `times`: the processor time of what it has started, such as `0m1.5s 0m0.2s`. */
function processorSeconds({ stdout }: Ended): number {
  const [, ...parts] = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/.exec(stdout.trimEnd()) ?? [];
  const [minutes, seconds, systemMinutes, systemSeconds] = parts.map(Number);
  return 60 * ((minutes ?? Number.NaN) + (systemMinutes ?? 0)) + (seconds ?? 0) + (systemSeconds ?? 0);
}
