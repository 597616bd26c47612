/** Makes the plan of a configuration against a service: filter, refresh, analyze, plan. */

import type { Reader } from "../api/http/connection.ts";
import type { Configuration } from "../config/load/configuration.ts";
import type { Kind } from "../kinds/kind.ts";
import type { ResolvedWorkspace } from "../match/resolve.ts";
import { makePlan, type PlanInput } from "../plan/make.ts";
import type { Plan, Warning } from "../plan/plan.ts";
import { type Refreshed, type RefreshOptions, refresh } from "../refresh/refresh.ts";
import { filterConfiguration, type PlanFilter, unknownAddresses } from "./plan-filter.ts";

/** How to make a plan. */
export interface MakePlanOptions
  extends RefreshOptions,
    Pick<PlanInput, "version" | "approvals" | "ownPrefixes" | "lastApplied"> {
  readonly filter: PlanFilter;
  readonly now: () => Date;
  /** The warnings of the analyzers. */
  readonly analyze?: (resolved: ResolvedWorkspace) => readonly Warning[];
}

/** A plan, and what it was made from. */
export interface MadePlan extends Refreshed {
  readonly plan: Plan;
}

/** Makes a plan. Sends GET only. */
export async function makePlanFor(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  options: MakePlanOptions,
): Promise<MadePlan> {
  const { filter, approvals, version, ownPrefixes, lastApplied } = options;
  const { configuration: own, admitted } = filterConfiguration(configuration, filter, kinds);
  const refreshed = await refresh(own, reader, kinds, options);
  const { state } = refreshed;
  const findings = options.analyze?.(refreshed) ?? [];
  const addresses = () =>
    [...own.declared, ...kinds.flatMap(({ name }) => state.all(name))].map(({ address }) => address);
  const plan = makePlan({
    ...refreshed,
    approvals,
    version,
    ownPrefixes,
    lastApplied,
    host: reader.host,
    now: options.now(),
    ...(admitted === undefined ? {} : { filter: admitted }),
    findings: [
      ...unknownAddresses(filter, addresses),
      ...findings.filter((finding) => isAbout(finding, filter, admitted?.admits)),
    ],
  });
  return { ...refreshed, plan };
}

/** Whether a finding is about what the filter lets through. */
function isAbout(
  { address }: Warning,
  { kinds }: PlanFilter,
  admits: ((address: string) => boolean) | undefined,
): boolean {
  if (address === undefined) return true;
  const [kind = ""] = address.split("/");
  return (kinds.length === 0 || kinds.includes(kind)) && admits?.(address) !== false;
}
