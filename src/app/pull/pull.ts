/** A pull: the new texts of the files, the conflicts, and how to write the files. */

import { join } from "node:path";
import { declarableFields } from "../../config/edit/declarable.ts";
import {
  type AddressFilter,
  addressIncludes,
  admits,
  type Configuration,
  isSourced,
} from "../../config/resources/configuration.ts";
import { isTop } from "../../config/resources/lists.ts";
import { fileOf, locationOf, startOf } from "../../config/resources/origins.ts";
import { isInPart, withinPart } from "../../config/resources/part.ts";
import type { SourcedList } from "../../config/resources/sourced-list.ts";
import { ignoredFields } from "../../config/settings/exemptions.ts";
import { locate } from "../../config/settings/project.ts";
import { withContents } from "../../config/source/file-tree.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { kindNames, misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { escapedStep, type Fields, withoutMembers } from "../../core/json.ts";
import { programLine, quoted } from "../../core/sanitise.ts";
import { cutBoth } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, type LiveResource } from "../../kinds/model/resource.ts";
import type { Change, Unreadable } from "../../plan/model/plan.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { type FieldRow, fieldRows } from "../../view/plan/field-rows.ts";
import { conflictLines, type PullConflict, type PulledText, type PullReport } from "../../view/workspace/pull.ts";
import { disabledAddresses } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { ConfigurationOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { readLock } from "../session/lock-file.ts";
import { type PlanFilter, unknownAddresses } from "../session/plan-filter.ts";
import type { ReadingSession } from "../session/session.ts";
import { bytesOf, type NamedFile, nameNewFiles, openFiles, refusedEdits, refusedParts, writeFiles } from "./files.ts";
import { followRenames } from "./follow-renames.ts";
import { conflictReason, goneConflicts, goneFields, keptFor, partsOf, type RefusedPart } from "./gone-references.ts";
import { type Conflict, ListEditor } from "./list-editor.ts";
import { liveFiles } from "./live-document.ts";
import { observeKinds, recordReader, topOf } from "./read-live.ts";
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
  const read = await observeKinds(live, [...managedKinds, ...newKinds], required);
  const lastApplied = { hashes: readLock(session.configuration.settings) ?? {}, resend: false };
  const observation = { ...read, disabled: disabledAddresses(lastApplied) };
  const first = resolveWithinLimits(session.configuration, observation);
  const loadWith = (texts: ReadonlyMap<string, Uint8Array>): Promise<Configuration> => {
    const changed = new Map([...texts].map(([file, bytes]) => [join(project.root, file), bytes]));
    const files = withContents(project.tree, changed);
    return loadConfiguration({ ...options, quiet: true }, io, muted(console), { files });
  };
  const takesOne = (kind: Kind, addresses: readonly string[]): boolean =>
    managedKinds.includes(kind) &&
    addresses.some((one) => admits({ targets, excludes: [] }, one)) &&
    addresses.every((one) => admits({ targets: [], excludes }, one));
  if (isNarrow) checkAddresses({ targets, excludes }, first.state, managedKinds);
  const { configuration, texts, renamed, addresses, kept } = await followRenames(
    first,
    lastApplied,
    { takes: takesOne, isNarrow },
    (texts) => loadWith(new Map([...texts].map(([file, text]) => [file, bytesOf(text)]))),
  );
  const { state, graph, lost } =
    configuration === first.state.configuration ? first : resolveWithinLimits(configuration, observation);
  const kindsWithOverlays = new Set(overlaidKinds(configuration));
  const fileFields = (resource: LiveResource) =>
    withoutIgnored(configuration, declarableFields(resource, kinds), resource);
  const open = await openFiles(configuration, project, texts);
  const followed = (one: string): string => addresses.get(one) ?? one;
  const narrowing = { targets: targets.map(followed), excludes: excludes.map(followed) };
  const takes = (address: string): boolean => admits(narrowing, address);
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
  const readable = newKinds.filter(({ name }) => !observation.unread.includes(name));
  const gone = goneFields({ state, graph });
  const refused = new Map<string, string>([...partsOf(gone), ...kept.map(({ part }) => part)]);
  const edit = (): { readonly edited: readonly PulledText[]; readonly editConflicts: readonly Conflict[] } => {
    const editor = new ListEditor(state, graph, fileFields, open, { admits: isNarrow ? takes : undefined, refused });
    const changes = editor.run(lists);
    const untouched = [...renamed.keys()].filter((file) => changes.every((one) => one.file !== file));
    const onlyRenamed = untouched.map((file) => ({ file, text: texts.get(file) ?? "", pulled: [] }));
    const edited = [...changes, ...onlyRenamed].flatMap(({ file, text, pulled }): readonly PulledText[] => {
      const { before } = open.get(file) ?? {};
      if (!isPulled(file)) return [];
      const entries = [...(renamed.get(file) ?? []), ...pulled];
      return [{ file, after: text, entries, ...(before === undefined ? {} : { before }) }];
    });
    const editConflicts = editor.conflicts.filter(({ at }) => isPulled(at?.file));
    return { edited, editConflicts };
  };
  const liveByAddress = new Map(kinds.flatMap(({ name }) => state.all(name).map((live) => [live.address, live])));
  const refusals = (
    error: InvalidConfiguration,
    edited: readonly PulledText[],
    fresh: readonly NamedFile[],
    conflicts: readonly PullConflict[],
  ) => {
    const reasonAt = (resource: LiveResource, field: string) =>
      gone.get(resource.address)?.get(field) ?? conflictReason(resource, field, conflicts, graph);
    const missing = error.diagnostics.filter(({ code }) => code === "E_REF");
    return [
      ...refusedParts(error, fresh, gone),
      ...refusedEdits(error, edited, (address) => liveByAddress.get(address), reasonAt),
      ...missing.flatMap(({ address = "" }) => keptFor(address, gone, { state, graph })),
    ];
  };
  // A value that stays may not go with another one of its resource, which stays as a whole then.
  const wholeOf = ([part, reason]: RefusedPart): readonly RefusedPart[] => {
    const [address = ""] = part.split("#");
    const names = Object.keys(liveByAddress.get(address)?.fields ?? {});
    return names.map((name) => [`${address}#/${escapedStep(name)}`, reason]);
  };
  // What the files have already, and a plan refuses: the pull neither makes it nor can mend it.
  let unmended: readonly PullConflict[] = [];
  for (;;) {
    const { edited, editConflicts } = edit();
    const { files: unnamed, omitted } = liveFiles({
      kinds: readable,
      ...{ state, fileFields, refused },
      writesEmptyLists: requested === undefined,
    });
    const fresh = nameNewFiles(unnamed, configuration, project);
    const files = [...edited, ...fresh];
    const contents = new Map(files.map(({ file, after }) => [file, bytesOf(after, open.get(file)?.marked)]));
    const conflicts = [
      ...lost.filter(({ address }) => takes(address)),
      ...kept.flatMap(({ conflicts }) => conflicts),
      ...editConflicts,
      ...omitted,
      ...unmended,
    ];
    try {
      const after = await loadWith(contents);
      const rest = await remainingDifferences(
        after,
        session,
        again,
        { kinds: requested ?? [], ...narrowing },
        (address) =>
          conflicts.some((one) => one.address === address) ||
          kept.some(({ addresses: own }) => own.some((one) => addressIncludes(one, address))),
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
      if (!(error instanceof InvalidConfiguration)) throw error;
      const isNew = ([part]: RefusedPart): boolean => !refused.has(part);
      const found = refusals(error, edited, fresh, conflicts);
      const left = found.some(isNew) ? [] : goneConflicts(error, gone, conflicts);
      if (left.length > 0) {
        unmended = [...unmended, ...left];
        continue;
      }
      const more = found.some(isNew) ? found : found.flatMap(wholeOf);
      if (!more.some(isNew)) {
        console.alert(UNWRITABLE);
        for (const line of conflictLines({ conflicts })) console.alert(line);
        throw error;
      }
      for (const [part, reason] of more) refused.set(part, reason);
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
  "Nothing was written: the pulled files would not be valid, because of something that is not pulled, such as a reference to a resource that the pull removes. Change it first, and pull again.";

/** The console without notes, which loading has printed before. */
function muted(console: Console): Console {
  return { ...console, note: () => {} };
}

/** Differences that remain after the pull. */
interface RemainingDifferences {
  /** Changes of a plan that no earlier conflict explains. */
  readonly conflicts: readonly Conflict[];
  /** Declared fields that the service does not return, so that they cannot be compared. */
  readonly untold: readonly Unreadable[];
}

/** Plans the pulled files against the state that was read. `isKnown`: whether differences remain at an address. */
async function remainingDifferences(
  configuration: Configuration,
  session: ReadingSession,
  reader: Reader,
  filter: PlanFilter,
  isKnown: (address: string) => boolean,
): Promise<RemainingDifferences> {
  const plan = await session.plan({ configuration, reader, filter, identify: false }).catch((error) => {
    // A value that no file can have may be one that no plan can change.
    if (error instanceof InvalidConfiguration && isExplained(error, isKnown)) return undefined;
    throw error;
  });
  if (plan === undefined) return { conflicts: [], untold: [] };
  const unexplained = plan.changes.filter(({ address }) => !isKnown(address));
  const conflicts = unexplained.flatMap((change): readonly Conflict[] => {
    const { address, fields, action } = change;
    const list = sourcedListOf(configuration, address);
    if (list !== undefined) return sourcedConflicts(change, list, configuration);
    const [first] = fields;
    const path = fields.length === 1 && first !== undefined ? first.path : "";
    return [{ address, path, reason: `a plan would still ${action} it; see ${programLine("plan", session.words)}` }];
  });
  return { conflicts, untold: plan.unreadable };
}

/** Whether every error is about a resource at a known address. */
function isExplained({ diagnostics }: InvalidConfiguration, isKnown: (address: string) => boolean): boolean {
  return diagnostics.every(({ severity, address = "" }) => severity !== "error" || isKnown(address));
}

function sourcedListOf({ sourced = [] }: Configuration, address: string): SourcedList | undefined {
  return sourced.find(({ kind: name, scope }) => {
    const kind = kinds.find((one) => one.name === name);
    return kind !== undefined && address.startsWith(addressPrefix(kind, scope));
  });
}

/** The differences of a resource in a list with sources: one for each value. */
function sourcedConflicts(
  { address, fields, action }: Change,
  { sources }: SourcedList,
  { declared }: Configuration,
): readonly Conflict[] {
  const resource = declared.find((one) => one.address === address);
  if (resource === undefined) {
    const [{ at } = {}] = sources;
    const reason = `no file makes it any more, so a plan would ${action} it`;
    return [{ address, path: "", reason, ...(at === undefined ? {} : { at }) }];
  }
  if (action === "create") {
    return [{ address, path: "", reason: "it is not in the workspace, but the files make it", at: startOf(resource) }];
  }
  return fieldRows(fields).map((row) => {
    const path = `/${row.label}`;
    const [live, own] = sidesOf(row);
    return {
      address,
      path,
      reason: `the workspace has ${live}, and the file ${own}`,
      at: locationOf(resource.origins, path),
    };
  });
}

/** Both values of a field in words. */
function sidesOf(row: FieldRow): readonly [string, string] {
  const sides =
    "sides" in row
      ? cutBoth(row.sides.before.join(", "), row.sides.after.join(", "))
      : ([row.before ?? "", row.after ?? ""] as const);
  const [before, after] = sides;
  return [before || NO_VALUE, after || NO_VALUE];
}

const NO_VALUE = "no value";
