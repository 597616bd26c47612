/** Warnings about live tokens that nobody may have: no sink has stored them as far as the lock knows, and nobody has ever used them. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { startOf } from "../../config/resources/origins.ts";
import { sourcePlace } from "../../core/diagnostic.ts";
import { NO_WORDS, programLine, shellWord } from "../../core/sanitise.ts";
import { isDisabled, type LiveResource } from "../../kinds/model/resource.ts";
import { hashValue } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { PlanContext } from "../model/context.ts";
import type { Change, Warning } from "../model/plan.ts";
import { type LiveToken, tokensOf } from "../model/token-paths.ts";

/** Code of these warnings. A token's first use ends one, so they are no part of what makes a saved plan stale. */
export const W_TOKEN = "W_TOKEN";

/** The input of the warnings. */
interface UnstoredTokensInput extends Pick<PlanContext, "matching" | "lastApplied"> {
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
  readonly changes: readonly Change[];
  readonly tokenHistory?: TokenHistory;
}

/** The facts that decide whether a token which nobody has used is worth a warning. */
export interface TokenHistory {
  /** The time by the service's clock, which also says when tokens were made. */
  readonly now: Date;
  /** The addresses of resources whose token a run has made and not stored, by the journals; absent if no journal tells. */
  readonly creations?: ReadonlySet<string>;
}

/** Nobody waits longer than this for the first use of a token: then somebody has it, or nobody needs it. */
const RECENT_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * The warnings, one for each token of a declared resource that the plan does not remove: of tokens that a run made and did not store, or
 * where no journal tells, of those made within a day. None if nothing is known about stored tokens.
 */
export function unstoredTokens(input: UnstoredTokensInput): readonly Warning[] {
  const { matching, changes, tokenHistory } = input;
  if (tokenHistory === undefined) return [];
  const { creations, now } = tokenHistory;
  const removed = new Set(
    changes.filter(({ action }) => action === "delete" || action === "disable").map(({ address }) => address),
  );
  return matching.lists.flatMap(({ matches }) =>
    matches.flatMap(({ declared, live }) => {
      if (live === undefined || removed.has(declared.address)) return [];
      const unheld = unheldTokens(live, input).filter(({ createdAt }) =>
        creations === undefined ? isRecent(createdAt, now) : creations.has(declared.address),
      );
      const hasOther = unheld.length < tokensOf(live).length;
      return unheld.map((token) => warning(declared, token, { hasOther, mayEnd: creations === undefined }));
    }),
  );
}

/** Whether a declared resource has a token that nobody has used, and of which nothing says that it was stored. */
export function hasUnstoredTokens(
  input: Pick<UnstoredTokensInput, "matching" | "lastApplied" | "ownPrefixes">,
): boolean {
  return input.matching.lists.some(({ matches }) =>
    matches.some(({ live }) => live !== undefined && unheldTokens(live, input).length > 0),
  );
}

function unheldTokens(
  live: LiveResource,
  { lastApplied: { storedTokens }, ownPrefixes }: Pick<UnstoredTokensInput, "lastApplied" | "ownPrefixes">,
): readonly LiveToken[] {
  if (storedTokens === undefined || isDisabled(live)) return [];
  return tokensOf(live).filter(
    ({ prefix, lastUsed }) =>
      lastUsed === null && !ownPrefixes.includes(prefix) && !storedTokens.has(hashValue(prefix)),
  );
}

/** Whether a token was certainly made within a day. */
function isRecent(createdAt: string | undefined, now: Date): boolean {
  return createdAt !== undefined && Date.parse(createdAt) >= now.getTime() - RECENT_MILLISECONDS;
}

function warning(
  resource: DeclaredResource,
  { prefix }: LiveToken,
  { hasOther, mayEnd }: { readonly hasOther: boolean; readonly mayEnd: boolean },
): Warning {
  const token = `${shellWord(resource.address)} --token ${shellWord(prefix)} --allow-delete`;
  const command = programLine(`rotate ${token} ${hasOther ? "--revoke" : "--secrets-out FILE"}`, NO_WORDS);
  const end = mayEnd ? ", or a day after it was made" : "";
  return {
    code: W_TOKEN,
    message:
      `its token ${prefix} was never used, and incidentctl.lock does not say that it was stored: ` +
      `an interrupted run may have lost it. The warning ends when somebody uses the token${end}. If nobody has it, run ${command}`,
    commands: [command],
    address: resource.address,
    source: sourcePlace(startOf(resource)),
  };
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
