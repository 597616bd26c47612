/**
 * The `git` program for reading: objects and the index. No configured command is run. Only pipelines write with it: `ci pull` commits
 * (`app/ci/branch.ts`), and `ci apply` checks out what was merged (`app/ci/apply/history.ts`).
 */

import { spawn, spawnSync } from "node:child_process";
import { type Environment, isTokenVariable } from "../../core/io.ts";

/** The end of a run of git. */
export interface GitResult {
  /** Null if git could not be started, or was killed. */
  readonly status: number | null;
  readonly output: Buffer;
  /** The last line of its standard error, or the reason why it could not be started. */
  readonly problem: string;
  /** There is no program `git`. */
  readonly isMissing?: true;
}

/** Runs git in a directory. */
export interface Git {
  run(directory: string, args: readonly string[], input?: string): Promise<GitResult>;
  /** The same, for what must be known at once. */
  runNow(directory: string, args: readonly string[], input?: string): GitResult;
}

/** Milliseconds that git may take. */
const TIMEOUT = 60_000;
/** Most bytes of its output: a configuration, and the files that make entries of it, have less. */
const LARGEST = 512 * 1024 * 1024;

/** Settings of git that run other programs, or connect to somewhere. */
const OPTIONS: readonly string[] = [
  "--no-pager",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"].flatMap((one) => ["-c", one]),
];

/** Returns git with the environment of this program. */
export function openGit(environment: Environment): Git {
  // Variables of a hook, such as GIT_DIR, name a repository; others make git write files.
  const inherited = Object.entries(environment).filter(
    ([name]) => !isTokenVariable(name) && (!name.startsWith("GIT_") || name.startsWith("GIT_CONFIG")),
  );
  const env = {
    ...Object.fromEntries(inherited),
    ...{ GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
    LC_ALL: "C",
  };
  return {
    run: (directory, args, input) => run(directory, args, env, input),
    runNow: (directory, args, input = "") => {
      const { status, stdout, stderr, error } = spawnSync("git", [...OPTIONS, ...args], {
        ...{ cwd: directory, env, input, timeout: TIMEOUT, maxBuffer: LARGEST, windowsHide: true },
      });
      return resultOf(status, stdout ?? Buffer.alloc(0), stderr ?? Buffer.alloc(0), error);
    },
  };
}

function run(
  directory: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string | undefined,
): Promise<GitResult> {
  return new Promise((resolve) => {
    const child = spawn("git", [...OPTIONS, ...args], {
      ...{ cwd: directory, env, timeout: TIMEOUT, windowsHide: true },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const [output, problems]: [Buffer[], Buffer[]] = [[], []];
    let failure: Error | undefined;
    child.on("error", (error) => {
      failure = error;
      resolve(resultOf(null, Buffer.alloc(0), Buffer.alloc(0), failure));
    });
    child.stdout?.on("data", (part: Buffer) => output.push(part));
    child.stderr?.on("data", (part: Buffer) => problems.push(part));
    child.on("close", (status) => resolve(resultOf(status, Buffer.concat(output), Buffer.concat(problems), failure)));
    // Git may end before it has read everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

function resultOf(status: number | null, output: Buffer, errors: Buffer, error: Error | undefined): GitResult {
  const lines = errors.toString("utf8").trim().split("\n");
  const said = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines.at(-1) ?? "";
  const isMissing = error !== undefined && "code" in error && error.code === "ENOENT";
  return {
    status,
    output,
    problem: error === undefined ? said.replace(/^(?:fatal|error): /, "") : error.message,
    ...(isMissing ? { isMissing } : {}),
  };
}
