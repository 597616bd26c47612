/** Drafts every managed list of a ranked kind, in an order in which a list and the one that it falls back to change safely. */

import type { Kind } from "../../kinds/model/kind.ts";
import { cameFromEnvironment, type StoredInLists, storedInLists } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { withholdSecrets } from "../diff/step.ts";
import type { PlanContext } from "../model/context.ts";
import type { Warning } from "../model/plan.ts";
import { draftScope, holdingOutcome, type RankedDraft } from "./draft.ts";
import { ruleFields } from "./rule.ts";

/** The drafts of a ranked kind. */
export interface RankedDrafts extends RankedDraft {
  /** Rules that stay as they are. */
  readonly unchanged: number;
}

/** Drafts the managed lists of a ranked kind. */
export function draftRankedLists(context: PlanContext, kind: Kind): RankedDrafts {
  const { state } = context;
  const stored = storedInLists(context.lastApplied);
  const lists = scopesInTransitionOrder(state, kind).map((scope) => ({
    scope,
    ranked: draftList(context, kind, scope, stored),
  }));
  return {
    drafts: lists.flatMap(({ ranked }) => ranked.drafts),
    warnings: lists.flatMap(({ ranked }) => ranked.warnings),
    derived: lists.flatMap(({ ranked }) => ranked.derived),
    transitions: lists.flatMap(({ ranked }) => ranked.transitions),
    window: lists.reduce((sum, { ranked }) => sum + ranked.window, 0),
    unchanged: lists.reduce((sum, { scope, ranked }) => {
      const declared = state.declaredIn(kind.name, scope).length;
      const changed = ranked.drafts.filter((draft) => draft.declared !== undefined && draft.change.action !== "delete");
      return sum + declared - changed.length;
    }, 0),
  };
}

function draftList(
  { state, lastApplied, interrupted = [] }: PlanContext,
  kind: Kind,
  scope: string,
  stored: StoredInLists,
): RankedDraft {
  const declared = state.declaredIn(kind.name, scope);
  const live = state.live(kind.name, scope) ?? [];
  const fallsBack = isScopeLive(state, kind, scope) && fallbackRules(state, kind, declared.length > 0).some(isEnabled);
  const { settings } = state.configuration;
  const { hashes } = lastApplied;
  const { conditions, effect } = ruleFields(kind);
  const shown = live.some(({ address }) => cameFromEnvironment(hashes, address, effect)) ? [] : live;
  const rules = declared.map((rule) => ({ fields: withholdSecrets(rule, rule.fields) }));
  const holding = holdingOutcome(kind, declared.length > 0 ? rules : shown, settings.holdingOutcome);
  const hasSecretConditions =
    declared.some(({ secrets }) => secrets.some((pointer) => pointer.startsWith(`/${conditions}`))) ||
    live.some(({ address }) => cameFromEnvironment(hashes, address, conditions));
  const draft = draftScope(state, kind, scope, live, declared, {
    fallsBack,
    hasSecretConditions,
    interrupted,
    lastApplied,
    storedInLists: stored,
    ...(holding === undefined ? {} : { holding }),
  });
  const staysEmpty = scope !== "" && declared.length === 0 && draft.drafts.length > 0;
  const fallback = settings.serviceProfile?.dialects.fallback;
  if (!staysEmpty || fallback === "restore") return draft;
  const unmatched_after = fallback === "sticky" ? "certain" : "unless_fallback";
  return {
    ...draft,
    transitions: draft.transitions.map((transition) => ({ ...transition, unmatched_after })),
    warnings: fallback === "sticky" ? [...draft.warnings, emptyListWarning(kind, scope)] : draft.warnings,
  };
}

/** A service of the dialect `sticky` does not reconnect a scope with the rules that it fell back to. */
function emptyListWarning(kind: Kind, scope: string): Warning {
  const address = `${kind.name}/${scope}`;
  return {
    code: "W_EMPTY_LIST",
    address,
    message: `${address}: according to its profile, this service keeps the empty list: alerts of this scope then match no ${kind.title}, those of the workspace included. Delete the scope itself, or give it a ${kind.title} that matches every alert`,
  };
}

/** Whether the resource that a scope is exists, under its present or its former name. */
function isScopeLive(state: ResolvedState, { scopes }: Kind, scope: string): boolean {
  const owner = scopes?.kind;
  if (owner === undefined || scope === "") return false;
  const formerName = state.declared(owner, scope)?.renamedFrom;
  return (state.live(owner) ?? []).some(({ key }) => key === scope || key === formerName);
}

/**
 * The rules that a scope without its own falls back to while it changes: those before the run if it gets rules of its own, and those
 * after it if it loses them.
 */
function fallbackRules(state: ResolvedState, kind: Kind, getsRules: boolean): readonly FallbackRule[] {
  const isManaged = state.isManaged(kind.name);
  return isManaged && !getsRules ? state.declaredIn(kind.name, "") : (state.live(kind.name, "") ?? []);
}

type FallbackRule = Pick<ReturnType<ResolvedState["declaredIn"]>[number], "kind" | "fields">;

function isEnabled({ kind, fields }: FallbackRule): boolean {
  return fields[kind.rule?.enabled ?? ""] !== false;
}

/** A scope that gets rules of its own changes before the rules that it falls back to, one that loses its own after them. */
function scopesInTransitionOrder(state: ResolvedState, kind: Kind): readonly string[] {
  const scopes = state.configuration.managed.filter((list) => list.kind === kind.name).map(({ scope }) => scope);
  const rank = (scope: string) => (scope === "" ? 1 : state.declaredIn(kind.name, scope).length > 0 ? 0 : 2);
  return scopes.sort((left, right) => rank(left) - rank(right));
}
