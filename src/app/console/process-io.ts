/** The process for commands: its streams, environment, signals and terminal. */

import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io, OutputStream } from "../../core/io.ts";

/** The input and output of this process. Until a command handles interruptions, one ends the program with exit code 130. */
export function processIo(): Io {
  const stderr = lineEnding(output("stderr"));
  return {
    stdout: output("stdout"),
    stderr,
    env: process.env,
    get cwd() {
      return workingFolder();
    },
    now: () => new Date(),
    interruption: interruptions(() => stderr.endLine()),
    get ask() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true ? ask : undefined;
    },
  };
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new Stop(EXIT.error, "the working directory no longer exists");
  }
}

/**
 * Ends the program with one line for an error that no code catches. The line has no message, which might hold a secret. The journal of a
 * run stays valid.
 */
export function endOnFaults(stderr: OutputStream): void {
  const end = (error: unknown): void => {
    const kind = error instanceof Error ? error.name : typeof error;
    stderr.write(
      `error: unexpected ${kind} in incidentctl. If it was applying a plan, run resume with the same flags\n`,
    );
    process.exit(EXIT.error);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}

/** Errors of a stream whose reader has ended (`| head`) or whose terminal is gone. They do not interrupt a run. */
const READER_GONE: readonly (string | undefined)[] = ["EPIPE", "EIO"];

/** A stream of the process, opened on demand: opening all of them takes most of a short run. */
function output(name: "stdout" | "stderr"): OutputStream {
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    opened ??= withErrorHandler(process[name]);
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

function withErrorHandler(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (READER_GONE.includes(code)) return;
    if (stream === process.stdout) process.stderr.write(`error: standard output cannot be written (${code})\n`);
    process.once("exit", (exit) => {
      // The output is lost, so the command did not succeed.
      if (exit === EXIT.success) process.exitCode = EXIT.error;
    });
  });
}

/** The stream, with a function that ends a line which a progress display has left open on a terminal. */
function lineEnding(stream: OutputStream): OutputStream & { endLine(): void } {
  let isOpen = false;
  return {
    get terminal() {
      return stream.terminal;
    },
    get columns() {
      return stream.columns;
    },
    write: (text) => {
      stream.write(text);
      isOpen = !/[\n\r]$/.test(text);
    },
    endLine: () => {
      if (isOpen && stream.terminal) stream.write("\n");
    },
  };
}

function interruptions(endLine: () => void): Io["interruption"] {
  let controller: AbortController | undefined;
  let farewell: (() => void) | undefined;
  const interrupt = (): void => {
    // The second interruption ends the program at once.
    if (controller === undefined || controller.signal.aborted) {
      endLine();
      farewell?.();
      process.exit(EXIT.interrupted);
    }
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  return (beforeEnd) => {
    farewell = beforeEnd;
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
      // The end of the input counts as an empty answer.
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
