/** Compares the rows of a list with a precondition: which row is the resource, and what of it the plan relies on. */

import { type Fields, hasMembers, type Json, pick, withoutMembers } from "../../core/json.ts";
import { mayShowName } from "../../kinds/values/same-answer.ts";
import { showsNames } from "../../kinds/values/sameness.ts";
import { fingerprint, type Precondition } from "../../plan/model/plan.ts";
import { responseFieldsOf } from "./response-match.ts";

/** Returns the fields that identify the row. */
export function identityOf(row: Fields, { identity }: Precondition): Fields {
  return Object.fromEntries(identity.flatMap((name) => (isPresent(row[name]) ? [[name, row[name]]] : [])));
}

/** Whether a row has an identity. Some services answer numbers as texts, to reads or to writes alone. */
export function isRow(row: Fields, identity: Fields): boolean {
  return hasMembers(withTexts(pick(row, Object.keys(identity))), withTexts(identity));
}

/** The fields with texts for numbers. */
function withTexts(fields: Fields): Fields {
  const members = Object.entries(fields).map(([name, value]) => [name, typeof value === "number" ? `${value}` : value]);
  return Object.fromEntries(members);
}

/** Whether the row has the resource's name, in any form in which the service may store it, and is none of the known rows. */
export function hasName(row: Fields, { names = [], known = [] }: Precondition): boolean {
  return names.some((name) => showsNames(row, name)) && !known.some((identity) => isRow(row, identity));
}

/** Whether the row may have the resource's name: as sent, or what the service may have made of it. */
export function mayHaveName(row: Fields, { names = [] }: Precondition): boolean {
  const isShown = (sent: Json, shown: Json | undefined): boolean =>
    typeof sent === "string" && typeof shown === "string" && mayShowName(sent, shown);
  return names.some(
    (name) => showsNames(row, name) || Object.entries(name).every(([field, sent]) => isShown(sent, row[field])),
  );
}

/** Returns the row's identity, with a fingerprint of every field that the plan relies on or sends. */
export function fingerprintRow(row: Fields, guard: Precondition, body: Fields | null): Fields {
  const sent = Object.keys(body ?? {}).flatMap((field) => responseFieldsOf(field, guard));
  const wires = [...new Set([...Object.keys(guard.held ?? {}), ...sent])].filter((wire) => row[wire] !== undefined);
  return {
    ...Object.fromEntries(wires.map((wire) => [wire, fingerprintOf(row, wire, guard)])),
    ...identityOf(row, guard),
  };
}

/** Fingerprint of what the program knows of a field; null if the row does not have it. */
export function fingerprintOf(
  row: Fields,
  wire: string,
  { unknown = [] }: Pick<Precondition, "unknown">,
): string | null {
  const { [wire]: value } = row;
  return value === undefined ? null : fingerprint(withoutMembers({ [wire]: value }, unknown)[wire] ?? null);
}

function isPresent(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}
