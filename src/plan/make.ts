/** Makes the plan: what is declared, against what is live, as changes for people and requests in order. */

import type { Configuration } from "../config/load/configuration.ts";
import { type Diagnostic, InvalidConfiguration } from "../core/diagnostic.ts";
import type { Fields } from "../core/json.ts";
import type { Kind } from "../kinds/kind.ts";
import { addressesOf, addressOf, type Declared, type Live } from "../kinds/resource.ts";
import { declaredIn } from "../match/declared.ts";
import { differsFromMemory, isUnsent, type Memory } from "../match/last-applied.ts";
import { concerned, isConcerned, type Meetings, meetings } from "../match/match.ts";
import { dangling } from "../match/missing-references.ts";
import type { Observation } from "../match/observation.ts";
import { State } from "../match/resolved-state.ts";
import { type Consent, guards } from "./checks/policy-checks.ts";
import { preImages } from "./checks/preconditions.ts";
import { seal, workspaceIdentity } from "./checks/seal.ts";
import { concealing } from "./diff/concealed.ts";
import { draftCreation } from "./diff/create.ts";
import type { Draft } from "./diff/step.ts";
import { completed, draftUpdate } from "./diff/update.ts";
import { batchesOf } from "./order/batches.ts";
import { derivedOrder, operations, ordered } from "./order/operations.ts";
import { movers } from "./order/reorder.ts";
import { arrange, kindOrder, sequence } from "./order/sequence.ts";
import type { Change, Derived, Plan, RankedTransition, Summary, Unreadable, Warning } from "./plan.ts";
import { draftScope, holdingOutcome } from "./ranked/draft.ts";
import { type Remaining, removals } from "./removal/decide.ts";
import { draftRemoval } from "./removal/draft.ts";
import { policyOf } from "./removal/removal-policy.ts";

/** Everything a plan is made from. */
export interface PlanInput {
  readonly kinds: readonly Kind[];
  readonly configuration: Configuration;
  readonly observation: Observation;
  readonly consent: Consent;
  /** Scheme, host and port of the service. */
  readonly host: string;
  readonly version: string;
  readonly now: Date;
  /** What narrows the plan, as the person typed it, and which addresses it lets through. */
  readonly narrowing?: { readonly said: readonly string[]; readonly admits: (address: string) => boolean };
  readonly ownPrefixes: readonly string[];
  /** What is known of fields that the service does not return. */
  readonly memory: Memory;
  /** What else there is to know before applying. */
  readonly findings?: readonly Warning[];
}

/** Makes the plan. Throws `InvalidConfiguration` with every reason why none can be made. */
export function makePlan(input: PlanInput): Plan {
  const { configuration, kinds } = input;
  const { state, found } = settled(input);
  if (found.errors.length > 0) throw new InvalidConfiguration(found.errors);

  const admits = input.narrowing?.admits ?? (() => true);
  const { drafts, halved } = admitted(found.drafts, admits);
  const lists = ordered(state, configuration, kinds);
  const steps = sequence(state, drafts);
  const { list, ids } = operations(steps, lists, preImages(state, steps, drafts), batchesOf(state, steps, drafts));
  const changes = shown(kinds, drafts).map((draft): Change => {
    const { address, kind, ...rest } = lists.placed(concealing(draft.change, input.memory.lock), draft.steps);
    // Named first, since what begins with another object gets a layout of its own in memory.
    return {
      address,
      kind,
      ...sourceOf(configuration, draft),
      ...rest,
      operations: draft.steps.map((step) => ids.get(step) ?? ""),
    };
  });
  const blocked = guards({
    settings: configuration.settings,
    consent: input.consent,
    state,
    drafts,
    window: found.window,
    ownPrefixes: input.ownPrefixes,
  });
  const lying = new Set(drafts.map(({ kind, scope }) => addressesOf(kind, scope)));
  const transitions = found.transitions.filter(({ address }) => lying.has(`${address}/`));
  const plan: Omit<Plan, "seal"> = {
    format_version: 1,
    tool: { name: "incidentctl", version: input.version },
    target: { host: input.host, workspace: workspaceIdentity(state) },
    ...(input.narrowing === undefined ? {} : { partial: input.narrowing.said }),
    summary: summary(changes, found.unchanged, list),
    changes,
    operations: list,
    ...(transitions.length === 0 ? {} : { transitions }),
    derived: [...derivedOrder(lists, steps), ...handedOver(state, drafts)],
    warnings: [...found.warnings, ...halved, ...(input.findings ?? [])],
    unreadable: found.unreadable.filter(({ address }) => admits(address)),
    blocked,
  };
  return { ...plan, seal: seal(plan, configuration, state, input.now) };
}

/**
 * The drafts that a narrowed plan holds. A list in which the first match wins changes as a whole or not at all: some of its
 * requests without the others would send alerts elsewhere.
 */
function admitted(
  drafts: readonly Draft[],
  admits: (address: string) => boolean,
): { readonly drafts: readonly Draft[]; readonly halved: readonly Warning[] } {
  const lists = new Map<string, Draft[]>();
  for (const draft of drafts.filter(({ kind }) => kind.lifecycle.order === "rank")) {
    const list = addressOf(draft.kind, draft.scope, "").slice(0, -1);
    lists.set(list, [...(lists.get(list) ?? []), draft]);
  }
  const cut = [...lists].filter(([, own]) => own.some(({ change }) => !admits(change.address)));
  const left = new Set(cut.flatMap(([, own]) => own));
  return {
    drafts: drafts.filter((draft) => !left.has(draft) && admits(draft.change.address)),
    halved: cut
      .filter(([, own]) => own.some(({ change }) => admits(change.address)))
      .map(([address, [first]]) => ({
        code: "W_TARGET",
        address,
        message: `${address} is left out: a list of ${first?.kind.title ?? "rule"}s changes as a whole, so that no alert goes astray; name the list`,
      })),
  };
}

/** Where the files speak of what they do not declare: the list that would name it. */
function sourceOf(configuration: Configuration, { kind, scope }: Draft): Pick<Change, "source"> {
  const at = configuration.listAt(kind.name, scope);
  return at === undefined ? {} : { source: { file: at.file, line: at.line, column: at.column } };
}

/** Drafts until nothing more turns out to stay: what stays may itself hold what was to go. */
function settled(input: PlanInput): { readonly state: State; readonly found: Found } {
  let kept: ReadonlySet<string> = new Set(leftAlone(input));
  for (;;) {
    const state = new State(input.kinds, input.configuration, input.observation, kept, input.memory);
    const found = draftAll(input, state);
    if (found.kept.every((address) => kept.has(address))) return { state, found };
    kept = new Set([...kept, ...found.kept]);
  }
}

/** Addresses of entries that are not listed and that this run would not take away whatever points at them. */
function leftAlone({ kinds, configuration, observation }: PlanInput): readonly string[] {
  const state = new State(kinds, configuration, observation);
  return configuration.managed.flatMap(({ kind, scope }) => {
    const row = state.kinds.get(kind);
    if (row === undefined || row.lifecycle.order === "rank") return [];
    const stays = policyOf(configuration.settings, row) === "keep";
    const { unlisted } = meetings(configuration, state, kind, scope);
    return unlisted.filter((live) => stays || !isConcerned(configuration, live)).map(({ address }) => address);
  });
}

interface Found {
  /** Addresses of entries that are not listed but have to stay. */
  readonly kept: readonly string[];
  readonly drafts: readonly Draft[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Warning[];
  readonly unreadable: readonly Unreadable[];
  readonly window: number;
  readonly transitions: readonly RankedTransition[];
  readonly unchanged: number;
}

function draftAll(input: PlanInput, state: State): Found {
  const { configuration } = input;
  const drafts: Draft[] = [];
  const errors: Diagnostic[] = [...dangling(configuration, state)];
  const warnings: Warning[] = [];
  const unreadable: Unreadable[] = [];
  const met: Meetings[] = [];
  let window = 0;
  const transitions: RankedTransition[] = [];
  let unchanged = 0;
  for (const kind of kindOrder(input.kinds)) {
    const scopes = configuration.managed.filter((managed) => managed.kind === kind.name).map(({ scope }) => scope);
    if (kind.lifecycle.order === "rank") {
      for (const scope of inTransitionOrder(scopes, configuration, kind)) {
        const ranked = rankedScope(input, state, kind, scope);
        drafts.push(...ranked.drafts);
        warnings.push(...ranked.warnings);
        window += ranked.window;
        transitions.push(...ranked.transitions);
        unchanged +=
          declaredIn(configuration, kind.name, scope).length -
          ranked.drafts.filter(({ declared, change }) => declared !== undefined && change.action !== "delete").length;
      }
      continue;
    }
    const all = scopes.map((scope) => concerned(configuration, state, kind.name, scope));
    met.push(...all);
    errors.push(...all.flatMap((one) => one.errors));
    const pairs = all.flatMap((one) => one.pairs);
    const moving = kind.lifecycle.order === "position" ? movingIn(state, configuration, kind) : new Set<string>();
    const { pairs: arranged, deferred } = arrange(state, pairs);
    for (const pair of arranged) {
      const { address } = pair.declared;
      const result =
        pair.live === undefined
          ? draftCreation(state, pair.declared, deferred.get(address) ?? new Set())
          : draftUpdate(configuration, state, pair.declared, pair.live, moving.has(address));
      errors.push(...result.errors);
      warnings.push(...result.warnings);
      unreadable.push(...result.unreadable);
      if (result.draft === undefined) unchanged += 1;
      else drafts.push(result.draft);
    }
  }
  const gone = errors.length > 0 ? NOTHING_GOES : takeAway(input, state, met);
  const [all, told] = [drafts.concat(gone.drafts), warnings.concat(gone.warnings)];
  return { kept: gone.kept, drafts: all, errors, warnings: told, unreadable, window, transitions, unchanged };
}

interface Gone {
  readonly kept: readonly string[];
  readonly drafts: readonly Draft[];
  readonly warnings: readonly Warning[];
}

const NOTHING_GOES: Gone = { kept: [], drafts: [], warnings: [] };

function takeAway(input: PlanInput, state: State, met: readonly Meetings[]): Gone {
  const { settings } = input.configuration;
  const unlisted = met.flatMap((one) => one.unlisted);
  if (unlisted.length === 0) return NOTHING_GOES;
  const decided = removals(settings, state, unlisted, () => remainingEntries(input, state, met));
  const results = decided.map((removal) => draftRemoval(state, removal, policyOf(settings, removal.live.kind)));
  const byKind = kindOrder(input.kinds);
  return {
    kept: decided.filter(({ way }) => way === "keep").map(({ live }) => live.address),
    drafts: results
      .flatMap((result) => result.drafts)
      .sort((left, right) => byKind.indexOf(left.kind) - byKind.indexOf(right.kind)),
    warnings: results.flatMap(({ warning }) => warning ?? []),
  };
}

/** Every entry, as it will be while it is there: declared fields over live ones, and what is not declared as it is. */
function remainingEntries(input: PlanInput, state: State, met: readonly Meetings[]): ReadonlyMap<string, Remaining> {
  const former = new Map(
    met
      .flatMap((one) => one.pairs)
      .flatMap(({ declared, live }) => (live === undefined ? [] : [[live, declared] as const])),
  );
  const remaining = new Map<string, Remaining>();
  const managedRanks = new Set(input.configuration.managed.map(({ kind, scope }) => `${kind} ${scope}`));
  for (const kind of input.kinds) {
    for (const live of state.all(kind.name)) {
      if (kind.lifecycle.order === "rank" && managedRanks.has(`${kind.name} ${live.scope}`)) continue;
      const declared = former.get(live);
      const wanted = declared === undefined ? {} : completed(input.configuration, state, declared, live).fields;
      const fields: Fields = { ...live.fields, ...wanted };
      const untold = isUntold(state, live, declared);
      remaining.set(declared?.address ?? live.address, { kind, scope: live.scope, fields, untold });
    }
  }
  for (const entry of input.configuration.declared) {
    if (remaining.has(entry.address)) continue;
    remaining.set(entry.address, { kind: entry.kind, scope: entry.scope, fields: entry.fields, untold: false });
  }
  return remaining;
}

/** Whether the service does not tell a field that mentions others, and no apply has sent it either. */
function isUntold(state: State, live: Live, declared: Declared | undefined): boolean {
  const mentioning = Object.entries(live.kind.fields ?? {}).filter(
    ([, { holdsReferences: mentions }]) => mentions === true,
  );
  return mentioning.some(([name]) => {
    if (live.fields[name] !== undefined) return false;
    const wanted = declared?.fields[name];
    if (declared === undefined || wanted === undefined) return true;
    const differs = differsFromMemory(state.memory, declared.address, name, wanted);
    return differs === undefined || (!differs && isUnsent(state.memory, declared.address, name, wanted));
  });
}

function rankedScope(input: PlanInput, state: State, kind: Kind, scope: string): ReturnType<typeof draftScope> {
  const { configuration } = input;
  const declared = declaredIn(configuration, kind.name, scope);
  const live = state.live(kind.name, scope) ?? [];
  const of = kind.scopes?.kind;
  const scoped = scope !== "" && of !== undefined;
  const exists =
    scoped && (state.live(of) ?? []).some(({ key }) => key === scope || key === state.declared(of, scope)?.renamedFrom);
  const fallsBack =
    exists && othersFor(input, state, kind, declared.length > 0).some(({ fields }) => isOn(kind, fields));
  const holding = holdingOutcome(kind, declared.length > 0 ? declared : live, configuration.settings.holdingOutcome);
  return draftScope(state, kind, scope, live, declared, { fallsBack, ...(holding === undefined ? {} : { holding }) });
}

/**
 * The rules that a scope without its own falls back to, at the time when it changes: those that are there before the
 * run while it gets rules of its own, and those that are there after it when it loses them.
 */
function othersFor(
  { configuration }: PlanInput,
  state: State,
  kind: Kind,
  gets: boolean,
): readonly { readonly fields: Fields }[] {
  const changed = configuration.managed.some((managed) => managed.kind === kind.name && managed.scope === "");
  return changed && !gets ? declaredIn(configuration, kind.name, "") : (state.live(kind.name, "") ?? []);
}

function isOn(kind: Kind, fields: Fields): boolean {
  return fields[kind.lifecycle.disable ?? "enabled"] !== false;
}

/** A scope that gets rules of its own changes before the rules it falls back to, one that loses its own after them. */
function inTransitionOrder(scopes: readonly string[], configuration: Configuration, kind: Kind): readonly string[] {
  const rank = (scope: string) => (scope === "" ? 1 : declaredIn(configuration, kind.name, scope).length > 0 ? 0 : 2);
  return [...scopes].sort((left, right) => rank(left) - rank(right));
}

function movingIn(state: State, configuration: Configuration, kind: Kind): ReadonlySet<string> {
  const live = (state.live(kind.name) ?? []).map(({ address }) => address);
  const wanted = configuration.declared.filter((entry) => entry.kind === kind).map(({ address }) => address);
  return movers(live, wanted);
}

/** The default moves by itself when another entry is made the default. */
function handedOver(state: State, drafts: readonly Draft[]): readonly Derived[] {
  return drafts
    .filter(({ change }) => change.fields.some(({ path, after }) => path === "/default" && after === true))
    .flatMap(({ kind, change }) =>
      state
        .all(kind.name)
        .filter((live) => live.fields.default === true && live.address !== change.address)
        .map((live) => ({
          address: live.address,
          path: "/default",
          before: true,
          after: false,
          reason: `${change.address} becomes the default`,
        })),
    );
}

/** Drafts as plans show them: kinds in registry order, each in declared order, what goes last. */
function shown(kinds: readonly Kind[], drafts: readonly Draft[]): readonly Draft[] {
  return kinds.flatMap((kind) => drafts.filter((draft) => draft.kind === kind));
}

function summary(changes: Plan["changes"], unchanged: number, list: Plan["operations"]): Summary {
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  return {
    create: count("create"),
    update: count("update"),
    move: count("move"),
    enable: count("enable"),
    disable: count("disable"),
    delete: count("delete"),
    unchanged,
    operations: list.length,
    requests: list.length + list.filter(({ guard }) => guard !== undefined && guard.unchecked !== true).length,
  };
}
