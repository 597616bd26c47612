/** Two processes of the built program that apply the same files from two folders to one service over the network. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { serve } from "../../src/emulator/serve.ts";
import { withFiles } from "../support/files.ts";
import { sampleSize } from "../support/samples/sample-size.ts";
import { randomFrom } from "./stage/random.ts";

const program = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
const TITLES = ["one", "two", "three", "four", "everything else"];
const FILES = {
  "rules.yaml": `routing_rules:
  workspace:
${TITLES.map((title) => `    - { name: ${title}, conditions: [{ field: title, operator: contains, value: ${title} }], outcome: { action: drop } }`).join("\n")}
`,
};

test("two applies from two folders append no rule twice, and one that exits with 0 has done everything", async () => {
  const random = randomFrom(Number(process.env.CAMPAIGN_SEED ?? 1));
  for (let round = 0; round < sampleSize(60); round += 1) {
    const emulator = createEmulator();
    // Requests of different length, so that the two runs meet in another way in each round.
    const fetch = async (request: Request): Promise<Response> => {
      await sleep(random() * 15);
      return emulator.fetch(request);
    };
    const served = await serve({ ...emulator, fetch });
    try {
      const both = [1, 2].map(() => applyFiles(served.url, emulator));
      const exits = await Promise.all(both);
      const titles = await ruleTitles(emulator);
      expect(titles, `round ${round}: a rule is there twice`).toHaveLength(new Set(titles).size);
      for (const exit of exits) expect([0, 4, 5]).toContain(exit);
      if (exits.includes(0)) expect(titles).toEqual(TITLES);
      expect(await applyFiles(served.url, emulator)).toBe(0);
      expect(await ruleTitles(emulator)).toEqual(TITLES);
    } finally {
      await served.close();
      await emulator.close();
    }
  }
}, 900_000);

/** The exit code of `apply` in a folder of its own. */
async function applyFiles(url: string, { serviceToken, adminToken }: Emulator): Promise<number> {
  let exit = -1;
  await withFiles(FILES, async (folder) => {
    const env = {
      PATH: process.env.PATH ?? "",
      INCIDENTCTL_URL: url,
      INCIDENTCTL_TOKEN: serviceToken,
      INCIDENTCTL_ADMIN_TOKEN: adminToken,
    };
    const child = spawn(process.execPath, [program, "apply", "--yes"], { cwd: folder, env, stdio: "ignore" });
    [exit] = (await once(child, "close")) as [number];
  });
  return exit;
}

/** The titles that the rules of the workspace match, in their order. */
async function ruleTitles(emulator: Emulator): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${emulator.adminToken}` };
  const url = "http://localhost/api/v1/routing_rules";
  const response = await emulator.fetch(new Request(url, { headers }));
  const { routing_rules: rules } = (await response.json()) as {
    routing_rules: readonly { conditions: readonly { value: string }[] }[];
  };
  return rules.map(({ conditions }) => conditions[0]?.value ?? "");
}
