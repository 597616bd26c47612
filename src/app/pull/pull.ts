/** A pull: the new texts of the files, the conflicts, and how to write the files. */

import { join } from "node:path";
import { declarableFields } from "../../config/edit/declarable.ts";
import { type AddressFilter, admits, type Configuration, isSourced } from "../../config/resources/configuration.ts";
import { isTop } from "../../config/resources/lists.ts";
import { fileOf, locationOf } from "../../config/resources/origins.ts";
import { isInPart, withinPart } from "../../config/resources/part.ts";
import { ignoredFields } from "../../config/settings/exemptions.ts";
import { locate } from "../../config/settings/project.ts";
import { withContents } from "../../config/source/file-tree.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { kindNames, misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { escapedStep, type Fields, withoutMembers } from "../../core/json.ts";
import { quoted } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, type LiveResource } from "../../kinds/model/resource.ts";
import { conflictLines, type PulledText, type PullReport } from "../../view/workspace/pull.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { ConfigurationOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { unknownAddresses } from "../session/plan-filter.ts";
import type { ReadingSession } from "../session/session.ts";
import { bytesOf, nameNewFiles, openFiles, refusedParts, writeFiles } from "./files.ts";
import { followRenames } from "./follow-renames.ts";
import { ListEditor, type PulledResource } from "./list-editor.ts";
import { liveFiles } from "./live-document.ts";
import { observeKinds, recordReader, topOf } from "./read-live.ts";
import { remainingDifferences } from "./remaining-differences.ts";
import { resolveWithinLimits } from "./within-limits.ts";

/** A pull that is not written yet. */
export interface PreparedPull {
  readonly report: PullReport;
  write(): Promise<void>;
}

/** The files to pull, and the kinds, as typed: `severities,statuses`. */
export interface PullScope extends ConfigurationOptions {
  readonly kinds?: string;
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Reads the service and edits the files in memory, until they load and a plan has nothing more to change. */
export async function preparePull(
  options: PullScope,
  session: ReadingSession,
  io: Io,
  console: Console,
): Promise<PreparedPull> {
  const project = locate(options.paths, io.cwd, new Findings());
  if (project === undefined) throw new Error("the configuration was loaded from nowhere");
  const names = kinds.map(({ name }) => name);
  const { target: targets = [], exclude: excludes = [] } = options;
  const isNarrow = targets.length + excludes.length > 0;
  const kindsOfTargets = targets.length === 0 ? undefined : targets.map((address) => address.split("/")[0] ?? "");
  const chosen = options.kinds === undefined ? kindsOfTargets : kindNames(options.kinds, names);
  const requested = chosen && topOf(chosen);
  const managed = new Set(topOf(session.configuration.managed.map(({ kind }) => kind)));
  const isRequested = (name: string): boolean => requested?.includes(name) ?? managed.size === 0;
  const top = kinds.filter(({ name }) => topOf([name]).includes(name));
  const newKinds = isNarrow ? [] : top.filter(({ name }) => isRequested(name) && !managed.has(name));
  const managedKinds = kinds.filter(({ name }) => managed.has(name) && requested?.includes(name) !== false);
  const { live, again } = recordReader(session.reader);
  const required = [...managedKinds.map(({ name }) => name), ...(requested ?? [])];
  const observation = await observeKinds(live, [...managedKinds, ...newKinds], required);
  const first = resolveWithinLimits(session.configuration, observation);
  const loadWith = (texts: ReadonlyMap<string, Uint8Array>): Promise<Configuration> => {
    const changed = new Map([...texts].map(([file, bytes]) => [join(project.root, file), bytes]));
    const files = withContents(project.tree, changed);
    return loadConfiguration({ ...options, quiet: true }, io, muted(console), { files });
  };
  const followed = isNarrow
    ? undefined
    : await followRenames(
        first.state,
        () => session.plan({ reader: again, filter: { kinds: requested ?? [], targets, excludes }, identify: false }),
        (texts) => loadWith(new Map([...texts].map(([file, text]) => [file, bytesOf(text)]))),
      );
  const {
    configuration = session.configuration,
    texts,
    renamed = new Map<string, readonly PulledResource[]>(),
  } = followed ?? {};
  const { state, graph, lost } = followed === undefined ? first : resolveWithinLimits(configuration, observation);
  const kindsWithOverlays = new Set(overlaidKinds(configuration));
  const fileFields = (resource: LiveResource) =>
    withoutIgnored(configuration, declarableFields(resource, kinds), resource);
  const open = await openFiles(configuration, project, texts);
  const narrowing = { targets, excludes };
  if (isNarrow) checkAddresses(narrowing, state, managedKinds);
  const takes = (address: string): boolean => admits(narrowing, address);
  const editor = new ListEditor(state, graph, fileFields, open, isNarrow ? takes : undefined);
  const lists = withinPart(configuration).managed.flatMap(({ kind, scope }) => {
    const [top = kind] = topOf([kind]);
    const isManaged = managedKinds.some(({ name }) => name === top);
    const of = kinds.find((one) => isManaged && one.name === kind && isTop(one));
    const isElsewhere = kindsWithOverlays.has(top) || isSourced(configuration, kind, scope);
    return of === undefined || isElsewhere ? [] : [{ kind: of, scope }];
  });
  const { part } = configuration;
  const isPulled = (file: string | undefined): boolean =>
    part === undefined || file === undefined || isInPart(part, file);
  const changes = editor.run(lists);
  const untouched = [...renamed.keys()].filter((file) => changes.every((one) => one.file !== file));
  const onlyRenamed = untouched.map((file) => ({ file, text: texts?.get(file) ?? "", pulled: [] }));
  const edited = [...changes, ...onlyRenamed].flatMap(({ file, text, pulled }): readonly PulledText[] => {
    const { before } = open.get(file) ?? {};
    if (!isPulled(file)) return [];
    const entries = [...(renamed.get(file) ?? []), ...pulled];
    return [{ file, after: text, entries, ...(before === undefined ? {} : { before }) }];
  });
  const editConflicts = editor.conflicts.filter(({ at }) => isPulled(at?.file));
  const readable = newKinds.filter(({ name }) => !observation.unread.includes(name));
  const refused = new Set<string>();
  for (;;) {
    const { files: unnamed, omitted } = liveFiles({
      kinds: readable,
      ...{ state, fileFields, refused },
      writesEmptyLists: requested === undefined,
    });
    const fresh = nameNewFiles(unnamed, configuration, project);
    const files = [...edited, ...fresh];
    const contents = new Map(files.map(({ file, after }) => [file, bytesOf(after, open.get(file)?.marked)]));
    const conflicts = [...lost.filter(({ address }) => takes(address)), ...editConflicts, ...omitted];
    try {
      const after = await loadWith(contents);
      const rest = await remainingDifferences(
        after,
        session,
        again,
        { kinds: requested ?? [], ...narrowing },
        conflicts,
      );
      const report = {
        written: false,
        files,
        conflicts: [...conflicts, ...rest.conflicts],
        unread: observation.unread,
        untold: rest.untold,
      };
      return { report, write: () => writeFiles(files, contents, open, project) };
    } catch (error) {
      const more = error instanceof InvalidConfiguration ? refusedParts(error, fresh) : [];
      if (more.every((one) => refused.has(one))) {
        if (error instanceof InvalidConfiguration) {
          console.alert(UNWRITABLE);
          for (const line of conflictLines({ conflicts })) console.alert(line);
        }
        throw error;
      }
      for (const one of more) refused.add(one);
    }
  }
}

/** Ends the command if an address matches nothing, or is a rule, since a list of rules is pulled as a whole. */
function checkAddresses(narrowing: Narrowing, state: ResolvedState, managed: readonly Kind[]): void {
  const { configuration } = state;
  const isManaged = ({ name }: Kind): boolean => managed.some((one) => topOf([name]).includes(one.name));
  for (const { kind, scope } of configuration.managed) {
    const of = kinds.find(({ name, lifecycle }) => name === kind && lifecycle.order === "rank");
    const prefix = of && addressPrefix(of, scope);
    const rule = prefix && [...narrowing.targets, ...narrowing.excludes].find((one) => one.startsWith(prefix));
    if (rule) throw misuse(`${quoted(rule)} is in a list that is pulled as a whole; use ${prefix.slice(0, -1)}`);
  }
  const read = kinds.filter(isManaged).flatMap(({ name }) => state.all(name));
  unknownAddresses({ ...narrowing, kinds: [], typed: true }, () =>
    [...configuration.declared, ...read].map(({ address }) => address),
  );
}

type Narrowing = Pick<AddressFilter, "targets" | "excludes">;

/** The fields without ignored ones; those that a creation requires stay, or the file would not be valid. */
function withoutIgnored({ exemptions }: Configuration, fields: Fields, { kind, address }: LiveResource): Fields {
  const { keys } = kind.identity;
  const paths = ignoredFields(exemptions, address).filter((path) => {
    const name = path.slice(1);
    return !keys.includes(name) && kind.lifecycle.required?.includes(name) !== true;
  });
  return withoutMembers(fields, paths);
}

/** Kinds with values in overlays. Pull does not edit them, since one file does not show the whole value; a plan shows the differences. */
function overlaidKinds({ overlays, declared }: Configuration): readonly string[] {
  if (overlays === undefined) return [];
  const files = new Set(overlays.files);
  const touched = declared.filter(
    (resource) =>
      files.has(fileOf(resource)) ||
      Object.keys(resource.fields).some((name) =>
        files.has(locationOf(resource.origins, `/${escapedStep(name)}`).file),
      ),
  );
  return topOf([
    ...touched.map(({ kind }) => kind.name),
    ...overlays.removals.map(({ address }) => address.split("/")[0] ?? ""),
  ]);
}

const UNWRITABLE =
  "Nothing was written: the pulled files would not be valid, because of something that is not pulled, such as a reference to a resource that no longer exists. Change it first, and pull again.";

/** The console without notes, which loading has printed before. */
function muted(console: Console): Console {
  return { ...console, note: () => {} };
}
