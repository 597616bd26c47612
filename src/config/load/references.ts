/** Checks that every reference leads to a declared resource. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { escapedStep, type Fields, fieldsIn, isFields, isList, type Json, pointerIsWithin } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { type Reference, withKey } from "../../kinds/model/lookup.ts";
import { addressOf, addressPrefix, listName } from "../../kinds/model/resource.ts";
import { separatorIn } from "../../kinds/rows/catalog-values.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import { slugOfName } from "../../kinds/values/slug.ts";
import type { OtherNames } from "../catalog/entries/other-names.ts";
import type { OverlayRemoval } from "../resources/configuration.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import type { ListHeading } from "../resources/lists.ts";
import { expressionOf, locationOf, templateAt } from "../resources/origins.ts";
import type { ResourceIndex } from "../resources/resource-index.ts";
import type { Exemptions } from "../settings/exemptions.ts";
import { isIgnored } from "../settings/exemptions.ts";
import { OPAQUE } from "../values/substitution.ts";

/** The possible targets of references, besides declared resources. */
interface ReferenceContext {
  readonly kinds: readonly Kind[];
  readonly removals?: readonly OverlayRemoval[];
  readonly exemptions: Exemptions | undefined;
  readonly names: OtherNames;
}

/**
 * Records every reference to a resource, scope or option that a managed list does not have. Returns the fields of the resources that
 * reference others by another name than their key, with the key in its place.
 */
export function checkReferences(
  resources: readonly DeclaredResource[],
  lists: readonly ListHeading[],
  index: ResourceIndex,
  findings: Findings,
  { kinds, removals = [], exemptions, names }: ReferenceContext,
): ReadonlyMap<DeclaredResource, Fields> {
  const removedAt = new Map(removals.map(({ address, at }) => [address, at]));
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  // An ignored resource is in nobody's files, and may be live.
  const check = (reference: Reference, address: string, at: () => Location, origin: ReferenceOrigin = {}): void => {
    const kind = byName.get(reference.kind);
    const isExempt = kind !== undefined && isIgnored(exemptions, addressOf(kind, reference.scope, reference.key));
    const declared = { index, removedAt, names };
    if (!isExempt) checkReference(reference, at, kind, declared, findings.about(address), origin);
  };
  for (const list of lists) {
    const scopeKind = list.of.scopes?.kind ?? list.of.parent?.kind;
    if (scopeKind === undefined || list.scope === "") continue;
    const reference = { at: "", kind: scopeKind, scope: "", key: list.scope };
    check(reference, addressPrefix(list.of, list.scope).slice(0, -1), () => list.at);
  }
  const referencesOf = referencesByList(index);
  const rewritten = new Map<DeclaredResource, Fields>();
  for (const resource of resources) {
    const scopeKind = resource.kind.scopes?.kind;
    const repeats = new Repeats();
    for (const reference of referencesOf(resource)) {
      // The scope is checked once, at its key.
      if (reference.at === "" && reference.kind === scopeKind) continue;
      const place = () => locationOf(resource.origins, reference.at);
      // What is referenced decides what a plan does, and the service may know it by an id.
      if (resource.secrets.some((at) => pointerIsWithin(at, reference.at))) {
        const { code, message, help } = OPAQUE;
        findings.about(resource.address).error(code, message, place(), { help });
        continue;
      }
      const key = names.keyMeant(reference, resource);
      if (key !== undefined) {
        rewritten.set(resource, withKey(rewritten.get(resource) ?? resource.fields, reference, key));
      }
      repeats.add({ ...reference, key: key ?? reference.key });
      check({ ...reference, key: key ?? reference.key }, resource.address, place, {
        text: reference.key,
        expression: () => expressionOf(resource.origins, reference.at),
        madeAt: reference.at === "" ? undefined : () => templateAt(resource.origins, reference.at),
      });
    }
    const fields = rewritten.get(resource) ?? resource.fields;
    const distinct = repeats.without(fields);
    if (distinct !== fields) rewritten.set(resource, distinct);
  }
  return rewritten;
}

/** Items of lists that reference what an earlier item references: the references of a list are a set. */
class Repeats {
  readonly #known = new Set<string>();
  readonly #repeated = new Set<string>();

  add({ at, kind, scope, key, option }: Reference): void {
    const list = /^(.*)\/\d+$/.exec(at)?.[1];
    if (list === undefined || option !== undefined) return;
    const name = [list, kind, scope, key].join("\n");
    if (this.#known.has(name)) this.#repeated.add(at);
    this.#known.add(name);
  }

  /** The fields without such items. */
  without(fields: Fields): Fields {
    if (this.#repeated.size === 0) return fields;
    const within = (value: Json, at: string): Json => {
      if (isList(value)) {
        return value.flatMap((item, index) => {
          const place = `${at}/${index}`;
          return this.#repeated.has(place) ? [] : [within(item, place)];
        });
      }
      if (!isFields(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, within(member, `${at}/${escapedStep(name)}`)]),
      );
    };
    return fieldsIn(within(fields, ""));
  }
}

/** The text that a reference was made from, and the expression that made it out of another file: needed for messages only. */
interface ReferenceOrigin {
  readonly text?: string;
  readonly expression?: () => string | undefined;
  readonly madeAt?: (() => Location | undefined) | undefined;
}

/** Returns the function that gives the references of a resource. The kind's function is made once for each list. */
function referencesByList(index: ResourceIndex): (resource: DeclaredResource) => readonly Reference[] {
  const lists = new Map<string, (fields: DeclaredResource["fields"]) => readonly Reference[]>();
  return ({ kind, scope, fields }) => {
    const { of } = kind.references ?? {};
    if (of === undefined) return [];
    const name = listName(kind.name, scope);
    const referencesOf = lists.get(name) ?? of(index, scope);
    lists.set(name, referencesOf);
    return referencesOf(fields);
  };
}

/** The possible targets of references. */
interface DeclaredTargets {
  readonly index: ResourceIndex;
  readonly removedAt: ReadonlyMap<string, Location>;
  readonly names: OtherNames;
}

function checkReference(
  reference: Reference,
  at: () => Location,
  kind: Kind | undefined,
  { index, removedAt, names }: DeclaredTargets,
  findings: Findings,
  { text = reference.key, expression: expressionOf, madeAt }: ReferenceOrigin,
): void {
  const target = index.resource(reference.kind, reference.key, reference.scope);
  if (target !== undefined) {
    checkOption(reference, target, at, findings);
    return;
  }
  const list = index.list(reference.kind, reference.scope);
  if (list === undefined || kind?.lifecycle.builtins?.keys?.includes(reference.key) === true) return;
  if (index.hasInvalidKeys(reference.kind, reference.scope)) return;
  // What cannot be removed may be live without being listed.
  if (kind?.lifecycle.permanent === true) return;
  const where = reference.scope === "" ? "" : ` of ${reference.scope}`;
  const droppedAt = kind === undefined ? undefined : removedAt.get(addressOf(kind, reference.scope, reference.key));
  const listed = { message: `${reference.kind}${where} are declared here`, at: list.at };
  const expression = expressionOf?.();
  const madeBy = expression === undefined || expression === text ? "" : `, which the expression "${expression}" gives`;
  const candidates = [...index.keys(reference.kind, reference.scope), ...names.of(reference.kind, reference.scope)];
  findings.error("E_REF", `there is no ${kind?.title ?? reference.kind} "${text}"${where}${madeBy}`, at(), {
    madeAt: madeAt?.(),
    related: [droppedAt === undefined ? listed : { message: "an overlay removes it", at: droppedAt }],
    help:
      (expression === undefined
        ? undefined
        : splitHelp(text, expression, (name) => isDeclared(reference, name, index))) ??
      otherKindHelp(text, (name) => isDeclared(reference, name, index)) ??
      findings.guess(text, candidates) ??
      findings.guess(slugOfName(text), candidates) ??
      "Declare it, or reference a declared one.",
  });
}

function isDeclared({ kind, scope }: Reference, name: string, index: ResourceIndex): boolean {
  return index.resource(kind, slugOfName(name), scope) !== undefined;
}

/** The help for a text of a foreign file that names several resources; undefined for another one. */
function splitHelp(text: string, expression: string, isKnown: (name: string) => boolean): string | undefined {
  const separator = separatorIn(text);
  if (separator === undefined || !text.split(separator).some((name) => isKnown(name.trim()))) return undefined;
  return `It names several: make a list of it with { jsonata: "$split(${expression}, '${separator}')" }.`;
}

/** The help for an entity reference of Backstage whose name is that of an entry of another kind; undefined for another text. */
function otherKindHelp(text: string, isKnown: (name: string) => boolean): string | undefined {
  const [, kind, name] = /^([a-z]+):(?:default\/)?([^/]+)$/i.exec(text) ?? [];
  if (kind === undefined || name === undefined || !isKnown(name)) return undefined;
  return `"${name}" is of another kind than ${kind}. To leave out such references, append [$not($contains($, /^${kind}:/i))] to their expression.`;
}

function checkOption(reference: Reference, target: DeclaredResource, at: () => Location, findings: Findings): void {
  const { options } = target.fields;
  if (reference.option === undefined || !isList(options)) return;
  const labels = options.map(optionLabel);
  if (labels.includes(reference.option)) return;
  findings.error("E_REF", `${target.address} has no option "${reference.option}"`, at(), {
    related: [{ message: "its options are listed here", at: locationOf(target.origins, "/options") }],
    help: findings.guess(reference.option, labels) ?? `Its options are: ${labels.join(", ")}.`,
  });
}
