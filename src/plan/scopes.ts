/** Drafting the changes of ranked lists: one transition a scope, shown to people rule by rule. */

import { type Fields, isFields } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { addressOf, type Declared, type Live } from "../kinds/resource.ts";
import { sendable } from "./compare.ts";
import type { Warning } from "./plan.ts";
import { entering, leaving, type RankedStep, type Rule, type Transition, transition } from "./ranked.ts";
import { changesOf } from "./ranked-changes.ts";
import { matchesAll, rule } from "./rule.ts";
import type { State } from "./state.ts";
import { creationTarget, type Draft, memberTarget, type Step, withheld } from "./step.ts";

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
  readonly calls: number;
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
  const before = live.map((entry) => rule(kind, entry.fields));
  const wanted = declared.map((entry) => ({ ...defaults(kind, entry.fields), ...sendable(kind, entry.fields) }));
  const after = wanted.map((fields) => rule(kind, fields));
  const { steps: planned, window } = change(before, after, live, wanted, around);
  const requests = requestsOf(state, kind, scope, live, declared, wanted, planned, around);
  const rows = changesOf(kind, scope, live, declared, wanted, before, after);
  const drafts = rows.map(({ change, take }): Draft => {
    const entry = declared.find((candidate) => candidate.address === change.address);
    return {
      change,
      kind,
      scope,
      ...(entry === undefined ? {} : { declared: entry }),
      steps: requests.filter(({ step }) => take(step)).map(({ request }) => request),
    };
  });
  const place = scope === "" ? kind.name : `${kind.name}/${scope}`;
  return {
    drafts: covering(drafts, requests),
    warnings: windowWarning(kind, place, window, around),
    window,
    calls: requests.length,
  };
}

function change(
  before: readonly Rule[],
  after: readonly Rule[],
  live: readonly Live[],
  wanted: readonly Fields[],
  around: Surroundings,
): Transition {
  const holding = around.holding !== undefined;
  if (around.fallsBack && before.length === 0) return entering(after, (index) => matchesAll(wanted[index]), holding);
  if (around.fallsBack && after.length === 0)
    return leaving(before, (index) => matchesAll(live[index]?.fields), holding);
  return transition(before, after);
}

function defaults(kind: Kind, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(kind.fields ?? {}).flatMap(([name, field]) => {
      const value = field.derived?.(fields);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

interface Request {
  readonly step: RankedStep;
  readonly request: Step;
}

function requestsOf(
  state: State,
  kind: Kind,
  scope: string,
  live: readonly Live[],
  declared: readonly Declared[],
  wanted: readonly Fields[],
  planned: readonly RankedStep[],
  around: Surroundings,
): readonly Request[] {
  const made: Request[] = [];
  const held = addressOf(kind, scope, "1");
  /** Rewritten on the way: what stands there is no longer what was read. */
  const covered = new Set<Live | undefined>();
  for (const step of planned) {
    const target = "live" in step ? live[step.live] : undefined;
    const index = "declared" in step ? step.declared : 0;
    const entry = declared[index];
    const fields = entry === undefined ? {} : withheld(entry, wanted[index] ?? {});
    const encoded = kind.encode?.(fields, state, scope) ?? fields;
    const holding = kind.encode?.(
      around.holding === undefined ? {} : { outcome: around.holding, conditions: [], enabled: true },
      state,
      scope,
    );
    const base = { kind, late: false, needs: made.slice(-1).map(({ request }) => request) };
    const patch = (body: Step["body"], why: string): Step => ({
      ...base,
      address: target?.address ?? held,
      method: "PATCH",
      ...memberTarget(kind, scope, target, entry),
      body,
      why,
      ...guard(kind, scope, target),
    });
    const request = ((): Step => {
      switch (step.does) {
        case "outcome":
          return patch({ outcome: encoded.outcome ?? null }, "change the outcome of the rule");
        case "rewrite":
          return patch(encoded, "rewrite the one rule that differs");
        case "append":
          return {
            ...base,
            address: entry?.address ?? held,
            method: "POST",
            target: creationTarget(kind, scope),
            body: encoded,
            why: "append the rule",
          };
        case "hold":
          return {
            ...base,
            address: held,
            method: "POST",
            target: creationTarget(kind, scope),
            body: holding ?? null,
            why: "hold every alert on one outcome meanwhile",
          };
        case "release":
          return {
            ...base,
            address: held,
            method: "PATCH",
            ...memberTarget(kind, scope, undefined, entry),
            unknown: held,
            body: encoded,
            why: "turn the holding rule into the first rule",
          };
        case "cover":
          covered.add(target);
          return patch(holding ?? null, "hold every alert on one outcome meanwhile");
        case "delete":
          return {
            ...base,
            address: target?.address ?? held,
            method: "DELETE",
            ...memberTarget(kind, scope, target, undefined),
            body: null,
            why: "delete the rule",
            ...(covered.has(target) ? {} : guard(kind, scope, target)),
          };
      }
    })();
    made.push({ step, request });
  }
  return made;
}

/** Before a write by rank: the row there must still be the one that was planned. */
function guard(kind: Kind, scope: string, target: Live | undefined): Pick<Step, "guard"> {
  if (target === undefined) return {};
  const { row } = target;
  const { path, query } = creationTarget(kind, scope);
  const address = kind.address[0] ?? "";
  const compared = Object.fromEntries(
    Object.keys(kind.fields ?? {}).flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])),
  );
  return {
    guard: { path, query, list: kind.list, address: target.id, row: { [address]: row[address] ?? null, ...compared } },
  };
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
      message: `${place}: during ${window} requests alerts of this scope ${meanwhile}, because a scope's first ${kind.title} cuts it off from the rules it falls back to, and its last one brings them back`,
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
