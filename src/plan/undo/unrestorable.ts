/** The parts of an undo that the service would refuse by now: each is left as it is, with a warning, and the rest is undone. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { type Fields, isFields } from "../../core/json.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import { NEEDED } from "../checks/policy-checks.ts";
import type { Plan, Warning } from "../model/plan.ts";

/** A configuration without what was refused, and the warnings about it. */
export interface Reduced {
  readonly configuration: Configuration;
  readonly warnings: readonly Warning[];
}

/**
 * The configuration of an undo without the fields that errors are about. A ranked list is left out as a whole. Undefined if an error is
 * not about a field that can be left out.
 */
export function withoutRefused(configuration: Configuration, errors: readonly Diagnostic[]): Reduced | undefined {
  let rest = configuration;
  const warnings: Warning[] = [];
  for (const { at, message } of errors) {
    const field = at?.field;
    const resource = configuration.declared.find(({ address }) => address === field?.address);
    if (field === undefined || resource === undefined) return undefined;
    const { kind, scope, address } = resource;
    const isRanked = kind.lifecycle.order === "rank";
    const part = isRanked ? "" : partOf(field.pointer, resource);
    if (part === undefined) return undefined;
    rest = isRanked ? withoutList(rest, resource) : withoutPart(rest, address, part);
    const what = isRanked ? addressPrefix(kind, scope).slice(0, -1) : `${address}: ${part.slice(1)}`;
    const reason = message.replace(`${address}: `, "");
    warnings.push({ code: "W_UNDO", address, message: `${what} cannot be restored: ${reason}` });
  }
  return { configuration: rest, warnings };
}

/** The resources that errors are about, if all errors are about resources of this undo: address → the error. */
export function unrestorableIn(errors: readonly Diagnostic[]): ReadonlyMap<string, string> {
  const resources = errors.flatMap(({ at, message }) => {
    const address = at?.field?.address;
    return address === undefined ? [] : [[address, message.replace(`${address}: `, "")] as const];
  });
  return new Map(resources.length < errors.length ? [] : resources);
}

/** The resources whose removal the service would refuse, because the workspace needs them: address → the reason. */
export function indispensableIn({ blocked }: Plan): ReadonlyMap<string, string> {
  return new Map(
    blocked.flatMap(({ code, message, addresses }) =>
      NEEDED.includes(code) ? addresses.map((address) => [address, message] as const) : [],
    ),
  );
}

/**
 * The pointer of the part that is left out: a member of a map, such as one attribute, else the field. Undefined if it cannot be, or is not
 * there: the error is about a live value that would be sent along, and is the same without the part.
 */
function partOf(pointer: string, { kind, fields }: DeclaredResource): string | undefined {
  const [, name = "", member] = pointer.split("/");
  const value = fields[name];
  if (value === undefined || kind.lifecycle.required?.includes(name) === true) return undefined;
  if (member === undefined || !isFields(value)) return `/${name}`;
  return member in value ? `/${name}/${member}` : undefined;
}

function withoutPart(configuration: Configuration, address: string, part: string): Configuration {
  const [, name = "", member] = part.split("/");
  const reduced = (fields: Fields): Fields => {
    const { [name]: value = null, ...rest } = fields;
    if (member === undefined || !isFields(value)) return rest;
    const { [member]: _refused, ...others } = value;
    return { ...rest, [name]: others };
  };
  const declared = configuration.declared.map((one) =>
    one.address === address ? { ...one, fields: reduced(one.fields) } : one,
  );
  return { ...configuration, declared };
}

function withoutList(configuration: Configuration, { kind, scope }: DeclaredResource): Configuration {
  const isOther = (one: { readonly kind: string; readonly scope: string }) =>
    one.kind !== kind.name || one.scope !== scope;
  return {
    ...configuration,
    managed: configuration.managed.filter(isOther),
    declared: configuration.declared.filter((one) => isOther({ kind: one.kind.name, scope: one.scope })),
  };
}
