import { afterEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { dialectChoices } from "../../../src/emulator/dialects.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";

let service: TestService;
afterEach(() => service.emulator.close());

const referring = (slug: string, other: string, more: Fields = {}): Fields => ({
  slug,
  name: slug,
  attributes: [{ name: `To ${other}`, attribute_type: "reference", reference_type: other, ...more }],
});

describe("a resource that the files no longer declare", () => {
  test.each([{}, ...dialectChoices().map(([name, [, other]]) => ({ [name]: other }))])(
    "is deleted in one apply if two reference each other, on a service with %o",
    async (dialects) => {
      service = serviceFor({ dialects });
      await service.converge({ catalog_types: [referring("one", "two"), referring("two", "one")] });
      const plan = await service.converge({ catalog_types: [] });
      expect(plan.warnings).toEqual([]);
      expect(plan.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
        "PATCH /api/v1/catalog/types/one",
        "DELETE /api/v1/catalog/types/two",
        "DELETE /api/v1/catalog/types/one",
      ]);
      expect((await service.plan({ catalog_types: [] })).operations).toEqual([]);
    },
  );

  test.each([{}, { envelope: "wrapped", delete_guard: "incidents", readable: "partial" } as const])(
    "is deleted if two entries reference each other and their types stay, on a service with %o",
    async (dialects) => {
      service = serviceFor({ dialects });
      const types = (...entries: readonly (readonly Fields[])[]) => ({
        catalog_types: ["one", "two"].map((slug, at) => ({
          ...referring(slug, slug === "one" ? "two" : "one"),
          entries: entries[at] ?? [],
        })),
      });
      const referrer = { slug: "a", name: "a", attributes: { to_two: "b" } };
      await service.converge(
        types([referrer, { slug: "c", name: "c" }], [{ slug: "b", name: "b", attributes: { to_one: "a" } }]),
      );
      const plan = await service.converge(types([], []));
      expect(plan.operations.map(({ method, address }) => `${method} ${address}`)).toEqual([
        "PATCH catalog_types/one/entries/a",
        "DELETE catalog_types/two/entries/b",
        "DELETE catalog_types/one/entries/c",
        "DELETE catalog_types/one/entries/a",
      ]);
      expect((await service.plan(types([], []))).operations).toEqual([]);
    },
  );

  const typesWithEntries = (more: Fields = {}) => ({
    catalog_types: [
      { ...referring("one", "two", more), entries: [{ slug: "a", name: "a", attributes: { to_two: "b" } }] },
      { ...referring("two", "one", more), entries: [{ slug: "b", name: "b", attributes: { to_one: "a" } }] },
    ],
  });

  test.each([{}, ...dialectChoices().map(([name, [, other]]) => ({ [name]: other }))])(
    "is deleted if two types reference each other and so do their entries, on a service with %o",
    async (dialects) => {
      service = serviceFor({ dialects });
      await service.converge(typesWithEntries());
      const plan = await service.converge({ catalog_types: [] });
      expect(plan.operations.map(({ method, address }) => `${method} ${address}`)).toEqual([
        "PATCH catalog_types/one/entries/a",
        "PATCH catalog_types/one",
        "DELETE catalog_types/two",
        "DELETE catalog_types/one",
      ]);
      expect((await service.plan({ catalog_types: [] })).operations).toEqual([]);
    },
  );

  test("is preserved, with the reason, if two types reference each other and their entries have to as well", async () => {
    service = serviceFor();
    await service.converge(typesWithEntries());
    await service.converge(typesWithEntries({ required: true }));
    const plan = await service.plan({ catalog_types: [] });
    expect(plan.operations).toEqual([]);
    expect(plan.warnings.map(({ code, message }) => [code, message])).toEqual([
      [
        "W_RETAINED",
        "catalog_types/one is not in the configuration but stays: used by catalog_types/two, and a catalog type cannot be disabled",
      ],
      [
        "W_RETAINED",
        "catalog_types/two is not in the configuration but stays: used by catalog_types/one, and a catalog type cannot be disabled",
      ],
    ]);
  });

  test("is deleted in one apply with its referrers, whichever references the other", async () => {
    service = serviceFor();
    await service.converge({ catalog_types: [referring("one", "two"), { slug: "two", name: "two" }] });
    const plan = await service.converge({ catalog_types: [] });
    expect(plan.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "DELETE /api/v1/catalog/types/one",
      "DELETE /api/v1/catalog/types/two",
    ]);
  });

  test("is disabled if an incident uses it, and an unforeseen refusal falls back to disabling", async () => {
    service = serviceFor();
    const types = (await service.hand("POST", "/incident_types", { name: "Held" })) as Fields;
    const listed = ["service_outage", "performance_degradation", "security_incident", "data_issue"];
    const before = await service.plan({ incident_types: listed.map((slug) => ({ slug })) });
    expect(before.changes.map(({ reason }) => reason)).toEqual(["not in the configuration; not used by incidents"]);
    expect(before.operations).toMatchObject([
      { method: "DELETE", fallback: { method: "PATCH", body: { enabled: false } } },
    ]);
    const severities = (await service.hand("GET", "/severities")) as { severities: readonly { id: string }[] };
    const body = { idempotency_key: "1", name: "One", severity_id: severities.severities[0]?.id ?? "" };
    await service.hand("POST", "/incidents", { ...body, incident_type_id: types.id ?? null });
    const now = await service.plan({ incident_types: listed.map((slug) => ({ slug })) });
    expect(now.changes.map(({ reason }) => reason)).toEqual(["not in the configuration; used by 1 incident"]);
    expect(now.operations).toMatchObject([{ method: "PATCH", body: { enabled: false } }]);
    const { outcomes } = await service.apply(before);
    expect(outcomes.map(({ status }) => status)).toEqual(["fell_back"]);
    expect((await service.plan({ incident_types: listed.map((slug) => ({ slug })) })).operations).toEqual([]);
  });

  test("is disabled when not all incidents were read, and the plan says how many were", async () => {
    service = serviceFor();
    const type = (await service.hand("POST", "/incident_types", { name: "Held" })) as Fields;
    const { severities } = (await service.hand("GET", "/severities")) as { severities: readonly { id: string }[] };
    const declare = (key: string, more: Fields = {}) =>
      service.hand("POST", "/incidents", {
        idempotency_key: key,
        name: key,
        severity_id: severities[0]?.id ?? "",
        ...more,
      });
    for (const key of ["1", "2", "3"]) await declare(key);
    const listed = ["service_outage", "performance_degradation", "security_incident", "data_issue"];
    const reason = async (maxIncidentsRead: number) => {
      service.forget();
      const { changes } = await service.plan(
        { incident_types: listed.map((slug) => ({ slug })) },
        { settings: { maxIncidentsRead } },
      );
      return changes.map((change) => `${change.action}: ${change.reason}`);
    };
    expect(await reason(3)).toEqual(["delete: not in the configuration; not used by incidents"]);
    expect(await reason(2)).toEqual([
      "disable: not in the configuration; not used by the 2 incidents that were read, of more (limits.max_incidents_read)",
    ]);
    expect(service.seen.filter(({ url }) => url.startsWith("/incidents"))).toHaveLength(1);
    await declare("4", { incident_type_id: type.id ?? null });
    expect(await reason(2)).toEqual(["disable: not in the configuration; used by 1 or more incidents"]);
    expect(await reason(4)).toEqual(["disable: not in the configuration; used by 1 incident"]);
  });

  test("is disabled when no list says which incidents use it", async () => {
    service = serviceFor();
    await service.converge({ incident_roles: [{ slug: "scribe", name: "Scribe" }] });
    const plan = await service.converge({ incident_roles: [] });
    expect(plan.changes.map(({ action, reason }) => `${action}: ${reason}`)).toEqual([
      "disable: not in the configuration; unknown which incidents use it",
    ]);
    expect((await service.plan({ incident_roles: [] })).changes).toEqual([]);
  });

  test("is preserved and recorded if it cannot be disabled and the refusal was not foreseen", async () => {
    service = serviceFor();
    const conditions = [{ condition_field: "severity", operator: "one_of", values: ["critical"] }];
    await service.hand("POST", "/runbooks", { name: "Attached", conditions });
    const { severities } = (await service.hand("GET", "/severities")) as { severities: readonly { id: string }[] };
    const body = { idempotency_key: "1", name: "One", severity_id: severities[0]?.id ?? "" };
    await service.hand("POST", "/incidents", body);
    const plan = await service.plan({ runbooks: [] });
    expect(plan.operations).toMatchObject([
      { method: "DELETE", path: "/api/v1/runbooks/attached", retains: "the runbook" },
    ]);
    expect((await service.apply(plan)).outcomes.map(({ status }) => status)).toEqual(["retained"]);
    await service.converge({ runbooks: [] });
    const next = await service.plan({ runbooks: [] });
    expect(next.operations).toEqual([]);
    expect(next.warnings.map(({ message }) => message)).toEqual([
      "runbooks/attached is not in the configuration but stays: the service refused to delete it at the last apply (retry with --resend-unreadable), and a runbook cannot be disabled",
    ]);
    await service.converge({ runbooks: [{ slug: "attached" }] });
    expect(service.lock, "once it is declared nothing is remembered").toEqual({});
  });
});
