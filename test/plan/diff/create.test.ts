import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { planned, refused, requests } from "../../support/plans/make-plan.ts";

const severity = (fields: Fields): Fields => ({ severities: [fields] });

describe("a creation ends with the declared slug", () => {
  test("in one request if the service derives it from the name", () => {
    expect(requests(severity({ slug: "critical_outage", name: "Critical outage" }))).toEqual([
      'POST /severities {"name":"Critical outage","position":1}',
    ]);
  });

  test("in two requests otherwise: another name first, then the declared one", () => {
    expect(requests(severity({ slug: "critical", name: "Everything burns" }))).toEqual([
      'POST /severities {"name":"critical","position":1}',
      'PATCH /severities/critical {"name":"Everything burns"}',
    ]);
  });

  test("whichever way the service derives slugs: if the ways differ, the name is not used", () => {
    const [create, name] = requests({ runbooks: [{ slug: "db_failover", name: "DB-failover" }] });
    expect(create).toBe('POST /runbooks {"name":"db failover"}');
    expect(name).toMatch(/^PATCH .*\{"name":"DB-failover"\}$/);
  });

  test("which the applier checks", () => {
    const [operation] = planned(severity({ slug: "critical", name: "Critical" })).operations;
    expect(operation?.expects).toEqual({ slug: "critical" });
  });

  test("which is sent if the caller chooses it, and not if the kind has none", () => {
    expect(requests({ agents: [{ slug: "bot", name: "The bot" }] })).toEqual([
      'POST /agents {"slug":"bot","name":"The bot"}',
    ]);
    const [hook] = planned({ webhooks: [{ name: "chat", url: "https://a.example" }] }).operations;
    expect(hook).not.toHaveProperty("expects");
  });

  test("or is refused if no name gives it", () => {
    expect(refused(severity({ slug: "a__b", name: "A" }))).toEqual([
      'E_SLUG no name gives severities/a__b its slug "a__b"',
    ]);
  });
});

describe("a creation", () => {
  test("requires the required fields, and reports all that are missing at once", () => {
    expect(refused({ statuses: [{ slug: "open" }] })).toEqual([
      "E_REQUIRED statuses/open is not in the workspace yet, and creating it requires name",
      "E_REQUIRED statuses/open is not in the workspace yet, and creating it requires lifecycle_stage",
    ]);
    expect(refused(severity({ slug: "open", name: null }))).toHaveLength(1);
  });

  test("omits what the service sets by itself: null, and switches at their default", () => {
    expect(requests(severity({ slug: "low", name: "Low", color: null, enabled: true, default: false }))).toEqual([
      'POST /severities {"name":"Low","position":1}',
    ]);
    expect(requests(severity({ slug: "low", name: "Low", enabled: false, default: true }))).toEqual([
      'POST /severities {"name":"Low","enabled":false,"default":true,"position":1}',
    ]);
  });

  test("is followed by a request with the fields that it does not accept", () => {
    expect(requests({ alert_sources: [{ name: "Datadog", provider: "generic", enabled: false }] })).toEqual([
      'POST /alert_sources {"name":"Datadog","provider":"generic"}',
      'PATCH /alert_sources/(known after apply) {"enabled":false}',
    ]);
    const [make, set] = planned({ alert_sources: [{ name: "Datadog", enabled: false }] }).operations;
    expect(set).toMatchObject({
      why: "set enabled (not accepted on creation)",
      depends_on: [make?.id],
      inserts: [{ at: "/path/4", address: "alert_sources/Datadog", fields: ["endpoint_path", "slug"] }],
    });
  });

  test("sends computed defaults, unless they are declared", () => {
    const field = (more: Fields): Fields => ({
      custom_fields: [{ slug: "zone", name: "Zone", field_type: "single_select", ...more }],
    });
    expect(planned(field({ options: ["EU"] })).operations[0]?.body).toMatchObject({ option_source: "fixed" });
    const live = { catalog_types: [{ slug: "team", name: "Team" }] };
    const team = { option_source: "catalog", catalog_type: "team" };
    expect(planned(field(team), { live }).operations[0]?.body).toMatchObject({ option_source: "catalog" });
    const derived = planned(field({ catalog_type: "team" }), { live });
    expect(derived.operations[0]?.body).toMatchObject({ option_source: "catalog" });
  });

  test("puts a field on a form with the first PATCH that names it", () => {
    const live = { custom_fields: [{ slug: "zone", name: "Zone", field_type: "text" }] };
    const form = (more: Fields): Fields => ({ forms: { declare: [{ custom_field: "zone", ...more }] } });
    expect(requests(form({}), { live })).toEqual(['PATCH /forms/declare {"custom_field":"zone","required":false}']);
    expect(requests(form({ required: true, visible: true }), { live })).toEqual([
      'PATCH /forms/declare {"custom_field":"zone","required":true,"visible":true}',
    ]);
    expect(planned(form({}), { live }).operations[0]?.why).toBe("add the field to the form");
  });

  test("of a resource with a one-time token names its field and requires attention", () => {
    const { operations, changes } = planned({ agents: [{ slug: "bot", name: "Bot" }] });
    expect(operations[0]?.reveals).toBe("token");
    expect(changes[0]?.risk).toBe("attention");
    expect(planned(severity({ slug: "low", name: "Low" })).changes[0]?.risk).toBe("safe");
  });

  test("shows every declared field as a change from nothing", () => {
    const [change] = planned(severity({ slug: "low", name: "Low", color: "#00ff00" })).changes;
    expect(change).toMatchObject({
      address: "severities/low",
      action: "create",
      reason: "not in the workspace",
      fields: [
        { path: "/slug", before: null, after: "low" },
        { path: "/name", before: null, after: "Low" },
        { path: "/color", before: null, after: "#00ff00" },
        { path: "/position", before: null, after: 1 },
      ],
    });
  });

  test("of a grant names its agent", () => {
    const { operations } = planned({ agents: [{ slug: "bot", name: "Bot", grants: [{ ability: "runbooks.read" }] }] });
    expect(operations[1]).toMatchObject({
      path: "/api/v1/grants",
      body: { principal_kind: "agent", ability: "runbooks.read" },
      inserts: [{ at: "/body/principal_id", address: "agents/bot", fields: ["id"] }],
      depends_on: [operations[0]?.id],
    });
  });
});
