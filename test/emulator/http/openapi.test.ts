import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { isFields } from "../../../src/core/json.ts";
import { openapi } from "../../../src/emulator/http/openapi.ts";
import { allModules } from "../../../src/emulator/modules/all-modules.ts";

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
  expect(new Set(ids).size).toBe(routes.length);
});

test("a body is described by the schema that validates it", () => {
  expect(document).toMatchObject({
    paths: {
      "/api/v1/incidents": {
        post: {
          requestBody: {
            content: {
              "application/json": {
                schema: {
                  required: ["idempotency_key", "name", "severity_id"],
                  properties: { name: { minLength: 1 } },
                },
              },
            },
          },
        },
      },
    },
  });
});
