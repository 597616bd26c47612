/** A command as a token sink: it is given one line of JSON on its standard input, and succeeds when it exits with 0. */

import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { words } from "./shell-words.ts";
import { type IssuedToken, lineOf, type TokenSink, UnusableSink } from "./sink.ts";

/** The environment that the command is given, less our own tokens. */
export type Environment = Readonly<Record<string, string | undefined>>;

const OWN_TOKENS: readonly string[] = ["INCIDENTCTL_TOKEN", "INCIDENTCTL_ADMIN_TOKEN"];
const PATIENCE = 60_000;
/** Milliseconds from its end until nothing more is listened to. */
const LAST_WORDS = 500;
const LONGEST_COMPLAINT = 2_000;

/**
 * Gives each token to a command, run without a shell and ended after `patience` milliseconds. Throws {@link UnusableSink}
 * when the line is no command.
 */
export function tokenCommand(line: string, environment: Environment, patience: number = PATIENCE): TokenSink {
  const [program, ...args] = words(line) ?? [];
  if (program === undefined || program === "")
    throw new UnusableSink("the command for tokens is empty or has an open quotation");
  const inherited = Object.entries(environment).filter(([name]) => !OWN_TOKENS.includes(name));
  const env = Object.fromEntries(inherited);
  return {
    probe: () => requireProgram(program, env.PATH ?? ""),
    keep: (issued) => run({ program, args, env, patience }, issued),
  };
}

async function requireProgram(program: string, path: string): Promise<void> {
  const places = program.includes("/") ? [program] : path.split(delimiter).map((folder) => join(folder, program));
  for (const place of places) {
    if (await isExecutable(place)) return;
  }
  throw new UnusableSink(`the command for tokens cannot be run: ${program} is not a program that exists`);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

interface Call {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly patience: number;
}

function run({ program, args, env, patience }: Call, issued: IssuedToken): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env,
      shell: false,
      stdio: ["pipe", "ignore", "pipe"],
      timeout: patience,
      killSignal: "SIGKILL",
    });
    let complaint = "";
    let unread = false;
    const fail = (why: string) => {
      // The command knows the token and may repeat it.
      const said = complaint.replaceAll(issued.token.reveal(), `${issued.token}`).slice(0, LONGEST_COMPLAINT).trim();
      reject(new UnusableSink(`the command for tokens ${why}${said === "" ? "" : `: ${said}`}`));
    };
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      // Twice as much as is told, so that no token is cut in two where the telling ends.
      if (complaint.length < 2 * LONGEST_COMPLAINT) complaint += text;
    });
    // It closed its input before it had read the line.
    child.stdin.on("error", () => {
      unread = true;
    });
    child.on("error", (error: NodeJS.ErrnoException) => fail(`cannot be run (${error.code})`));
    // What the command has left running may hold on to its complaints for good.
    child.on("exit", () => setTimeout(() => child.stderr.destroy(), LAST_WORDS).unref());
    child.on("close", (status, signal) => {
      if (status === 0 && !unread) resolve();
      else if (status === 0) fail("did not read the token");
      else fail(status === null ? `was ended by ${signal}` : `ended with status ${status}`);
    });
    child.stdin.end(lineOf(issued));
  });
}
