/** Narrowing a plan to some kinds or addresses. A narrowed plan says so. */

import type { Configuration, Managed } from "../config/load/configuration.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import { quoted } from "../core/sanitise.ts";
import { suggest } from "../core/suggest.ts";
import { type Kind, topKindOf } from "../kinds/kind.ts";
import { addressOf } from "../kinds/resource.ts";
import type { PlanInput } from "../plan/make.ts";
import type { Warning } from "../plan/plan.ts";

/** What the person asked for; empty lists narrow nothing. */
export interface Narrowing {
  /** Keys of the files, such as `severities`; what is nested goes with its key. */
  readonly kinds: readonly string[];
  /** Addresses; what lies below one is meant too. */
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
  /** As typed just now: what names nothing is a slip, and no sign that the workspace has changed since. */
  readonly typed?: true;
}

/** The configuration with only the lists that what was asked for can lie in, and what lets single addresses through. */
export function narrowed(
  configuration: Configuration,
  narrowing: Narrowing,
  all: readonly Kind[],
): { readonly configuration: Configuration; readonly admits?: NonNullable<PlanInput["narrowing"]> } {
  const { kinds, targets, excludes } = narrowing;
  if (kinds.length + targets.length + excludes.length === 0) return { configuration };
  const said = [
    ...(kinds.length > 0 ? [`--kinds ${kinds.join(",")}`] : []),
    ...targets.map((address) => `--target ${address}`),
    ...excludes.map((address) => `--exclude ${address}`),
  ];
  const keep = (kind: string, top: string) => kinds.length === 0 || kinds.includes(kind) || kinds.includes(top);
  const keys = new Map(configuration.declared.map(({ kind }) => [kind.name, keyOf(kind)]));
  const admits = (address: string) =>
    (targets.length === 0 || targets.some((target) => within(target, address))) &&
    !excludes.some((other) => within(other, address));
  const own: Configuration = {
    ...configuration,
    lines: configuration.lines.bind(configuration),
    managed: configuration.managed.filter(
      (list) => keep(list.kind, keys.get(list.kind) ?? list.kind) && isReached(list, narrowing, all),
    ),
    declared: configuration.declared.filter(({ kind }) => keep(kind.name, keyOf(kind))),
    ...(targets.length + excludes.length === 0 ? {} : { admits }),
  };
  return { configuration: own, admits: { said, admits } };
}

/** Whether a list holds anything that is named, or is left as a whole: another one need not be read. */
function isReached({ kind, scope }: Managed, { targets, excludes }: Narrowing, all: readonly Kind[]): boolean {
  const row = all.find(({ name }) => name === kind);
  if (row === undefined) return true;
  const list = addressOf(row, scope, "").slice(0, -1);
  const overlaps = (named: string) => within(named, list) || within(list, named);
  if (excludes.some((other) => within(other, list))) return false;
  return targets.length === 0 || targets.some(overlaps) || excludes.some(overlaps);
}

/**
 * A warning for every target that is none of the addresses known and has none of them below it. Of what was typed it ends the
 * command, as does an exclusion of nothing: a plan that leaves out what was meant must not look like one that has it.
 */
export function strayTargets(narrowing: Narrowing, addresses: () => readonly string[]): readonly Warning[] {
  const { targets, excludes, typed } = narrowing;
  if (targets.length + excludes.length === 0) return [];
  const known = addresses();
  const isStray = (wanted: string): boolean => !known.some((address) => within(wanted, address));
  const isManaged = (wanted: string): boolean => known.some((address) => kindOf(address) === kindOf(wanted));
  const strays = [
    ...targets.filter(isStray).map((address) => ({ flag: "--target", address })),
    // What is excluded of a kind that nobody manages is left out anyway.
    ...excludes
      .filter((address) => isManaged(address) && isStray(address))
      .map((address) => ({ flag: "--exclude", address })),
  ];
  if (typed === true && strays.length > 0) {
    const lines = strays.map(({ flag, address }) => {
      const meant = suggest(address, known);
      const help = meant === undefined ? "a plan without it tells the addresses" : `did you mean ${quoted(meant)}?`;
      return `${flag} ${quoted(address)} names nothing that these files manage; ${help}`;
    });
    throw new Stop(EXIT.error, lines.join("\n"));
  }
  return strays
    .filter(({ flag }) => flag === "--target")
    .map(({ address }) => ({ code: "W_TARGET", message: `--target ${address} names nothing that these files manage` }));
}

/** Ends the command when what is narrowed to is left out by the same command line. */
export function refuseContradictions({ kinds, targets, excludes }: Narrowing, all: readonly Kind[]): void {
  const asked = new Set(
    kinds.flatMap((name) => all.filter((kind) => kind.name === name).flatMap((kind) => [name, keyOf(kind)])),
  );
  for (const target of targets) {
    if (kinds.length > 0 && !asked.has(kindOf(target))) {
      throw misuse(`--kinds ${kinds.join(",")} leaves out --target ${quoted(target)}`);
    }
    const exclude = excludes.find((one) => within(one, target));
    if (exclude !== undefined)
      throw misuse(`--exclude ${quoted(exclude)} leaves nothing of --target ${quoted(target)}`);
  }
}

function kindOf(address: string): string {
  return address.split("/", 1)[0] ?? "";
}

/** The key under which the files hold a kind. */
function keyOf(kind: Configuration["declared"][number]["kind"]): string {
  return topKindOf(kind);
}

function within(target: string, address: string): boolean {
  return address === target || address.startsWith(`${target}/`);
}
