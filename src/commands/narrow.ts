/** Narrowing a plan to some kinds or addresses. A narrowed plan says so. */

import type { Configuration } from "../config/configuration.ts";
import type { PlanInput } from "../plan/make.ts";
import type { Warning } from "../plan/plan.ts";

/** What the person asked for; empty lists narrow nothing. */
export interface Narrowing {
  /** Keys of the files, such as `severities`; what is nested goes with its key. */
  readonly kinds: readonly string[];
  /** Addresses; what lies below one is meant too. */
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
}

/** The configuration with only the kinds asked for, and what lets single addresses through. */
export function narrowed(
  configuration: Configuration,
  narrowing: Narrowing,
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
  const own: Configuration = {
    ...configuration,
    lines: configuration.lines.bind(configuration),
    managed: configuration.managed.filter(({ kind }) => keep(kind, keys.get(kind) ?? kind)),
    declared: configuration.declared.filter(({ kind }) => keep(kind.name, keyOf(kind))),
  };
  const admits = (address: string) =>
    (targets.length === 0 || targets.some((target) => within(target, address))) &&
    !excludes.some((other) => within(other, address));
  return { configuration: own, admits: { said, admits } };
}

/** A warning for every target that is none of the addresses known and has none of them below it: most likely a slip. */
export function strayTargets({ targets }: Narrowing, known: readonly string[]): readonly Warning[] {
  return targets
    .filter((target) => !known.some((address) => within(target, address)))
    .map((target) => ({ code: "W_TARGET", message: `--target ${target} names nothing that these files manage` }));
}

/** The key under which the files hold a kind. */
function keyOf(kind: Configuration["declared"][number]["kind"]): string {
  return kind.layout !== undefined && "within" in kind.layout ? kind.layout.within : kind.name;
}

function within(target: string, address: string): boolean {
  return address === target || address.startsWith(`${target}/`);
}
