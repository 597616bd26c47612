/** A drafted request, with its reason and the requests that it needs; its number and position follow later. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import {
  escapedStep,
  type Fields,
  fieldsIn,
  isFields,
  type Json,
  listIn,
  objectsIn,
  stepsOf,
  valueAt,
  withValueAt,
} from "../../core/json.ts";
import { type FilledRoute, fill } from "../../core/route.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { Pending, type Wire, type WireFields, Withheld } from "../../kinds/model/lookup.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Change, LateValue, Operation, Precondition } from "../model/plan.ts";

/** A request to be. */
export interface Step {
  readonly kind: Kind;
  readonly address: string;
  readonly method: Operation["method"];
  readonly target: FilledRoute;
  readonly body: WireFields | null;
  readonly why: string;
  /** The fields that it changes, in the words of the files. */
  readonly sets?: Fields;
  /** Steps that remove something run after everything that adds or changes. */
  readonly phase: "change" | "removal";
  /** Steps that must have succeeded before. */
  readonly needs: Step[];
  /** Its body carries the resource's position, which is known when the order of all requests is. */
  readonly positioned?: true;
  /** Address of the resource whose creation returns what fills the `{id}` that the target lacks. */
  readonly idFrom?: string;
  /** The name of its scope, where an earlier request gives it: the service may store that in another form. */
  readonly scopeFrom?: readonly LateValue[];
  readonly expects?: Operation["expects"];
  readonly reveals?: string;
  readonly custody?: Operation["custody"];
  readonly fallback?: Operation["fallback"];
  readonly retains?: string;
  /** A phrase for the items that it removes: they stay if a child that holds values of them is not deleted. */
  readonly removesItems?: string;
  /** The options that it removes, by label. */
  readonly removesOptions?: readonly string[];
  /** Of a ranked list: the row that must be at the address, by its wire fields. */
  readonly guard?: Pick<Precondition, "path" | "query" | "list"> & { readonly address: string; readonly row: Fields };
}

/** A change and the requests that bring it about. */
export interface Draft {
  readonly change: Omit<Change, "operations">;
  readonly kind: Kind;
  readonly scope: string;
  readonly declared?: DeclaredResource;
  readonly live?: LiveResource;
  readonly steps: readonly Step[];
  /** A change of a rule after which every alert certainly keeps its outcome. */
  readonly keepsOutcomes?: true;
}

/** Placeholder in a request for a value that is known only when it is sent. */
export const LATER = "(known after apply)";

/** The address of a member: a live one's by its row, a new one's by its slug or by what its creation returns. */
export function memberTarget(
  kind: Kind,
  scope: string,
  live: LiveResource | undefined,
  declared: DeclaredResource | undefined,
): Pick<Step, "target" | "idFrom"> {
  const { member } = kind.endpoint;
  // All fields of a form share its path: the body names the field.
  if (!member.path.includes("{id}")) return { target: fill(member, { scope }) };
  const isSlug = declared !== undefined && kind.identity.idFields[0] === declared.keyField;
  const id = live?.id ?? (isSlug ? declared.key : undefined);
  if (id !== undefined) return { target: fill(member, { id, scope }) };
  const target = fill(member, { id: LATER, scope });
  return { target, ...(declared === undefined ? {} : { idFrom: declared.address }) };
}

/** The address that a resource of the list is created at. */
export function creationTarget(kind: Kind, scope: string): FilledRoute {
  return fill(kind.endpoint.create ?? kind.endpoint.list, { scope, parent: scope });
}

/** Where requests to a scope name it, and the field of the response that does, if the plan creates or renames what the scope is. */
export function lateScope(state: ResolvedState, kind: Kind, scope: string): readonly LateValue[] {
  const { scopes, endpoint } = kind;
  const owner = scopes?.kind === undefined ? undefined : state.declared(scopes.kind, scope);
  if (owner === undefined || (state.live(owner.kind.name) ?? []).some(({ key }) => key === scope)) return [];
  const named = Object.entries(endpoint.list.query ?? {}).filter(([, template]) => template === "{scope}");
  return named.map(([name]) => ({ at: `/query/${name}`, address: owner.address, fields: [owner.keyField] }));
}

/** The fields with placeholders for values that came from the environment. */
export function withholdSecrets(declared: DeclaredResource, fields: Fields): Fields {
  let result: Fields = fields;
  for (const pointer of declared.secrets) {
    const path = pathIn(declared, fields, stepsOf(pointer));
    if (valueAt(fields, path) === undefined) continue;
    const written = declared.writtenSecrets?.get(pointer) ?? pointer;
    const placeholder = new Withheld(declared.address, written, declared.pin) as unknown as Json;
    result = fieldsIn(withValueAt(result, path, placeholder));
  }
  return result;
}

/**
 * The fields with placeholders for live members that an apply may have taken from the environment and that no file declares any more: the
 * service would drop them if the request left them out.
 */
export function withholdFormer(declared: DeclaredResource, fields: Fields, hashes: LastAppliedHashes): Fields {
  const { kind, address, pin } = declared;
  const former = Object.entries(fields).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    const isSentWhole = kind.fields?.[name]?.alwaysSend === true;
    if (!isSentWhole || !isFields(value) || !cameFromEnvironment(hashes, address, name)) return [];
    const own = fieldsIn(declared.fields[name]);
    const members = Object.entries(value).map(([member, sent]): readonly [string, Json] => {
      const pointer = `/${name}/${escapedStep(member)}`;
      return [member, member in own ? sent : (new Withheld(address, pointer, pin, true) as unknown as Json)];
    });
    return [[name, Object.fromEntries(members)]];
  });
  return { ...fields, ...Object.fromEntries(former) };
}

/**
 * The path in the fields to send of a declared value; one that leads nowhere if it is not sent. Between two states of a list with keys, an
 * item may stand at another index than in the files.
 */
function pathIn(declared: DeclaredResource, fields: Fields, path: readonly string[]): readonly string[] {
  const [name = "", index, ...rest] = path;
  const { keyedItems } = declared.kind.fields?.[name] ?? {};
  const own = listIn(declared.fields[name])[Number(index)];
  if (keyedItems === undefined || !isFields(own)) return path;
  const at = objectsIn(fields[name]).findIndex((item) => keyedItems.keyOf(item) === keyedItems.keyOf(own));
  return [name, String(at), ...rest];
}

/** The body as plain JSON, and the values to put into the request when it is sent. Parts without placeholders are not copied. */
export function finishRequest(step: Step): { readonly body: Fields | null; readonly inserts: readonly LateValue[] } {
  const finished = finishBody(step.body);
  const { body } = finished;
  const inserts = [...(step.scopeFrom ?? []), ...finished.inserts];
  if (step.idFrom === undefined) return { body, inserts };
  const index = step.target.path.split("/").indexOf(encodeURIComponent(LATER));
  const id = { at: `/path/${index}`, address: step.idFrom, fields: step.kind.identity.idFields };
  return { body, inserts: [id, ...inserts] };
}

/** A body as plain JSON, and the values to put into it when it is sent. */
export function finishBody(body: WireFields | null): {
  readonly body: Fields | null;
  readonly inserts: readonly LateValue[];
} {
  const inserts: LateValue[] = [];
  const finish = (value: Wire, at: string): Json => {
    if (value instanceof Pending) {
      inserts.push({ at, address: value.address, fields: [value.field] });
      return LATER;
    }
    if (value instanceof Withheld) {
      const pin = value.pin === undefined ? {} : { pin: value.pin };
      const kept = value.isKept ? { kept: true as const } : {};
      inserts.push({ at, address: value.address, secret: value.pointer, ...pin, ...kept });
      return LATER;
    }
    if (typeof value !== "object" || value === null) return value;
    const count = inserts.length;
    if (Array.isArray(value)) {
      const items = value.map((item: Wire, index) => finish(item, `${at}/${index}`));
      return inserts.length > count ? items : (value as readonly Json[]);
    }
    const members = Object.entries(value as WireFields).map(([name, member]): readonly [string, Json] => [
      name,
      finish(member, `${at}/${escapedStep(name)}`),
    ]);
    return inserts.length > count ? Object.fromEntries(members) : (value as Fields);
  };
  return { body: finish(body, "/body") as Fields | null, inserts };
}
