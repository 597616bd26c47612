/** A token sink that runs a command: it gets one line of JSON on its standard input and must exit with 0. */

import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isWindows } from "../../core/file-system.ts";
import { type Environment, isTokenVariable } from "../../core/io.ts";
import { type IssuedToken, type TokenSink, tokenLine, UnusableSink } from "./sink.ts";

/** Milliseconds that the command may take. */
const TIMEOUT = 60_000;
/** Milliseconds after the end of the command in which its standard error is still read. */
const LAST_OUTPUT = 500;
/** Most characters of its standard error in a message. */
const LONGEST_OUTPUT = 2_000;

/**
 * Returns a sink that gives each token to a command, run without a shell and killed after `timeout` milliseconds. Throws
 * {@link UnusableSink} if the line is not a command.
 */
export function commandSink(line: string, environment: Environment, timeout: number = TIMEOUT): TokenSink {
  const [program, ...args] = splitWords(line) ?? [];
  if (program === undefined || program === "")
    throw new UnusableSink("the token command is empty or has an unclosed quotation mark");
  const inherited = Object.entries(environment).filter(([name]) => !isTokenVariable(name));
  const env = Object.fromEntries(inherited);
  return {
    probe: () => requireProgram(program, env),
    store: (issued) => run({ program, args, env, timeout }, issued),
  };
}

async function requireProgram(program: string, env: NodeJS.ProcessEnv): Promise<void> {
  const isPath = isWindows() ? /[\\/]/.test(program) : program.includes("/");
  const folders = isPath ? [""] : searchPath(env);
  for (const folder of folders) {
    // Windows adds these endings to the name of a program.
    for (const ending of isWindows() ? ["", ".exe", ".com"] : [""]) {
      if (await isExecutable(join(folder, program + ending))) return;
    }
  }
  throw new UnusableSink(`the token command cannot run: there is no program ${program}`);
}

/** The folders of programs. Windows calls the variable `Path` and does not mind its case. */
function searchPath(env: NodeJS.ProcessEnv): readonly string[] {
  const name = isWindows() ? Object.keys(env).find((each) => each.toUpperCase() === "PATH") : "PATH";
  const { [name ?? ""]: folders = "" } = env;
  return folders.split(delimiter);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

interface CommandCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeout: number;
}

function run({ program, args, env, timeout }: CommandCall, issued: IssuedToken): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env,
      shell: false,
      stdio: ["pipe", "ignore", "pipe"],
      timeout,
      killSignal: "SIGKILL",
    });
    let output = "";
    let isInputClosed = false;
    const fail = (why: string) => {
      // The command knows the token and may print it.
      const text = output.replaceAll(issued.token.reveal(), `${issued.token}`).slice(0, LONGEST_OUTPUT).trim();
      reject(new UnusableSink(`the token command ${why}${text === "" ? "" : `: ${text}`}`));
    };
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      // Keeps twice as much as a message shows, so that the cut leaves no half of a token unmasked.
      if (output.length < 2 * LONGEST_OUTPUT) output += text;
    });
    // The command closed its input before reading the line.
    child.stdin.on("error", () => {
      isInputClosed = true;
    });
    child.on("error", (error: NodeJS.ErrnoException) => fail(`cannot be run (${error.code})`));
    // A background process of the command may hold its standard error open.
    child.on("exit", () => setTimeout(() => child.stderr.destroy(), LAST_OUTPUT).unref());
    child.on("close", (status, signal) => {
      if (status === 0 && !isInputClosed) resolve();
      else if (status === 0) fail("did not read the token");
      else fail(status === null ? `was killed by ${signal}` : `exited with status ${status}`);
    });
    child.stdin.end(tokenLine(issued));
  });
}

/** Returns the words; undefined if a quotation is not closed or the line ends in a backslash. */
export function splitWords(line: string): readonly string[] | undefined {
  const all: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === "\\" && quote !== "'") {
      const next = line[++at];
      if (next === undefined) return undefined;
      // In double quotes, a backslash escapes only the characters that are special there.
      const literal = quote === '"' && !'"\\$`\n'.includes(next);
      word = (word ?? "") + (literal ? `\\${next}` : next === "\n" ? "" : next);
    } else if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === "'" || character === '"')) {
      quote = character;
      word ??= "";
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) all.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? all : [...all, word];
}
