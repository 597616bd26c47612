/** Finds the resources and tokens that a command line or the rest of an interrupted run is about. */

import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import { textIn } from "../../core/json.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import { joinWords, suggest } from "../../core/suggest.ts";
import { counted } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { type Kind, kindCalled } from "../../kinds/model/kind.ts";
import { isDisabled, kindOfAddress, type LiveResource } from "../../kinds/model/resource.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { type LiveToken, tokensOf } from "../../plan/model/token-paths.ts";
import type { RotatedResource } from "../../plan/rotate/rotation.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";

/** The kinds whose resources have tokens. */
const TOKEN_KINDS: readonly Kind[] = kinds.filter(({ lifecycle }) => lifecycle.secret !== undefined);

/** A rotation as the command line asks for it. */
export interface RotationRequest {
  readonly addresses: readonly string[];
  /** Prefixes of the only tokens to replace or revoke. Default: all of each resource. */
  readonly tokens: readonly string[];
  /** Revoke, and issue no new token. */
  readonly onlyRevokes: boolean;
  /** The old tokens are kept until then. Default: they are revoked. */
  readonly keptUntil?: Date;
}

/** An address with the plural of its kind. An address of another kind is a usage error. */
export function tokenAddress(typed: string): string {
  const [, word = "", key = ""] = /^([^/]*)\/(.+)$/s.exec(typed) ?? [];
  const kind = kindCalled(TOKEN_KINDS, word);
  if (kind !== undefined) return `${kind.name}/${key}`;
  const names = joinWords(
    TOKEN_KINDS.map(({ name }) => `${name}/NAME`),
    "or",
  );
  throw misuse(`${quoted(typed)} has no token; rotate takes addresses such as ${names}`);
}

/** The names of the kinds of these addresses. */
export function kindNamesOf(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses.flatMap((address) => kindOfAddress(address, kinds)?.name ?? []))];
}

/** The resources that a command line names. Stops if there is no such resource or token, or if it is unclear which is meant. */
export function requestedResources(
  { addresses, tokens, onlyRevokes, keptUntil }: RotationRequest,
  state: ResolvedState,
): readonly RotatedResource[] {
  const chosen = addresses.map((address) => {
    const live = chooseResource(address, state, tokens);
    if (isDisabled(live) && !onlyRevokes && !hasSeveralTokens(live)) {
      throw new Stop(EXIT.error, `${sanitised(address)} is disabled, so another one would be enabled; enable it first`);
    }
    const own = tokensOf(live).map(({ prefix }) => prefix);
    const revoked = tokens.length === 0 ? own : own.filter((prefix) => tokens.includes(prefix));
    if (keptUntil === undefined) return { live, issues: !onlyRevokes, revoked };
    const name = hasSeveralTokens(live) ? {} : { renamed: `${live.key} (until ${minuteOf(keptUntil)})` };
    return { live, issues: true, revoked: [], ...name };
  });
  const known = new Set(chosen.flatMap(({ live }) => tokensOf(live).map(({ prefix }) => prefix)));
  const unknown = tokens.find((prefix) => !known.has(prefix));
  if (unknown !== undefined) {
    const all = chosen.map(({ live }) => `${live.address} has ${tokensText(tokensOf(live))}`).join("; ");
    throw new Stop(EXIT.error, sanitised(`there is no token ${quoted(unknown)}: ${all}`));
  }
  return chosen;
}

/** The resources of the rest of an interrupted rotation, by the operations that remain. */
export function remainingResources(
  addresses: readonly string[],
  operations: readonly Operation[],
  state: ResolvedState,
): readonly RotatedResource[] {
  return addresses.flatMap((address) => {
    const own = operations.filter((operation) => operation.address === address);
    const revoked = own.flatMap(({ method, path }) =>
      method === "DELETE" ? [decodeURIComponent(path.split("/").at(-1) ?? "")] : [],
    );
    const members = own.flatMap(({ method, path }) =>
      method === "POST" ? [] : [decodeURIComponent(path.split("/").at(-1) ?? "")],
    );
    const all = liveAt(address, state);
    const live =
      all.find((one) => hasSeveralTokens(one) || members.includes(one.id)) ?? (all.length === 1 ? all[0] : undefined);
    if (own.length === 0 || live === undefined) return [];
    const name = own.map(({ method, body }) => (method === "PATCH" ? textIn(body?.[live.keyField]) : undefined));
    const renamed = name.find((text) => text !== undefined);
    const issues = own.some(({ reveals }) => reveals !== undefined);
    return [{ live, issues, revoked, ...(renamed === undefined ? {} : { renamed }) }];
  });
}

function liveAt(address: string, state: ResolvedState): readonly LiveResource[] {
  return TOKEN_KINDS.flatMap(({ name }) => state.all(name)).filter((live) => live.address === address);
}

function chooseResource(address: string, state: ResolvedState, tokens: readonly string[]): LiveResource {
  const all = liveAt(address, state);
  const named = all.filter((live) => tokensOf(live).some(({ prefix }) => tokens.includes(prefix)));
  const [first, ...others] = named.length > 0 ? named : all;
  if (first === undefined) throw missing(address, state);
  if (others.length === 0) return first;
  const list = tokensText(all.flatMap(tokensOf));
  throw new Stop(
    EXIT.error,
    sanitised(
      `${counted(all.length, "resource")} have the address ${address}, with the tokens ${list}; name one with --token PREFIX`,
    ),
  );
}

/** The end of a command that names a resource which does not exist. */
function missing(address: string, state: ResolvedState): Stop {
  const guess = suggest(
    address,
    TOKEN_KINDS.flatMap(({ name }) => state.all(name)).map((live) => live.address),
  );
  const meant = guess === undefined ? "" : `; did you mean ${quoted(guess)}?`;
  return new Stop(EXIT.error, `the workspace has no ${sanitised(address)}${meant}`);
}

function tokensText(tokens: readonly LiveToken[]): string {
  const texts = tokens.map(({ prefix, lastUsed }) => {
    const use = lastUsed === undefined ? "" : lastUsed === null ? " (never used)" : ` (last used ${lastUsed})`;
    return `${prefix}${use}`;
  });
  return texts.length === 0 ? "no token" : joinWords(texts);
}

/** A moment to the minute, in UTC: `2026-11-28 03:00 UTC`. */
export function minuteOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Whether a resource can have a new token beside its old ones. */
function hasSeveralTokens({ kind }: LiveResource): boolean {
  return kind.lifecycle.secret?.tokens !== undefined;
}
