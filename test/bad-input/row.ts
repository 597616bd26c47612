/** The rows of the catalogue of bad input: what is typed and what lies in the folder, and how the command has to end. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "../config/loading.ts";
import { rowsIn } from "../support/rows.ts";

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
  /** What else lies in the folder: symbolic links with their targets, a named pipe, an empty directory. */
  readonly links?: Readonly<Record<string, string>>;
  readonly pipe?: string;
  readonly folder?: string;
  /** The row is about the live state: an embedded service stands behind the network, and only reads reach it. */
  readonly live?: true;
  /** What is in the workspace besides what every new one has: bodies by method and path; `{severity}` is the id of one. */
  readonly given?: readonly (readonly [route: string, body: object])[];
}

/** A row as a file states it. */
interface StatedRow extends Partial<Omit<Row, "env">> {
  readonly title: string;
  /** Words for which the row is repeated, in the place of `<each>`. */
  readonly each?: readonly string[];
  /** `a.yaml`; severities that are good for anything if neither this nor files are stated. */
  readonly text?: string;
  /** `incidentctl.yaml` beside a good `a.yaml`. */
  readonly settings?: string;
  readonly env?: Readonly<Record<string, string | null>>;
}

const MEMBERS: Readonly<Record<keyof StatedRow, true>> = {
  title: true,
  each: true,
  text: true,
  settings: true,
  files: true,
  links: true,
  pipe: true,
  folder: true,
  args: true,
  env: true,
  live: true,
  given: true,
  exit: true,
  code: true,
};

/** The rows of a file of this folder. A row plans and is refused unless it says otherwise; what is accepted is validated. */
export function rowsOf(chapter: string): readonly Row[] {
  const stated = rowsIn<StatedRow>(new URL(`rows/${chapter}.yaml`, import.meta.url), MEMBERS)[chapter] ?? [];
  return stated.flatMap(({ each, ...row }) =>
    each === undefined ? [completed(row)] : each.map((word) => completed(JSON.parse(filled(row, word)))),
  );
}

function filled(row: object, word: string): string {
  return JSON.stringify(row).replaceAll("<each>", () => JSON.stringify(word).slice(1, -1));
}

function completed({ text = SEVERITIES, settings: stated, env, ...row }: StatedRow): Row {
  const { exit = 1 } = row;
  const files = stated === undefined ? { "a.yaml": text } : settings(stated);
  const variables = Object.entries(env ?? {}).map(([name, value]) => [name, value ?? undefined]);
  return {
    files,
    args: [exit === 0 ? "validate" : "plan"],
    exit,
    code: "",
    ...(env === undefined ? {} : { env: Object.fromEntries(variables) }),
    ...row,
  };
}

/** Makes what no list of files can say. */
export function makeOthers({ links = {}, pipe, folder }: Row, parent: string): void {
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(parent, name));
  if (pipe !== undefined) execFileSync("mkfifo", [join(parent, pipe)]);
  if (folder !== undefined) mkdirSync(join(parent, folder));
}

type More = Partial<Pick<Row, "exit" | "args" | "env" | "links" | "live" | "given">>;

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
