import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { type Kind, mayReference } from "../../../src/kinds/model/kind.ts";
import type { Draft, Step } from "../../../src/plan/diff/step.ts";
import { orderCreations, orderKinds, sequenceSteps } from "../../../src/plan/order/sequence.ts";
import { hashValue } from "../../../src/workspace/match/last-applied.ts";
import { configured } from "../../support/plans/configuration.ts";
import { contextOf, order, planned } from "../../support/plans/make-plan.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const severity = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const on = (...values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });
const book = (slug: string, ...values: readonly string[]): Fields => ({
  slug,
  name: slug,
  conditions: [on(...values)],
});
const status = (slug: string, lifecycle_stage: string, more: Fields = {}): Fields => ({
  ...severity(slug, more),
  lifecycle_stage,
});
const reference = (slug: string, ...others: readonly string[]): Fields => ({
  slug,
  name: slug,
  attributes: others.map((other) => ({ name: `To ${other}`, attribute_type: "reference", reference_type: other })),
});

describe("kinds", () => {
  test("come after the kinds that they may reference, otherwise in registry order", () => {
    const at = new Map(orderKinds(kinds).map(({ name }, index) => [name, index]));
    for (const kind of kinds) {
      for (const other of kind.references?.dependsOn ?? []) {
        if (other !== kind.name)
          expect(at.get(other), `${other} before ${kind.name}`).toBeLessThan(at.get(kind.name) ?? 0);
      }
    }
    const named = (name: string, ...after: readonly string[]) =>
      ({ name, references: { dependsOn: after } }) as unknown as Kind;
    const input = [named("c", "a"), named("d"), named("a", "b"), named("b", "b")];
    expect(orderKinds(input).map(({ name }) => name)).toEqual(["b", "a", "c", "d"]);
  });
});

describe("a referenced resource", () => {
  test("is created before its referrer, which depends on it", () => {
    expect(order({ runbooks: [book("a", "new")], severities: [severity("new")] })).toEqual([
      "POST severities/new",
      "POST runbooks/a after POST severities/new",
    ]);
  });

  test("is enabled before its referrer", () => {
    const live = { severities: [severity("off", { enabled: false })] };
    expect(order({ runbooks: [book("a", "off")], severities: [severity("off")] }, { live })).toEqual([
      "PATCH severities/off",
      "POST runbooks/a after PATCH severities/off",
    ]);
  });

  test("that is only updated is not a dependency", () => {
    const live = { severities: [severity("old")] };
    const document = { runbooks: [book("a", "old")], severities: [severity("old", { name: "New" })] };
    expect(order(document, { live })).toEqual(["PATCH severities/old", "POST runbooks/a"]);
  });

  test("of the same kind comes first, in any order of the files", () => {
    expect(order({ catalog_types: [reference("a", "b"), reference("b", "c"), reference("c")] })).toEqual([
      "POST catalog_types/c",
      "POST catalog_types/b after POST catalog_types/c",
      "POST catalog_types/a after POST catalog_types/b",
    ]);
  });

  test("gets the referenced option before its referrer is written", () => {
    const field = (...options: readonly string[]): Fields => ({
      slug: "region",
      name: "Region",
      field_type: "single_select",
      options,
    });
    const wants = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["US"] };
    const document = {
      custom_fields: [field("EU", "US")],
      runbooks: [{ slug: "a", name: "a", conditions: [wants] }],
    };
    expect(order(document, { live: { custom_fields: [field("EU")] } })).toEqual([
      "PATCH custom_fields/region",
      "POST runbooks/a after PATCH custom_fields/region",
    ]);
  });
});

describe("a cycle of new resources", () => {
  test("is created without the closing reference, which is set when both exist", () => {
    const document = { catalog_types: [reference("a", "b"), reference("b", "a")] };
    expect(order(document)).toEqual([
      "POST catalog_types/b",
      "POST catalog_types/a after POST catalog_types/b",
      "PATCH catalog_types/b after POST catalog_types/b, POST catalog_types/a",
    ]);
    const { operations } = planned(document);
    expect(operations.map(({ body }) => Object.keys(body ?? {}))).toEqual([
      ["name"],
      ["name", "attributes"],
      ["attributes"],
    ]);
    expect(operations[2]?.why).toBe("set attributes (the referenced resource now exists)");
  });

  test("is not a cycle if one of them exists already", () => {
    const live = { catalog_types: [{ slug: "b", name: "b", attributes: [] }] };
    expect(order({ catalog_types: [reference("a", "b"), reference("b", "a")] }, { live })).toEqual([
      "POST catalog_types/a",
      "PATCH catalog_types/b after POST catalog_types/a",
    ]);
  });

  test("may consist of one resource that references itself", () => {
    expect(order({ catalog_types: [reference("a", "a")] })).toEqual([
      "POST catalog_types/a",
      "PATCH catalog_types/a after POST catalog_types/a",
    ]);
  });
});

describe("a removal", () => {
  test("comes last, and referrers are removed before their targets", () => {
    const live = { severities: [severity("old"), severity("kept")], runbooks: [book("b", "old")] };
    const document = { severities: [severity("kept"), severity("new")], runbooks: [book("c", "new")] };
    expect(order(document, { live })).toEqual([
      "POST severities/new",
      "POST runbooks/c after POST severities/new",
      "DELETE runbooks/b",
      "DELETE severities/old after DELETE runbooks/b",
    ]);
  });

  test("follows the reverse order of kinds, and of resources within a kind", () => {
    const live = {
      severities: [severity("old"), severity("older"), severity("kept")],
      runbooks: [book("b"), book("c")],
      agents: [{ slug: "bot", name: "Bot" }],
    };
    expect(order({ severities: [severity("kept")], runbooks: [], agents: [] }, { live })).toEqual([
      "DELETE agents/bot",
      "DELETE runbooks/c",
      "DELETE runbooks/b",
      "DELETE severities/older",
      "DELETE severities/old",
    ]);
  });

  test("waits until an updated resource no longer references it", () => {
    const live = { severities: [severity("old"), severity("kept")], runbooks: [book("b", "old", "kept")] };
    expect(order({ severities: [severity("kept")], runbooks: [book("b", "kept")] }, { live })).toEqual([
      "PATCH runbooks/b",
      "DELETE severities/old after PATCH runbooks/b",
    ]);
  });

  test("waits until its referrer is deleted with another resource", () => {
    const rows = {
      catalog_types: [reference("a"), reference("b", "a")],
      "catalog_entries a": [severity("a1")],
      "catalog_entries b": [{ ...severity("b1"), references: [{ key: "to_a", target_entry_id: "entry-a1" }] }],
    };
    const document = { catalog_types: [{ slug: "a", attributes: [], entries: [] }] };
    expect(order(document, { live: rows })).toEqual([
      "DELETE catalog_types/b",
      "DELETE catalog_types/a/entries/a1 after DELETE catalog_types/b",
    ]);
  });

  test("comes after the new default", () => {
    const live = { severities: [severity("old", { is_default: true }), severity("kept", { is_default: false })] };
    expect(order({ severities: [severity("kept", { default: true })] }, { live })).toEqual([
      "PATCH severities/kept",
      "DELETE severities/old after PATCH severities/kept",
    ]);
    expect(order({ severities: [severity("kept")] }, { live })).toEqual(["DELETE severities/old"]);
  });

  test("comes after the new status of its stage", () => {
    const live = { statuses: [status("open", "active")] };
    const document = { statuses: [status("open", "active", { enabled: false }), status("begun", "active")] };
    expect(order(document, { live })).toEqual(["POST statuses/begun", "PATCH statuses/open"]);
    expect(order({ statuses: [status("begun", "active")] }, { live })).toEqual([
      "POST statuses/begun",
      "DELETE statuses/open",
    ]);
  });
});

describe("an unrelated change", () => {
  test("delays no removal: a change of another field, a reference to itself, a former default", () => {
    const live = { severities: [severity("old"), severity("kept")], runbooks: [book("b", "old")] };
    const document = {
      severities: [severity("old", { enabled: false }), severity("kept")],
      runbooks: [{ ...book("b", "old"), name: "New" }],
    };
    expect(order(document, { live })).toEqual(["PATCH runbooks/b", "PATCH severities/old"]);
    expect(order({ catalog_types: [] }, { live: { catalog_types: [reference("a", "a")] } })).toEqual([
      "DELETE catalog_types/a",
    ]);
  });
});

describe("of several requests for one resource", () => {
  test("the last one is needed by the removal of a resource that it no longer references", () => {
    const holding = { ...severity("a1"), references: [{ key: "to_b", target_entry_id: "entry-b1" }] };
    const live = {
      catalog_types: [
        {
          ...reference("a"),
          attributes: [{ name: "To b", attribute_type: "reference", reference_type: "b", required: true }],
        },
        reference("b"),
      ],
      "catalog_entries a": [holding],
      "catalog_entries b": [severity("b1")],
    };
    const document = { catalog_types: [{ slug: "a", attributes: [], entries: [{ slug: "a1" }] }] };
    const { operations } = planned(document, { live });
    expect(operations.map(({ method, address, depends_on }) => [method, address, depends_on])).toEqual([
      ["PATCH", "catalog_types/a", []],
      ["PATCH", "catalog_types/a/entries/a1", []],
      ["PATCH", "catalog_types/a", ["op-1", "op-2"]],
      ["DELETE", "catalog_types/b", ["op-3"]],
    ]);
  });

  test("each change of options waits for the one before it", () => {
    const field = (...labels: readonly string[]): Fields => ({
      slug: "region",
      name: "Region",
      field_type: "single_select",
      option_source: "fixed",
      options: labels.map((label) => ({ id: `id-${label}`, label })),
    });
    const options = [{ label: "Europe", renamed_from: "EU" }, "US", "MEA"];
    const { operations } = planned(
      { custom_fields: [{ slug: "region", name: "Area", options }] },
      { live: { custom_fields: [field("EU", "US", "APAC")] } },
    );
    expect(operations.map(({ depends_on, why }) => [why, depends_on])).toEqual([
      ["set name", []],
      ['rename option "EU" to "Europe"', ["op-1"]],
      ['add option "MEA"', ["op-1", "op-2"]],
      ['remove option "APAC"', ["op-1", "op-3"]],
    ]);
  });

  test("a move is reported as a move, and an update that moves as both", () => {
    const live = { severities: [severity("a"), severity("b"), severity("c")] };
    const changesOf = (...severities: readonly Fields[]) => {
      const { changes, operations } = planned({ severities }, { live });
      return [...changes.map(({ action, reason }) => `${action}: ${reason}`), ...operations.map(({ why }) => why)];
    };
    expect(changesOf({ slug: "c" }, { slug: "a" }, { slug: "b" })).toEqual([
      "move: position differs",
      "move to its position",
    ]);
    expect(changesOf({ slug: "c", name: "New" }, { slug: "a" }, { slug: "b" })).toEqual([
      "update: name differs",
      "set name",
    ]);
  });

  test("the first one makes the resource the default", () => {
    const live = { severities: [severity("old", { is_default: true }), severity("kept", { is_default: false })] };
    const shiny = { slug: "brand_new", name: "Shiny", default: true };
    expect(order({ severities: [shiny, severity("kept")] }, { live })).toEqual([
      "POST severities/brand_new",
      "PATCH severities/brand_new after POST severities/brand_new",
      "DELETE severities/old after POST severities/brand_new",
    ]);
  });
});

test("a request for a nested resource needs the creation of its parent", () => {
  const entries = [{ slug: "red", name: "Red" }];
  expect(order({ catalog_types: [{ slug: "squad", name: "Squad", entries }] })).toEqual([
    "POST catalog_types/squad",
    "POST catalog_types/squad/entries/red after POST catalog_types/squad",
  ]);
  expect(order({ agents: [{ slug: "bot", name: "Bot", grants: [{ ability: "runbooks.read" }] }] })).toEqual([
    "POST agents/bot",
    "POST agents/bot/grants/runbooks.read after POST agents/bot",
  ]);
});

test("a creation that references a new resource of its own kind depends on it, also when it is renamed afterwards", async () => {
  const service = serviceFor();
  const { operations } = await service.plan({
    catalog_types: [
      {
        slug: "team",
        entries: [{ slug: "blue", name: "Blue" }],
      },
      {
        slug: "service",
        entries: [{ slug: "billing", name: "Billing & more", attributes: { owner_team: "blue" } }],
      },
    ],
  });
  const made = operations.find(({ address }) => address === "catalog_types/team/entries/blue");
  const naming = operations.filter(({ address }) => address === "catalog_types/service/entries/billing");
  expect(naming.map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect(naming[0]?.depends_on).toEqual([made?.id]);
  service.emulator.close();
});

describe("a chain longer than the call stack", () => {
  const LONG = 8000;

  test("of new resources is created from its end", () => {
    const types = Array.from({ length: LONG }, (_, at) =>
      reference(`t${at}`, ...(at + 1 < LONG ? [`t${at + 1}`] : [])),
    );
    const document = { catalog_types: types };
    const pairs = configured(document).declared.map((declared) => ({ declared }));
    const { matches, deferred } = orderCreations(contextOf(document), pairs);
    expect(deferred.size).toBe(0);
    expect(matches.map(({ declared }) => declared.key)).toEqual(types.map(({ slug }) => slug).toReversed());
  });

  test("of requests is sent from its end", () => {
    const [kind] = kinds;
    const steps: Step[] = [];
    for (let at = 0; at < LONG; at += 1)
      steps.push({ kind, phase: "change", needs: steps.slice(-1) } as unknown as Step);
    const change = { address: "", action: "update", fields: [] };
    const drafts = steps.map((step) => ({ kind, scope: "", change, steps: [step] }) as unknown as Draft);
    expect(sequenceSteps(contextOf({}), drafts.toReversed())).toEqual(steps);
  });
});

describe("a resource with references that the service does not return", () => {
  const live = { severities: [severity("low"), severity("high")], runbooks: [{ slug: "book", name: "Book" }] };

  test("is deleted before all that it may refer to, which depends on that", () => {
    expect(order({ severities: [severity("high")], runbooks: [] }, { live })).toEqual([
      "DELETE runbooks/book",
      "DELETE severities/low after DELETE runbooks/book",
    ]);
  });

  test("gets others before what it may have referred to goes, which depends on that", () => {
    // An earlier apply has sent what it refers to: what it refers to now is known.
    const lastApplied = { hashes: { "runbooks/book#conditions": hashValue([on("low", "high")]) }, resend: false };
    const document = { severities: [severity("high")], runbooks: [book("book", "high")] };
    expect(order(document, { live, lastApplied })).toEqual([
      "PATCH runbooks/book",
      "DELETE severities/low after PATCH runbooks/book",
    ]);
    const renamed = { severities: [severity("high")], runbooks: [{ slug: "book", name: "New" }] };
    expect(order(renamed, { live, lastApplied })).toEqual(["PATCH runbooks/book", "PATCH severities/low"]);
  });

  test("cannot refer to another one of its kind, for which the two would have to go in a certain order", () => {
    const hiding = kinds.filter(
      ({ fields = {}, lifecycle }) =>
        lifecycle.permanent !== true && Object.values(fields).some(({ holdsReferences }) => holdsReferences === true),
    );
    expect(hiding.map(({ name }) => name)).toEqual(["runbooks"]);
    for (const one of hiding)
      expect(hiding.filter((other) => mayReference(one, other, "")).map(({ name }) => name)).toEqual([]);
  });

  test("waits for nothing itself, and what it cannot refer to does not wait for it", () => {
    const hooks = [{ id: "1", name: "Hook", url: "https://example.com", subscribed_events: [] }];
    expect(order({ webhooks: [], runbooks: [] }, { live: { ...live, webhooks: hooks } }).toSorted()).toEqual([
      "DELETE runbooks/book",
      "DELETE webhooks/Hook",
    ]);
  });
});
