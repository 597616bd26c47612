/** The process as a command's world: its streams, environment, signals and the person at its terminal. */

import { createInterface } from "node:readline/promises";
import { EXIT } from "./exit.ts";
import type { Io, Output } from "./io.ts";

/** The world of this process. Until a command asks for interruptions itself, one ends the program with exit code 130. */
export function processIo(): Io {
  const asking = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    now: () => new Date(),
    // Looked up at each request, so that it is the one for which the dispatcher was installed.
    fetch: (input, init) => fetch(input, init),
    interruption: interruptions(),
    ...(asking ? { ask } : {}),
  };
}

function output(stream: NodeJS.WriteStream): Output {
  // A reader that has seen enough (`| head`) is no error.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return { write: (text) => void stream.write(text), terminal: stream.isTTY === true };
}

function interruptions(): () => AbortSignal {
  const controller = new AbortController();
  let handled = false;
  const interrupt = (): void => {
    // The second time somebody means it: whatever is under way is left as it is.
    if (!handled || controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  return () => {
    handled = true;
    return controller.signal;
  };
}

async function ask(question: string): Promise<string> {
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
