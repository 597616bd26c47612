/** Removals in use and not in use: the plan, `refs` and the apply agree, for every kind that can be removed and in every dialect. */

import { expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { reader } from "../../../src/service/http/client.ts";
import { refsText } from "../../../src/view/workspace/refs.ts";
import { findReferrers } from "../../../src/workspace/read/find-referrers.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import { configured } from "../../support/plans/configuration.ts";
import { someOf } from "../../support/samples/sample-size.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";

/** What happens to a resource that is not in the configuration: by the plan, and after the apply. */
type Fate = "delete" | "disable" | "keep";

/** A resource that can be removed, and a way in which it is used. */
interface Case {
  readonly kind: string;
  readonly address: string;
  /** The configuration with the resource, and without it. */
  readonly before: Fields;
  readonly after: Fields;
  /** Makes by hand what uses it. */
  readonly use?: (service: TestService) => Promise<unknown>;
  readonly fate: Fate;
}

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const condition = (condition_field: string, value: string, more: Fields = {}): Fields => ({
  name: "Book",
  conditions: [{ condition_field, operator: "one_of", values: [value], ...more }],
});

/** Declares an incident. */
async function incident(service: TestService, more: Fields = {}): Promise<Fields> {
  const { severities } = (await service.hand("GET", "/severities")) as { severities: readonly Fields[] };
  const [first] = severities;
  const body = { idempotency_key: String(service.seen.length), name: "One", severity_id: first?.id ?? null, ...more };
  return service.hand("POST", "/incidents", body) as Promise<Fields>;
}

/** The id of a resource, by its slug. */
async function idOf(service: TestService, path: string, slug: string): Promise<Json> {
  const lists = Object.values((await service.hand("GET", `/${path}?include_disabled=true`)) as Fields);
  const rows = lists.find((value) => Array.isArray(value)) as readonly Fields[];
  return rows.find((row) => row.slug === slug)?.id ?? null;
}

const severities = {
  before: { severities: [named("a", { default: true }), named("b")] },
  after: { severities: [named("a", { default: true })] },
};
const states = (...more: readonly Fields[]): Fields => ({
  statuses: [
    named("triaging", { lifecycle_stage: "triage" }),
    named("open", { lifecycle_stage: "active", default: true }),
    named("done", { lifecycle_stage: "closed" }),
    named("off", { lifecycle_stage: "canceled" }),
    ...more,
  ],
});
const statuses = { before: states(named("b", { lifecycle_stage: "active" })), after: states() };
const types = { before: { incident_types: [named("b")] }, after: { incident_types: [] } };
const ownLists: Readonly<Record<string, Pick<Case, "before" | "after">>> = { severities, statuses };
/** One of each option list, used by nothing. Which incidents have a role is unknown. */
const unused = OPTION_LISTS.map((kind): [string, Case] => {
  const plain = { before: { [kind]: [named("b")] }, after: { [kind]: [] } };
  const fate = kind === "incident_roles" ? "disable" : "delete";
  return [`one of ${kind}`, { kind, address: `${kind}/b`, ...(ownLists[kind] ?? plain), fate }];
});
const select = named("region", { field_type: "single_select", options: ["EU"] });
const fields = { before: { custom_fields: [select] }, after: { custom_fields: [] } };
const books = { before: { runbooks: [named("b")] }, after: { runbooks: [] } };
const squad = (...entries: readonly Fields[]): Fields => named("squad", { entries });
const owner = named("owner", { field_type: "catalog_reference", catalog_type: "squad" });
const entries = {
  before: { catalog_types: [squad(named("red"))], custom_fields: [owner] },
  after: { catalog_types: [squad()], custom_fields: [owner] },
};
const catalog = { before: { catalog_types: [named("rack")] }, after: { catalog_types: [] } };
const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(unused),
  "a severity of an incident": {
    kind: "severities",
    address: "severities/b",
    ...severities,
    use: async (service) => incident(service, { severity_id: await idOf(service, "severities", "b") }),
    fate: "disable",
  },
  "a severity of a condition": {
    kind: "severities",
    address: "severities/b",
    ...severities,
    use: (service) => service.hand("POST", "/runbooks", condition("severity", "b")),
    fate: "disable",
  },
  "a status of an incident": {
    kind: "statuses",
    address: "statuses/b",
    ...statuses,
    use: async (service) => incident(service, { status_id: await idOf(service, "statuses", "b") }),
    fate: "disable",
  },
  "an incident type of an incident": {
    kind: "incident_types",
    address: "incident_types/b",
    ...types,
    use: async (service) => incident(service, { incident_type_id: await idOf(service, "incident_types", "b") }),
    fate: "disable",
  },
  "an incident type of a condition": {
    kind: "incident_types",
    address: "incident_types/b",
    ...types,
    use: (service) => service.hand("POST", "/runbooks", condition("incident_type", "b")),
    fate: "disable",
  },
  "a custom field": { kind: "custom_fields", address: "custom_fields/region", ...fields, fate: "delete" },
  "a custom field that an incident answers": {
    kind: "custom_fields",
    address: "custom_fields/region",
    ...fields,
    use: async (service) => {
      await service.hand("PATCH", "/forms/declare", { custom_field: "region", visible: true });
      await incident(service, { custom_fields: { region: "EU" } });
    },
    fate: "keep",
  },
  "a runbook": { kind: "runbooks", address: "runbooks/b", ...books, fate: "delete" },
  "a catalog type": { kind: "catalog_types", address: "catalog_types/rack", ...catalog, fate: "delete" },
  "a catalog type of a custom field": {
    kind: "catalog_types",
    address: "catalog_types/rack",
    ...catalog,
    use: (service) =>
      service.hand("POST", "/custom_fields", {
        name: "Rack",
        field_type: "catalog_reference",
        option_source: "catalog",
        catalog_type: "rack",
      }),
    fate: "keep",
  },
  "a catalog entry": {
    kind: "catalog_entries",
    address: "catalog_types/squad/entries/red",
    ...entries,
    fate: "delete",
  },
  "a catalog entry that an incident names": {
    kind: "catalog_entries",
    address: "catalog_types/squad/entries/red",
    ...entries,
    use: async (service) => {
      await service.hand("PATCH", "/forms/declare", { custom_field: "owner", visible: true });
      await incident(service, { custom_fields: { owner: "red" } });
    },
    fate: "keep",
  },
  "an alert source": {
    kind: "alert_sources",
    address: "alert_sources/Datadog",
    before: { alert_sources: [{ name: "Datadog", provider: "datadog" }] },
    after: { alert_sources: [] },
    fate: "delete",
  },
  "a webhook": {
    kind: "webhooks",
    address: "webhooks/pager",
    before: {
      webhooks: [{ name: "pager", url: "https://pager.example.com/", subscribed_events: ["incident.created"] }],
    },
    after: { webhooks: [] },
    fate: "delete",
  },
  "a service key": {
    kind: "api_keys",
    address: "api_keys/bot",
    before: { api_keys: [{ name: "bot", permissions: { incidents: ["read"] } }] },
    after: { api_keys: [] },
    fate: "delete",
  },
  "an agent": {
    kind: "agents",
    address: "agents/helper",
    before: { agents: [{ slug: "helper", name: "Helper" }] },
    after: { agents: [] },
    fate: "delete",
  },
};

/** Both choices of every dialect. */
const DIALECTS: readonly Partial<Dialects>[] = [
  {},
  { readable: "partial", condition_values: "id" },
  { delete_guard: "incidents", options: "replace", envelope: "wrapped" },
  { slug: "accept", fallback: "sticky", locked_fields: "ignore" },
];

test("every kind that can be removed has a case", () => {
  const removable = kinds.filter(
    ({ lifecycle }) => lifecycle.permanent !== true && lifecycle.order !== "rank" && lifecycle.ownedByParent !== true,
  );
  const missing = removable.filter(({ name }) => !Object.values(CASES).some(({ kind }) => kind === name));
  expect(
    missing.map(({ name }) => name),
    "add a case to CASES in this file",
  ).toEqual([]);
});

test.each(Object.entries(CASES))("%s: plan, refs and apply agree in every dialect", async (title, removalCase) => {
  const { fate } = removalCase;
  for (const dialects of someOf(DIALECTS, Object.keys(CASES).indexOf(title), 2)) {
    const service = serviceFor({ dialects });
    await service.converge(removalCase.before);
    await removalCase.use?.(service);
    const plan = await service.plan(removalCase.after);
    const change = plan.changes.find(({ address }) => address === removalCase.address);
    expect([dialects, change?.action ?? "keep"]).toEqual([dialects, fate]);

    const refs = await findReferrers(
      reader(service.writer),
      kinds,
      configured(removalCase.after),
      removalCase.address,
      4,
    );
    const isFree = refsText(refs).includes("Nothing references it.");
    if (removalCase.use !== undefined) expect([dialects, isFree]).toEqual([dialects, false]);
    // A runbook is deleted although its incidents are unknown: it cannot be disabled, and the service refuses if there are any.
    else if (removalCase.kind !== "runbooks") expect([dialects, isFree]).toEqual([dialects, fate === "delete"]);

    const { outcomes } = await service.carryOut(plan);
    const outcome = outcomes.find(({ operation }) => operation.address === removalCase.address);
    expect([dialects, outcome?.status]).toEqual([dialects, fate === "keep" ? undefined : "done"]);
    service.emulator.close();
  }
});
