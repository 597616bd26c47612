/** Whether a workspace is as a document declares it. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import { rowsOf } from "../cases/choice.ts";
import { attributesIn, documentOf, grantsOf, rulesIn, stepsIn, wordsOf } from "../cases/projection.ts";
import { type ListName, type Snapshot, SWITCHES } from "../service.ts";
import type { Judging } from "./judge.ts";
import { referencesIn } from "./references.ts";
import { conditionSet, permissionSet, sorted, text } from "./texts.ts";

/** Fields that the service may not return: they are sent when their declaration changes, and not compared. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  custom_fields: ["description"],
  runbooks: ["conditions"],
  catalog_types: ["icon", "color"],
};

/** The declared fields of a document that the service may not return. */
export function unreadIn(document: Fields): readonly string[] {
  return Object.entries(UNREAD).flatMap(([kind, names]) =>
    rowsOf(document[kind]).flatMap((entry) =>
      names.filter((name) => entry[name] !== undefined).map((name) => `${kind}/${entry.slug} ${name} may differ`),
    ),
  );
}

/** Rule 5: the faults of what is declared and not so. */
export function notAsDeclared(
  document: Fields,
  before: Snapshot,
  after: Snapshot,
  { isFullyReadable, mayStay }: Judging,
): readonly string[] {
  const faults: string[] = [];
  const live = documentOf(after);
  const words = wordsOf(after);
  const held = new Set(mayStay ? referencesIn(after).map(({ to }) => to) : []);
  const same = (what: string, declared: Json | undefined, actual: Json | undefined) => {
    if (declared !== undefined && text(declared) !== text(actual))
      faults.push(`${what} is declared ${text(declared)}, and is ${text(actual)}`);
  };
  for (const [kind, value] of Object.entries(document)) {
    if (!isList(value)) continue;
    const rows = rowsOf(live[kind]);
    const keys = rowsOf(value).map(({ slug }) => slug ?? null);
    if ((OPTION_LISTS as readonly string[]).includes(kind)) {
      same(
        `the order of ${kind}`,
        keys,
        rows.map(({ slug }) => slug ?? null).filter((slug) => keys.includes(slug)),
      );
    }
    for (const entry of rowsOf(value)) {
      const what = `${kind}/${entry.slug ?? entry.name}`;
      const row = rows.find((one) => isRowOf(one, entry, rowsOf(value)));
      if (row === undefined) faults.push(`${what} is declared, and not there`);
      else resource(kind, what, entry, row);
    }
  }
  for (const [form, list] of Object.entries(isFields(document.forms) ? document.forms : {})) {
    for (const { system_field, custom_field, conditions, ...entry } of rowsOf(list)) {
      const slug = system_field ?? custom_field;
      const what = `forms/${form}/${slug}`;
      const row = rowsOf(isFields(live.forms) ? live.forms[form] : undefined).find(
        (one) => (one.system_field ?? one.custom_field) === slug,
      );
      if (row === undefined) faults.push(`${what} is declared, and not there`);
      same(
        `${what} conditions`,
        conditions === undefined ? undefined : conditionSet(conditions),
        conditionSet(row?.conditions ?? []),
      );
      for (const [name, value] of Object.entries(entry)) same(`${what} ${name}`, value, row?.[name]);
    }
  }
  const scopes = isFields(document.routing_rules) ? document.routing_rules : {};
  for (const [source, list] of [
    ["", scopes.workspace] as const,
    ...Object.entries(isFields(scopes.sources) ? scopes.sources : {}),
  ]) {
    if (!isList(list)) continue;
    const plain = (rules: Json): Json =>
      rowsOf(rules).map(({ conditions, outcome, enabled }) => [
        // All of them have to hold, in any order.
        rowsOf(conditions).map(text).sort(),
        outcome ?? null,
        enabled !== false,
      ]);
    same(`the rules of ${source === "" ? "the workspace" : source}`, plain(list), plain(rulesIn(after, source, words)));
  }
  return faults;

  function resource(kind: string, what: string, entry: Fields, row: Fields): void {
    const {
      renamed_from: _from,
      entries,
      grants,
      attributes,
      steps,
      conditions,
      options,
      id: _id,
      prefix: _prefix,
      ...plain
    } = entry;
    const unread = isFullyReadable ? [] : (UNREAD[kind] ?? []);
    for (const [name, value] of Object.entries(plain)) {
      if (unread.includes(name)) continue;
      if (name === "color") same(`${what} color`, String(value).toLowerCase(), String(row.color).toLowerCase());
      else if (name === "description" || name === "summary") same(`${what} ${name}`, value, row[name] ?? "");
      else if (name === "enabled" || name === "active") same(`${what} ${name}`, value, row[name] ?? true);
      else if (name === "subscribed_events") same(`${what} ${name}`, sorted(value), sorted(row[name]));
      else if (name === "permissions") same(`${what} ${name}`, permissionSet(value), permissionSet(row[name]));
      else if (name === "provider") continue;
      else same(`${what} ${name}`, value, row[name]);
    }
    const isSwitch = SWITCHES[kind as ListName];
    if (isSwitch !== undefined && entry[isSwitch] === undefined)
      same(`${what} ${isSwitch}`, true, row[isSwitch] ?? true);
    if (steps !== undefined) same(`${what} steps`, stepsIn({ steps }), row.steps);
    if (conditions !== undefined && !unread.includes("conditions"))
      same(`${what} conditions`, conditionSet(conditions), conditionSet(row.conditions));
    if (isList(options)) optionFaults(what, entry, options);
    if (kind === "catalog_types") typeFaults(what, entry, row, attributes, entries);
    if (grants !== undefined) {
      const agent = after.agents.find(({ slug }) => slug === entry.slug) ?? {};
      // Limits that are not stated are not managed.
      const limited = new Set(rowsOf(grants).flatMap((one) => (one.environments === undefined ? [] : [one.ability])));
      const set = (list: readonly Fields[]): Json =>
        list
          .map(({ ability, environments }) =>
            text([ability ?? null, limited.has(ability) ? sorted(environments) : null]),
          )
          .sort();
      same(`${what} grants`, set(rowsOf(grants)), set(grantsOf(after, agent)));
    }
  }

  function optionFaults(what: string, entry: Fields, options: readonly Json[]): void {
    const labels = options.map((one) => (isFields(one) ? (one.label ?? null) : one));
    const rows = rowsOf(after.custom_fields.find(({ slug }) => slug === entry.slug)?.options);
    same(
      `${what} options`,
      labels,
      rows.map(({ label }) => label ?? null).filter((label) => labels.includes(label)),
    );
    const isHeldIn = (slug: Json | undefined, { id, label }: Fields) =>
      held.has(String(id)) || held.has(`choice ${slug} ${label}`);
    // Without the field of a condition its value may be the option of that label in any field.
    const isOptionHeld = (option: Fields) =>
      isHeldIn(entry.slug, option) ||
      (mayStay &&
        !isFullyReadable &&
        after.custom_fields.some((field) =>
          rowsOf(field.options).some((one) => one.label === option.label && isHeldIn(field.slug, one)),
        ));
    const left = rows.filter(({ label }) => !labels.includes(label ?? null));
    // Options go in one request. A plan cannot know which of them the service refuses if it does not return what refers to them.
    const mayAllStay = mayStay && !isFullyReadable && left.some(isOptionHeld);
    for (const option of left) {
      if (!mayAllStay && !isOptionHeld(option))
        faults.push(`${what} option ${option.label} is not declared, not used, and still there`);
    }
    // A rename keeps the id, so that what refers to the option follows.
    const old = rowsOf(before.custom_fields.find(({ slug }) => slug === entry.slug)?.options);
    const references = new Set(referencesIn(before).map(({ to }) => to));
    for (const one of options) {
      if (!isFields(one)) continue;
      const former = old.find(({ label }) => label === one.renamed_from);
      const isNew = !old.some(({ label }) => label === one.label);
      if (former === undefined || !isNew || !references.has(String(former.id))) continue;
      same(`${what} option ${one.label}, by id`, former.id ?? null, rows.find(({ label }) => label === one.label)?.id);
    }
  }

  function typeFaults(
    what: string,
    entry: Fields,
    row: Fields,
    attributes: Json | undefined,
    entries: Json | undefined,
  ): void {
    if (isList(attributes)) {
      const type = after.catalog_types.find(({ slug }) => slug === entry.slug) ?? {};
      const now = attributesIn(type);
      const names = rowsOf(attributes).map(({ name }) => name ?? null);
      same(
        `${what} attributes`,
        names,
        now.map(({ name }) => name ?? null).filter((name) => names.includes(name)),
      );
      for (const { name, slug } of rowsOf(type.attribute_definitions)) {
        const hasValues = (one: Fields) =>
          (isFields(one.attributes) && one.attributes[String(slug)] != null) ||
          rowsOf(one.references).some(({ key }) => key === slug);
        const isHeld = mayStay && after.entries.some((one) => one.type === type.slug && hasValues(one));
        if (!names.includes(name ?? null) && !isHeld)
          faults.push(`${what} attribute ${name} is not declared, not used, and still there`);
      }
      for (const attribute of rowsOf(attributes)) {
        const row: Fields = { required: false, ...now.find(({ name }) => name === attribute.name) };
        // An option that entries use stays.
        const isUsed = (option: Json) =>
          mayStay &&
          after.entries.some(
            (entry) => entry.type === type.slug && text(entry.attributes).includes(`:${text(option)}`),
          );
        for (const [name, value] of Object.entries(attribute))
          same(
            `${what} attribute ${attribute.name} ${name}`,
            value,
            name === "options" && isList(row[name]) && isList(value)
              ? row[name].filter((one) => value.includes(one) || !isUsed(one))
              : row[name],
          );
      }
    }
    if (!isList(entries)) return;
    for (const one of rowsOf(entries)) {
      const now = rowsOf(row.entries).find(({ slug }) => slug === one.slug);
      const at = `${what}/entries/${one.slug}`;
      if (now === undefined) faults.push(`${at} is declared, and not there`);
      same(`${at} name`, one.name, now?.name);
      const values = isFields(now?.attributes) ? now.attributes : {};
      for (const [key, value] of Object.entries(isFields(one.attributes) ? one.attributes : {}))
        same(`${at} ${key}`, value, values[key]);
    }
  }
}

/** Whether a row is the one of a declared resource: that with its slug or pin, or one of its name that nobody pins. */
function isRowOf(row: Fields, entry: Fields, declared: readonly Fields[]): boolean {
  if (entry.slug !== undefined) return row.slug === entry.slug;
  for (const pin of ["id", "prefix"]) {
    if (entry[pin] !== undefined && row[pin] !== undefined) return row[pin] === entry[pin];
    if (row[pin] !== undefined && declared.some((one) => one[pin] === row[pin])) return false;
  }
  return row.name === entry.name;
}
