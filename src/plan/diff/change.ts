/** Parts of creating and updating a resource alike: a PATCH, the change that people see, an error at its place. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { locationOf, startOf, templateAt } from "../../config/resources/origins.ts";
import { OPAQUE } from "../../config/values/substitution.ts";
import { type Diagnostic, sourcePlace } from "../../core/diagnostic.ts";
import { type Fields, isList, type Json, pick, pointerIsWithin, stepsOf, valueAt } from "../../core/json.ts";
import type { Kind, Rejection } from "../../kinds/model/kind.ts";
import type { WireFields } from "../../kinds/model/lookup.ts";
import { addressOf, isDisabled, type LiveResource } from "../../kinds/model/resource.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { PlanContext } from "../model/context.ts";
import type { Action, Change, Risk, Unreadable, Warning } from "../model/plan.ts";
import { isSecret } from "./compare.ts";
import { type Draft, memberTarget, type Step, withholdFormer, withholdSecrets } from "./step.ts";

/** The draft of one declared resource. */
export interface ResourceDraft {
  /** Absent if nothing differs. */
  readonly draft?: Draft;
  readonly unreadable: readonly Unreadable[];
  readonly warnings: readonly Warning[];
  readonly errors: readonly Diagnostic[];
}

/** One PATCH of a resource, live or just created, with the fields that the service would delete if they were omitted. */
export function draftPatch(
  { state, lastApplied }: PlanContext,
  declared: DeclaredResource,
  live: LiveResource | undefined,
  fields: Fields,
  why: string,
  needs: Step[],
): Step {
  const { kind } = declared;
  const always = Object.entries(kind.fields ?? {}).flatMap(([name, { alwaysSend }]) => {
    const value = live?.fields[name] ?? declared.fields[name];
    return alwaysSend !== true || name in fields || value === undefined ? [] : [[name, value] as const];
  });
  const sent = withholdFormer(declared, { ...fields, ...Object.fromEntries(always) }, lastApplied.hashes);
  const encoded = encodeFields(state, declared, sent);
  const key = kind.endpoint.keyInBody === true ? { [declared.keyField]: declared.key } : {};
  return {
    kind,
    address: declared.address,
    method: "PATCH",
    ...memberTarget(kind, declared.scope, live, declared),
    body: { ...key, ...encoded },
    sets: fields,
    why,
    phase: "change",
    needs,
  };
}

/** The fields in the words of the wire, without secret values. */
export function encodeFields(state: ResolvedState, declared: DeclaredResource, fields: Fields): WireFields {
  return state.listOf(declared).encode(withholdSecrets(declared, fields));
}

/** A change of a declared resource, for people. */
export function changeOfDeclared(
  declared: DeclaredResource,
  action: Action,
  fields: Change["fields"],
  reason: string,
  risk: Risk,
): Omit<Change, "operations"> {
  return {
    address: declared.address,
    kind: declared.kind.name,
    action,
    fields,
    reason,
    risk,
    source: sourcePlace(startOf(declared)),
  };
}

/** An error at a field of a declared resource; at the resource itself for an empty pointer. */
export function fieldProblem(
  declared: DeclaredResource,
  pointer: string,
  code: string,
  message: string,
  help: string | undefined,
): Diagnostic {
  const at = pointer === "" ? startOf(declared) : locationOf(declared.origins, pointer);
  const madeAt = templateAt(declared.origins, pointer);
  return {
    severity: "error",
    code,
    message,
    at,
    address: declared.address,
    ...(madeAt === undefined ? {} : { madeAt }),
    ...(help === undefined ? {} : { help }),
  };
}

const LEFT_ALONE = "The files leave this value of the workspace alone: declare another one, or null to remove it.";

/** Values of a write that the service would refuse. `fields`: the declared ones, filled. `names`: those that are sent. */
export function rejectedFields(
  state: ResolvedState,
  declared: DeclaredResource,
  fields: Fields,
  live: LiveResource | undefined,
  names: readonly string[],
): readonly Diagnostic[] {
  const rejections = state.listOf(declared).rejectedFields(fields, live?.fields);
  const isLeftAlone = (field: string) =>
    valueAt(declared.fields, stepsOf(`/${field}`)) === undefined && valueAt(fields, stepsOf(`/${field}`)) !== undefined;
  return [
    ...[...rejections, ...overlongLists(declared.kind, fields, names)].map(
      ({ field, message, code = "E_REFUSED", help }) =>
        fieldProblem(
          declared,
          `/${field}`,
          code,
          `${declared.address}: ${message}`,
          isLeftAlone(field) ? LEFT_ALONE : help,
        ),
    ),
    ...refusedReferences(state, declared, fields, names),
  ];
}

/** Lists with more items than the service accepts, those included that stay because something uses them. */
function overlongLists(kind: Kind, fields: Fields, names: readonly string[]): readonly Rejection[] {
  return names.flatMap((name) => {
    const value = fields[name];
    const { mostItems } = kind.fields?.[name] ?? {};
    if (mostItems === undefined || !isList(value) || value.length <= mostItems) return [];
    const message = `${value.length} ${name}, with those that stay because something uses them; the service accepts ${mostItems}`;
    return [{ field: name, code: `E_${name.toUpperCase()}`, message }];
  });
}

/** References that are sent and come from the environment, or lead to a resource that is disabled when they are. */
function refusedReferences(
  state: ResolvedState,
  declared: DeclaredResource,
  fields: Fields,
  names: readonly string[],
): readonly Diagnostic[] {
  return state
    .listOf(declared)
    .referencesOf(pick(fields, names))
    .flatMap(({ at, kind, scope, key, needsEnabled }) => {
      // Of a built-in type only the service says which attributes are references.
      if (declared.secrets.some((pointer) => pointerIsWithin(pointer, at)))
        return [fieldProblem(declared, at, OPAQUE.code, `${declared.address}: ${OPAQUE.message}`, OPAQUE.help)];
      const target = needsEnabled === true ? state.kinds.get(kind) : undefined;
      if (target === undefined || !isDisabledUntilRemovals(state, target, scope, key)) return [];
      const address = addressOf(target, scope, key);
      const message = `${declared.address} references ${address}, which is disabled, and the service accepts no new reference to it`;
      return [fieldProblem(declared, at, "E_REF", message, `Enable the ${target.title}, or reference another one.`)];
    });
}

/** Whether a resource is disabled when references to it are sent. The plan enables before and disables after that. */
function isDisabledUntilRemovals(state: ResolvedState, kind: Kind, scope: string, key: string): boolean {
  const { disable = "" } = kind.lifecycle;
  const declared = state.declared(kind.name, key, scope);
  const live = state.list(kind.name, scope)?.liveBy(key);
  const staysDisabled = declared === undefined || declared.fields[disable] === false;
  return staysDisabled && (live === undefined ? declared !== undefined : isDisabled(live));
}

/** Times of a draft that have passed, where the service accepts only later ones. */
export function passedTimes({ change, kind, declared }: Draft, now: Date): readonly Diagnostic[] {
  if (declared === undefined) return [];
  const passed = change.fields.filter(({ path, after }) => isPassed(kind, path.slice(1), after, now));
  return passed.map(({ path, after }) => {
    const message = `${change.address}: ${String(after)} is in the past, and the service accepts only a later time`;
    return fieldProblem(declared, path, "E_DATE", message, "Write a later time, or remove the resource.");
  });
}

/** Whether a resource that is not live has nothing left to do, because its time is over. An analyzer says that its line can go. */
export function hasEnded(declared: DeclaredResource, now: Date): boolean {
  const { kind, fields } = declared;
  return Object.entries(fields).some(([name, value]) => isPassed(kind, name, value, now) && !isSecret(declared, name));
}

/** Whether the value of a field is a time that has to be in the future, and has passed. */
function isPassed(kind: Kind, name: string, value: Json, now: Date): boolean {
  return kind.fields?.[name]?.inFuture === true && typeof value === "string" && Date.parse(value) <= now.getTime();
}
