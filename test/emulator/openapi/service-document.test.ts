import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { dialectChoices, standardDialects } from "../../../src/emulator/dialects.ts";
import { allModules } from "../../../src/emulator/modules/all-modules.ts";
import { webhookEvents } from "../../../src/emulator/modules/webhooks/webhooks.ts";
import { openapi } from "../../../src/emulator/openapi/service-document.ts";
import { documentAjv } from "../../support/openapi/document-ajv.ts";
import { openTestEmulator } from "../test-emulator.ts";

const document = openapi();

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone({ ...document }));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
});

test("it has every endpoint of every module once, with a unique operationId", () => {
  const operations = Object.entries(isFields(document.paths) ? document.paths : {}).flatMap(([path, item]) => {
    const methods = Object.keys(isFields(item) ? item : {}).filter((name) => name !== "parameters");
    return methods.map((method) => `${method.toUpperCase()} ${path}`);
  });
  const routes = allModules.flatMap((module) => module.endpoints);
  const expected = routes.map(({ method, path }) => `${method} /api/v1${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(operations.toSorted()).toEqual(expected.toSorted());
  const ids = JSON.stringify(document).match(/"operationId":"[^"]+"/g) ?? [];
  expect(new Set(ids).size).toBe(routes.length + webhookEvents.length);
});

test("a body is described by the schema that validates it", () => {
  expect(document).toMatchObject({
    paths: {
      "/api/v1/incidents": {
        post: {
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "#/components/schemas/DeclareIncidentRequest" } } },
          },
        },
      },
    },
    components: {
      schemas: {
        DeclareIncidentRequest: {
          required: ["idempotency_key", "name", "severity_id"],
          properties: { name: { type: "string", pattern: "\\S" } },
        },
      },
    },
  });
});

test.each<[operation: string, body: Fields, taken: boolean]>([
  ["createRoutingRule", { conditions: [{ feild: "a" }], outcome: { action: "drop" } }, false],
  ["createRoutingRule", { outcome: { acton: "drop" } }, false],
  ["createRoutingRule", { outcome: { action: "drop", notify: { type: "owning_team", of: "service" } } }, false],
  ["createRoutingRule", { outcome: { action: "notify_only", notify: { type: "team" } } }, false],
  ["createRoutingRule", { outcome: { action: "notify_only", notify: { type: "team", entry_id: "a", via: 1 } } }, true],
  ["createRoutingRule", {}, false],
  ["updateRoutingRule", {}, true],
  ["createSeverity", { name: "A", position: [] }, false],
  ["createSeverity", { name: "A", position: "top" }, false],
  ["createSeverity", { name: "A", position: "2" }, true],
  ["createSeverity", { name: null }, false],
  ["updateSeverity", { name: null }, true],
  ["createSeverity", { name: " " }, false],
  ["createStatus", { name: "A", lifecycle_stage: "open" }, false],
  ["createCustomField", { name: "A", field_type: "color", option_source: "none" }, false],
  ["createCustomField", { name: "A", field_type: "text", option_source: "free" }, false],
  ["createCustomField", { name: "A", field_type: "text", option_source: "fixed", options: ["B"] }, false],
  ["createCustomField", { name: "A", field_type: "single_select", option_source: "fixed" }, false],
  ["createCustomField", { name: "A", field_type: "single_select", option_source: "catalog" }, false],
  ["updateFormField", { visible: true }, false],
  ["updateFormField", { system_field: "summary", custom_field: "region" }, true],
  ["updateFormField", { custom_field: "region" }, true],
  ["createAlertSource", { name: "A", provider: "nagios" }, false],
  ["createApiKey", { name: "A", permissions: { webhooks: ["write"] } }, false],
  ["createGrant", { principal_kind: "agent", principal_id: "a" }, false],
  ["createWebhook", { name: "A", url: "ftp://example.com" }, false],
  ["updatePostmortem", { html: "<p>a</p>" }, false],
])("the body of %s %j is taken: %j", (operation, body, isTaken) => {
  const title = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Request`;
  expect(documentAjv(document).getSchema(`openapi#/components/schemas/${title}`)?.(body)).toBe(isTaken);
});

test("requests and responses have one schema of a routing condition, and one of an outcome", () => {
  const text = JSON.stringify(document.components);
  for (const name of ["RoutingCondition", "RoutingOutcome"]) {
    expect(text.split(`{"$ref":"#/components/schemas/${name}"}`).length - 1).toBeGreaterThanOrEqual(3);
  }
});

test("every successful response with a body has a named schema", () => {
  for (const { responses } of operationsOf(document)) {
    const successes = Object.entries(responses).filter(([status]) => /^2/.test(status));
    expect(successes.length).toBeGreaterThan(0);
    for (const [status, { content }] of successes) {
      if (status === "204") expect(content).toBeUndefined();
      else expect(content?.["application/json"].schema.$ref).toMatch(/^#\/components\/schemas\/[A-Z]/);
    }
  }
});

test("every example has the schema that it is an example of", () => {
  const ajv = documentAjv(document);
  const examples = [...mediaTypes(document, "#")];
  expect(examples.length).toBeGreaterThan(100);
  for (const [pointer, { example }] of examples) {
    const validate = ajv.getSchema(`openapi${pointer}/schema`);
    validate?.(example);
    expect([pointer, validate?.errors]).toEqual([pointer, null]);
  }
});

test("every event that a webhook can subscribe to has its delivery, and one schema describes them all", () => {
  expect(Object.keys(document.webhooks as Fields)).toEqual([...webhookEvents]);
  expect(document).toMatchObject({
    webhooks: {
      "action.created": {
        post: {
          operationId: "receiveActionCreated",
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/ActionItemDelivery" } } },
          },
        },
      },
    },
    components: { schemas: { WebhookDelivery: { anyOf: { length: 4 } } } },
  });
});

/** The bodies of these operations name resources by id, which the workspace of the test does not have. */
const namesOthers: readonly string[] = ["createGrant", "declareIncident", "evaluateRouting"];

test("the emulator accepts the example of every body that creates a resource", async () => {
  const service = await openTestEmulator();
  const responses: (readonly [string, number])[] = [];
  for (const { operationId, method, path, requestBody } of operationsOf(document)) {
    const example = requestBody?.content["application/json"].example;
    if (method !== "post" || path.includes("{") || example === undefined) continue;
    const { status } = await service.send("POST", path.replace("/api/v1", ""), example);
    responses.push([operationId, status]);
  }
  await service.close();
  expect(responses.length).toBeGreaterThan(14);
  expect(responses.filter(([name, status]) => status !== 201 && !namesOthers.includes(name))).toEqual([]);
});

test.each(dialectChoices())(
  "the document is valid with the other choice of the dialect %s",
  async (name, [, other]) => {
    const validator = new Validator();
    const changed = openapi({ ...standardDialects, [name]: other });
    expect(await validator.validate(structuredClone({ ...changed }))).toEqual({ valid: true });
  },
);

test("the document describes the dialects that it is made for", () => {
  const wrapped = openapi({ ...standardDialects, envelope: "wrapped", readable: "partial" });
  expect(wrapped).toMatchObject({
    info: { description: expect.stringContaining("Its dialects are envelope=wrapped, readable=partial.") },
    components: {
      schemas: {
        SeverityEnvelope: {
          required: ["severity"],
          properties: { severity: { $ref: "#/components/schemas/Severity" } },
        },
        CustomField: { properties: { id: {} } },
      },
    },
  });
  expect(document).toMatchObject({ components: { schemas: { CustomField: { properties: { catalog_type: {} } } } } });
  expect(wrapped).not.toMatchObject({
    components: { schemas: { CustomField: { properties: { catalog_type: {} } } } },
  });
});

interface OperationObject {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: Json } } };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

interface ResponseObject {
  readonly content?: { readonly "application/json": { readonly schema: { readonly $ref: string } } };
}

function operationsOf({ paths }: Fields): readonly OperationObject[] {
  const items = Object.entries(paths as Record<string, Record<string, Fields>>);
  return items.flatMap(([path, { parameters: _, ...operations }]) => {
    return Object.entries(operations).map(
      ([method, fields]) => ({ method, path, ...fields }) as unknown as OperationObject,
    );
  });
}

/** Every JSON media type of the document, with its pointer. */
function* mediaTypes(value: Json, pointer: string): Generator<[string, Fields]> {
  if (!isFields(value) && !isList(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const path = `${pointer}/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
    if (name === "application/json" && isFields(member)) yield [path, member];
    else yield* mediaTypes(member, path);
  }
}
