/** Filters a plan by files, kinds and addresses (PATH, `--kinds`, `--target`, `--exclude`). A filtered plan says that it is partial. */

import type { AddressFilter, Configuration, ManagedList } from "../../config/resources/configuration.ts";
import { addressIncludes, admits } from "../../config/resources/configuration.ts";
import { declaredInPart, isInPart, withinPart } from "../../config/resources/part.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import { quoted } from "../../core/sanitise.ts";
import { suggest } from "../../core/suggest.ts";
import { type Kind, topKindOf } from "../../kinds/model/kind.ts";
import { addressOf, kindOfAddress, listName } from "../../kinds/model/resource.ts";
import { includesAddress } from "../../plan/base/declaration-changes.ts";
import type { PlanInput } from "../../plan/make/make.ts";
import { ONLY_CHANGED, type Released, type Warning } from "../../plan/model/plan.ts";

/** A filter; empty lists filter nothing. */
export interface PlanFilter {
  /** Keys of the files, such as `severities`; nested kinds go with their key. */
  readonly kinds: readonly string[];
  /** Addresses, and everything below them. */
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
  /** `--only-changed`: addresses, without what is below them unless they end with a slash. Default: all. */
  readonly onlyChanged?: readonly string[];
  /** Paths relative to the root of the configuration. Default: its part. */
  readonly paths?: readonly string[];
  /** The filter comes from the command line, so an unknown address is a typing error and not a change of the workspace. */
  readonly typed?: true;
}

/** A configuration with only the lists that a filter reaches, and the addresses that it admits; undefined: all. */
interface FilteredConfiguration {
  readonly configuration: Configuration;
  readonly admitted?: NonNullable<PlanInput["filter"]>;
}

/** Filters a configuration. */
export function filterConfiguration(
  configuration: Configuration,
  filter: PlanFilter,
  allKinds: readonly Kind[],
): FilteredConfiguration {
  const { kinds, targets, excludes, onlyChanged, paths = configuration.part ?? [] } = filter;
  if (onlyChanged === undefined && paths.length + kinds.length + targets.length + excludes.length === 0) {
    return { configuration };
  }
  const typed = [
    ...paths,
    ...(kinds.length > 0 ? [`--kinds ${kinds.join(",")}`] : []),
    ...targets.map((address) => `--target ${address}`),
    ...excludes.map((address) => `--exclude ${address}`),
    ...(onlyChanged === undefined ? [] : [ONLY_CHANGED]),
  ];
  const changed = onlyChanged === undefined ? undefined : new Set(onlyChanged);
  const isChanged = (address: string): boolean => changed === undefined || includesAddress(changed, address);
  const part = paths.length === 0 ? undefined : partOf(configuration, paths);
  const only = part === undefined ? {} : { only: part.addresses };
  const reach = { targets: reachedTargets(filter), excludes, ...only };
  const byName = new Map(allKinds.map((kind) => [kind.name, kind]));
  const admitsKind = (kind: Kind) => kinds.length === 0 || kinds.includes(kind.name) || kinds.includes(topKindOf(kind));
  const isReached = (list: ManagedList) => {
    const kind = byName.get(list.kind);
    if (part?.lists.has(listName(list.kind, list.scope)) === false) return false;
    return kind === undefined || (admitsKind(kind) && reachesList(reach, kind, list.scope));
  };
  const filtered: Configuration = {
    ...configuration,
    managed: configuration.managed.filter(isReached),
    declared: configuration.declared.filter(({ kind }) => admitsKind(kind)),
    ...(paths.length + reach.targets.length + excludes.length === 0 ? {} : { reach }),
  };
  const isAdmitted = (address: string) => admits({ targets, excludes, ...only }, address) && isChanged(address);
  return { configuration: filtered, admitted: { typed, ...(part === undefined ? {} : { paths }), admits: isAdmitted } };
}

/** Whether a plan with a filter covers something that the base declared. A list is covered if a part of it is. */
export function coversReleased(
  { address, file = "" }: Released,
  { kinds, targets, excludes, paths = [] }: PlanFilter,
  allKinds: readonly Kind[],
): boolean {
  const kind = kindOfAddress(address, allKinds);
  const isOfKinds = kind === undefined || kinds.includes(kind.name) || kinds.includes(topKindOf(kind));
  const overlaps = (target: string): boolean => addressIncludes(target, address) || addressIncludes(address, target);
  if (paths.length > 0 && !isInPart(paths, file)) return false;
  if (excludes.some((exclude) => addressIncludes(exclude, address))) return false;
  return (kinds.length === 0 || isOfKinds) && (targets.length === 0 || targets.some(overlaps));
}

/** The targets, narrowed to what differs from the base. No address begins with a slash, so that none is reached if nothing differs. */
function reachedTargets({ targets, onlyChanged }: PlanFilter): readonly string[] {
  if (onlyChanged === undefined) return targets;
  const changed = onlyChanged.map((address) => address.replace(/\/$/, ""));
  const both = changed.flatMap((one) => {
    if (targets.length === 0 || targets.some((target) => addressIncludes(target, one))) return [one];
    return targets.filter((target) => addressIncludes(one, target));
  });
  return both.length === 0 ? ["/"] : both;
}

/** The lists that files hold, and the addresses that they declare. Rules also stand for their list. */
function partOf(
  configuration: Configuration,
  paths: readonly string[],
): { readonly lists: ReadonlySet<string>; readonly addresses: ReadonlySet<string> } {
  const { managed, declared } = withinPart(configuration, paths);
  const ranked = declared.filter(({ kind }) => kind.lifecycle.order === "rank");
  return {
    lists: new Set(managed.map(({ kind, scope }) => listName(kind, scope))),
    addresses: new Set([
      ...declared.map(({ address }) => address),
      ...ranked.map(({ kind, scope }) => addressOf(kind, scope, "").slice(0, -1)),
    ]),
  };
}

/** Whether addresses reach into a list, or leave it whole: another one need not be read. */
function reachesList({ targets, excludes }: AddressFilter, kind: Kind, scope: string): boolean {
  const list = addressOf(kind, scope, "").slice(0, -1);
  const overlaps = (address: string) => addressIncludes(address, list) || addressIncludes(list, address);
  if (excludes.some((exclude) => addressIncludes(exclude, list))) return false;
  return targets.length === 0 || targets.some(overlaps) || excludes.some(overlaps);
}

/**
 * A warning for every target that names no resource. In a filter that was typed, it ends the command, as does an exclusion that names
 * none: a plan without the resource that was meant must not look like one that has it.
 */
export function unknownAddresses(filter: PlanFilter, addresses: () => readonly string[]): readonly Warning[] {
  const { targets, excludes, typed } = filter;
  if (targets.length + excludes.length === 0) return [];
  const known = addresses();
  const isUnknown = (address: string): boolean => !known.some((other) => addressIncludes(address, other));
  const isKindKnown = (address: string): boolean => known.some((other) => kindOf(other) === kindOf(address));
  const unknown = [
    ...targets.filter(isUnknown).map((address) => ({ flag: "--target", address })),
    // An exclusion from a kind that is not managed excludes nothing anyway.
    ...excludes
      .filter((address) => isKindKnown(address) && isUnknown(address))
      .map((address) => ({ flag: "--exclude", address })),
  ];
  if (typed === true && unknown.length > 0) {
    const lines = unknown.map(({ flag, address }) => {
      const guess = suggest(address, known);
      const help =
        guess === undefined ? `run the plan without it to see the addresses` : `did you mean ${quoted(guess)}?`;
      return `${flag} ${quoted(address)} matches no resource that these files manage; ${help}`;
    });
    throw new Stop(EXIT.error, lines.join("\n"));
  }
  return unknown
    .filter(({ flag }) => flag === "--target")
    .map(({ address }) => ({
      code: "W_TARGET",
      message: `--target ${address} matches no resource that these files manage`,
    }));
}

/** A warning for paths whose files declare nothing: a plan of them looks like one without differences. */
export function emptyPart(configuration: Configuration, filter: PlanFilter): readonly Warning[] {
  const { paths = configuration.part ?? [] } = filter;
  const empty = paths.filter((path) => declaredInPart(configuration, [path]).length === 0);
  return empty.map((path) => ({ code: "W_TARGET", message: `${quoted(path)} declares no resource` }));
}

/** Ends the command when the same command line excludes what it targets. */
export function refuseEmptyFilter({ kinds, targets, excludes }: PlanFilter, allKinds: readonly Kind[]): void {
  const keys = new Set(
    allKinds.filter(({ name }) => kinds.includes(name)).flatMap((kind) => [kind.name, topKindOf(kind)]),
  );
  for (const target of targets) {
    if (kinds.length > 0 && !keys.has(kindOf(target))) {
      throw misuse(`--kinds ${kinds.join(",")} excludes --target ${quoted(target)}`);
    }
    const exclude = excludes.find((address) => addressIncludes(address, target));
    if (exclude !== undefined) {
      throw misuse(`--exclude ${quoted(exclude)} excludes all of --target ${quoted(target)}`);
    }
  }
}

function kindOf(address: string): string {
  return address.split("/", 1)[0] ?? "";
}
