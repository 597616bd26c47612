/** The most removals of a kind, and of each list whose resources other files make: a failed export must not empty it. */

import type { SourcedList } from "../../config/resources/sourced-list.ts";
import { isIgnored } from "../../config/settings/exemptions.ts";
import { removalLimitFor } from "../../config/settings/removal-policy.ts";
import type { RemovalLimit } from "../../core/flag-values.ts";
import { isFields } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import { counted } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { isDisabled, type LiveResource } from "../../kinds/model/resource.ts";
import { isBlank } from "../../kinds/values/equality.ts";
import type { Matching } from "../../workspace/match/match.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Draft } from "../diff/step.ts";
import type { Blocked, Change } from "../model/plan.ts";

interface RemovalLimitInput {
  readonly approvals: { readonly maxRemovals?: RemovalLimit };
  readonly state: ResolvedState;
  readonly matching: Matching;
  readonly drafts: readonly Draft[];
}

/** Removals that are counted together. */
interface RemovalCount {
  /** Default: removing or disabling. */
  readonly verb?: string;
  /** For messages. */
  readonly title: string;
  readonly removed: ReadonlySet<string>;
  /** The number of live resources that are enabled or removed. */
  readonly enabled: number;
  readonly limit: number;
  /** The reason of a message, behind its number. */
  readonly cause?: string;
}

/** Whether a change deletes or disables a resource. */
export function isRemoval({ action }: Pick<Change, "action">): boolean {
  return action === "delete" || action === "disable";
}

/** The refusals of too many removals. */
export function removalLimits(input: RemovalLimitInput): readonly Blocked[] {
  const { drafts, state } = input;
  // Kinds without a draft count too: their resources may be deleted with others.
  const kinds = [...state.kinds.values()].flatMap((kind) => {
    if (kind.lifecycle.ownedByParent === true || kind.lifecycle.order === "rank") return [];
    const removals = drafts.filter((draft) => draft.kind === kind && isRemoval(draft.change));
    const cascades = drafts.flatMap(({ change, kind: other }) =>
      other.references?.cascades?.includes(kind.name) === true ? (change.cascades ?? []) : [],
    );
    return [{ kind, removed: new Set([...removals.map(({ change }) => change.address), ...cascades]) }];
  });
  const lists = kinds.flatMap(({ kind, removed }) => listsWithin(input, kind, removed));
  const exceededLists = lists.filter(isExceeded);
  const explained = new Set(exceededLists.flatMap(({ removed }) => [...removed]));
  const exceededKinds = kinds
    .map(({ kind, removed }) => countOfKind(input, kind, removed))
    .filter((count) => isExceeded(count) && [...count.removed].some((address) => !explained.has(address)));
  const cleared = (state.configuration.sourced ?? []).flatMap((sourced) => clearedMembers(input, sourced));
  // The flag replaces every limit, so its number must be enough for all of them.
  const flag = `--max-removals ${Math.max(0, ...[...kinds, ...cleared].map(({ removed }) => removed.size))}`;
  const exceeded = [...exceededKinds, ...exceededLists, ...cleared.filter(isExceeded)];
  return exceeded.map(({ verb = "removing or disabling", title, removed, enabled, limit, cause = "" }) => ({
    code: "MAX_REMOVALS",
    message: `${verb} ${removed.size} of ${enabled} ${title} exceeds the limit of ${limit}${cause}`,
    addresses: [...removed],
    flag,
  }));
}

/**
 * The values that updates of a list with sources take away, counted for each member of a field: where a column is lost, its values are
 * gone from all resources at once, as if these were removed.
 */
function clearedMembers(input: RemovalLimitInput, sourced: SourcedList): readonly RemovalCount[] {
  const { drafts, matching } = input;
  const cleared = new Map<string, string[]>();
  for (const { kind, scope, change } of drafts) {
    if (kind.name !== sourced.kind || scope !== sourced.scope || change.action !== "update") continue;
    for (const { path, before, after } of change.fields) {
      if (!isFields(before) || !isFields(after) || kind.fields?.[path.slice(1)]?.removableMembers !== true) continue;
      const names = Object.keys(before).filter(
        (name) => !isBlank(before[name] ?? null) && isBlank(after[name] ?? null),
      );
      for (const name of names) addTo(cleared, name, change.address);
    }
  }
  const enabled =
    matching.list(sourced.kind, sourced.scope)?.matches.filter(({ live }) => live !== undefined).length ?? 0;
  return [...cleared].map(([name, addresses]) => ({
    verb: `clearing ${name} in`,
    title: `${sourced.kind} of ${sourced.scope}`,
    removed: new Set(addresses),
    enabled,
    limit: removalLimitFor(limitOf(input), enabled),
    cause: causeOf(sourced),
  }));
}

function isExceeded({ removed, limit }: RemovalCount): boolean {
  return removed.size > limit;
}

function countOfKind(input: RemovalLimitInput, kind: Kind, removed: ReadonlySet<string>): RemovalCount {
  const { exemptions } = input.state.configuration;
  const live = input.state.all(kind.name).filter(({ address }) => !isIgnored(exemptions, address));
  const enabled = countEnabled(live, removed);
  return { title: kind.name, removed, enabled, limit: removalLimitFor(limitOf(input), enabled) };
}

/** The counts of the lists of a kind that other files make, without what others made there. */
function listsWithin(input: RemovalLimitInput, kind: Kind, removed: ReadonlySet<string>): readonly RemovalCount[] {
  const { configuration } = input.state;
  return (configuration.sourced ?? []).flatMap((sourced): readonly RemovalCount[] => {
    const list = sourced.kind === kind.name ? input.matching.list(kind.name, sourced.scope) : undefined;
    if (list === undefined) return [];
    const matched = [...list.matches, ...list.otherMatches].flatMap(({ live }) => live ?? []);
    const enabled = countEnabled([...matched, ...list.undeclared], removed);
    const removals = list.undeclared.filter(({ address }) => removed.has(address));
    const gone = new Set(removals.map(({ address }) => address));
    // Nobody means to remove the last entries of a source by letting it make nothing.
    const empty = sourced.sources.filter(({ isEmpty }) => isEmpty).map(({ source }) => source);
    const isOfEmpty = ({ row }: LiveResource) =>
      empty.some((source) => row[kind.identity.origin?.system ?? ""] === source);
    const isEmptied = empty.length === sourced.sources.length || removals.some(isOfEmpty);
    const limit = isEmptied && limitOf(input) === undefined ? 0 : removalLimitFor(limitOf(input), enabled);
    return [{ title: `${kind.name} of ${sourced.scope}`, removed: gone, enabled, limit, cause: causeOf(sourced) }];
  });
}

function limitOf({ approvals, state }: RemovalLimitInput): RemovalLimit | undefined {
  return approvals.maxRemovals ?? state.configuration.settings.maxRemovals;
}

/** Resources that are removed count too, where they are disabled already. */
function countEnabled(live: readonly LiveResource[], removed: ReadonlySet<string>): number {
  return live.filter((one) => !isDisabled(one) || removed.has(one.address)).length;
}

/** The numbers of each source, with its place. */
function causeOf({ sources }: SourcedList): string {
  const parts = sources.map(({ at, files, entries, documents }) => {
    const globs = files.map((glob) => `"${glob}"`).join(", ");
    return `${counted(entries, "entry", "entries")} from ${counted(documents, "document", "documents")} of ${globs} (${at.file}:${at.line})`;
  });
  return `; the files make ${parts.join(" and ")}`;
}
