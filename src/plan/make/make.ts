/** Makes a plan: compares the declared resources with the live ones, and lists changes for people and requests in order. */

import { listAt } from "../../config/resources/configuration.ts";
import { withOpaqueValues } from "../../config/resources/opaque-values.ts";
import { type Diagnostic, InvalidConfiguration, sourcePlace } from "../../core/diagnostic.ts";
import { groupFindings } from "../../core/findings.ts";
import type { Fields } from "../../core/json.ts";
import { type Kind, POSITION } from "../../kinds/model/kind.ts";
import { addressPrefix, type LiveResource } from "../../kinds/model/resource.ts";
import { isExempt } from "../../workspace/match/exempt.ts";
import { missingReferences } from "../../workspace/match/missing-references.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { type Approvals, checkPolicies } from "../checks/policy-checks.ts";
import { preconditionsOf } from "../checks/preconditions.ts";
import { workspaceIdentity } from "../checks/seal.ts";
import { type TokenHistory, unstoredTokens } from "../checks/unstored-tokens.ts";
import {
  otherOrigins,
  sourceWarnings,
  undoRemainders,
  unsettledWarnings,
  updatesOfOthers,
} from "../checks/warnings.ts";
import { hasEnded, passedTimes } from "../diff/change.ts";
import { draftCreate } from "../diff/create.ts";
import { lastValues, maskEnvironmentValues } from "../diff/mask-environment.ts";
import type { Draft } from "../diff/step.ts";
import { draftUpdate } from "../diff/update.ts";
import type { PlanContext } from "../model/context.ts";
import {
  actionCounts,
  type Blocked,
  type Change,
  type Derived,
  type LeftAlone,
  type Plan,
  type RankedTransition,
  type Summary,
  type Unreadable,
  type Warning,
} from "../model/plan.ts";
import { assignBatches } from "../order/batches.ts";
import {
  declaredOrder,
  derivedPositions,
  liveOrder,
  modelOrder,
  toOperations,
  withPosition,
} from "../order/operations.ts";
import { resourcesToMove } from "../order/reorder.ts";
import { orderCreations, orderKinds, sequenceSteps, takesExclusive } from "../order/sequence.ts";
import { draftRankedLists } from "../ranked/draft-lists.ts";
import { cutOffBy } from "../removal/cut-off.ts";
import { possibleRenames } from "../removal/possible-renames.ts";
import { draftRemovals, type PlannedRemovals, planRemovals } from "../removal/removals.ts";
import { attentionTo } from "./attention.ts";
import { type DraftFilter, filterDrafts, leftOutRemovals } from "./filter-drafts.ts";

export interface PlanInput extends PlanContext {
  readonly approvals: Approvals;
  /** The fields of a live resource that files can declare. */
  readonly declarable: (resource: LiveResource) => Fields;
  /** Scheme, host and port of the service. */
  readonly host: string;
  readonly version: string;
  readonly now: Date;
  /** The filter of a partial plan, as typed, and the addresses that it admits. */
  readonly filter?: DraftFilter & { readonly typed: readonly string[] };
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
  /** The facts about tokens that nobody has used. Default: no warnings of them. */
  readonly tokenHistory?: TokenHistory;
  /** Accepted differences, which are not in the state, and what became of other acceptances. Default: none. */
  readonly held?: {
    readonly accepted: readonly LeftAlone[];
    readonly blocked: readonly Blocked[];
    readonly warnings: readonly Warning[];
  };
  /** Findings to show with the plan. */
  readonly findings?: readonly Warning[];
  /** The run that the plan undoes, and the resources that it created. Default: the plan is one of the configuration. */
  readonly undo?: { readonly run: string; readonly created: readonly string[] };
}

/** Makes the plan. Throws `InvalidConfiguration` with every reason why none can be made. */
export function makePlan(input: PlanInput): Plan {
  const { state, graph, lastApplied } = input;
  const removals = planRemovals(input);
  const drafted = draftAll(input, removals);
  if (drafted.errors.length > 0) {
    const { declared } = state.configuration;
    throw new InvalidConfiguration(groupFindings(withOpaqueValues(drafted.errors, declared)));
  }

  const { filter = { admits: () => true } } = input;
  const { admits } = filter;
  const { drafts, warnings: filtered } = filterDrafts(drafted.drafts, filter);
  const lists = modelOrder(state);
  const steps = sequenceSteps(input, drafts);
  const preconditions = preconditionsOf(input, steps, drafts);
  const { list: operations, ids } = toOperations(steps, lists, preconditions, assignBatches(graph, steps, drafts));
  const created = new Set(
    drafts.filter(({ change }) => change.action === "create").map(({ change }) => change.address),
  );
  const changes = inRegistryOrder(state, drafts).map((draft): Change => {
    const masked = maskEnvironmentValues(draft.change, lastApplied.hashes);
    const attention = attentionTo({ ...draft, change: masked }, state, created);
    const { address, kind, ...rest } = withPosition(lists, masked, draft.steps);
    // Address and kind are first in JSON.
    return {
      address,
      kind,
      ...listSource(state, draft),
      ...rest,
      ...(rest.action === "delete" && draft.live !== undefined
        ? { values: lastValues(draft.live, input.declarable(draft.live), lastApplied.hashes) }
        : {}),
      ...cutOffBy(draft, lastApplied.hashes),
      ...(attention === undefined ? {} : { attention }),
      operations: draft.steps.map((step) => ids.get(step) ?? ""),
    };
  });
  const touched = new Set(drafts.map(({ kind, scope }) => addressPrefix(kind, scope)));
  const renames = possibleRenames(state, drafted.drafts).filter(({ from, to }) => admits(from) || admits(to));
  const transitions = drafted.transitions.filter(({ address }) => touched.has(`${address}/`));
  const { environment } = state.configuration.settings;
  const { held = NOTHING_HELD } = input;
  const ignored = input.ignored.filter(({ address }) => admits(address));
  const others = input.madeByOthers.filter(({ address }) => admits(address));
  const warnings = [
    ...drafted.warnings,
    ...filtered,
    ...leftOutRemovals(input, filter),
    ...held.warnings,
    ...sourceWarnings(state.configuration),
    ...unsettledWarnings(input.unsettled).filter(({ address = "" }) => admits(address)),
    ...updatesOfOthers(input.matching, changes),
    ...otherOrigins(input.matching).filter(({ address = "" }) => admits(address)),
    ...(input.findings ?? []),
    ...unstoredTokens({ ...input, changes }).filter(({ address = "" }) => admits(address)),
  ];
  return {
    format_version: 1,
    tool: { name: "incidentctl", version: input.version },
    target: {
      host: input.host,
      ...(environment === undefined ? {} : { environment }),
      workspace: workspaceIdentity(state),
    },
    ...(input.filter === undefined ? {} : { partial: input.filter.typed }),
    summary: {
      ...summaryOf(changes, drafted.unchanged, operations),
      accepted: held.accepted.length,
      ignored: ignored.length,
      ...(others.length === 0 ? {} : { others: others.length }),
    },
    changes,
    operations,
    ...(transitions.length === 0 ? {} : { transitions }),
    derived: [
      ...derivedPositions(lists, steps),
      ...exclusiveHandovers(state, drafts),
      ...drafted.derived.filter(({ address }) => drafts.some(({ change }) => change.address === address)),
    ],
    warnings: [...warnings, ...(input.undo === undefined ? [] : undoRemainders(input.undo, { changes, warnings }))],
    ...(renames.length === 0 ? {} : { renames }),
    unreadable: drafted.unreadable.filter(({ address }) => admits(address)),
    blocked: [...held.blocked, ...checkPolicies({ ...input, drafts, operations, window: drafted.window })],
    accepted: held.accepted,
    ignored,
    ...(others.length === 0 ? {} : { others }),
    seal: { created_at: input.now.toISOString(), configuration: state.configuration.digest },
    ...(input.undo === undefined ? {} : { undoes: input.undo.run }),
  };
}

const NOTHING_HELD: NonNullable<PlanInput["held"]> = { accepted: [], blocked: [], warnings: [] };

/** The path of a position among the fields of a change. */
const POSITION_PATH = `/${POSITION}`;

/** The drafts of all kinds, with their errors and warnings. */
interface Drafted {
  readonly drafts: readonly Draft[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Warning[];
  readonly unreadable: readonly Unreadable[];
  readonly derived: readonly Derived[];
  readonly transitions: readonly RankedTransition[];
  readonly window: number;
  readonly unchanged: number;
}

function draftAll(context: PlanInput, planned: PlannedRemovals): Drafted {
  const { state, matching } = context;
  const drafts: Draft[] = [];
  const errors: Diagnostic[] = [...missingReferences(state)];
  const warnings: Warning[] = [];
  const unreadable: Unreadable[] = [];
  const derived: Derived[] = [];
  const transitions: RankedTransition[] = [];
  let window = 0;
  let unchanged = 0;
  for (const kind of orderKinds(state.kinds.values())) {
    if (kind.lifecycle.order === "rank") {
      const ranked = draftRankedLists(context, kind);
      drafts.push(...ranked.drafts);
      warnings.push(...ranked.warnings);
      derived.push(...ranked.derived);
      transitions.push(...ranked.transitions);
      window += ranked.window;
      unchanged += ranked.unchanged;
      continue;
    }
    const lists = matching.lists.filter((list) => list.kind === kind.name);
    errors.push(...lists.flatMap((list) => list.errors));
    const toMove = resourcesToMoveIn(state, kind);
    const ordered = orderCreations(
      context,
      lists.flatMap(({ matches }) => matches),
    );
    for (const { declared, live } of ordered.matches) {
      const { address } = declared;
      if (live === undefined && hasEnded(declared, context.now)) {
        unchanged += 1;
        continue;
      }
      const result =
        live === undefined
          ? draftCreate(context, declared, ordered.deferred.get(address) ?? new Map())
          : draftUpdate(
              context,
              declared,
              live,
              planned.fill(declared, live),
              toMove.has(address) && !isExempt(declared, POSITION_PATH),
            );
      errors.push(...result.errors);
      warnings.push(...result.warnings);
      unreadable.push(...result.unreadable);
      if (result.draft === undefined) unchanged += 1;
      else {
        errors.push(...passedTimes(result.draft, context.now));
        drafts.push(result.draft);
      }
    }
  }
  const removalDrafts = errors.length > 0 ? { drafts: [], warnings: [] } : draftRemovals(context, planned);
  return {
    drafts: drafts.concat(removalDrafts.drafts),
    errors,
    warnings: warnings.concat(removalDrafts.warnings),
    unreadable,
    derived,
    transitions,
    window,
    unchanged,
  };
}

/** Addresses of the resources of a kind that change their position. */
function resourcesToMoveIn(state: ResolvedState, kind: Kind): ReadonlySet<string> {
  if (kind.lifecycle.order !== "position") return new Set();
  return resourcesToMove(liveOrder(state, kind), declaredOrder(state, kind));
}

/** The place of the list in the files, for a resource that is no longer in it. */
function listSource({ configuration }: ResolvedState, { kind, scope }: Draft): Pick<Change, "source"> {
  const at = listAt(configuration, kind.name, scope);
  return at === undefined ? {} : { source: sourcePlace(at) };
}

/** The exclusive field moves by itself when another resource takes it. That of a deleted resource goes with it. */
function exclusiveHandovers(state: ResolvedState, drafts: readonly Draft[]): readonly Derived[] {
  const deleted = new Set(
    drafts.filter(({ change }) => change.action === "delete").map(({ change }) => change.address),
  );
  return drafts.filter(takesExclusive).flatMap(({ kind, change }) => {
    const { exclusive = "" } = kind.lifecycle;
    const holders = state
      .all(kind.name)
      .filter(
        (live) => live.fields[exclusive] === true && live.address !== change.address && !deleted.has(live.address),
      );
    return holders.map(({ address }) => ({
      address,
      path: `/${exclusive}`,
      before: true,
      after: false,
      reason: `${change.address} becomes the ${exclusive}`,
    }));
  });
}

/** Drafts as plans show them: kinds in registry order, each in declared order, removals last. */
function inRegistryOrder(state: ResolvedState, drafts: readonly Draft[]): readonly Draft[] {
  return [...state.kinds.values()].flatMap((kind) => drafts.filter((draft) => draft.kind === kind));
}

/** The totals of a plan. */
export function summaryOf(changes: Plan["changes"], unchanged: number, operations: Plan["operations"]): Summary {
  const checked = operations.filter(({ guard }) => guard !== undefined && guard.unchecked !== true);
  return {
    ...actionCounts(changes),
    unchanged,
    operations: operations.length,
    requests: operations.length + checked.length,
  };
}
