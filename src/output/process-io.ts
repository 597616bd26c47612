/** The process as a command's world: its streams, environment, signals and the person at its terminal. */

import { EXIT, Stop } from "../core/exit-codes.ts";
import type { Io, Output } from "../core/io.ts";

/** The world of this process. Until a command asks for interruptions itself, one ends the program with exit code 130. */
export function processIo(): Io {
  return {
    stdout: output("stdout"),
    stderr: output("stderr"),
    env: process.env,
    get cwd() {
      return workingFolder();
    },
    now: () => new Date(),
    interruption: interruptions(),
    get ask() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true ? ask : undefined;
    },
  };
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new Stop(EXIT.error, "the folder that this was started in is not there any more");
  }
}

/**
 * What nobody has caught is a fault of this program: it ends it with one line, which tells no value that it may have been
 * about. A run that was under way has a journal that is valid as it is.
 */
export function endOnFaults(stderr: Output): void {
  const end = (error: unknown): void => {
    const kind = error instanceof Error ? error.name : typeof error;
    stderr.write(`error: this program has failed (${kind}); if it was writing: incidentctl resume\n`);
    process.exit(EXIT.error);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}

/** A reader that has seen enough (`| head`), or a terminal that is gone, is no error and ends no run half-way. */
const UNREAD: readonly (string | undefined)[] = ["EPIPE", "EIO"];

/** A stream of the process, opened when something is written to it: most of a short run would be spent on opening all. */
function output(name: "stdout" | "stderr"): Output {
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    opened ??= watched(process[name]);
    return opened;
  };
  return {
    write: (text) => void stream().write(text),
    get terminal() {
      return stream().isTTY === true;
    },
    get columns() {
      return stream().columns;
    },
  };
}

function watched(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (UNREAD.includes(code)) return;
    if (stream === process.stdout) process.stderr.write(`error: standard output cannot be written (${code})\n`);
    process.once("exit", (exit) => {
      // What was asked for is not where it should be: that is no success.
      if (exit === EXIT.success) process.exitCode = EXIT.error;
    });
  });
}

function interruptions(): () => AbortSignal {
  let controller: AbortController | undefined;
  const interrupt = (): void => {
    // The second time somebody means it: whatever is under way is left as it is.
    if (controller === undefined || controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  return () => {
    controller ??= new AbortController();
    return controller.signal;
  };
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve) => {
      terminal.once("SIGINT", () => process.exit(EXIT.interrupted));
      // The end of the input is no answer; what is said next begins on a line of its own.
      const unanswered = (): void => {
        process.stderr.write("\n");
        resolve("");
      };
      terminal.once("close", unanswered);
      terminal.question(question).then((answer) => {
        terminal.off("close", unanswered);
        resolve(answer);
      }, unanswered);
    });
  } finally {
    terminal.close();
  }
}
