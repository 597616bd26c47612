/** The requests about single tokens of a resource, as its kind gives them: where they go, and how the tokens are read. */

import type { Fields } from "../../core/json.ts";
import { fill, segment } from "../../core/route.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { Precondition, TokenStore } from "../model/plan.ts";
import { tokenStoreOf, tokenStorePath } from "../model/token-paths.ts";

/** The requests about the tokens of one resource. */
export interface TokenRequests {
  /** Path that issues another token. */
  readonly issue: string;
  /** The path that revokes a token. */
  readonly revoke: (prefix: string) => string;
  /** How to revoke a token whose response was lost. */
  readonly custody: TokenStore;
  /** Reads the tokens of the resource as rows. */
  readonly guard: Precondition;
}

/** The requests about the tokens of a resource with this identity; undefined if its kind does not issue them one by one. */
export function tokenRequests(kind: Kind, identity: Fields): TokenRequests | undefined {
  const store = tokenStoreOf(kind);
  const { tokens } = store;
  if (tokens === undefined) return undefined;
  const issue = tokenStorePath(tokens.rotate, store, identity, undefined);
  // The path of any token: `{id}` stands for its prefix, since the token is what a lost response has made.
  const remove = tokenStorePath(tokens.end.replace("{prefix}", "{token}"), store, identity, undefined);
  if (issue === undefined || remove === undefined) return undefined;
  const custody = { address: [PREFIX], remove: remove.replace("{token}", "{id}") };
  return {
    issue,
    revoke: (prefix) => custody.remove.replace("{id}", segment(prefix)),
    custody,
    guard: { ...listOf(kind), identity: [PREFIX], within: { row: identity, list: tokens.list } },
  };
}

/** The list of a kind's resources, disabled ones included. */
export function listOf({ endpoint, lifecycle }: Kind): Pick<Precondition, "path" | "query" | "list"> {
  const { path, query } = fill(endpoint.list, {});
  const disabled = lifecycle.disable === undefined ? {} : { include_disabled: "true" };
  return { path, query: { ...query, ...disabled }, list: endpoint.envelope.list };
}

/** The wire field that identifies a token. */
export const PREFIX = "prefix";
