/** Creating and updating entries that have an identity of their own: one request where one will do. */

import type { Configuration } from "../config/configuration.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Fields, Json } from "../json.ts";
import type { Kind, WireFields } from "../kinds/kind.ts";
import type { Declared, Live } from "../kinds/resource.ts";
import { derives, nameFor } from "../kinds/slug.ts";
import { choiceSteps } from "./choices.ts";
import { compare, creation, sendable } from "./compare.ts";
import type { Pair } from "./meet.ts";
import type { Action, Change, Risk, Unreadable, Warning } from "./plan.ts";
import { retainedChoices } from "./retained.ts";
import type { State } from "./state.ts";
import { creationTarget, type Draft, memberTarget, type Step, withheld } from "./step.ts";

/** What became of one declared entry. */
export interface Keyed {
  /** Absent when nothing differs. */
  readonly draft?: Draft;
  readonly unreadable: readonly Unreadable[];
  readonly warnings: readonly Warning[];
  readonly errors: readonly Diagnostic[];
}

/** Drafts the change of one declared entry. `moves`: it must change its place; `deferred`: fields that must wait. */
export function draftEntry(
  configuration: Configuration,
  state: State,
  pair: Pair,
  moves: boolean,
  deferred: ReadonlySet<string>,
): Keyed {
  return pair.live === undefined
    ? drafted(state, pair.declared, deferred)
    : updated(configuration, state, pair.declared, pair.live, moves);
}

function drafted(state: State, declared: Declared, deferred: ReadonlySet<string>): Keyed {
  const kind = declared.kind;
  const errors = (kind.required ?? [])
    .filter((name) => missing(declared, name))
    .map((name) => required(declared, name));
  const named = firstName(declared);
  if (named instanceof Error) errors.push(underivable(declared, named.message));
  if (errors.length > 0 || named instanceof Error) return { errors, warnings: [], unreadable: [] };

  const sent = Object.entries(sendable(kind, declared.fields)).filter(([name, value]) => wanted(kind, name, value));
  const now: Record<string, Json> = {};
  const then: Record<string, Json> = {};
  for (const [name, value] of sent) {
    const waits =
      kind.fields?.[name]?.only === "update" || (deferred.size > 0 && !(kind.required ?? []).includes(name));
    (waits ? then : now)[name] = value;
  }
  if (named !== undefined && named !== now.name) {
    then.name = now.name ?? null;
    now.name = named;
  }
  const steps = [creating(state, declared, now)];
  if (Object.keys(then).length > 0) {
    const why =
      deferred.size > 0
        ? `set ${list([...deferred])}, now that what it mentions exists`
        : named !== undefined && "name" in then
          ? "give it its name, now that its slug is made"
          : `set ${list(Object.keys(then))}, which a creation does not take`;
    steps.push(patching(state, declared, undefined, then, why, steps.slice()));
  }
  const change = changeOf(
    declared,
    "create",
    creation(declared),
    "not in the workspace",
    kind.reveals === undefined ? "safe" : "attention",
  );
  return { draft: { change, kind, scope: declared.scope, declared, steps }, unreadable: [], warnings: [], errors: [] };
}

function creating(state: State, declared: Declared, fields: Fields): Step {
  const kind = declared.kind;
  const derived = Object.entries(kind.fields ?? {}).flatMap(([name, { derived: value }]) => {
    const made = name in declared.fields ? undefined : value?.(declared.fields);
    return made === undefined ? [] : [[name, made] as const];
  });
  const attached = kind.attach !== undefined && Object.keys(fields).length === 0 ? kind.attach : {};
  const encoded = encode(state, declared, { ...Object.fromEntries(derived), ...fields, ...attached });
  const identity = kind.slug === "option" || kind.slug === "word" ? {} : { [declared.keyField]: declared.key };
  const body = { ...kind.owner?.(state, declared.scope), ...identity, ...encoded };
  const attach = kind.attach !== undefined;
  return {
    kind,
    address: declared.address,
    method: attach ? "PATCH" : "POST",
    target: attach
      ? memberTarget(kind, declared.scope, undefined, declared).target
      : creationTarget(kind, declared.scope),
    body,
    why: attach ? `put the field on the form` : `create the ${kind.title}`,
    late: false,
    needs: [],
    ...(kind.order === "position" ? { placed: true as const } : {}),
    ...(kind.slug === undefined ? {} : { expects: { slug: declared.key } }),
    ...(kind.reveals === undefined ? {} : { reveals: kind.reveals }),
  };
}

function updated(configuration: Configuration, state: State, declared: Declared, live: Live, moves: boolean): Keyed {
  const kind = declared.kind;
  const { fields, warnings } = completed(configuration, state, declared, live);
  const wish = kind.disable === undefined || kind.disable in fields ? fields : { ...fields, [kind.disable]: true };
  const { names, changes, unreadable } = compare(declared, wish, live);
  const stated = unreadable.filter(({ path }) => path.slice(1) in declared.fields);
  const errors = refusals(declared, live, fields, names, state.held(live));
  if (errors.length > 0 || (names.length === 0 && !moves)) return { errors, warnings, unreadable: stated };

  const choices = names.filter((name) => kind.fields?.[name]?.choices === true);
  const plain = names.filter((name) => !choices.includes(name));
  const enabling = kind.disable !== undefined && names.includes(kind.disable) ? wish[kind.disable] : undefined;
  const steps: Step[] = [];
  if (plain.length > 0 || moves) {
    const sent = Object.fromEntries(
      plain.map((name) => [name, name === declared.keyField ? declared.key : (wish[name] ?? null)]),
    );
    const why = plain.length > 0 ? `set ${plain.join(", ")}` : "put it in its place";
    const step = patching(state, declared, live, sent, why, []);
    steps.push({ ...step, late: enabling === false, ...(moves ? { placed: true as const } : {}) });
  }
  for (const name of choices) steps.push(...choiceRequests(state, declared, live, name, fields[name] ?? null, steps));
  const action: Action =
    enabling === undefined ? (names.length > 0 ? "update" : "move") : enabling === true ? "enable" : "disable";
  const risky =
    names.some((name) => kind.fields?.[name]?.attention === true) ||
    steps.some(({ retains, method }) => retains !== undefined || method === "DELETE");
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

/** The stated fields, with what the service would wipe if it were left out and the choices that have to stay. */
function completed(
  configuration: Configuration,
  state: State,
  declared: Declared,
  live: Live,
): { readonly fields: Fields; readonly warnings: readonly Warning[] } {
  const kind = declared.kind;
  const full = kind.complete?.(declared.fields, live.fields, live.row) ?? declared.fields;
  const fields: Record<string, Json> = { ...full };
  const warnings: Warning[] = [];
  for (const [name, { choices }] of Object.entries(kind.fields ?? {})) {
    const stated = full[name];
    if (choices !== true || !Array.isArray(stated)) continue;
    const retained = retainedChoices(configuration, state, declared, live, name);
    fields[name] = [...stated, ...retained.labels];
    warnings.push(...retained.warnings);
  }
  return { fields, warnings };
}

function patching(
  state: State,
  declared: Declared,
  live: Live | undefined,
  fields: Fields,
  why: string,
  needs: Step[],
): Step {
  const kind = declared.kind;
  const resent = Object.entries(kind.fields ?? {}).flatMap(([name, field]) => {
    const value = live?.fields[name] ?? declared.fields[name];
    return field.resent !== true || name in fields || value === undefined ? [] : [[name, value] as const];
  });
  const encoded = encode(state, declared, { ...fields, ...Object.fromEntries(resent) });
  const naming = kind.naming === true ? { [declared.keyField]: declared.key } : {};
  return {
    kind,
    address: declared.address,
    method: "PATCH",
    ...memberTarget(kind, declared.scope, live, declared),
    body: { ...naming, ...encoded },
    why,
    late: false,
    needs,
  };
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
    const why =
      does === "order"
        ? `put the ${name} in order`
        : `${does} ${name.replace(/s$/, "")}${labels.length > 1 ? "s" : ""} ${quoted}${does === "rename" ? "'s former label" : ""}`;
    const step = patching(state, declared, live, { [name]: list }, why, [...before.slice(-1), ...made.slice(-1)]);
    made.push(
      does === "remove"
        ? { ...step, late: true, retains: `${labels.length === 1 ? "option" : "options"} ${quoted}` }
        : step,
    );
  }
  return made;
}

function encode(state: State, declared: Declared, fields: Fields): WireFields {
  const hidden = withheld(declared, fields);
  return declared.kind.encode?.(hidden, state, declared.scope) ?? hidden;
}

/** The name to create with, so that the service derives the declared slug; undefined when the kind's slug is not derived. */
function firstName(declared: Declared): string | undefined | Error {
  const style = declared.kind.slug;
  if (style === undefined || style === "sent") return undefined;
  const name = declared.fields.name;
  if (typeof name === "string" && derives(style, name, declared.key)) return name;
  return nameFor(style, declared.key) ?? new Error(`no name leads the service to the slug "${declared.key}"`);
}

/** Whether a stated value says anything at creation that the service would not do by itself. */
function wanted(kind: Kind, name: string, value: Json): boolean {
  if (value === null) return false;
  if (name === kind.disable) return value === false;
  return !(kind.fields?.[name]?.read !== undefined && value === false);
}

function missing(declared: Declared, name: string): boolean {
  return name !== declared.keyField && (declared.fields[name] === undefined || declared.fields[name] === null);
}

function refusals(
  declared: Declared,
  live: Live,
  fields: Fields,
  names: readonly string[],
  held: number | undefined,
): Diagnostic[] {
  const kind = declared.kind;
  const fixed = names.filter((name) => kind.fields?.[name]?.only === "create");
  const caution = kind.caution?.(live.fields, fields, held);
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

function required(declared: Declared, name: string): Diagnostic {
  return problem(
    declared,
    "",
    "E_REQUIRED",
    `${declared.address} is not in the workspace yet, and creating it needs ${name}`,
    `Add ${name}.`,
  );
}

function underivable(declared: Declared, message: string): Diagnostic {
  return problem(
    declared,
    `/${declared.keyField}`,
    "E_SLUG",
    message,
    "The service makes the slug from the name; write one with single underscores between letters and digits.",
  );
}

function problem(
  declared: Declared,
  pointer: string,
  code: string,
  message: string,
  help: string | undefined,
): Diagnostic {
  const at = pointer === "" ? declared.at : declared.place(pointer);
  return { severity: "error", code, message, at, ...(help === undefined ? {} : { help }) };
}

function changeOf(
  declared: Declared,
  action: Action,
  fields: Change["fields"],
  reason: string,
  risk: Risk,
): Omit<Change, "operations"> {
  const { file, line, column } = declared.at;
  return {
    address: declared.address,
    kind: declared.kind.name,
    action,
    fields,
    reason,
    risk,
    source: { file, line, column },
  };
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
