/** Drafts the creation of a resource: one request, and a second one for fields that a creation does not accept. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { type Fields, isFields, type Json, pointerIsWithin } from "../../core/json.ts";
import { quoted, yamlWord } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { type LiveResource, originOf, wireKeyOf } from "../../kinds/model/resource.ts";
import { isSameName } from "../../kinds/values/sameness.ts";
import { derivesSlug, nameForSlug } from "../../kinds/values/slug.ts";
import { type LastApplied, wasStoredOtherwise } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { PlanContext } from "../model/context.ts";
import { tokenStoreOf } from "../model/token-paths.ts";
import {
  changeOfDeclared,
  draftPatch,
  encodeFields,
  fieldProblem,
  type ResourceDraft,
  rejectedFields,
} from "./change.ts";
import { computedDefaults, createdFields, isOrigin, writableFields } from "./compare.ts";
import { creationTarget, memberTarget, type Step } from "./step.ts";

/** Drafts the creation of a resource. `deferred`: JSON Pointers to references that must wait, and the addresses of their targets. */
export function draftCreate(
  context: PlanContext,
  declared: DeclaredResource,
  deferred: ReadonlyMap<string, string>,
): ResourceDraft {
  const { state, lastApplied } = context;
  const { kind } = declared;
  const { required = [], secret } = kind.lifecycle;
  const errors = required.filter((name) => isMissing(declared, name)).map((name) => requiredField(declared, name));
  errors.push(...rejectedFields(state, declared, declared.fields, undefined, Object.keys(declared.fields)));
  errors.push(...requiredCycles(state, declared, deferred));
  errors.push(...formerCreations(state, lastApplied, declared));
  const created = creationName(declared);
  if (created instanceof Error) errors.push(slugNotDerivable(declared, created.message));
  if (errors.length > 0 || created instanceof Error) return { errors, warnings: [], unreadable: [] };

  const { first, second } = splitFields(kind, writableFields(kind, declared.fields), deferred);
  const { displayName = "" } = kind.identity;
  // Never secret: it is made from the slug, also where the declared name comes from the environment.
  const slugName = created === undefined || created === first[displayName] ? {} : { [displayName]: created };
  if (displayName in slugName) second[displayName] = first[displayName] ?? null;
  const steps = [creationStep(state, declared, first, slugName)];
  if (Object.keys(second).length > 0) {
    const why =
      deferred.size > 0
        ? `set ${joinWords(fieldsOf(deferred))} (the referenced resource now exists)`
        : displayName in second
          ? `set display name (slug assigned)`
          : `set ${joinWords(Object.keys(second))} (not accepted on creation)`;
    steps.push(draftPatch(context, declared, undefined, second, why, steps.slice()));
  }
  const risk = secret === undefined ? "safe" : "attention";
  const change = changeOfDeclared(declared, "create", createdFields(declared), "not in the workspace", risk);
  return { draft: { change, kind, scope: declared.scope, declared, steps }, unreadable: [], warnings: [], errors: [] };
}

/** The fields of the creation, and those of the PATCH after it. */
function splitFields(
  kind: Kind,
  fields: Fields,
  deferred: ReadonlyMap<string, string>,
): { readonly first: Record<string, Json>; readonly second: Record<string, Json> } {
  const first: Record<string, Json> = {};
  const second: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!isEffective(kind, name, value)) continue;
    const isRequired = kind.lifecycle.required?.includes(name) === true || isOrigin(kind, name);
    const waits = kind.fields?.[name]?.writtenBy === "update" || (deferred.size > 0 && !isRequired);
    (waits ? second : first)[name] = value;
    const early = waits && deferred.size > 0 ? withoutDeferred(value, name, deferred) : undefined;
    if (early !== undefined) first[name] = early;
  }
  return { first, second };
}

/** The members of a map that need not wait, since the service may require them at once; undefined if there are none. */
function withoutDeferred(value: Json, name: string, deferred: ReadonlyMap<string, string>): Json | undefined {
  if (!isFields(value)) return undefined;
  const early = Object.entries(value).filter(([key]) => !isDeferred(`/${name}/${key}`, deferred));
  return early.length === 0 ? undefined : Object.fromEntries(early);
}

function isDeferred(pointer: string, deferred: ReadonlyMap<string, string>): boolean {
  return [...deferred.keys()].some((at) => pointerIsWithin(at, pointer));
}

function fieldsOf(deferred: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...deferred.keys()].map((at) => at.split("/")[1] ?? ""))];
}

function creationStep(state: ResolvedState, declared: DeclaredResource, fields: Fields, slugName: Fields): Step {
  const { kind } = declared;
  const { identity, lifecycle, codec } = kind;
  const computed = Object.entries(computedDefaults(kind, declared.fields));
  const defaults = computed.filter(([name]) => !(name in declared.fields));
  const least = Object.keys(fields).length === 0 ? lifecycle.createByPatch : {};
  const encoded = encodeFields(state, declared, { ...Object.fromEntries(defaults), ...fields, ...least });
  const isSlugDerived = identity.slug === "option" || identity.slug === "word";
  const key = isSlugDerived ? {} : { [declared.keyField]: declared.key };
  const body = { ...codec?.parentFields?.(state, declared.scope), ...key, ...encoded, ...slugName };
  const byPatch = lifecycle.createByPatch !== undefined;
  return {
    kind,
    address: declared.address,
    method: byPatch ? "PATCH" : "POST",
    target: byPatch
      ? memberTarget(kind, declared.scope, undefined, declared).target
      : creationTarget(kind, declared.scope),
    body,
    why: byPatch ? `add the field to the form` : `create ${kind.title}`,
    phase: "change",
    needs: [],
    ...(lifecycle.order === "position" ? { positioned: true as const } : {}),
    ...(identity.slug === undefined ? {} : { expects: { slug: wireKeyOf(declared) } }),
    ...tokenStorePart(kind),
  };
}

/** The part of a creation that is about its one-time token, and about its removal if another run made the same. */
export function tokenStorePart(kind: Kind): Pick<Step, "reveals" | "custody"> {
  const { secret, allowsDuplicates } = kind.lifecycle;
  const mayBeRemoved = secret !== undefined || allowsDuplicates === true;
  return {
    ...(secret === undefined ? {} : { reveals: secret.field }),
    ...(mayBeRemoved ? { custody: tokenStoreOf(kind) } : {}),
  };
}

/** The name to create with, so that the service derives the declared slug; undefined if the kind's slug is not derived. */
function creationName(declared: DeclaredResource): string | undefined | Error {
  const { kind, fields, address } = declared;
  const { slug: style, displayName = "" } = kind.identity;
  if (style === undefined || style === "sent") return undefined;
  const name = fields[displayName];
  const key = wireKeyOf(declared);
  if (typeof name === "string" && derivesSlug(style, name, key)) return name;
  return nameForSlug(style, key) ?? new Error(`no ${displayName} gives ${address} its slug "${key}"`);
}

/** References that the service requires at creation, though their target can only be created later. */
function requiredCycles(
  state: ResolvedState,
  declared: DeclaredResource,
  deferred: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  const { address, fields, kind } = declared;
  // Other kinds send references that wait with their second request.
  if (kind.references?.without === undefined) return [];
  const { withoutReferences } = state.listOf(declared);
  const required = [...deferred].filter(([at]) => withoutReferences(fields, [at]) === undefined);
  return required.map(([at, target]) => {
    const cycle = target === address ? "a reference to itself" : `a reference to ${target}, which requires it in turn`;
    const help = "Make the attribute optional for one of them, or reference an entry that exists.";
    return fieldProblem(declared, at, "E_CYCLE", `${address} cannot be created: it requires ${cycle}`, help);
  });
}

/** An error for a live resource that an apply has created for the declared one, and that the service has stored under a name that is no form of its own. */
function formerCreations(
  state: ResolvedState,
  lastApplied: LastApplied,
  declared: DeclaredResource,
): readonly Diagnostic[] {
  const { kind, scope, address, key, keyField } = declared;
  // A name is not sent again, whatever the flags say: that would make a copy.
  const always = { ...lastApplied, resend: false };
  const origin = originOf(kind, declared.fields);
  const isOwn = (live: LiveResource) =>
    !isSameName(live.key, key) &&
    // One with another origin is another thing, whatever this one was when it had the name.
    (origin === undefined || originOf(kind, live.row) === undefined) &&
    wasStoredOtherwise(always, address, { path: `/${keyField}`, before: live.key, after: key });
  return (state.live(kind.name, scope) ?? []).filter(isOwn).map((live) => {
    const message = `the service stored ${address} under the ${keyField} ${quoted(live.key)}; creating it again would make a second one`;
    const help = `Write ${keyField}: ${yamlWord(live.key)} to manage that one, or choose another ${keyField}.`;
    return fieldProblem(declared, `/${keyField}`, "E_OTHER_FORM", message, help);
  });
}

/** Whether a declared value changes anything at creation that the service would not do by itself. */
function isEffective({ lifecycle }: Kind, name: string, value: Json): boolean {
  if (value === null) return false;
  if (name === lifecycle.disable) return value === false;
  return !(name === lifecycle.exclusive && value === false);
}

function isMissing({ fields }: DeclaredResource, name: string): boolean {
  return fields[name] === undefined || fields[name] === null;
}

function requiredField(declared: DeclaredResource, name: string): Diagnostic {
  const message = `${declared.address} is not in the workspace yet, and creating it requires ${name}`;
  return fieldProblem(declared, "", "E_REQUIRED", message, `Add ${name}.`);
}

function slugNotDerivable(declared: DeclaredResource, message: string): Diagnostic {
  const help =
    "The service derives the slug from the name. Write a slug of letters and digits with single underscores between them.";
  return fieldProblem(declared, `/${declared.keyField}`, "E_SLUG", message, help);
}
