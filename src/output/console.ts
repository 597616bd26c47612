/** How a command speaks: answers on stdout, notes on stderr, secrets masked in both, colour only where somebody looks. */

import type { Io, Output } from "../core/io.ts";
import { coloured, plain } from "../report/format/ansi.ts";
import { Secrets } from "../report/format/mask.ts";
import { folded } from "../report/format/wrap.ts";
import type { ReportStyle } from "../report/plan/change-lines.ts";
import { ambientSecrets } from "./ambient-secrets.ts";

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
  /** Nothing more comes: writes out what was kept back because it could have been the beginning of a secret. */
  end(): void;
  /** For answers, and for what goes to stderr. */
  readonly answerStyle: ReportStyle;
  readonly noteStyle: ReportStyle;
}

/** A console on the streams of a command. */
export function openConsole(io: Io, { color = true, quiet = false, verbose = false }: LookOptions): Console {
  const secrets = new Secrets(ambientSecrets(io.env));
  const stdout = secrets.stream((text) => io.stdout.write(text));
  const stderr = secrets.stream((text) => io.stderr.write(text));
  const style = (output: Output): ReportStyle => {
    const width = widthOf(output, io.env.COLUMNS);
    return {
      paint: color && output.terminal && (io.env.NO_COLOR ?? "") === "" ? coloured : plain,
      verbose,
      // Masked first: a secret that is broken would not be found when the text leaves.
      ...(width === undefined ? {} : { width, fold: (text) => folded(secrets.mask(text), width) }),
    };
  };
  return {
    answer: (text) => stdout.write(text),
    note: (line) => {
      if (!quiet) stderr.write(`${line}\n`);
    },
    progress: (text) => {
      if (!quiet) stderr.write(text);
    },
    alert: (line) => stderr.write(`${line}\n`),
    conceal: (values) => secrets.add(values.filter((value) => value !== undefined)),
    safe: (text) => secrets.mask(text),
    end: () => {
      stdout.end();
      stderr.end();
    },
    answerStyle: style(io.stdout),
    noteStyle: style(io.stderr),
  };
}

/** The columns of a terminal, or what somebody says instead; what is piped is not broken. */
function widthOf({ terminal, columns }: Output, said: string | undefined): number | undefined {
  if (!terminal) return undefined;
  return /^[1-9]\d{0,4}$/.test(said ?? "") ? Number(said) : columns;
}
