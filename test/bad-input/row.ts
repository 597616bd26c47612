/** The rows of the catalogue of bad input: what is typed and what lies in the folder, and how the command has to end. */

import type { Files } from "../config/loading.ts";

/** A row of the catalogue, or a variant of it. */
export interface Row {
  /** Begins with its number in the catalogue: `B20: a bracket that is not closed`. */
  readonly title: string;
  readonly files: Files;
  readonly args: readonly string[];
  readonly exit: number;
  /** The code of the first finding; empty when there is none. */
  readonly code: string;
  /** Over the usual environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Makes what no list of files can say. */
  readonly prepare?: (folder: string) => void;
  /** The row is about the live state: an embedded service stands behind the network, and only reads reach it. */
  readonly live?: true;
  /** What is in the workspace besides what every new one has: bodies by method and path; `{severity}` is the id of one. */
  readonly given?: readonly (readonly [route: string, body: object])[];
}

type More = Partial<Pick<Row, "exit" | "args" | "env" | "prepare" | "live" | "given">>;

type Input = string | Uint8Array | Files;

/** Severities that are good for anything. */
export const SEVERITIES = "severities:\n  - { slug: critical, name: Critical, default: true }\n";

/** A configuration, or what is around it, that is refused before anything is sent. */
export function wrong(title: string, input: Input, code: string, more: More = {}): Row {
  return { title, files: filesOf(input), args: ["plan"], exit: 1, code, ...more };
}

/** What is allowed, with a warning or without. */
export function fine(title: string, input: Input, code = "", more: More = {}): Row {
  return { title, files: filesOf(input), args: ["validate"], exit: 0, code, ...more };
}

/** A command line, a variable or a folder that is refused; the configuration is good. */
export function refused(
  title: string,
  exit: number,
  args: readonly string[],
  more: More & { files?: Files } = {},
): Row {
  return { title, files: { "a.yaml": SEVERITIES }, code: "", ...more, args, exit };
}

/** A severity with these fields, in flow style; they begin at 2:21. */
export function severity(fields: string): string {
  return `severities:\n  - {slug: serious, ${fields}}\n`;
}

/** A settings file with this text beside a good configuration. */
export function settings(text: string, more: Files = {}): Files {
  return { "a.yaml": SEVERITIES, "incidentctl.yaml": text, ...more };
}

function filesOf(input: Input): Files {
  return typeof input === "string" || input instanceof Uint8Array ? { "a.yaml": input } : input;
}
