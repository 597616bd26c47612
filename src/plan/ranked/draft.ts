/** Drafting the changes of ranked lists: one transition a scope, shown to people rule by rule. */

import { equal, type Fields, isFields } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import { addressOf, type Declared, type Live } from "../../kinds/resource.ts";
import type { State } from "../../match/resolved-state.ts";
import { sendable } from "../diff/compare.ts";
import type { Draft, Step } from "../diff/step.ts";
import type { RankedTransition, Warning } from "../plan.ts";
import { changesOf, orderOf, type Row } from "./changes.ts";
import { type Request, rankedRequests } from "./requests.ts";
import { matchesAll, rule } from "./rule.ts";
import type { Rule } from "./rule-list.ts";
import { entering, leaving, type Transition, transition } from "./transition.ts";

/** What a scope falls back to, and what may stand in for a rule meanwhile. */
export interface Surroundings {
  /** The scope falls back to rules that exist, as long as it has none of its own. */
  readonly fallsBack: boolean;
  /** Outcome for a rule that matches everything during the change. */
  readonly holding?: Fields;
}

/** The drafts of one scope; its requests run one after another. */
export interface Ranked {
  readonly drafts: readonly Draft[];
  readonly warnings: readonly Warning[];
  /** Requests during which alerts may get neither their old nor their new answer. */
  readonly window: number;
  /** What a reader is told of the whole; none where nothing changes. */
  readonly transitions: readonly RankedTransition[];
}

/** Drafts the transition of one scope of a ranked kind. */
export function draftScope(
  state: State,
  kind: Kind,
  scope: string,
  live: readonly Live[],
  declared: readonly Declared[],
  around: Surroundings,
): Ranked {
  const wanted = declared.map((entry) => ({ ...defaults(kind, entry.fields), ...sendable(kind, entry.fields) }));
  if (isSettled(kind, live, wanted)) return SETTLED;
  const before = live.map((entry) => rule(kind, entry.fields));
  const after = wanted.map((fields) => rule(kind, fields));
  const { steps: planned, window } = change(before, after, around);
  const requests = rankedRequests({ state, kind, scope, live, declared, wanted, before, after, around }, planned);
  const rows = changesOf(kind, scope, live, declared, wanted, before, after);
  const stepsOf = causes(requests);
  const entries = new Map(declared.map((entry) => [entry.address, entry]));
  const drafts = rows.map((row): Draft => {
    const entry = entries.get(row.change.address);
    return {
      change: row.change,
      kind,
      scope,
      ...(entry === undefined ? {} : { declared: entry }),
      steps: stepsOf(row),
    };
  });
  const place = `${kind.name}/${scope}`;
  return {
    drafts: covering(drafts, requests),
    warnings: windowWarning(kind, place, window, around),
    window,
    transitions:
      requests.length === 0
        ? []
        : [
            {
              ...summaryOf(kind, scope, drafts, requests.length, window),
              order: orderOf(live, declared, before, after),
            },
          ],
  };
}

const SETTLED: Ranked = { drafts: [], warnings: [], window: 0, transitions: [] };

/** Whether every rule is, field by field, what is declared at its place: most lists are, and nothing else need be known of them. */
function isSettled(kind: Kind, live: readonly Live[], wanted: readonly Fields[]): boolean {
  if (live.length !== wanted.length) return false;
  return live.every(({ fields }, index) => {
    const own = wanted[index] ?? {};
    const names = [...Object.keys(own), ...Object.keys(kind.fields ?? {})];
    return names.every((name) => equal(fields[name] ?? null, own[name] ?? null));
  });
}

function change(before: readonly Rule[], after: readonly Rule[], around: Surroundings): Transition {
  const holding = around.holding !== undefined;
  if (around.fallsBack && before.length === 0) return entering(after, holding);
  if (around.fallsBack && after.length === 0) return leaving(before, holding);
  return transition(before, after);
}

function defaults(kind: Kind, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(kind.fields ?? {}).flatMap(([name, field]) => {
      const value = field.computedDefault?.(fields);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function summaryOf(
  kind: Kind,
  scope: string,
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

/** Tells the requests that bring a change about, in their order. */
function causes(requests: readonly Request[]): (row: Row) => readonly Step[] {
  const written = new Map<number, number[]>();
  const deleted = new Map<number, number>();
  requests.forEach(({ step }, at) => {
    if (step.does === "delete") deleted.set(step.row, at);
    else if (step.text.of === "declared") {
      const before = written.get(step.text.rule);
      if (before === undefined) written.set(step.text.rule, [at]);
      else before.push(at);
    }
  });
  return ({ declared = -1, live = -1 }) =>
    [...(written.get(declared) ?? []), deleted.get(live) ?? []]
      .flat()
      .sort((one, other) => one - other)
      .flatMap((at) => requests[at]?.request ?? []);
}

/** Requests that no change took (a holding rule, a rule rewritten as another) belong to the first change of the scope. */
function covering(drafts: readonly Draft[], requests: readonly Request[]): readonly Draft[] {
  const owned = new Set<Step>();
  const unique = drafts.map((draft) => {
    const steps = draft.steps.filter((step) => !owned.has(step));
    for (const step of steps) owned.add(step);
    return { ...draft, steps };
  });
  const rest = requests.map(({ request }) => request).filter((request) => !owned.has(request));
  const [first, ...others] = unique;
  return first === undefined ? [] : [{ ...first, steps: [...first.steps, ...rest] }, ...others];
}

function windowWarning(kind: Kind, place: string, window: number, around: Surroundings): readonly Warning[] {
  if (window === 0) return [];
  const meanwhile = around.holding === undefined ? "may match no rule" : "get the holding outcome";
  return [
    {
      code: "W_ROUTING_WINDOW",
      address: place,
      message: `${place}: during ${window === 1 ? "1 request" : `${window} requests`} alerts of this scope ${meanwhile}, because a scope's first ${kind.title} cuts it off from the rules it falls back to, and its last one brings them back`,
    },
  ];
}

/** The outcome that may stand in while a scope changes: that of the first rule that matches everything, or the settings'. */
export function holdingOutcome(
  rules: readonly { readonly fields: Fields }[],
  fallback: Fields | undefined,
): Fields | undefined {
  const outcome = rules.find(({ fields }) => matchesAll(fields))?.fields.outcome;
  return isFields(outcome) ? outcome : fallback;
}
