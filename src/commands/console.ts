/** How a command speaks: answers on stdout, notes on stderr, secrets masked in both, colour only where somebody looks. */

import type { ReportStyle } from "../report/change-lines.ts";
import { masked } from "../report/mask.ts";
import { coloured, plain } from "../report/paint.ts";
import type { Io, Output } from "./io.ts";

/** The flags that every command takes. */
export interface LookOptions {
  /** False for `--no-color`. */
  readonly color?: boolean;
  /** Nothing but the answer and errors. */
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The one way for text out of a command. */
export interface Console {
  /** What was asked for. */
  answer(text: string): void;
  /** A line about what is going on; not with `--quiet`. */
  note(line: string): void;
  /** A piece of a progress display; not with `--quiet`. */
  progress(text: string): void;
  /** A line that must be seen. */
  alert(line: string): void;
  /** From now on these values are masked wherever text leaves. */
  conceal(values: readonly (string | undefined)[]): void;
  /** The text as it may be written to a file. */
  safe(text: string): string;
  /** For answers, and for what goes to stderr. */
  readonly answerStyle: ReportStyle;
  readonly noteStyle: ReportStyle;
}

/** A console on the streams of a command. */
export function openConsole(io: Io, { color = true, quiet = false, verbose = false }: LookOptions): Console {
  const secrets = new Set<string>();
  const safe = (text: string): string => masked(text, [...secrets]);
  const style = (output: Output): ReportStyle => ({
    paint: color && output.terminal && (io.env.NO_COLOR ?? "") === "" ? coloured : plain,
    verbose,
  });
  return {
    answer: (text) => io.stdout.write(safe(text)),
    note: (line) => {
      if (!quiet) io.stderr.write(safe(`${line}\n`));
    },
    progress: (text) => {
      if (!quiet) io.stderr.write(safe(text));
    },
    alert: (line) => io.stderr.write(safe(`${line}\n`)),
    conceal: (values) => {
      for (const value of values) if (value !== undefined) secrets.add(value);
    },
    safe,
    answerStyle: style(io.stdout),
    noteStyle: style(io.stderr),
  };
}
