/** Null in a file: it empties each field that the service lets be empty, and is an error before a request where it does not. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { resourceSchema, typesOf } from "../../src/config/schema/schema.ts";
import { type Fields, fieldsIn } from "../../src/core/json.ts";
import { kinds } from "../../src/kinds/index.ts";
import { openWorld, type World } from "../commands/world.ts";

/** A resource of a kind with values of its fields. */
interface Sample {
  readonly fields: Fields;
  /** The slugs of those that the workspace needs beside it. */
  readonly others?: readonly string[];
  /** The file with the resource. Default: it stands below the name of its kind. */
  readonly file?: (fields: Fields) => Fields;
}

const ENVIRONMENT = { slug: "environment", entries: [{ slug: "production", name: "Production" }] };

/** A resource of each kind. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  severities: { fields: { slug: "one", name: "One", default: true, description: "x" } },
  statuses: {
    fields: { slug: "investigating", description: "x" },
    others: ["triaging", "identified", "monitoring", "resolved", "canceled"],
  },
  incident_types: {
    fields: { slug: "data_issue", description: "x" },
    others: ["service_outage", "performance_degradation", "security_incident"],
  },
  incident_roles: { fields: { slug: "one", name: "One", description: "x" } },
  catalog_types: { fields: { slug: "one", name: "One", description: "x" } },
  custom_fields: {
    fields: { slug: "one", name: "One", field_type: "text", description: "x" },
  },
  runbooks: {
    fields: { slug: "one", name: "One", summary: "x", content: "x", external_url: "https://example.com/x" },
  },
  alert_sources: { fields: { name: "One", provider: "datadog" } },
  webhooks: {
    fields: { name: "One", url: "https://example.com/", subscribed_events: ["incident.created"] },
  },
  api_keys: { fields: { name: "One", permissions: { incidents: ["read"] } } },
  agents: { fields: { slug: "one", name: "One", description: "x" } },
  grants: {
    fields: { ability: "incidents.read", environments: ["production"], expires_at: "2099-01-01T00:00:00Z" },
    file: (fields) => ({ agents: [{ slug: "one", name: "One", grants: [fields] }], catalog_types: [ENVIRONMENT] }),
  },
  catalog_entries: {
    fields: { slug: "red", name: "Red", attributes: { note: "x" } },
    file: (fields) => ({
      catalog_types: [
        { slug: "squad", name: "Squad", attributes: [{ name: "Note", attribute_type: "text" }], entries: [fields] },
      ],
    }),
  },
  forms: {
    fields: { system_field: "summary", visible: true, required: false },
    file: (fields) => ({ forms: { declare: [fields] } }),
  },
  routing_rules: {
    fields: { name: "One", enabled: true, outcome: { action: "drop" } },
    file: (fields) => ({ routing_rules: { workspace: [fields] } }),
  },
};

/** Every field of the samples' kinds, with whether its schema has null. */
const ROWS = kinds.flatMap((kind) => {
  const sample = SAMPLES[kind.name] ?? { fields: {} };
  const { properties } = resourceSchema(kind).part;
  return Object.entries(fieldsIn(properties)).map(([field, part]) => ({
    kind: kind.name,
    field,
    sample: sample.fields,
    mayBeNull: typesOf({ whole: {}, part: fieldsIn(part) }).includes("null"),
  }));
});
const isEmptied = ({ sample, field, mayBeNull }: (typeof ROWS)[number]) => mayBeNull && sample[field] !== undefined;

let world: World;
beforeAll(async () => {
  world = await openWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n" });
});
afterAll(() => world.close());
const fileOf = (kind: string, fields: Fields) => {
  const { others = [], file } = SAMPLES[kind] ?? {};
  return JSON.stringify(file?.(fields) ?? { [kind]: [fields, ...others.map((slug) => ({ slug }))] });
};
const declare = (kind: string, fields: Fields) => world.write({ "config/all.yaml": fileOf(kind, fields) });
const applied = () => world.run(apply, { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });

describe("null", () => {
  test("is tried for every kind", () => {
    expect(kinds.map(({ name }) => name).filter((name) => SAMPLES[name] === undefined)).toEqual([]);
  });

  test("stands for each text that its kind takes for the same as an empty one", () => {
    const texts = kinds.flatMap(({ name, fields = {} }) =>
      Object.keys(fields).flatMap((field) =>
        // Conditions are a list, which is emptied by [].
        field !== "conditions" && fields[field]?.equals?.(null, "") === true ? [`${name} ${field}`] : [],
      ),
    );
    const emptied = ROWS.filter(isEmptied).map(({ kind, field }) => `${kind} ${field}`);
    expect(texts.filter((text) => !emptied.includes(text))).toEqual([]);
  });

  test.each(ROWS.filter(isEmptied))("empties the $field of $kind, new or old", async ({ kind, field, sample }) => {
    await declare(kind, sample);
    const first = await applied();
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    // A time has no empty text.
    for (const empty of field === "expires_at" ? [null] : [null, ""]) {
      await declare(kind, { ...sample, [field]: empty });
      const ended = await applied();
      expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
      const next = await planned();
      expect(next.exit, next.stdout + next.stderr).toBe(0);
    }
    const file = fileOf(kind, { ...sample, [field]: null }).replace(`"${field}":null`, `"${field}":`);
    await world.write({ "config/all.yaml": file });
    expect((await planned()).stderr).toContain("To empty it, write null.");
  });

  test("is an error of its own, before a request, for each other field", async () => {
    for (const { kind, field, sample } of ROWS.filter(({ mayBeNull }) => !mayBeNull)) {
      await declare(kind, { ...sample, [field]: null });
      const before = world.requests.length;
      const refused = await planned();
      expect(refused.stderr, `${kind} ${field}`).toContain(`"${field}" has no value`);
      expect(world.requests.length).toBe(before);
    }
  });
});
