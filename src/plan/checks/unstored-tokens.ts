/** Warnings about live tokens that nobody may have: no sink has stored them as far as the lock knows, and nobody has ever used them. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { sourcePlace } from "../../core/diagnostic.ts";
import { isDisabled, type LiveResource } from "../../kinds/model/resource.ts";
import { hashValue } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { PlanContext } from "../model/context.ts";
import type { Change, Warning } from "../model/plan.ts";
import { deleteCommand, tokenStoreOf, tokenStorePath, tokensOf } from "../model/token-paths.ts";

/** Code of these warnings. A token's first use ends one, so they are no part of what makes a saved plan stale. */
export const W_TOKEN = "W_TOKEN";

/** The input of the warnings. */
interface UnstoredTokensInput extends Pick<PlanContext, "matching" | "lastApplied"> {
  /** Scheme, host and port of the service. */
  readonly host: string;
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
  readonly changes: readonly Change[];
}

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
        ({ prefix, lastUsed }) =>
          lastUsed === null && !ownPrefixes.includes(prefix) && !storedTokens.has(hashValue(prefix)),
      );
      return unheld.map(({ prefix }) => warning(declared, live, prefix, unheld.length < tokens.length, input.host));
    }),
  );
}

function warning(
  { address, at }: DeclaredResource,
  { kind, row }: LiveResource,
  prefix: string,
  hasOther: boolean,
  host: string,
): Warning {
  const custody = tokenStoreOf(kind);
  const template = hasOther ? custody.tokens?.end : custody.remove;
  const path = tokenStorePath(template, custody, row, prefix);
  const admin = { admin: kind.endpoint.admin === true };
  const command = path === undefined ? "delete it" : deleteCommand(host, path, admin);
  const then = hasOther ? "" : " && incidentctl apply --secrets-out FILE";
  return {
    code: W_TOKEN,
    message:
      `its token ${prefix} was never used, and incidentctl.lock does not say that it was stored: ` +
      `an interrupted run may have lost it. The warning ends when somebody uses the token. If nobody has it, ${hasOther ? "revoke" : "replace"} it: ${command}${then}`,
    address,
    source: sourcePlace(at),
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
