/** Reasons for which `apply` refuses a plan or asks for an approval: removals, limits, and resources that a workspace needs. */

import { matchesPattern } from "../../config/settings/removal-policy.ts";
import type { RemovalLimit } from "../../core/flag-values.ts";
import { groupBy } from "../../core/lists.ts";
import { counted } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { isDisabled } from "../../kinds/model/resource.ts";
import type { Matching } from "../../workspace/match/match.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Draft } from "../diff/step.ts";
import type { Blocked, Operation } from "../model/plan.ts";
import { takesExclusive } from "../order/sequence.ts";
import { isRemoval, removalLimits } from "./removal-limits.ts";

/** Code of the refusal of tokens that have no place to go. */
export const TOKEN_SINK = "TOKEN_SINK";

const DELETE = "DELETE";
const DEFAULT = "DEFAULT";
const LAST_ONE = "LAST_ONE";

/** Codes of the refusals to remove what every workspace needs. */
export const NEEDED: readonly string[] = [DEFAULT, LAST_ONE];

/** Approvals, from flags. They decide what is blocked, and nothing else of a plan. */
export interface Approvals {
  readonly allowDelete: boolean;
  readonly maxRemovals?: RemovalLimit;
  readonly acceptRoutingWindow: boolean;
  /** One-time tokens have a place to go. Default: false. */
  readonly tokenSink?: boolean;
}

/** The input of the policy checks. */
export interface PolicyCheckInput {
  readonly approvals: Approvals;
  readonly state: ResolvedState;
  readonly matching: Matching;
  readonly drafts: readonly Draft[];
  readonly operations: readonly Operation[];
  /** Requests of routing changes during which an alert may be routed neither as before nor as declared. */
  readonly window: number;
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
}

/**
 * Every refusal, in the order in which a person would deal with them. It is the one list of what a plan needs: the plan shows it, and
 * `apply` refuses for nothing else.
 */
export function checkPolicies(input: PolicyCheckInput): readonly Blocked[] {
  return [
    ...protectedResources(input),
    ...keysInUse(input),
    ...exclusiveHolders(input),
    ...lastGroupMembers(input),
    ...deletions(input),
    ...cutOffs(input),
    ...removalLimits(input),
    ...routingWindows(input),
    ...tokensWithoutSink(input.operations, input.approvals),
  ];
}

function protectedResources({ state, drafts }: PolicyCheckInput): readonly Blocked[] {
  const patterns = state.configuration.settings.protected;
  const removals = drafts.filter(
    ({ change, declared }) =>
      isRemoval(change) &&
      (declared?.protected === true || patterns.some((pattern) => matchesPattern(pattern, change.address))),
  );
  return addressesOf(removals).map((address) => ({
    code: "PROTECTED",
    message: `${address} is protected and cannot be removed, disabled or replaced`,
    addresses: [address],
  }));
}

function keysInUse({ drafts, ownPrefixes }: PolicyCheckInput): readonly Blocked[] {
  const removals = drafts.filter(
    ({ change, kind, live }) =>
      isRemoval(change) && kind.lifecycle.secret !== undefined && live !== undefined && ownPrefixes.includes(live.id),
  );
  return addressesOf(removals).map((address) => ({
    code: "OWN_KEY",
    message: `${address} is the key that this run uses; without it the run would lock itself out`,
    addresses: [address],
  }));
}

function exclusiveHolders({ drafts }: PolicyCheckInput): readonly Blocked[] {
  return drafts.flatMap((draft) => {
    const { change, kind, live } = draft;
    const { exclusive = "" } = kind.lifecycle;
    if (!isRemoval(change) || live?.fields[exclusive] !== true) return [];
    if (drafts.some((other) => other.kind === kind && takesExclusive(other))) return [];
    const message = `${change.address} is the ${exclusive} ${kind.title} and cannot be removed; set ${exclusive}: true on another ${kind.title} first`;
    return [{ code: DEFAULT, message, addresses: [change.address] }];
  });
}

function lastGroupMembers({ drafts, state }: PolicyCheckInput): readonly Blocked[] {
  return kindsOf(drafts).flatMap((kind) => {
    const { atLeastOnePer: field, disable = "" } = kind.lifecycle;
    if (field === undefined) return [];
    const kindDrafts = drafts.filter((draft) => draft.kind === kind);
    const removed = new Set(kindDrafts.filter(({ change }) => isRemoval(change)).map(({ live }) => live));
    const enabled = state.all(kind.name).filter((live) => !isDisabled(live));
    return [...groupBy(enabled, ({ fields }) => String(fields[field]))].flatMap(([value, members]) => {
      const hasNew = kindDrafts.some(
        ({ declared, live }) =>
          declared !== undefined &&
          (declared.fields[field] ?? live?.fields[field]) === value &&
          declared.fields[disable] !== false,
      );
      if (hasNew || members.some((member) => !removed.has(member))) return [];
      const addresses = members.map(({ address }) => address);
      const message = `${addresses.join(", ")}: the workspace needs an enabled ${kind.title} with ${field} ${value}`;
      return [{ code: LAST_ONE, message, addresses }];
    });
  });
}

function deletions({ drafts, approvals, state }: PolicyCheckInput): readonly Blocked[] {
  if (approvals.allowDelete) return [];
  const addresses = addressesOf(
    drafts.filter((draft) => draft.change.action === "delete" && needsDeleteApproval(draft, state)),
  );
  if (addresses.length === 0) return [];
  const message = `the plan deletes ${counted(addresses.length, "resource")}`;
  return [{ code: DELETE, message, addresses, flag: "--allow-delete" }];
}

/** The refusal to disable what other systems call because the files do not list it. A declared `false` is meant. */
function cutOffs({ drafts, approvals }: PolicyCheckInput): readonly Blocked[] {
  if (approvals.allowDelete) return [];
  const addresses = addressesOf(
    drafts.filter(
      ({ change, kind, declared }) =>
        change.action === "disable" && declared === undefined && kind.lifecycle.calledByOthers !== undefined,
    ),
  );
  if (addresses.length === 0) return [];
  const message = `the plan disables ${counted(addresses.length, "resource")} that other systems call, which cuts them off`;
  return [{ code: DELETE, message, addresses, flag: "--allow-delete" }];
}

function routingWindows({ window, approvals }: PolicyCheckInput): readonly Blocked[] {
  if (window === 0 || approvals.acceptRoutingWindow) return [];
  const message = `for ${counted(window, "request")}, some alerts would be routed neither as before nor as declared`;
  return [{ code: "ROUTING_WINDOW", message, addresses: [], flag: "--accept-routing-window" }];
}

/** The refusal of operations that reveal one-time tokens, if there is no sink. */
export function tokensWithoutSink(
  operations: readonly Operation[],
  { tokenSink = false }: Pick<Approvals, "tokenSink">,
): readonly Blocked[] {
  const tokens = operations.filter(({ reveals }) => reveals !== undefined).map(({ address }) => address);
  if (tokens.length === 0 || tokenSink) return [];
  const them = tokens.length === 1 ? "it" : "them";
  const message = `the service shows ${counted(tokens.length, "token")} only once; store ${them} with --secrets-out FILE or --secrets-exec CMD`;
  return [{ code: TOKEN_SINK, message, addresses: tokens, flag: "--secrets-out FILE" }];
}

/** Whether a deletion requires an approval: not for parts of a kept resource, nor for rules of a list that stays. */
function needsDeleteApproval({ kind, scope }: Draft, state: ResolvedState): boolean {
  if (kind.lifecycle.ownedByParent === true) return false;
  return kind.lifecycle.order !== "rank" || state.declaredIn(kind.name, scope).length === 0;
}

function addressesOf(drafts: readonly Draft[]): readonly string[] {
  return drafts.map(({ change }) => change.address);
}

function kindsOf(drafts: readonly Draft[]): readonly Kind[] {
  return [...new Set(drafts.map(({ kind }) => kind))];
}
