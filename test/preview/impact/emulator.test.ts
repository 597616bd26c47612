import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { dialectChoices } from "../../../src/emulator/dialects.ts";
import { readDeclareForm } from "../../../src/preview/impact/declare-form.ts";
import { pastIncident } from "../../../src/preview/impact/past-incident.ts";
import { effectOn } from "../../../src/preview/impact/replay.ts";
import { reader as asReader } from "../../../src/service/http/client.ts";
import { recentIncidents } from "../../../src/workspace/read/incidents.ts";
import { configured } from "../../support/plans/configuration.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";

/** Conditions for random configurations; everything that they reference always exists. */
const condition = fc.oneof(
  fc.record({
    condition_field: fc.constantFrom("severity"),
    values: fc.constantFrom<readonly string[]>(["critical"], ["critical", "major"]),
  }),
  fc.record({
    condition_field: fc.constantFrom("incident_type"),
    values: fc.constantFrom<readonly string[]>(["outage"]),
  }),
  fc.record({
    condition_field: fc.constantFrom("custom_field"),
    custom_field: fc.constantFrom("region", "zones"),
    values: fc.constantFrom<readonly string[]>(["US"], ["US", "APAC"]),
  }),
  fc.record({
    condition_field: fc.constantFrom("custom_field"),
    custom_field: fc.constantFrom("area"),
    values: fc.constantFrom<readonly string[]>(["payments"]),
  }),
);
const conditions: fc.Arbitrary<readonly Fields[]> = fc.array(
  fc.tuple(condition, fc.constantFrom("one_of", "not_one_of")).map(([one, operator]): Fields => ({ ...one, operator })),
  { maxLength: 2 },
);
const state = fc.record({
  visible: fc.boolean(),
  required: fc.boolean(),
  conditions: fc.oneof(fc.constant<readonly Fields[]>([]), conditions),
});
const form = fc.record({
  region: state,
  zones: state,
  area: state,
  note: state,
  summary: state,
  incident_type: state,
  visibility: state,
});
type Form = typeof form extends fc.Arbitrary<infer Value> ? Value : never;

const optional = { visible: true, required: false, conditions: [] };
/** A form that accepts every declaration. */
const OPEN: Form = {
  region: optional,
  zones: optional,
  area: optional,
  note: optional,
  summary: optional,
  incident_type: optional,
  visibility: optional,
};

const SYSTEM: readonly string[] = ["summary", "incident_type", "visibility"];

const EU: Json = "EU";
const optionLists = fc.constantFrom<readonly Json[]>(
  [EU, "US", "APAC"],
  ["US", "APAC", EU, "MEA"],
  [{ label: "Europe", renamed_from: "EU" }, "US", "APAC"],
  ["US", "APAC"],
);

const workspace = fc.record({
  form: fc.oneof(form, fc.constant(OPEN)),
  options: optionLists,
  minor: fc.boolean(),
  data: fc.boolean(),
  /** What the entry "search" becomes. */
  search: fc.constantFrom("stays", "is renamed", "goes"),
});

type Workspace = typeof workspace extends fc.Arbitrary<infer Value> ? Value : never;

function documentOf({ form: fields, options, minor, data, search }: Workspace): Fields {
  const renamed = search === "is renamed" ? "Discovery" : "Search";
  return {
    severities: [
      { slug: "critical", name: "Critical" },
      { slug: "major", name: "Major", default: true },
      ...(minor ? [{ slug: "minor", name: "Minor" }] : []),
    ],
    incident_types: [{ slug: "outage", name: "Outage" }, ...(data ? [{ slug: "data", name: "Data" }] : [])],
    catalog_types: [
      {
        slug: "area",
        name: "Area",
        attributes: [],
        entries: [
          { slug: "payments", name: "Payments" },
          ...(search === "goes" ? [] : [{ slug: "search", name: renamed }]),
        ],
      },
    ],
    custom_fields: [
      { slug: "region", name: "Region", field_type: "single_select", option_source: "fixed", options },
      { slug: "zones", name: "Zones", field_type: "multi_select", option_source: "fixed", options },
      { slug: "area", name: "Area", field_type: "catalog_reference", option_source: "catalog", catalog_type: "area" },
      { slug: "note", name: "Note", field_type: "text", option_source: "none" },
    ],
    forms: {
      declare: Object.entries(fields).map(([slug, asked]) => ({
        [SYSTEM.includes(slug) ? "system_field" : "custom_field"]: slug,
        ...asked,
        // A field that is asked for only after its own answer is no case worth having.
        conditions: asked.conditions.filter(({ custom_field }) => custom_field !== slug),
      })),
    },
  };
}

/** The workspace in which incidents are declared: nothing is missing, and its form is a random one. */
function original(fields: Form): Workspace {
  return { form: fields, options: [EU, "US", "APAC"], minor: true, data: true, search: "stays" };
}

/** The same without what the service refuses to do: such a plan is not applied to its end. */
function possible(wanted: Workspace, switches: Readonly<Record<string, string>>): Workspace {
  return {
    ...wanted,
    search: switches.delete_guard === "any" && wanted.search === "goes" ? "stays" : wanted.search,
    options: switches.options === "replace" && !wanted.options.includes(EU) ? ["US", "APAC"] : wanted.options,
  };
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const choices = fc.constantFrom("EU", "US", "APAC");
/** A key without a value leaves no trace in an incident, so that it was sent cannot be told afterwards. */
const declaration = fc.record({
  severity: fc.constantFrom("critical", "major", "minor"),
  type: maybe(fc.constantFrom("outage", "data")),
  summary: maybe(fc.constantFrom("", "It burns.")),
  visibility: maybe(fc.constantFrom("public", "private")),
  custom: fc.record(
    {
      region: choices,
      zones: fc.subarray(["EU", "US", "APAC"], { minLength: 1 }),
      area: fc.constantFrom("Payments", "Search"),
      note: fc.constant("Look here."),
    },
    { requiredKeys: [] },
  ),
});

type Declaration = typeof declaration extends fc.Arbitrary<infer Value> ? Value : never;

type Switches = Record<string, string>;
const dialects: fc.Arbitrary<Switches> = fc.record(
  Object.fromEntries(dialectChoices().map(([name, values]) => [name, fc.constantFrom(...values)])),
);

/** Of two incidents the one that says nothing is refused once a note is asked for: both ends are seen whatever chance brings. */
const SILENT = { severity: "major", type: undefined, summary: undefined, visibility: undefined, custom: {} } as const;
const FIRST: [Form, Workspace, Declaration[], Switches] = [
  OPEN,
  original({ ...OPEN, note: { ...optional, required: true } }),
  [SILENT, { ...SILENT, custom: { note: "Look here." } }],
  Object.fromEntries(dialectChoices().map(([name, [usual = ""]]) => [name, usual])),
];

/** The status and error type of a declaration. */
async function declare(service: TestService, body: Fields, key: string): Promise<string> {
  const answer = await service.emulator.fetch(
    new Request("http://127.0.0.1:1/api/v1/incidents", {
      method: "POST",
      headers: { authorization: `Bearer ${service.emulator.adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ ...body, idempotency_key: key }),
    }),
  );
  const { error } = (await answer.json()) as { error?: { type: string } };
  return `${answer.status} ${error?.type ?? ""}`.trim();
}

test("a declaration that impact reports as refused is refused after the apply, and any other is accepted", async () => {
  const seen = { refused: 0, fine: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(form, fc.constant(OPEN)),
      workspace,
      fc.array(declaration, { minLength: 1, maxLength: 12 }),
      dialects,
      async (first, second, declarations, switches) => {
        const service = serviceFor({ dialects: switches });
        try {
          await service.converge(documentOf(original(first)));
          const idsOf = async (list: string): Promise<ReadonlyMap<string, string>> => {
            const answer = (await service.hand("GET", `/${list}`)) as Record<string, { slug: string; id: string }[]>;
            return new Map((answer[list] ?? []).map(({ slug, id }) => [slug, id]));
          };
          const [severities, types] = [await idsOf("severities"), await idsOf("incident_types")];
          const bodies: Fields[] = [];
          for (const { severity, type, custom, ...rest } of declarations) {
            const body = JSON.parse(
              JSON.stringify({
                name: "Something",
                severity_id: severities.get(severity),
                incident_type_id: type === undefined ? undefined : types.get(type),
                custom_fields: custom,
                ...rest,
              }),
            );
            if ((await declare(service, body, `first ${bodies.length}`)) === "201") bodies.unshift(body);
          }

          const wanted = documentOf(possible(second, switches));
          const plan = await service.plan(wanted);
          const reader = asReader(service.writer);
          const { state: live, before, after } = await readDeclareForm(reader, configured(wanted), plan, 4);
          const rows = await recentIncidents(reader, 100);
          expect(rows.length).toBe(bodies.length);
          const effects = rows.map((row) => effectOn(pastIncident(row, live), before, after));
          await service.carryOut(plan);

          for (const [at, body] of bodies.entries()) {
            const effect = effects[at] ?? "already";
            const response = await declare(service, body, `second ${at}`);
            const context = JSON.stringify({ effect, body, switches });
            expect(effect, context).not.toBe("already");
            if (effect === "already") continue;
            if (effect.some(({ isCertain }) => isCertain)) {
              seen.refused += 1;
              expect(response, context).toBe("422 validation_error");
            } else if (effect.length === 0) {
              seen.fine += 1;
              expect(response, context).toBe("201");
            }
          }
        } finally {
          service.emulator.close();
        }
      },
    ),
    { numRuns: sampleSize(25, process.env.CAMPAIGN_RUNS), endOnFailure: true, examples: [FIRST] },
  );
  expect(Math.min(seen.refused, seen.fine)).toBeGreaterThan(0);
}, 240_000);
