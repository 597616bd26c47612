/** Creating an entry: one request where one will do, a second for what a creation does not take. */

import type { Diagnostic } from "../../core/diagnostic.ts";
import { type Fields, isFields, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Declared } from "../../kinds/resource.ts";
import { derives, nameFor } from "../../kinds/slug.ts";
import type { State } from "../../match/resolved-state.ts";
import { changeOf, encode, type Keyed, list, patching, problem } from "./change.ts";
import { creation, sendable } from "./compare.ts";
import { creationTarget, memberTarget, type Step } from "./step.ts";

/** Drafts the creation of an entry. `deferred`: JSON Pointers to what must wait until what it mentions exists. */
export function draftCreation(state: State, declared: Declared, deferred: ReadonlySet<string>): Keyed {
  const kind = declared.kind;
  const errors = (kind.lifecycle.required ?? [])
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
      kind.fields?.[name]?.writtenBy === "update" ||
      (deferred.size > 0 && !(kind.lifecycle.required ?? []).includes(name));
    (waits ? then : now)[name] = value;
    const early = waits && deferred.size > 0 ? without(value, name, deferred) : undefined;
    if (early !== undefined) now[name] = early;
  }
  if (named !== undefined && named !== now.name) {
    then.name = now.name ?? null;
    now.name = named;
  }
  const steps = [creating(state, declared, now)];
  if (Object.keys(then).length > 0) {
    const why =
      deferred.size > 0
        ? `set ${list(fieldsOf(deferred))}, now that what it mentions exists`
        : "name" in then
          ? "give it its name, now that its slug is made"
          : `set ${list(Object.keys(then))}, which a creation does not take`;
    steps.push(patching(state, declared, undefined, then, why, steps.slice()));
  }
  const change = changeOf(
    declared,
    "create",
    creation(declared),
    "not in the workspace",
    kind.lifecycle.secret?.field === undefined ? "safe" : "attention",
  );
  return { draft: { change, kind, scope: declared.scope, declared, steps }, unreadable: [], warnings: [], errors: [] };
}

/** Of a map what need not wait, since the service may ask for it at once; undefined where that is nothing. */
function without(value: Json, name: string, deferred: ReadonlySet<string>): Json | undefined {
  if (!isFields(value)) return undefined;
  const early = Object.entries(value).filter(([key]) => !waitsAt(`/${name}/${key}`, deferred));
  return early.length === 0 ? undefined : Object.fromEntries(early);
}

function waitsAt(place: string, deferred: ReadonlySet<string>): boolean {
  return [...deferred].some((at) => at === place || at.startsWith(`${place}/`));
}

function fieldsOf(deferred: ReadonlySet<string>): readonly string[] {
  return [...new Set([...deferred].map((at) => at.split("/")[1] ?? ""))];
}

function creating(state: State, declared: Declared, fields: Fields): Step {
  const kind = declared.kind;
  const derived = Object.entries(kind.fields ?? {}).flatMap(([name, { computedDefault: value }]) => {
    const made = name in declared.fields ? undefined : value?.(declared.fields);
    return made === undefined ? [] : [[name, made] as const];
  });
  const attached = Object.keys(fields).length === 0 ? kind.lifecycle.createByPatch : {};
  const encoded = encode(state, declared, { ...Object.fromEntries(derived), ...fields, ...attached });
  const identity =
    kind.identity.slug === "option" || kind.identity.slug === "word" ? {} : { [declared.keyField]: declared.key };
  const body = { ...kind.codec?.parentFields?.(state, declared.scope), ...identity, ...encoded };
  const attach = kind.lifecycle.createByPatch !== undefined;
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
    ...(kind.lifecycle.order === "position" ? { placed: true as const } : {}),
    ...(kind.identity.slug === undefined ? {} : { expects: { slug: declared.key } }),
    ...(kind.lifecycle.secret?.field === undefined ? {} : { reveals: kind.lifecycle.secret?.field }),
    ...(kind.lifecycle.secret?.field === undefined && kind.lifecycle.allowsDuplicates !== true
      ? {}
      : { custody: custodyOf(kind) }),
  };
}

function custodyOf({ identity, endpoint, lifecycle }: Kind): NonNullable<Step["custody"]> {
  const tokens = lifecycle.secret?.tokens;
  const below = (path: string) => `/api/v1${path}`;
  return {
    address: identity.idFields,
    remove: below(endpoint.member.path),
    ...(tokens === undefined
      ? {}
      : { tokens: { rotate: below(tokens.rotate), end: below(tokens.end), list: tokens.list } }),
  };
}

/** The name to create with, so that the service derives the declared slug; undefined when the kind's slug is not derived. */
function firstName(declared: Declared): string | undefined | Error {
  const style = declared.kind.identity.slug;
  if (style === undefined || style === "sent") return undefined;
  const name = declared.fields.name;
  if (typeof name === "string" && derives(style, name, declared.key)) return name;
  return nameFor(style, declared.key) ?? new Error(`no name leads the service to the slug "${declared.key}"`);
}

/** Whether a stated value says anything at creation that the service would not do by itself. */
function wanted(kind: Kind, name: string, value: Json): boolean {
  if (value === null) return false;
  if (name === kind.lifecycle.disable) return value === false;
  return !(kind.fields?.[name]?.wireNames !== undefined && value === false);
}

function missing(declared: Declared, name: string): boolean {
  return declared.fields[name] === undefined || declared.fields[name] === null;
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
