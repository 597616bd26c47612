/** The cost of a base: a plan that compares with the last commit over one that does not. */

import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./goals.ts";
import { type Command, inTemporary, program, run, serve } from "./processes.ts";
import { median } from "./statistics.ts";
import { environmentOf, UNLIMITED, writeGenerated, writeTwenty } from "./workspaces.ts";

/** Changed files of the large workspace. */
const CHANGED = 10;

/** Measures twenty resources, by a multiple of an empty program, and so many entries, in percent of the plan without a base. */
export async function measureBase(unit: number, entries: number, rounds: number): Promise<Measured> {
  const small = await pairsOf(3 * rounds, [], (folder) => writeTwenty(folder, "Decides."));
  const size = ["--entries", String(entries), "--changed", String(entries / 100)];
  const large = await pairsOf(rounds, size, (folder, url) => writeGenerated(folder, { entries, url }));
  const added = median(small.map(({ base, none }) => base - none));
  const longer = median(large.map(({ base, none }) => base / none - 1));
  return { id: "P20", values: [added / unit, longer * 100] };
}

/** Milliseconds of plans with a base, each with one without that was made directly after it. */
function pairsOf(
  rounds: number,
  content: readonly string[],
  write: (folder: string, url: string) => void,
): Promise<readonly { readonly base: number; readonly none: number }[]> {
  return inTemporary(async (folder) => {
    const service = await serve("remember.mjs", content.length === 0 ? ["--bare"] : content);
    try {
      write(folder, service.info.url ?? "");
      commit(folder);
      const files = readdirSync(folder).filter((name) => name.endsWith(".yaml") && name !== "incidentctl.yaml");
      for (const file of files.slice(0, CHANGED)) appendFileSync(join(folder, file), "# changed\n");
      const planOf = (base: string): Command => ({
        args: [program, "plan", ...UNLIMITED, "--base", base],
        ...{ cwd: folder, env: environmentOf(service), limit: 600_000 },
      });
      return Array.from({ length: rounds }, () => ({
        base: run(planOf("HEAD")).wall,
        none: run(planOf("none")).wall,
      }));
    } finally {
      await service.close();
    }
  });
}

/** Makes a folder a repository with one commit, without the settings of this machine. */
function commit(folder: string): void {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  const author = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
  for (const words of [
    ["init", "--quiet"],
    ["add", "--all"],
    [...author, "commit", "--quiet", "--message", "first"],
  ]) {
    execFileSync("git", words, { cwd: folder, env });
  }
}
