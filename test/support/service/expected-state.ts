/** Comparison of a service with a configuration. It does not use `src/kinds`, so that it notices mistakes there. */

import { expect } from "vitest";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import type { TestService } from "./test-service.ts";

const rowsOf = (value: Json | undefined): readonly Fields[] => (isList(value) ? value.filter(isFields) : []);

async function list(service: TestService, path: string, key: string): Promise<readonly Fields[]> {
  const response = await service.hand("GET", path);
  const body = isFields(response) && isFields(response.form) ? response.form : response;
  return rowsOf(isFields(body) ? body[key] : undefined);
}

/** The entries of a catalog type; empty if the type does not exist. */
async function entriesOf(service: TestService, type: string): Promise<readonly Fields[]> {
  const types = await list(service, "/catalog/types", "types");
  const exists = types.some(({ slug }) => slug === type);
  return exists ? list(service, `/catalog/types/${type}/entries?per_page=100`, "entries") : [];
}

const asSet = (value: Json | undefined): Json =>
  isList(value) ? [...value].map((item) => JSON.stringify(item)).sort() : (value ?? null);

/** Fails unless the service has what the configuration declares, in the declared order, and no other resource of a managed kind. */
export async function expectState(service: TestService, document: Fields): Promise<void> {
  const severities = await list(service, "/severities?include_disabled=true", "severities");
  for (const kind of ["severities", "statuses", "incident_types", "incident_roles"]) {
    if (document[kind] === undefined) continue;
    const declared = rowsOf(document[kind]);
    const live = await list(service, `/${kind}?include_disabled=true`, kind);
    const slugs = declared.map(({ slug }) => slug);
    expect(
      live.map(({ slug }) => slug).filter((slug) => slugs.includes(slug)),
      `order of ${kind}`,
    ).toEqual(slugs);
    for (const entry of declared) {
      const row = live.find(({ slug }) => slug === entry.slug) ?? {};
      expect(row.name).toBe(entry.name);
      expect(row.enabled, `${kind}/${entry.slug} enabled`).toBe(entry.enabled ?? true);
      if (entry.default === true) expect(row.is_default).toBe(true);
      if (entry.description !== undefined) expect(row.description ?? "").toBe(entry.description);
      if (typeof entry.color === "string") expect(String(row.color).toLowerCase()).toBe(entry.color.toLowerCase());
    }
    const stray = live.filter(
      (row) => row.enabled === true && !slugs.includes(row.slug ?? null) && row.slug !== "incident_lead",
    );
    expect(stray, `undeclared ${kind}`).toEqual([]);
  }
  if (document.custom_fields !== undefined) {
    const live = await list(service, "/custom_fields", "custom_fields");
    for (const entry of rowsOf(document.custom_fields)) {
      const row = live.find(({ slug }) => slug === entry.slug) ?? {};
      expect(row).toMatchObject({ name: entry.name, field_type: entry.field_type });
      // Options that unmanaged conditions refer to stay in their position.
      if (isList(entry.options)) {
        const declared = entry.options;
        const labels = rowsOf(row.options).flatMap(({ label }) => (label === undefined ? [] : [label]));
        expect(labels.filter((label) => declared.includes(label))).toEqual(declared);
      }
    }
  }
  for (const type of rowsOf(document.catalog_types)) {
    const row = (await list(service, "/catalog/types", "types")).find(({ slug }) => slug === type.slug) ?? {};
    if (type.name !== undefined) expect(row.name).toBe(type.name);
    if (type.attributes !== undefined) {
      const named = (value: Json | undefined) =>
        rowsOf(value).map(({ name, attribute_type }) => [name, attribute_type]);
      // Attributes with values in entries stay in their position.
      const declared = named(type.attributes).map((one) => JSON.stringify(one));
      const definitions = named(row.attribute_definitions).map((one) => JSON.stringify(one));
      expect(definitions.filter((one) => declared.includes(one))).toEqual(declared);
    }
    if (type.entries === undefined) continue;
    const live = await entriesOf(service, String(type.slug));
    // An entry stays if conditions that the service does not return may refer to it.
    const slugs = live.map(({ slug }) => String(slug));
    expect(slugs).toEqual(expect.arrayContaining(rowsOf(type.entries).map(({ slug }) => String(slug))));
    const strays = live.filter(({ slug }) => !rowsOf(type.entries).some((entry) => entry.slug === slug));
    for (const stray of service.emulator.dialects.readable === "full" ? strays : []) {
      const all = await Promise.all(["product", "platform"].map((slug) => entriesOf(service, slug)));
      const references = all.flat().flatMap(({ references }) => rowsOf(references).map((one) => one.target_entry_id));
      expect(references, `${stray.slug} stays although nothing refers to it`).toContain(stray.id);
    }
    for (const entry of rowsOf(type.entries)) {
      const row = live.find(({ slug }) => slug === entry.slug) ?? {};
      const attributes = isFields(row.attributes) ? row.attributes : {};
      for (const [key, value] of Object.entries(isFields(entry.attributes) ? entry.attributes : {})) {
        const reference = rowsOf(row.references).find((one) => one.key === key);
        if (key.startsWith("part_of_"))
          expect(String(reference?.target_name).toLowerCase().replaceAll(" ", "_")).toBe(value);
        else expect(attributes[key]).toEqual(value);
      }
    }
  }
  for (const [form, fields] of Object.entries(isFields(document.forms) ? document.forms : {})) {
    const live = await list(service, `/forms/${form}`, "fields");
    for (const entry of rowsOf(fields)) {
      const row = live.find(({ slug }) => slug === (entry.custom_field ?? entry.system_field)) ?? {};
      expect(row).toMatchObject({ visible: entry.visible, required: entry.required });
      if (entry.conditions !== undefined) expect(rowsOf(row.conditions)).toHaveLength(rowsOf(entry.conditions).length);
    }
  }
  for (const entry of rowsOf(document.runbooks)) {
    const row = (await list(service, "/runbooks", "runbooks")).find(({ slug }) => slug === entry.slug) ?? {};
    expect(row).toMatchObject({ name: entry.name, summary: entry.summary });
    expect(rowsOf(row.steps).map(({ title }) => title)).toEqual(rowsOf(entry.steps).map(({ title }) => title));
  }
  const rules = isFields(document.routing_rules) ? document.routing_rules : {};
  const scopes = [["", rules.workspace] as const, ...Object.entries(isFields(rules.sources) ? rules.sources : {})];
  for (const [scope, declared] of scopes) {
    if (declared === undefined) continue;
    const query = scope === "" ? "" : `?source=${encodeURIComponent(scope)}`;
    const live = [...(await list(service, `/routing_rules${query}`, "routing_rules"))].sort(
      (left, right) => Number(left.priority) - Number(right.priority),
    );
    expect(live.map(plainRule), `rules of ${scope}`).toEqual(
      rowsOf(declared).map((rule) => plainRule(wired(rule, severities))),
    );
  }
  if (document.webhooks !== undefined) {
    const live = await list(service, "/webhooks?include_disabled=true", "webhooks");
    const names = rowsOf(document.webhooks).map(({ name }) => name);
    expect(live.filter(({ name, enabled }) => enabled === true && !names.includes(name ?? null))).toEqual([]);
    for (const entry of rowsOf(document.webhooks)) {
      const row = live.find(({ name }) => name === entry.name) ?? {};
      expect(row).toMatchObject({ url: entry.url, enabled: entry.enabled ?? true });
      expect(asSet(row.subscribed_events)).toEqual(asSet(entry.subscribed_events));
    }
  }
  if (document.api_keys !== undefined) {
    const live = await list(service, "/api_keys?include_disabled=true", "api_keys");
    for (const entry of rowsOf(document.api_keys)) {
      const row = live.find(({ name }) => name === entry.name) ?? {};
      expect(row.active).toBe(entry.active ?? true);
      expect(asSet(isFields(row.permissions) ? row.permissions.incidents : undefined)).toEqual(
        asSet(isFields(entry.permissions) ? entry.permissions.incidents : undefined),
      );
    }
  }
  for (const entry of rowsOf(document.agents)) {
    const row =
      (await list(service, "/agents?include_disabled=true", "agents")).find(({ slug }) => slug === entry.slug) ?? {};
    expect(row).toMatchObject({ name: entry.name, enabled: true });
    if (entry.grants === undefined) continue;
    const grants = await list(service, `/grants?principal_kind=agent&principal_id=${row.id}`, "grants");
    expect(asSet(grants.map(({ ability }) => ability ?? null))).toEqual(
      asSet(rowsOf(entry.grants).map(({ ability }) => ability ?? null)),
    );
  }
}

function wired(rule: Fields, severities: readonly Fields[]): Fields {
  const outcome = isFields(rule.outcome) ? rule.outcome : {};
  const { severity, ...rest } = outcome;
  const id = severities.find(({ slug }) => slug === severity)?.id;
  return {
    enabled: rule.enabled ?? true,
    conditions: rule.conditions ?? [],
    outcome: id === undefined ? rest : { ...rest, severity_id: id },
  };
}

function plainRule({ enabled, conditions, outcome }: Fields): Json {
  const sorted = rowsOf(conditions)
    .map(({ field, operator, value }) => JSON.stringify([field, operator, asSet(value)]))
    .sort();
  const members = Object.entries(isFields(outcome) ? outcome : {})
    .map(([name, value]) => JSON.stringify([name, value]))
    .sort();
  return [enabled ?? true, sorted, members];
}
