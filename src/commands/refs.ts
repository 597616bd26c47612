/** `refs`: what points at an entry, in the files and in the workspace, and how many incidents hold it. Reads only. */

import { CannotRead } from "../api/read/cannot-read.ts";
import { PARALLELISM } from "../core/defaults.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { address as checked } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { quoted, sanitised } from "../core/sanitise.ts";
import { suggest } from "../core/suggest.ts";
import { kinds } from "../kinds/index.ts";
import { childrenOf, hasOneList, type Kind } from "../kinds/kind.ts";
import { NOTHING_READ } from "../match/observation.ts";
import { ReferenceGraph, type Referrer } from "../match/reference-graph.ts";
import { ResolvedState } from "../match/resolved-state.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { AnswerFormat } from "../output/formats.ts";
import { countIncidents } from "../refresh/incident-usage.ts";
import { observe, type ReadTarget } from "../refresh/observe.ts";
import { prettyJson } from "../report/plan/json.ts";
import { openReading, type ReadingSession, type SessionOptions } from "../session/session.ts";

/** The flags of `refs`. */
export interface RefsOptions extends SessionOptions {
  /** The entry, as plans name it. */
  readonly address: string;
  readonly format?: AnswerFormat;
}

/** What `refs --format json` prints. */
interface Answer {
  readonly address: string;
  readonly declared: boolean;
  readonly live: boolean;
  readonly pointers: readonly ReferrerJson[];
  /** Incidents that hold it; null when the service does not count them by this kind. */
  readonly incidents: number | null;
  /** Kinds that may point at it and could not be read. */
  readonly unread: readonly string[];
}

/** Prints what points at an entry; exit code 1 when nobody knows the address. */
export async function refs(options: RefsOptions, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  const address = checked(
    "ADDRESS",
    options.address,
    kinds.map(({ name }) => name),
  );
  const session = await openReading(options, io, console);
  try {
    const answer = await find(session, address, options.parallelism ?? PARALLELISM);
    console.answer(options.format === "json" ? prettyJson(answer) : textOf(answer));
    return EXIT.success;
  } finally {
    session.close();
  }
}

async function find(session: ReadingSession, address: string, parallelism: number): Promise<Answer> {
  const { configuration, reader } = session;
  const target = kinds.filter((kind) => mayBe(kind, address));
  const pointing = kinds.filter((kind) =>
    target.some(({ name }) => kind.references?.dependsOn?.includes(name) === true),
  );
  let observation = NOTHING_READ;
  for (const kind of new Set([...target, ...pointing])) {
    const want: ReadTarget = hasOneList(kind) ? { kind: kind.name, scope: "" } : { kind: kind.name, every: true };
    try {
      observation = await observe(reader, kinds, [want], { parallelism, already: observation });
    } catch (error) {
      if (!(error instanceof CannotRead) || error.refusal.status === 401 || target.includes(kind)) throw error;
      observation = { ...observation, unread: [...observation.unread, kind.name] };
    }
  }
  const state = new ResolvedState(kinds, configuration, observation);
  const declared = configuration.declared.some((resource) => resource.address === address);
  const resources = target.flatMap(({ name }) => state.all(name));
  const live = resources.find((resource) => resource.address === address);
  if (!declared && live === undefined) {
    const known = [...configuration.declared, ...resources];
    const guess = suggest(
      address,
      known.map((entry) => entry.address),
    );
    const meant = guess === undefined ? "" : ` (did you mean ${quoted(guess)}?)`;
    throw new Stop(EXIT.error, `there is no ${sanitised(address)}, neither in the files nor in the workspace${meant}`);
  }
  const parameter = live?.kind.references?.countedBy;
  const counted = live !== undefined && parameter !== undefined && typeof live.row.id === "string";
  const incidents = counted ? await countIncidents(reader, parameter, String(live.row.id)) : null;
  return {
    address,
    declared,
    live: live !== undefined,
    incidents,
    pointers: new ReferenceGraph(state).referrersOf(address).map(jsonOf),
    unread: observation.unread,
  };
}

/** Whether an address can be one of the kind's. */
function mayBe({ name, parent }: Kind, address: string): boolean {
  if (parent === undefined) return address.startsWith(`${name}/`) && !nested(name, address);
  return address.startsWith(`${parent.kind}/`) && address.split("/").includes(parent.field);
}

/** Whether the address goes on into a nested kind of this one. */
function nested(name: string, address: string): boolean {
  const fields = childrenOf(kinds, { name }).flatMap(({ parent }) => parent?.field ?? []);
  return fields.some((field) => address.split("/").indexOf(field) >= 2);
}

function textOf({ address, declared, live, incidents, pointers, unread }: Answer): string {
  const where = declared
    ? live
      ? "declared and live"
      : "declared, not in the workspace yet"
    : "live, not in the files";
  const lines = [`${address} (${where})`];
  for (const side of ["files", "workspace"] as const) {
    const own = pointers.filter((pointer) => pointer.in === side);
    if (own.length > 0)
      lines.push("", side === "files" ? "Mentioned in the files:" : "Mentioned in the workspace:", ...own.map(line));
  }
  if (incidents !== null) lines.push("", `Held by ${incidents} ${incidents === 1 ? "incident" : "incidents"}.`);
  if (pointers.length === 0 && (incidents ?? 0) === 0 && unread.length === 0) lines.push("", "Nothing points at it.");
  if (unread.length > 0) lines.push("", `Not known, because they could not be read: ${unread.join(", ")}.`);
  return `${lines.map(sanitised).join("\n")}\n`;
}

/** A referrer as the JSON prints it. */
interface ReferrerJson extends Omit<Referrer, "option"> {
  readonly choice?: string;
}

function jsonOf({ address, path, option, ...rest }: Referrer): ReferrerJson {
  return { address, path, ...(option === undefined ? {} : { choice: option }), ...rest };
}

function line({ address, path, choice, source }: ReferrerJson): string {
  const at = source === undefined ? "" : `  (${source.file}:${source.line}:${source.column})`;
  return `  ${address}${path}${choice === undefined ? "" : `  option ${JSON.stringify(choice)}`}${at}`;
}
