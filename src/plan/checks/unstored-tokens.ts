/** Warnings about live tokens that nobody may have: no sink has stored them as far as the lock knows, and nobody has ever used them. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { startOf } from "../../config/resources/origins.ts";
import { sourcePlace } from "../../core/diagnostic.ts";
import { isDisabled } from "../../kinds/model/resource.ts";
import { hashValue } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { PlanContext } from "../model/context.ts";
import type { Change, Plan, Warning } from "../model/plan.ts";
import { type LiveToken, tokensOf } from "../model/token-paths.ts";

/** Code of these warnings. A token's first use ends one, so they are no part of what makes a saved plan stale. */
export const W_TOKEN = "W_TOKEN";

/** The input of the warnings. */
interface UnstoredTokensInput extends Pick<PlanContext, "matching" | "lastApplied"> {
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
  readonly changes: readonly Change[];
  readonly now: Date;
}

/** Nobody waits longer than this for the first use of a token: then somebody has it, or nobody needs it. */
const RECENT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The warnings, one for each token of a declared resource that the plan does not remove. None if nothing is known about stored tokens. */
export function unstoredTokens(input: UnstoredTokensInput): readonly Warning[] {
  const { matching, lastApplied, ownPrefixes, changes } = input;
  const { storedTokens } = lastApplied;
  if (storedTokens === undefined) return [];
  const removed = new Set(
    changes.filter(({ action }) => action === "delete" || action === "disable").map(({ address }) => address),
  );
  return matching.lists.flatMap(({ matches }) =>
    matches.flatMap(({ declared, live }) => {
      if (live === undefined || isDisabled(live) || removed.has(declared.address)) return [];
      const tokens = tokensOf(live);
      const unheld = tokens.filter(
        ({ prefix, lastUsed, createdAt }) =>
          lastUsed === null &&
          isRecent(createdAt, input.now) &&
          !ownPrefixes.includes(prefix) &&
          !storedTokens.has(hashValue(prefix)),
      );
      return unheld.map((token) => warning(declared, token, unheld.length < tokens.length));
    }),
  );
}

/** Whether a token was made within a day, or may have been. */
function isRecent(createdAt: string | undefined, now: Date): boolean {
  return createdAt === undefined || !(Date.parse(createdAt) < now.getTime() - RECENT_MILLISECONDS);
}

function warning(resource: DeclaredResource, { prefix, createdAt }: LiveToken, hasOther: boolean): Warning {
  const way = hasOther
    ? "revoke it in the workspace"
    : "remove the resource from the files, run incidentctl apply --allow-delete, write it again, and run incidentctl apply --secrets-out FILE";
  const end = createdAt === undefined ? "" : ", or a day after it was made";
  return {
    code: W_TOKEN,
    message:
      `its token ${prefix} was never used, and incidentctl.lock does not say that it was stored: ` +
      `an interrupted run may have lost it. The warning ends when somebody uses the token${end}. If nobody has it, ${way}`,
    address: resource.address,
    source: sourcePlace(startOf(resource)),
  };
}

/**
 * The plan without the warnings about tokens that runs of this machine did not make. `creations`: the addresses of creations whose token
 * no sink has stored, by the journals; undefined if there are none, and nothing is known.
 */
export function withoutTokensOfOthers(plan: Plan, creations: ReadonlySet<string> | undefined): Plan {
  if (creations === undefined) return plan;
  const isOwn = ({ code, address = "" }: Warning): boolean => code !== W_TOKEN || creations.has(address);
  return { ...plan, warnings: plan.warnings.filter(isOwn) };
}

/** Kind → hashes of the prefixes of its live tokens, for the kinds with tokens that were read. */
export function liveTokenHashes(state: ResolvedState): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    [...state.kinds.values()].flatMap(({ name, lifecycle }) => {
      const live = lifecycle.secret === undefined ? undefined : state.live(name);
      if (live === undefined) return [];
      return [[name, new Set(live.flatMap(tokensOf).map(({ prefix }) => hashValue(prefix)))] as const];
    }),
  );
}
