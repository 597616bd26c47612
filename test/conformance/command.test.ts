/** The conformance command: options, output and exit status, against our own emulator and against a URL. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allRules } from "../../src/conformance/all-rules.ts";
import { conformanceCommand } from "../../src/conformance/command.ts";
import { serveEmulatorTarget } from "../../src/conformance/emulator-target.ts";

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const out: string[] = [];
  const complaints: string[] = [];
  const io = { env, print: (line: string) => out.push(line), complain: (line: string) => complaints.push(line) };
  return { status: await conformanceCommand(args, io), out, complaints };
}

test("without --url it checks our own emulator, prints a line per rule under its heading, and closes with the counts", async () => {
  const { status, out } = await run(["--rule", "severity.list"]);
  expect(out).toEqual([
    "\nSeverity",
    "  ✓ severity.list  the list response is an object with a severities array",
    "",
    "1 passed, 0 failed, 0 not applicable",
  ]);
  expect(status).toBe(0);
});

test("--url checks that service with the token of the environment; what the token cannot reach is not applicable", async () => {
  const own = await serveEmulatorTarget();
  const directory = mkdtempSync(join(tmpdir(), "conformance-"));
  const file = join(directory, "results.json");
  try {
    const env = { INCIDENTCTL_TOKEN: own.target.token ?? "" };
    const { status, out } = await run(["--url", own.target.url, "--section", "Severity", "--json", file], env);
    expect(status, out.join("\n")).toBe(0);
    const admin = await run(["--url", own.target.url, "--rule", "agent.abilities"], env);
    expect(admin.out.at(-1)).toBe("0 passed, 0 failed, 1 not applicable");
    const written = JSON.parse(readFileSync(file, "utf8")) as { url: string; results: { section: string }[] };
    expect(written.url).toBe(own.target.url);
    expect(new Set(written.results.map((result) => result.section))).toEqual(new Set(["Severity"]));
  } finally {
    rmSync(directory, { recursive: true });
    await own.close();
  }
});

test("a failed rule makes the status 1", async () => {
  const own = await serveEmulatorTarget();
  try {
    const env = { INCIDENTCTL_TOKEN: "ff_111111111111111111111111111111111111" };
    const { status, out } = await run(["--url", own.target.url, "--rule", "severity.list"], env);
    expect(status).toBe(1);
    expect(out.join("\n")).toContain("expected  status 200");
    expect(out.join("\n")).not.toContain(env.INCIDENTCTL_TOKEN);
  } finally {
    await own.close();
  }
});

test("--list prints every rule and checks none", async () => {
  const { status, out } = await run(["--list"]);
  expect(status).toBe(0);
  expect(out.length).toBe(allRules.length);
});

test.each([
  [["--url", "http://127.0.0.1:1"], "set INCIDENTCTL_TOKEN or INCIDENTCTL_ADMIN_TOKEN to a token of the service"],
  [["--section", "no such heading"], "no rule matches --section or --rule"],
])("wrong options end with status 2 and a reason: %j", async (args, complaint) => {
  expect(await run(args)).toEqual({ status: 2, out: [], complaints: [complaint] });
});

test("an unknown option ends with status 2", async () => {
  expect((await run(["--nonsense"])).status).toBe(2);
});
