/** Drafts the changes of a ranked list: its transition as requests, and for each rule the change that a plan shows. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { equal, type Fields, isFields } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import { counted } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressOf, type LiveResource } from "../../kinds/model/resource.ts";
import type { LastApplied, StoredInLists } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Draft, Step } from "../diff/step.ts";
import { shapeOf } from "../diff/unknown-members.ts";
import type { Derived, Operation, RankedTransition, Warning } from "../model/plan.ts";
import { listOrder, pairForReaders, type RuleChange, ruleChanges } from "./changes.ts";
import { carriedMembers, withKnownMembers } from "./known-members.ts";
import { remainingSteps } from "./remaining-steps.ts";
import { type RankedList, type RankedRequest, rankedRequests } from "./requests.ts";
import { declaredRuleFields, matchesEverything, type RankedStep, ruleFields, toRankedRule } from "./rule.ts";
import { copiesSecret, secretFields } from "./secret-fields.ts";
import { readAsDeclared } from "./stored-rules.ts";
import { withTakeovers } from "./takeovers.ts";
import { addFirstRules, removeLastRules, type Transition, transition } from "./transition.ts";

/** Other rules that a scope depends on while it changes, and the writes of an interrupted run. */
export interface ScopeCircumstances {
  /** Whether there are rules that apply as long as the scope has none of its own. */
  readonly fallsBack: boolean;
  /** Outcome of the holding rule, with stand-ins for secrets. Default: no holding rule. */
  readonly holding?: Fields;
  /** Some conditions come from the environment. What a rule takes over would tell something about their values. */
  readonly hasSecretConditions: boolean;
  /** The remaining operations of an interrupted run, of any resources. */
  readonly interrupted: readonly Operation[];
  readonly lastApplied: LastApplied;
  readonly storedInLists: StoredInLists;
}

/** The drafts of one scope. Its requests run one after another. */
export interface RankedDraft {
  readonly drafts: readonly Draft[];
  readonly warnings: readonly Warning[];
  /** Requests during which alerts may get neither their old nor their new outcome. */
  readonly window: number;
  /** Members that rules may take over from those that they are written over. */
  readonly derived: readonly Derived[];
  /** The summary of the list; empty if nothing changes. */
  readonly transitions: readonly RankedTransition[];
}

/** Drafts the transition of one scope of a ranked kind. */
export function draftScope(
  state: ResolvedState,
  kind: Kind,
  scope: string,
  answered: readonly LiveResource[],
  declared: readonly DeclaredResource[],
  circumstances: ScopeCircumstances,
): RankedDraft {
  const declaredFields = declared.map(({ fields }) => declaredRuleFields(kind, fields));
  const shape = shapeOf(declaredFields);
  const rows = answered.map((live) => withKnownMembers(live, shape));
  if (isUnchanged(kind, rows, declaredFields)) return UNCHANGED;
  const { live, warnings } = readAsDeclared(rows, declared, declaredFields, circumstances.storedInLists);
  const liveRules = live.map(({ fields }) => toRankedRule(kind, fields));
  const declaredRules = declaredFields.map((fields) => toRankedRule(kind, fields));
  const { holding, lastApplied } = circumstances;
  const secret = secretFields(kind, live, declared, lastApplied.hashes);
  const rules = { live, answered, declared, declaredFields, liveRules, declaredRules };
  const list: RankedList = { state, kind, scope, ...rules, secret, holding };
  const { steps, window } = transitionOf(list, circumstances);
  const requests = rankedRequests(list, steps);
  const partners = pairForReaders(liveRules, declaredRules);
  const changes = ruleChanges(list, partners);
  const shown = circumstances.hasSecretConditions ? changes : withTakeovers(list, partners, changes);
  const drafts = draftsOf(list, shown, requests, window);
  const summary = summaryOf(list, drafts, requests.length, window);
  return {
    drafts,
    warnings: [...warnings, ...windowWarning(list, window)],
    window,
    derived: carriedMembers(list, steps),
    transitions: requests.length === 0 ? [] : [{ ...summary, order: listOrder(list, partners) }],
  };
}

const UNCHANGED: RankedDraft = { drafts: [], warnings: [], window: 0, derived: [], transitions: [] };

/** Whether each rule is declared at its place field by field. This spares most lists everything else. */
function isUnchanged(kind: Kind, live: readonly LiveResource[], declared: readonly Fields[]): boolean {
  if (live.length !== declared.length) return false;
  return live.every(({ fields }, index) => {
    const own = declared[index] ?? {};
    const names = [...Object.keys(own), ...Object.keys(kind.fields ?? {})];
    return names.every((name) => equal(fields[name] ?? null, own[name] ?? null));
  });
}

function transitionOf(list: RankedList, { fallsBack, interrupted }: ScopeCircumstances): Transition {
  const { liveRules, declaredRules, secret, holding } = list;
  const hasHoldingOutcome = holding !== undefined;
  if (fallsBack && liveRules.length === 0) return addFirstRules(declaredRules, hasHoldingOutcome);
  if (fallsBack && declaredRules.length === 0) return removeLastRules(liveRules, hasHoldingOutcome);
  const isAllowed = (steps: readonly RankedStep[]) => !copiesSecret(steps, secret);
  return transition(liveRules, declaredRules, remainingSteps(list, interrupted), isAllowed);
}

function summaryOf(
  { kind, scope }: RankedList,
  drafts: readonly Draft[],
  writes: number,
  window: number,
): RankedTransition {
  const count = (action: string) => drafts.filter(({ change }) => change.action === action).length;
  return {
    address: addressOf(kind, scope, "").slice(0, -1),
    kind: kind.name,
    added: count("create"),
    edited: count("update"),
    moved: count("move"),
    removed: count("delete"),
    writes,
    window,
    exposed: window === 0 ? [] : drafts.map(({ change }) => change.address),
  };
}

/** A draft for each change, with its requests. Those of no change, such as a holding rule's, belong to the first one. */
function draftsOf(
  { kind, scope, declared }: RankedList,
  changes: readonly RuleChange[],
  requests: readonly RankedRequest[],
  window: number,
): readonly Draft[] {
  const requestsOf = requestsByChange(requests);
  const owned = new Set<Step>();
  const drafts = changes.map((change): Draft => {
    const steps = requestsOf(change).filter((step) => !owned.has(step));
    for (const step of steps) owned.add(step);
    const resource = change.declared === undefined ? undefined : declared[change.declared];
    return {
      change: change.change,
      kind,
      scope,
      ...(resource === undefined ? {} : { declared: resource }),
      ...(change.keepsOutcomes === true && window === 0 ? { keepsOutcomes: true as const } : {}),
      steps,
    };
  });
  const rest = requests.flatMap(({ request }) => (owned.has(request) ? [] : [request]));
  const [first, ...others] = drafts;
  return first === undefined ? [] : [{ ...first, steps: [...first.steps, ...rest] }, ...others];
}

/** Finds the requests that write the declared rule of a change or delete its live one, in their order. */
function requestsByChange(requests: readonly RankedRequest[]): (change: RuleChange) => readonly Step[] {
  const writes = new Map<number, number[]>();
  const deletions = new Map<number, number>();
  requests.forEach(({ step, removes }, at) => {
    if (removes !== undefined) deletions.set(removes, at);
    else if (step.action !== "delete" && step.rule.list === "declared") addTo(writes, step.rule.index, at);
  });
  return ({ declared = -1, live = -1 }) =>
    [...(writes.get(declared) ?? []), deletions.get(live) ?? []]
      .flat()
      .sort((left, right) => left - right)
      .flatMap((at) => requests[at]?.request ?? []);
}

function windowWarning({ kind, scope, holding }: RankedList, window: number): readonly Warning[] {
  if (window === 0) return [];
  const address = `${kind.name}/${scope}`;
  const meanwhile = holding === undefined ? "may match no rule" : "get the holding outcome";
  return [
    {
      code: "W_ROUTING_WINDOW",
      address,
      message: `${address}: during ${counted(window, "write")} alerts of this scope ${meanwhile}. The first ${kind.title} of a scope disconnects it from the rules that it falls back to, and deleting the last one reconnects it`,
    },
  ];
}

/** The outcome of the holding rule: that of the first rule that matches every alert. Default: `fallback`. */
export function holdingOutcome(
  kind: Kind,
  rules: readonly { readonly fields: Fields }[],
  fallback: Fields | undefined,
): Fields | undefined {
  const effect = rules.find(({ fields }) => matchesEverything(kind, fields))?.fields[ruleFields(kind).effect];
  return isFields(effect) ? effect : fallback;
}
