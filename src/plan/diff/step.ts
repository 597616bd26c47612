/** A request in the making: it knows what it needs and what it is for, but not yet its number or its position. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { fill, type Target } from "../../core/route.ts";
import type { Kind } from "../../kinds/kind.ts";
import { Pending, type Wire, type WireFields, Withheld } from "../../kinds/lookup.ts";
import type { Declared, Live } from "../../kinds/resource.ts";
import type { Change, Guard, Insert, Operation } from "../plan.ts";

/** One request to be. */
export interface Step {
  readonly kind: Kind;
  readonly address: string;
  readonly method: Operation["method"];
  readonly target: Target;
  readonly body: WireFields | null;
  readonly why: string;
  /** What it makes of the entry, in the words of the configuration. */
  readonly sets?: Fields;
  /** `late` steps take something away: they run after everything that adds or changes. */
  readonly late: boolean;
  /** Steps that must have succeeded before. */
  readonly needs: Step[];
  /** It carries the entry's position, which is found when the order of all requests is known. */
  readonly placed?: true;
  /** Address of the entry whose creation tells what fills the `{id}` that the target lacks. */
  readonly unknown?: string;
  readonly expects?: { readonly slug: string };
  readonly reveals?: string;
  readonly custody?: Operation["custody"];
  readonly fallback?: Operation["fallback"];
  readonly retains?: string;
  /** Of a ranked list: the row that must stand at the address, by its wire fields. */
  readonly guard?: Pick<Guard, "path" | "query" | "list"> & { readonly address: string; readonly row: Fields };
}

/** A change and the requests that bring it about. */
export interface Draft {
  readonly change: Omit<Change, "operations">;
  readonly kind: Kind;
  readonly scope: string;
  readonly declared?: Declared;
  readonly live?: Live;
  readonly steps: readonly Step[];
}

/** Stands in the request for what is known only when it is sent. */
export const LATER = "(known after apply)";

/** Where a member is reached: a live one by what its row says, a new one by its slug or by what its creation answers. */
export function memberTarget(
  kind: Kind,
  scope: string,
  live: Live | undefined,
  declared: Declared | undefined,
): Pick<Step, "target" | "unknown"> {
  // A form's fields are all reached at the form: the body says which one is meant.
  if (!kind.endpoint.member.path.includes("{id}")) return { target: fill(kind.endpoint.member, { scope }) };
  const own =
    live?.id ?? (declared !== undefined && kind.identity.idFields[0] === declared.keyField ? declared.key : undefined);
  if (own !== undefined) return { target: fill(kind.endpoint.member, { id: own, scope }) };
  const target = fill(kind.endpoint.member, { id: LATER, scope });
  return { target, ...(declared === undefined ? {} : { unknown: declared.address }) };
}

/** Where one is created. */
export function creationTarget(kind: Kind, scope: string): Target {
  return fill(kind.endpoint.create ?? kind.endpoint.list, { scope, parent: scope });
}

/** Puts stand-ins where the fields hold values that came from the environment. */
export function withheld(declared: Declared, fields: Fields): Fields {
  let result: Fields = fields;
  for (const pointer of declared.secrets) {
    const path = pointer.split("/").slice(1).map(unescaped);
    if (path[0] !== undefined && result[path[0]] !== undefined) {
      result = replaced(result, path, new Withheld(declared.address, pointer)) as unknown as Fields;
    }
  }
  return result;
}

/** The request's body as plain JSON, and what is to be put into it when it is sent. What has no stand-ins in it is not copied. */
export function settled(step: Step): { readonly body: Fields | null; readonly inserts: readonly Insert[] } {
  const inserts: Insert[] = [];
  if (step.unknown !== undefined) {
    const index = step.target.path.split("/").indexOf(encodeURIComponent(LATER));
    inserts.push({ at: `/path/${index}`, address: step.unknown, fields: step.kind.identity.idFields });
  }
  const settle = (value: Wire, at: string): Json => {
    if (value instanceof Pending) {
      inserts.push({ at, address: value.address, fields: [value.field] });
      return LATER;
    }
    if (value instanceof Withheld) {
      inserts.push({ at, address: value.address, secret: value.pointer });
      return LATER;
    }
    if (typeof value !== "object" || value === null) return value;
    const found = inserts.length;
    if (Array.isArray(value)) {
      const items = value.map((item: Wire, index) => settle(item, `${at}/${index}`));
      return inserts.length > found ? items : (value as readonly Json[]);
    }
    const members = Object.entries(value as WireFields).map(([name, member]): readonly [string, Json] => [
      name,
      settle(member, `${at}/${escaped(name)}`),
    ]);
    return inserts.length > found ? Object.fromEntries(members) : (value as Fields);
  };
  const body = step.body === null ? null : (settle(step.body, "/body") as Fields);
  return { body, inserts };
}

function replaced(value: Json, path: readonly string[], stand: Withheld): Wire {
  const [name, ...rest] = path;
  if (name === undefined) return stand;
  if (isList(value)) return value.map((item, index) => (String(index) === name ? replaced(item, rest, stand) : item));
  if (!isFields(value)) return value;
  return { ...value, [name]: replaced(value[name] ?? null, rest, stand) };
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescaped(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
