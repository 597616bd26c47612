/** Makes the plan of a configuration against a service: filter, refresh, analyze, plan. */

import { declarableFields } from "../../config/edit/declarable.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { exemptionsOf } from "../../config/settings/exemptions.ts";
import { type Diagnostic, InvalidConfiguration } from "../../core/diagnostic.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { hasUnstoredTokens, type TokenHistory } from "../../plan/checks/unstored-tokens.ts";
import type { Acceptance } from "../../plan/drift/acceptance.ts";
import { type Drift, judgeDrift, sidesOf } from "../../plan/drift/drift.ts";
import { type ExemptDrift, exemptAccepted } from "../../plan/drift/exempt-accepted.ts";
import { makePlan, type PlanInput } from "../../plan/make/make.ts";
import { unmanagedBy } from "../../plan/make/unmanaged.ts";
import type { Plan, Warning } from "../../plan/model/plan.ts";
import type { Diagrams } from "../../preview/diagrams.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { disabledAddresses, type LastAppliedHashes, whileVerifying } from "../../workspace/match/last-applied.ts";
import { type ResolvedWorkspace, resolve } from "../../workspace/match/resolve.ts";
import { type Refreshed, type RefreshOptions, refresh } from "../../workspace/read/refresh.ts";
import { dayOf } from "./accepted-file.ts";
import { emptyPart, filterConfiguration, type PlanFilter, unknownAddresses } from "./plan-filter.ts";

/** How to make a plan. */
export interface MakePlanOptions
  extends RefreshOptions,
    Pick<PlanInput, "version" | "approvals" | "ownPrefixes" | "lastApplied" | "interrupted" | "undo"> {
  readonly filter: PlanFilter;
  readonly now: () => Date;
  /** The facts about tokens that nobody has used, asked for only if there are some. */
  readonly tokenHistory?: () => Promise<TokenHistory>;
  /** Accepted differences, of any service. Default: none. */
  readonly accepted?: readonly Acceptance[];
  /** Runs the analyzers. Default: none. */
  readonly analyze?: (resolved: ResolvedWorkspace) => Analysis;
}

/** The findings of the analyzers: for a plan, and for which there is none. */
export interface Analysis {
  readonly warnings: readonly Warning[];
  readonly errors: readonly Diagnostic[];
}

/** A plan, and what it was made from. */
export interface MadePlan extends Refreshed {
  readonly plan: Plan;
  /** Hashes of the last apply, which say what came from the environment. */
  readonly hashes: LastAppliedHashes;
  /** All differences, accepted ones included, by what was accepted. */
  drift(): Drift;
  /** The same plan as one that verifies an apply: for `incidentctl.lock`, where there was nothing to apply. */
  verifying(): Plan;
  /** The values that the page of the plan draws. */
  diagrams(): Promise<Diagrams>;
}

const NO_FINDINGS: Analysis = { warnings: [], errors: [] };

/** Makes a plan. Sends GET only. */
export async function makePlanFor(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  options: MakePlanOptions,
): Promise<MadePlan> {
  const { filter, now: clock, accepted = [], analyze = () => NO_FINDINGS, tokenHistory: history, ...input } = options;
  const { configuration: own, admitted } = filterConfiguration(configuration, filter, kinds);
  const now = clock();
  const disabled = disabledAddresses(input.lastApplied);
  const refreshed = await refresh(own, reader, kinds, { ...input, disabled });
  const { state } = refreshed;
  const tokenHistory = hasUnstoredTokens({ ...refreshed, ...input }) ? await history?.() : undefined;
  const addresses = () => {
    const all = [...own.declared, ...kinds.flatMap(({ name }) => state.all(name))].map(({ address }) => address);
    const { only } = own.reach ?? {};
    return only === undefined ? all : all.filter((address) => only.has(address));
  };
  const unknown = [...emptyPart(configuration, filter), ...unknownAddresses(filter, addresses)];
  const concerns = (finding: Pick<Warning, "address">) => isAbout(finding, filter, admitted?.admits);
  const planOf = (
    source: Refreshed,
    { warnings, errors }: Analysis,
    held?: ExemptDrift,
    lastApplied = input.lastApplied,
  ): Plan => {
    const refusing = errors.filter(concerns);
    if (refusing.length > 0) throw new InvalidConfiguration(refusing);
    const unmanaged = input.undo === undefined ? unmanagedBy(configuration, source) : [];
    const plan = makePlan({
      ...source,
      ...input,
      lastApplied,
      declarable: (resource) => declarableFields(resource, kinds),
      host: reader.host,
      now,
      ...(tokenHistory === undefined ? {} : { tokenHistory }),
      ...(admitted === undefined ? {} : { filter: admitted }),
      findings: [...unknown, ...warnings.filter(concerns)],
      ...(held === undefined ? {} : { held }),
    });
    return unmanaged.length === 0 ? plan : { ...plan, unmanaged };
  };
  const { hashes } = input.lastApplied;
  const made = (source: Refreshed, plan: Plan, drift: () => Drift, held?: ExemptDrift): MadePlan => ({
    ...source,
    plan,
    hashes,
    drift,
    verifying: () => planOf(source, NO_FINDINGS, held, whileVerifying(input.lastApplied)),
    diagrams: async () => {
      const { planDiagrams } = await import("../../preview/diagrams.ts");
      const { state, graph } = source;
      return planDiagrams({ plan, configuration: own, state, graph, hashes });
    },
  });
  if (accepted.every(({ host }) => host !== reader.host)) {
    const plan = planOf(refreshed, analyze(refreshed));
    return made(refreshed, plan, () => judgeDrift(plan, sidesOf(state, hashes), [], dayOf(now)));
  }
  // Which differences are accepted is known only when all are.
  const whole = planOf(refreshed, NO_FINDINGS);
  const drift = judgeDrift(whole, sidesOf(state, hashes), accepted, dayOf(now));
  const valid = accepted.filter(({ host, until }) => host === reader.host && dayOf(now) <= until);
  const held = exemptAccepted(whole, drift, valid);
  const remaining = held.places.length === 0 ? refreshed : withoutPlaces(own, refreshed, kinds, held);
  return made(remaining, planOf(remaining, analyze(remaining), held), () => drift, held);
}

/** The same state without the accepted differences. It takes no reads: it asks for less. */
function withoutPlaces(
  configuration: Configuration,
  { observation, usage }: Refreshed,
  kinds: readonly Kind[],
  { places }: ExemptDrift,
): Refreshed {
  const exemptions = exemptionsOf(configuration.exemptions?.ignore ?? [], places);
  const exempt = { ...configuration, exemptions };
  return { ...resolve(exempt, kinds, observation), observation, usage };
}

/** Whether a finding is about what the filter lets through. */
function isAbout(
  { address }: Pick<Warning, "address">,
  { kinds }: PlanFilter,
  admits: ((address: string) => boolean) | undefined,
): boolean {
  if (address === undefined) return true;
  const [kind = ""] = address.split("/");
  return (kinds.length === 0 || kinds.includes(kind)) && admits?.(address) !== false;
}
