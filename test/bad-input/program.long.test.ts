import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inDirectory } from "../config/loading.ts";
import { someOf } from "../support/samples/sample-size.ts";
import { fine, makeOthers, type Row, refused, SEVERITIES, settings, wrong } from "./row.ts";
import { CANARY } from "./run.ts";

const program = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
/** Stands where the token would be sent to; it must never hear anything. */
const ear = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let connections = 0;
let port = 0;

beforeAll(async () => {
  expect(existsSync(program), "npm run build comes first").toBe(true);
  ear.listen(0, "127.0.0.1");
  await once(ear, "listening");
  const address = ear.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => ear.close());

/** A few rows of each chapter, as the program itself takes them. */
const ROWS: readonly Row[] = [
  wrong("a file with an error", "severities:\n  - {slug: a, nmae: x}\n", "a.yaml:2:15: error[E_UNKNOWN_KEY]"),
  wrong(
    "a bomb of aliases",
    `severities: [{slug: a, extra: {x: &x 1, y: [${"*x,".repeat(101)}]}}]\n`,
    "error[E_ALIAS_LIMIT]",
  ),
  wrong("a device", SEVERITIES, "error[E_FILE]: not a regular file", { args: ["plan", "/dev/zero"] }),
  wrong("the environment of the process", SEVERITIES, "error[E_FILE]", { args: ["plan", "/proc/self/environ"] }),
  wrong("settings that lead out", { "root/a.yaml": SEVERITIES, "b.yaml": "version: 1\n" }, "error[E_INCLUDE_ROOT]", {
    args: ["plan", "root"],
    links: { "root/incidentctl.yaml": "../b.yaml" },
  }),
  wrong("our own token", `webhooks: [{name: "\${env:INCIDENTCTL_TOKEN}"}]\n`, "error[E_ENV]"),
  // It would be the ear's address, did the operator not name another.
  {
    ...refused("another address in the settings", 1, ["plan"], { files: settings("base_url: https://evil.example\n") }),
    code: "the token is not sent there",
  },
  { ...refused("a token on the command line", 64, ["plan", "--token", CANARY]), code: 'there is no flag "--token"' },
  { ...refused("a flag twice", 64, ["apply", "--yes", "--yes"]), code: "--yes can only be given once" },
  { ...refused("a plan over the configuration", 64, ["plan", "--out", "a.yaml"]), code: "--out names" },
  {
    ...refused("nobody to ask", 3, ["apply", "--emulator"], {
      files: { "a.yaml": "runbooks: [{ slug: a, name: A }]\n" },
    }),
    code: "--yes",
  },
  fine("a good configuration", SEVERITIES, "The configuration is valid"),
];

async function run(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<readonly [unknown, string]> {
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // A program that hangs does not outlive its test.
    timeout: 50_000,
    killSignal: "SIGKILL",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [exit] = await once(child, "close");
  return [exit, output];
}

it.each(ROWS)("the program with $title has the expected exit code and sends nothing", async (row) => {
  await inDirectory(row.files, async (folder) => {
    makeOthers(row, folder);
    const { PATH = "" } = process.env;
    const env = { PATH, INCIDENTCTL_URL: `http://127.0.0.1:${port}`, INCIDENTCTL_TOKEN: CANARY };
    const [exit, output] = await run([program, ...row.args], folder, row.args.includes("--emulator") ? { PATH } : env);
    expect(exit, output).toBe(row.exit);
    expect(output).toContain(row.code);
    expect(output).not.toContain(CANARY);
    expect(output).not.toMatch(/^ +at /m);
  });
  expect(connections).toBe(0);
});

/** Almost as large as a file can be: each took gigabytes or minutes when only values were counted. */
const SIZE = 3_900_000;

it.each(someOf(["(?<a>", "(", "(?:", "[a", "(a)"], 0))(
  "a condition with a regular expression of megabytes of %s is an error within seconds",
  { timeout: 60_000 },
  async (part) => {
    const value = part.repeat(Math.floor(SIZE / part.length));
    const condition = `{ field: title, operator: matches_regex, value: "${value}" }`;
    const rule = `{ name: x, conditions: [${condition}], outcome: { action: drop } }`;
    await inDirectory({ "a.yaml": `routing_rules:\n  workspace:\n    - ${rule}\n` }, async (folder) => {
      const [exit, output] = await run(["--max-old-space-size=256", program, "validate"], folder, process.env);
      expect(exit, output.slice(0, 2000)).toBe(1);
      expect(output.length).toBeLessThan(20_000);
    });
  },
);

const FULL: readonly (readonly [of: string, text: string, code: string])[] = [
  ["commas", `a: [${",".repeat(SIZE)}`, "E_TOO_LARGE"],
  ["keys", "a:\n".repeat(SIZE / 3), "E_TOO_LARGE"],
  ["closing brackets", `a: ${"]}}}".repeat(SIZE / 4)}`, "E_SYNTAX"],
  ["opening brackets", "[".repeat(SIZE), "E_TOO_LARGE"],
  ["unknown escapes", `a: "${"\\q".repeat(SIZE / 2)}"`, "E_SYNTAX"],
  ["documents", "---\n".repeat(SIZE / 4), "E_MULTIDOC"],
  ["aliases of no anchor", `a: [${"*a,".repeat(150_000)}]`, "E_ALIAS"],
  ["numbers that are too large", `a: [${"1e999,".repeat(150_000)}]`, "E_NUMBER"],
  ["unknown tags", `a: [${"!x 1,".repeat(150_000)}]`, "E_TAG"],
];

it.each(someOf(FULL, 4, 3))(
  "a file full of %s is an error with little memory and few lines of output",
  { timeout: 60_000 },
  async (_, text, code) => {
    await inDirectory({ "a.yaml": text }, async (folder) => {
      const [exit, output] = await run(["--max-old-space-size=256", program, "validate"], folder, process.env);
      expect(exit, output.slice(0, 2000)).toBe(1);
      expect(output).toContain(`error[${code}]`);
      expect(output.length).toBeLessThan(20_000);
    });
  },
);
