/** `pull`: makes the files say what is live. What it is given of the service can only read. */

import { declarable } from "../config/edit/declarable.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { locate, type Project } from "../config/settings/project.ts";
import { escaped } from "../config/source/tree.ts";
import { InvalidConfiguration } from "../core/diagnostic.ts";
import { EXIT } from "../core/exit-codes.ts";
import { Findings } from "../core/findings.ts";
import { kindNames } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { kinds } from "../kinds/index.ts";
import type { LiveResource } from "../kinds/resource.ts";
import { resolve } from "../match/resolve.ts";
import { type Console, openConsole } from "../output/console.ts";
import { bytesOf, makeFolders, named, openFiles, refusedParts, write } from "../pull/files.ts";
import { freshFiles } from "../pull/new-files.ts";
import { type Conflict, Pulling } from "../pull/pull.ts";
import { look, recorded, residual, topOf } from "../pull/read-live.ts";
import { prettyJson } from "../report/plan/json.ts";
import {
  conflictLines,
  notComparedLines,
  type PulledText,
  type PullReport,
  pullDiff,
  pullJson,
  pullText,
} from "../report/pull.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { openReading, type ReadingSession, type SessionOptions } from "../session/session.ts";

/** The flags of `pull`. */
export interface PullOptions extends Omit<SessionOptions, "target" | "exclude" | "instead"> {
  /** Shows what would be written as a unified diff, and writes nothing. */
  readonly dryRun?: boolean;
  readonly format?: "text" | "json";
}

/** Pulls; exit code 7 when something live was not written because it would have overwritten somebody's words. */
export async function pull(options: PullOptions, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  if (options.dryRun !== true) await makeFolders(options.paths, io.cwd);
  const reading = { ...options, instead: new Map<string, Uint8Array>() };
  const session = await openReading(reading, io, console);
  try {
    const project = locate(options.paths, io.cwd, new Findings());
    if (project === undefined) throw new Error("the configuration was loaded from nowhere");
    const made = await make(options, session, project, io, console);
    const { report } = made;
    if (options.dryRun !== true) await made.write();
    const shown = { ...report, written: options.dryRun !== true && report.files.length > 0 };
    if (options.format === "json") console.answer(prettyJson(pullJson(shown)));
    else if (options.dryRun === true) console.answer(pullDiff(shown, console.answerStyle.paint));
    else console.answer(pullText(shown));
    if (options.dryRun === true && options.format !== "json") console.note(pullText(shown).trimEnd());
    for (const line of conflictLines(shown)) console.alert(line);
    if (shown.unread.length > 0) {
      console.note(`not read, and so not written: ${shown.unread.join(", ")}; this token does not reach them`);
    }
    for (const line of notComparedLines(shown)) console.note(line);
    return shown.conflicts.length === 0 ? EXIT.success : EXIT.findings;
  } finally {
    session.close();
  }
}

/** What a pull comes to, and how to write it. */
interface Made {
  readonly report: PullReport;
  write(): Promise<void>;
}

async function make(
  options: PullOptions,
  session: ReadingSession,
  project: Project,
  io: Io,
  console: Console,
): Promise<Made> {
  const { configuration } = session;
  const asked =
    options.kinds === undefined
      ? undefined
      : topOf(
          kindNames(
            options.kinds,
            kinds.map(({ name }) => name),
          ),
        );
  const managed = new Set(topOf(configuration.managed.map(({ kind }) => kind)));
  const isOpen = (name: string): boolean => asked?.includes(name) ?? managed.size === 0;
  const top = kinds.filter(({ name }) => topOf([name]).includes(name));
  const anew = top.filter(({ name }) => isOpen(name) && !managed.has(name));
  const owned = kinds.filter(({ name }) => managed.has(name) && asked?.includes(name) !== false);
  const laid = new Set(overlaid(configuration));
  const { live, again } = recorded(session.reader);
  const must = [...owned.map(({ name }) => name), ...(asked ?? [])];
  const observation = await look(live, [...owned, ...anew], must);
  const { state, graph } = resolve(configuration, kinds, observation);
  const stated = (entry: LiveResource) => declarable(entry, kinds);
  const open = await openFiles(configuration, project);
  const pulling = new Pulling(state, graph, stated, open);
  const lists = configuration.managed.flatMap(({ kind, scope }) => {
    const of = owned.find(({ name }) => name === kind);
    return of === undefined || laid.has(kind) ? [] : [{ kind: of, scope }];
  });
  const edited = pulling.run(lists).map(({ file, text, pulled }): PulledText => {
    const before = open.get(file)?.document.text;
    return { file, after: text, entries: pulled, ...(before === undefined ? {} : { before }) };
  });
  const readable = anew.filter(({ name }) => !observation.unread.includes(name));
  const refused = new Set<string>();
  for (;;) {
    const left: Conflict[] = [];
    const fresh = named(freshFiles(readable, state, stated, left, refused), configuration, project);
    const files = [...edited, ...fresh];
    const contents = new Map(files.map(({ file, after }) => [file, bytesOf(after, open.get(file)?.marked)]));
    const conflicts = [...pulling.conflicts, ...left];
    try {
      const after = await loadConfiguration({ ...options, quiet: true, instead: contents }, io, muted(console));
      const rest = await residual(after, session, again, asked, conflicts);
      const report = {
        written: false,
        files,
        conflicts: [...conflicts, ...rest.conflicts],
        unread: observation.unread,
        untold: rest.untold,
      };
      return { report, write: () => write(files, contents, open, project) };
    } catch (error) {
      const more = error instanceof InvalidConfiguration ? refusedParts(error, fresh) : [];
      if (more.every((one) => refused.has(one))) {
        if (error instanceof InvalidConfiguration) {
          console.alert(APART);
          for (const line of conflictLines({ conflicts })) console.alert(line);
        }
        throw error;
      }
      for (const one of more) refused.add(one);
    }
  }
}

/** Kinds that overlays have a say in: where an entry stands in a file says nothing of them, and a plan tells what differs. */
function overlaid({ overlaid: over, declared }: Configuration): readonly string[] {
  if (over === undefined) return [];
  const files = new Set(over.files);
  const touched = declared.filter(
    ({ at, fields, place }) =>
      files.has(at.file) || Object.keys(fields).some((name) => files.has(place(`/${escaped(name)}`).file)),
  );
  return topOf([
    ...touched.map(({ kind }) => kind.name),
    ...over.dropped.map(({ address }) => address.split("/")[0] ?? ""),
  ]);
}

const APART =
  "Nothing was written: with what is live the files would not hold together. Something that is not pulled mentions what is gone; change it first, and pull again.";

/** What was told once is not told again. */
function muted(console: Console): Console {
  return { ...console, note: () => {} };
}
