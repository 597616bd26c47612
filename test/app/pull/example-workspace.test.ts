/** Pulled files as a person would have written them: those of the example workspace, as far as they differ from `examples/` in more than remarks. */

import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/emulator.ts";
import { modules } from "../../support/samples/example-workspace.ts";
import { typed } from "../../support/typed.ts";

const examples = fileURLToPath(new URL("../../../examples", import.meta.url));
const APPLY = ["apply", "--yes", "--allow-delete", "--max-removals", "100%", "--accept-routing-window"];

test("the pulled example workspace reads like the examples, and the next plan is empty", async () => {
  const folder = await mkdtemp(join(tmpdir(), "incidentctl-pulled-"));
  const emulator = createEmulator();
  const run = async (...args: readonly string[]): Promise<string> => {
    const { exit, stdout, stderr } = await typed(args, {
      env: {
        INCIDENTCTL_URL: "https://incidents.example.com",
        INCIDENTCTL_TOKEN: emulator.serviceToken,
        INCIDENTCTL_ADMIN_TOKEN: emulator.adminToken,
      },
      cwd: folder,
      fetch: (input, init) => emulator.fetch(new Request(input, init)),
    });
    expect(exit, stderr).toBe(0);
    return stdout;
  };
  try {
    await cp(examples, join(folder, "written"), { recursive: true, filter: (path) => !path.endsWith(".incidentctl") });
    await run(...APPLY, "--secrets-out", join(folder, "secrets"), "written");
    await run("init", "pulled", "--pull");
    const names = (await readdir(join(folder, "pulled/config"))).sort();
    for (const name of names) {
      const text = await readFile(join(folder, "pulled/config", name), "utf8");
      if (withoutRemarks(text) === withoutRemarks(await readFile(join(examples, name), "utf8"))) continue;
      await expect(text).toMatchFileSnapshot(`example-workspace/${name}`);
    }
    expect(names).toEqual(modules.map((module) => `${module}.yaml`).sort());
    expect(await run("plan", "pulled/config")).toContain("No changes.");
    expect(await run("fmt", "--check", "pulled/config")).toBe("");
  } finally {
    emulator.close();
    await rm(folder, { recursive: true });
  }
});

function withoutRemarks(text: string): string {
  return text.replaceAll(/^ *(?:#.*)?\n/gm, "");
}
