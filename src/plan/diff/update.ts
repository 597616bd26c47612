/** Updating an entry that is live: one PATCH with what differs, and choices changed so that none is taken for another. */

import type { Configuration } from "../../config/load/configuration.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Field, Kind } from "../../kinds/kind.ts";
import { optionLabel } from "../../kinds/option-label.ts";
import type { Declared, Live } from "../../kinds/resource.ts";
import type { State } from "../../match/resolved-state.ts";
import type { Action, Risk, Warning } from "../plan.ts";
import { changeOf, type Keyed, list, patching, problem } from "./change.ts";
import { compare, same, sendable } from "./compare.ts";
import { choiceSteps } from "./option-list.ts";
import { retainedChoices, retainedItems, retainedOffers } from "./retained-options.ts";
import type { Step } from "./step.ts";

/** Drafts the change of an entry that is live. `moves`: it must change its place as well. */
export function draftUpdate(
  configuration: Configuration,
  state: State,
  declared: Declared,
  live: Live,
  moves: boolean,
): Keyed {
  const kind = declared.kind;
  const { fields, meanwhile, warnings } = completed(configuration, state, declared, live);
  const wish =
    kind.lifecycle.disable === undefined || kind.lifecycle.disable in fields
      ? fields
      : { ...fields, [kind.lifecycle.disable]: true };
  const { names, changes, unreadable } = compare(declared, wish, live, state.memory);
  const added = (name: string) => name in wish && !(name in declared.fields);
  const stated = unreadable.length === 0 ? unreadable : unreadable.filter(({ path }) => !added(path.slice(1)));
  const errors = refusals(state, declared, live, fields, names);
  if (names.length === 0 && !moves) return { errors, warnings, unreadable: stated };

  // Where there are none yet, none can be taken for another: the first ones go with the rest.
  const choices = names.filter((name) => kind.fields?.[name]?.optionList === true && !isEmpty(live.fields[name]));
  const waiting = names.filter((name) => name in meanwhile);
  const plain = names.filter((name) => !choices.includes(name) && !waiting.includes(name));
  const early = waiting.filter((name) => !same(kind, name, live.fields[name] ?? null, meanwhile[name] ?? null));
  const enabling =
    kind.lifecycle.disable !== undefined && names.includes(kind.lifecycle.disable)
      ? wish[kind.lifecycle.disable]
      : undefined;
  const steps: Step[] = [];
  const now = [...plain, ...early];
  if (now.length > 0 || moves) {
    const told = sendable(kind, wish);
    const value = (name: string) =>
      name === declared.keyField ? declared.key : (meanwhile[name] ?? told[name] ?? null);
    const sent = Object.fromEntries(now.map((name) => [name, value(name)]));
    const why = now.length > 0 ? `set ${list(now)}` : "put it in its place";
    const step = patching(state, declared, live, sent, why, []);
    steps.push({ ...step, late: enabling === false, ...(moves ? { placed: true as const } : {}) });
  }
  if (waiting.length > 0) {
    const sent = Object.fromEntries(waiting.map((name) => [name, wish[name] ?? null]));
    const why = `set ${list(waiting)}, now that nothing holds what goes`;
    steps.push({ ...patching(state, declared, live, sent, why, steps.slice(-1)), late: true });
  }
  for (const name of choices) steps.push(...choiceRequests(state, declared, live, name, fields[name] ?? null, steps));
  const action: Action =
    enabling === undefined ? (names.length > 0 ? "update" : "move") : enabling === true ? "enable" : "disable";
  const risky =
    names.some((name) => kind.fields?.[name]?.attention === true) || steps.some(({ retains }) => retains !== undefined);
  const risk: Risk = risky || action === "disable" ? "attention" : "safe";
  const reason =
    names.length > 0 ? `${list(names)} ${names.length === 1 ? "differs" : "differ"}` : "it stands in another place";
  const change = changeOf(declared, action, changes, reason, risk);
  return {
    draft: { change, kind, scope: declared.scope, declared, live, steps },
    unreadable: stated,
    warnings,
    errors,
  };
}

/** What is wanted of a live entry, once what must be resent and what has to stay are added. */
export interface Completed {
  readonly fields: Fields;
  /** Fields as they must be until the entries that hold their items are gone. */
  readonly meanwhile: Fields;
  readonly warnings: readonly Warning[];
}

/** Completes the declared fields of a live entry. */
export function completed(configuration: Configuration, state: State, declared: Declared, live: Live): Completed {
  const kind = declared.kind;
  const full =
    kind.codec?.fillForReplace?.(declared.fields, live.fields, live.row, state, declared.scope) ?? declared.fields;
  const lists = listsIn(full, kind);
  if (lists.length === 0) return { fields: full, meanwhile: NOTHING, warnings: NONE };
  const fields: Record<string, Json> = { ...full };
  const meanwhile: Record<string, Json> = {};
  const warnings: Warning[] = [];
  for (const { name, stated, of } of lists) {
    const { optionList: choices, keyedItems: named } = of;
    if (choices === true) {
      const retained = retainedChoices(configuration, state, declared, live, name);
      fields[name] = inPlace(stated, retained.labels, live.fields[name], (choice) =>
        labelNow(choice, live.fields[name]),
      );
      warnings.push(...retained.warnings);
    } else if (named !== undefined) {
      const whole = { address: declared.address, fields: full, place: declared.place };
      const retained = retainedItems(configuration, state, whole, live, name, named);
      const offered = retainedOffers(configuration, state, whole, live, name, named);
      const by = (item: Json) => (isFields(item) ? named.keyOf(item) : "");
      const kept = (items: readonly Json[]) => inPlace(items, retained.items, live.fields[name], by);
      fields[name] = kept(offered.items);
      if (retained.waiting.length > 0 || offered.meanwhile !== undefined) {
        const until = kept(offered.meanwhile ?? offered.items);
        meanwhile[name] = inPlace(until, retained.waiting.map(named.optional), live.fields[name], by);
      }
      warnings.push(...retained.warnings, ...offered.warnings);
    }
  }
  return { fields, meanwhile, warnings };
}

const NOTHING: Fields = {};
const NONE: readonly never[] = [];

/** A stated list of which something may have to stay. */
interface StatedList {
  readonly name: string;
  readonly stated: readonly Json[];
  readonly of: Field;
}

function listsIn(full: Fields, { fields }: Kind): readonly StatedList[] {
  const found: StatedList[] = [];
  for (const name in fields) {
    const [of, stated] = [fields[name], full[name]];
    if ((of?.optionList === true || of?.keyedItems !== undefined) && isList(stated)) found.push({ name, stated, of });
  }
  return found;
}

/** A stated list with live items, in their order, that stay although it does not list them: each right after what it follows now. */
function inPlace(
  stated: readonly Json[],
  staying: readonly Json[],
  live: Json | undefined,
  by: (item: Json) => string,
): readonly Json[] {
  const order = isList(live) ? live.map(by) : [];
  const list = [...stated];
  for (const item of staying) {
    const before = new Set(order.slice(0, order.indexOf(by(item))));
    list.splice(list.findLastIndex((other) => before.has(by(other))) + 1, 0, item);
  }
  return list;
}

function isEmpty(list: Json | undefined): boolean {
  return isList(list) && list.length === 0;
}

/** The label that a declared choice has in the service now: the former one only until it is renamed. */
function labelNow(choice: Json, live: Json | undefined): string {
  const wanted = optionLabel(choice);
  const renamed = isFields(choice) && typeof choice.renamed_from === "string" ? choice.renamed_from : wanted;
  return isList(live) && live.includes(wanted) ? wanted : renamed;
}

/** A changed list of choices, sent so that no choice is taken for another; what takes one away waits. */
function choiceRequests(
  state: State,
  declared: Declared,
  live: Live,
  name: string,
  stated: Json,
  before: readonly Step[],
): readonly Step[] {
  const found = live.fields[name];
  if (!Array.isArray(found) || !Array.isArray(stated)) return [];
  const made: Step[] = [];
  for (const { does, list, labels } of choiceSteps(found.map(String), stated)) {
    const quoted = labels.map((label) => JSON.stringify(label)).join(", ");
    const one = name.replace(/s$/, "");
    const why =
      does === "order"
        ? `put the ${name} in order`
        : does === "rename"
          ? `rename ${one} ${labels.map((label) => JSON.stringify(label)).join(" to ")}`
          : `${does} ${one}${labels.length > 1 ? "s" : ""} ${quoted}`;
    const step = patching(state, declared, live, { [name]: list }, why, [...before.slice(-1), ...made.slice(-1)]);
    made.push(
      does === "remove"
        ? { ...step, late: true, retains: `${labels.length === 1 ? "option" : "options"} ${quoted}` }
        : step,
    );
  }
  return made;
}

function refusals(
  state: State,
  declared: Declared,
  live: Live,
  fields: Fields,
  names: readonly string[],
): readonly Diagnostic[] {
  const kind = declared.kind;
  const caution = kind.lifecycle.rejectUpdate?.(live.fields, fields, state.held(live));
  if (caution === undefined && names.length === 0) return NONE;
  const fixed = names.filter((name) => kind.fields?.[name]?.writtenBy === "create");
  return [
    ...fixed.map((name) =>
      problem(
        declared,
        `/${name}`,
        "E_IMMUTABLE",
        `the service cannot change the ${name} of ${declared.address}; it is ${JSON.stringify(live.fields[name])} and the file says ${JSON.stringify(fields[name])}`,
        `Write the live value, or declare a new ${kind.title}.`,
      ),
    ),
    ...(caution === undefined
      ? []
      : [problem(declared, `/${caution.field}`, "E_CAUTION", `${declared.address}: ${caution.message}`, undefined)]),
  ];
}
