/** The output of a command: results on stdout, messages on stderr, secrets masked in both, color only on terminals. */

import { type Io, isTokenVariable, type OutputStream } from "../../core/io.ts";
import { colored, plain } from "../../view/format/ansi.ts";
import { Secrets } from "../../view/format/mask.ts";
import type { ReportStyle } from "../../view/format/style.ts";
import { wrapText } from "../../view/format/wrap.ts";
import { ERASE } from "../../view/run/progress.ts";

/** The flags of every command for its output. */
export interface ConsoleOptions {
  /** False for `--no-color`. */
  readonly color?: boolean;
  /** Prints only the result and errors. */
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The output of a command; all of its text goes through here. */
export interface Console {
  /** Prints a result on stdout. */
  print(text: string): void;
  /** Whether a result was printed. */
  hasPrinted(): boolean;
  /** The paths of the reports that were written, or could not be. */
  readonly reported: Set<string>;
  /** Prints a line on stderr, unless `--quiet`. */
  note(line: string): void;
  /** Prints a part of a progress display on stderr, unless `--quiet`. Other output erases a line that is not complete. */
  progress(text: string): void;
  /** Whether a progress display can overwrite its line. */
  readonly redraws: boolean;
  /** Prints an error or another line on stderr that `--quiet` does not hide. */
  alert(line: string): void;
  /** Masks these values in all further output. Those of the files are masked as a whole: who writes the files could guess one bit by bit. */
  conceal(values: readonly (string | undefined)[], from?: "files"): void;
  /** The text with secrets masked, for a file. */
  safe(text: string): string;
  /** Prints what is still held back because it could be the beginning of a secret. */
  end(): void;
  /** The style of reports on stdout. */
  readonly outputStyle: ReportStyle;
  /** The style of reports on stderr. */
  readonly noteStyle: ReportStyle;
}

/** The console for the streams of a command. */
export function openConsole(io: Io, { color = true, quiet = false, verbose = false }: ConsoleOptions): Console {
  const secrets = new Secrets(environmentSecrets(io.env));
  const stdout = secrets.stream((text) => io.stdout.write(text));
  const stderr = secrets.stream((text) => io.stderr.write(text));
  const redraws = io.stderr.terminal && !isDumb(io.env);
  let hasOpenLine = false;
  let hasPrinted = false;
  const eraseOpenLine = (): void => {
    if (hasOpenLine) stderr.write(ERASE);
    hasOpenLine = false;
  };
  const alert = (line: string): void => {
    eraseOpenLine();
    stderr.write(`${line}\n`);
  };
  const style = (output: OutputStream): ReportStyle => {
    const width = widthOf(output, io.env.COLUMNS);
    return {
      paint: color && hasColor(output, io.env) ? colored : plain,
      verbose,
      // A terminal without escape sequences is often read aloud.
      ...(output.terminal && isDumb(io.env) ? { words: true } : {}),
      // Masked before lines are wrapped, since a secret across two lines would not be found.
      ...(width === undefined ? {} : { width, fold: (text) => wrapText(secrets.mask(text), width) }),
    };
  };
  return {
    print: (text) => {
      eraseOpenLine();
      stdout.write(text);
      hasPrinted = true;
    },
    hasPrinted: () => hasPrinted,
    reported: new Set(),
    note: (line) => {
      if (!quiet) alert(line);
    },
    progress: (text) => {
      if (quiet) return;
      stderr.write(text);
      hasOpenLine = redraws && !text.endsWith("\n") && !text.endsWith(ERASE);
    },
    redraws,
    alert,
    conceal: (values, from) =>
      secrets.add(
        values.filter((value) => value !== undefined),
        from === undefined,
      ),
    safe: (text) => secrets.mask(text),
    end: () => {
      stdout.end();
      stderr.end();
    },
    outputStyle: style(io.stdout),
    noteStyle: style(io.stderr),
  };
}

/**
 * Whether an output has colors, unless `--no-color`. `FORCE_COLOR` decides over `NO_COLOR`, as in Node; each has no effect if it is empty.
 */
function hasColor(output: OutputStream, env: Io["env"]): boolean {
  const { FORCE_COLOR: forced = "", NO_COLOR: refused = "" } = env;
  if (forced !== "") return forced !== "0" && forced !== "false";
  return output.terminal && refused === "" && !isDumb(env);
}

/** Whether the terminal says that it knows no escape sequences. */
function isDumb({ TERM: terminal }: Io["env"]): boolean {
  return terminal === "dumb";
}

/** The columns of a terminal, or those of the environment variable `COLUMNS`; undefined if the output is no terminal. */
function widthOf({ terminal, columns }: OutputStream, override: string | undefined): number | undefined {
  if (!terminal) return undefined;
  return /^[1-9]\d{0,4}$/.test(override ?? "") ? Number(override) : columns;
}

/** Variables with the address of a proxy. */
const PROXIES: readonly string[] = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/** The secrets in the environment: the tokens, and the passwords of proxies. */
function environmentSecrets(env: Io["env"]): readonly string[] {
  const tokens = Object.entries(env).flatMap(([name, value]) => (isTokenVariable(name) ? (value ?? []) : []));
  return [...tokens, ...PROXIES.flatMap((name) => passwordIn(env[name] ?? ""))];
}

/** The password in an address, as written and percent-decoded. */
function passwordIn(proxy: string): readonly string[] {
  const [, written] = /^[a-z]+:\/\/[^/:@]*:([^/@]*)@/i.exec(proxy) ?? [];
  return written === undefined ? [] : [written, percentDecoded(written)];
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
