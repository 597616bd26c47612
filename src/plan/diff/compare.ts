/** Compares the declared fields of a resource with the live ones. A field that the configuration omits is not compared. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { locationOf } from "../../config/resources/origins.ts";
import { sourcePlace } from "../../core/diagnostic.ts";
import { type Fields, isFields, isList, type Json, pointerIsWithin } from "../../core/json.ts";
import { NO_WORDS, programLine } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { MASK, valueText } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import { compareField, compareName, equalField } from "../../kinds/values/same-field.ts";
import type { StoredForm } from "../../kinds/values/sameness.ts";
import { isExempt } from "../../workspace/match/exempt.ts";
import { differsFromLastApplied, type LastApplied, wasStoredOtherwise } from "../../workspace/match/last-applied.ts";
import { pendingRenames } from "../../workspace/match/option-match.ts";
import type { FieldChange, Unreadable, Warning } from "../model/plan.ts";
import { knownValue, shapeOf } from "./unknown-members.ts";

/** The differences between a declared resource and the live one. */
export interface Comparison {
  /** Names of the fields that differ, in declared order. */
  readonly names: readonly string[];
  readonly changes: readonly FieldChange[];
  /** Fields that the service stores in another form; they do not differ. */
  readonly otherForms: readonly OtherForm[];
  /** Fields that the service does not return: the declared ones, and the omitted ones where they are recorded. */
  readonly unreadable: readonly Unreadable[];
}

/** A field that the service stores in another form than the declared one. */
export interface OtherForm {
  readonly name: string;
  readonly live: Json;
  /** Empty if it is the declared value in no form: an apply has sent that, and the service has stored another one. */
  readonly forms: readonly StoredForm[];
  /** Default: true. */
  readonly isReturned?: boolean;
}

/** Shown instead of a live value that the service does not return. */
const NOT_RETURNED_VALUE = "(not returned)";

const NOT_RETURNED = "the service does not return this field";

/** Compares fields; `fields` are the declared ones, with what must be sent besides. */
export function compare(
  declared: DeclaredResource,
  fields: Fields,
  live: LiveResource,
  lastApplied: LastApplied,
): Comparison {
  const { kind, address } = declared;
  const names: string[] = [];
  const changes: FieldChange[] = [];
  const otherForms: OtherForm[] = [];
  const unreadable: Unreadable[] = [];
  for (const name of Object.keys(fields)) {
    if (isIdentityOrLabel(kind, name) || isOrigin(kind, name)) continue;
    const after = optionLabels(kind, name, fields[name] ?? null);
    const before = declared.extra.includes(name) ? live.row[name] : live.fields[name];
    if (before === undefined) {
      unreadable.push({ address, path: `/${name}`, reason: NOT_RETURNED });
      if (differsFromLastApplied(lastApplied, address, name, after) !== true) continue;
      names.push(name);
      changes.push(fieldChange(declared, name, NOT_RETURNED_VALUE, after));
    } else if (before !== after) {
      const { isSame, forms } = compareField(kind, name, before, after);
      const known = isSame ? before : knownValue(kind, name, before, shapeOf([fields]));
      const change = isSame ? undefined : fieldChange(declared, name, asDeclared(kind, name, known, after), after);
      if (change === undefined || wasStoredOtherwise(lastApplied, address, change)) {
        const isOther = change !== undefined || forms.length > 0;
        if (isOther && !isSecret(declared, name)) otherForms.push({ name, live: before, forms });
        continue;
      }
      names.push(name);
      const renamed = renamedOptions(kind, name, before, fields[name]);
      changes.push(renamed.length === 0 ? change : { ...change, renamed });
    }
  }
  for (const [name, written] of Object.entries(declared.written ?? {})) {
    if (names.includes(name) || otherForms.some((other) => other.name === name) || isSecret(declared, name)) continue;
    const { forms } = compareField(kind, name, declared.fields[name] ?? null, written);
    if (forms.length > 0) otherForms.push({ name, live: live.fields[name] ?? null, forms });
  }
  if (lastApplied.verifying === true) unreadable.push(...omittedFields(declared, fields, live));
  if (declared.key !== live.key && !isExempt(declared, `/${declared.keyField}`)) {
    const { isSame, forms } = compareName(live.key, declared.key);
    const change = fieldChange(declared, declared.keyField, live.key, declared.key);
    if (isSame || wasStoredOtherwise(lastApplied, address, change)) {
      otherForms.push({ name: declared.keyField, live: live.key, forms });
    } else {
      names.unshift(declared.keyField);
      changes.unshift(change);
    }
  }
  return { names, changes, otherForms, unreadable };
}

/** Fields that the files omit and the service does not return; a resource without options returns none either. */
function omittedFields(declared: DeclaredResource, fields: Fields, live: LiveResource): readonly Unreadable[] {
  const { kind, address } = declared;
  const omitted = Object.entries(kind.fields ?? {}).filter(
    ([name, { optionList }]) =>
      optionList !== true && !(name in fields) && live.fields[name] === undefined && !isExempt(declared, `/${name}`),
  );
  return omitted.map(([name]) => ({ address, path: `/${name}`, reason: NOT_RETURNED }));
}

/** Every declared field of a new resource, as a change from nothing. */
export function createdFields(declared: DeclaredResource): readonly FieldChange[] {
  const fields = Object.entries({ [declared.keyField]: declared.key, ...declared.fields });
  return fields.map(([name, value]) =>
    fieldChange(declared, name, null, optionLabels(declared.kind, name, withoutNulls(value))),
  );
}

/** A value without members that are null: what is created has no values to take away. */
function withoutNulls(value: Json): Json {
  if (!isFields(value) || !Object.values(value).includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** The fields that are sent: without the identity and without labels for people. */
export function writableFields(kind: Kind, fields: Fields): Fields {
  const writable = Object.entries(fields).filter(([name]) => !isIdentityOrLabel(kind, name));
  return Object.fromEntries(writable.map(([name, value]) => [name, optionLabels(kind, name, value)]));
}

/** The values that the service computes for these fields. */
export function computedDefaults(kind: Kind, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(kind.fields ?? {}).flatMap(([name, field]) => {
      const value = field.computedDefault?.(fields);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function isIdentityOrLabel({ identity }: Kind, name: string): boolean {
  return identity.keys.includes(name) || identity.labels?.includes(name) === true;
}

/** Whether a field records where a resource came from: it is sent with the creation only. */
export function isOrigin({ identity: { origin } }: Kind, name: string): boolean {
  return name === origin?.system || name === origin?.id;
}

/**
 * A live list or mapping whose items are written as the declared ones that are equal, so that only real differences show. Where the
 * service's order carries nothing, the items of a list come in declared order too.
 */
function asDeclared(kind: Kind, field: string, before: Json, declared: Json): Json {
  const canonical = kind.fields?.[field]?.canonical;
  const live = canonical?.(before) ?? before;
  if (isFields(live) && isFields(declared)) {
    const isSame = (name: string, value: Json, other: Json): boolean =>
      compareField(kind, field, { [name]: value }, { [name]: other }).isSame;
    return Object.fromEntries(
      Object.entries(live).map(([name, value]) => {
        const other = declared[name];
        return [name, other !== undefined && isSame(name, value, other) ? other : value];
      }),
    );
  }
  if (!isList(live) || !isList(declared)) return live;
  const unpaired = [...declared.entries()];
  const items = live.map((item) => {
    const partner = unpaired.findIndex(([, other]) => equalField(kind, field, [item], [other]));
    const [place, value] = (partner < 0 ? undefined : unpaired.splice(partner, 1)[0]) ?? [declared.length, item];
    return { place, value };
  });
  const ordered = canonical === undefined ? items : items.toSorted((left, right) => left.place - right.place);
  return ordered.map(({ value }) => value);
}

/** Options by their labels, whatever each was called before. */
function optionLabels(kind: Kind, field: string, value: Json): Json {
  return kind.fields?.[field]?.optionList === true && isList(value) ? value.map(optionLabel) : value;
}

function renamedOptions(
  kind: Kind,
  field: string,
  live: Json,
  declared: Json | undefined,
): NonNullable<FieldChange["renamed"]> {
  if (kind.fields?.[field]?.optionList !== true || !isList(live) || !isList(declared)) return [];
  return pendingRenames(live.map(String), declared).map(([from, to]) => ({ from, to }));
}

function fieldChange(declared: DeclaredResource, name: string, before: Json, after: Json): FieldChange {
  const path = `/${name}`;
  return isSecret(declared, name)
    ? { path, before: before === null ? null : MASK, after: MASK, secret: true }
    : { path, before, after };
}

/** Says in which form, or as what, the service stores a field that the plan leaves alone for that reason. */
export function otherFormWarning(
  { address, origins }: DeclaredResource,
  { name, live, forms, isReturned = true }: OtherForm,
): Warning {
  const place = { code: "W_FORM", address, source: sourcePlace(locationOf(origins, `/${name}`)) };
  if (!isReturned)
    return {
      ...place,
      message: `the service does not return its ${name}, which an apply has sent, so nothing is sent`,
    };
  const how = forms.length === 0 ? `as ${valueText(live)}, whatever it is sent` : joinWords(forms);
  const command = programLine("pull", NO_WORDS);
  const message = `the service stores its ${name} ${how}, which is no change; to write it so, run ${command}`;
  return { ...place, message, commands: [command] };
}

/** Whether a field holds a value of the environment. */
export function isSecret({ secrets }: DeclaredResource, name: string): boolean {
  return secrets.some((pointer) => pointerIsWithin(pointer, `/${name}`));
}
