/** Live rules as the files declare them, where the service stores the same in another form or an apply has seen it store something else. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { type Fields, pick } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import { MASK } from "../../core/value-text.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { compareField } from "../../kinds/values/same-field.ts";
import { normalizedText } from "../../kinds/values/same-value.ts";
import { plainValue } from "../../kinds/values/sameness.ts";
import { type LastAppliedHashes, type StoredInLists, wasStoredInList } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { isSecret, type OtherForm, otherFormWarning } from "../diff/compare.ts";
import { shapeOf } from "../diff/unknown-members.ts";
import type { FieldChange, Warning } from "../model/plan.ts";
import { withKnownMembers } from "./known-members.ts";
import { declaredRuleFields } from "./rule.ts";
import { secretFields } from "./secret-fields.ts";

/** The rules of a list in the declared form, with a warning for each field that the service stores otherwise, unless it is secret. */
export interface ReadRules {
  readonly live: readonly LiveResource[];
  readonly warnings: readonly Warning[];
}

/** Reads the live rules of a list as the declared ones that they are in another form; `fields` are what is sent of these. */
export function readAsDeclared(
  live: readonly LiveResource[],
  declared: readonly DeclaredResource[],
  fields: readonly Fields[],
  stored: StoredInLists,
): ReadRules {
  const warnings: Warning[] = [];
  const formsAt = (resource: LiveResource, at: number): Forms => {
    const own = declared[at];
    return own === undefined ? NO_FORMS : formsOf(resource, own, fields[at] ?? {}, stored);
  };
  const moved = movedRules(live, fields, formsAt);
  const rules = live.map((resource, index) => {
    const at = moved.get(index) ?? index;
    const own = declared[at];
    const { forms } = formsAt(resource, at);
    if (own === undefined || forms.length === 0) return resource;
    const told = forms.filter(({ name }) => !isSecret(own, name));
    warnings.push(...told.map((form) => otherFormWarning(own, form)));
    const asDeclared = Object.fromEntries(forms.map(({ name }) => [name, fields[at]?.[name] ?? null]));
    return { ...resource, fields: { ...resource.fields, ...asDeclared } };
  });
  return { live: rules, warnings };
}

/** The fields in which the rules of a list differ from the declared ones at their places. Undefined where the lists differ in length. */
export function differencesInPlace(
  state: ResolvedState,
  { kind, scope }: Pick<DeclaredResource, "kind" | "scope">,
  hashes: LastAppliedHashes,
): readonly RuleDifference[] | undefined {
  const [answered, declared] = [state.live(kind.name, scope) ?? [], state.declaredIn(kind.name, scope)];
  if (answered.length !== declared.length) return undefined;
  const fields = declared.map((rule) => declaredRuleFields(kind, rule.fields));
  const shape = shapeOf(fields);
  const live = answered.map((rule) => withKnownMembers(rule, shape));
  const secret = secretFields(kind, live, declared, hashes);
  return live.flatMap((one, at) => {
    const own = declared[at];
    if (own === undefined) return [];
    return Object.entries(fields[at] ?? {}).flatMap(([name, after]): readonly RuleDifference[] => {
      const before = one.fields[name] ?? null;
      if (compareField(kind, name, before, after).isSame) return [];
      const path = `/${name}`;
      const isHidden = isSecret(own, name) || secret[at]?.has(name) === true;
      const field = isHidden ? { path, before: MASK, after: MASK, secret: true as const } : { path, before, after };
      return [{ address: own.address, live: one, field }];
    });
  });
}

/** A field in which a live rule differs from the declared one at its place. */
export interface RuleDifference {
  readonly address: string;
  readonly live: LiveResource;
  readonly field: FieldChange;
}

/** The fields of a live rule that are declared ones in another form, and whether all of them are declared. */
interface Forms {
  readonly forms: readonly OtherForm[];
  readonly isWhole: boolean;
}

const NO_FORMS: Forms = { forms: [], isWhole: false };

function formsOf(live: LiveResource, own: DeclaredResource, fields: Fields, stored: StoredInLists): Forms {
  const compared = Object.entries(fields).map(([name, after]): OtherForm | boolean => {
    const before = live.fields[name] ?? null;
    const { isSame, forms } = compareField(own.kind, name, before, after);
    if (isSame) return forms.length === 0 ? true : { name, live: before, forms };
    const isStored = wasStoredInList(stored, own.address, { path: `/${name}`, before, after });
    return isStored ? { name, live: before, forms: [], isReturned: name in live.row } : false;
  });
  return { forms: compared.filter((one) => typeof one === "object"), isWhole: !compared.includes(false) };
}

/** Live index → declared index of rules that are whole at another place only, as where others were inserted above them. */
function movedRules(
  live: readonly LiveResource[],
  fields: readonly Fields[],
  formsAt: (resource: LiveResource, at: number) => Forms,
): ReadonlyMap<number, number> {
  const isInPlace = (resource: LiveResource | undefined, at: number) =>
    resource !== undefined && formsAt(resource, at).isWhole;
  const unpaired = new Map<string, number[]>();
  for (const [at, rule] of fields.entries()) if (!isInPlace(live[at], at)) addTo(unpaired, plainText(rule), at);
  return new Map(
    live.flatMap((resource, index): readonly (readonly [number, number])[] => {
      if (isInPlace(resource, index)) return [];
      const own = unpaired.get(plainText(pick(resource.fields, Object.keys(resource.kind.fields ?? {})))) ?? [];
      // One that is stored otherwise has the text of none.
      for (const places of [own, ...unpaired.values()]) {
        const next = places.findIndex((at) => formsAt(resource, at).isWhole);
        if (next >= 0) return places.splice(next, 1).map((at) => [index, at] as const);
      }
      return [];
    }),
  );
}

/** A text that rules share if they are the same in any form. */
function plainText(rule: Fields): string {
  return normalizedText(plainValue(rule));
}
