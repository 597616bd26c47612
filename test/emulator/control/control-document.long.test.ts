import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields, isList } from "../../../src/core/json.ts";
import { controlEndpoints } from "../../../src/emulator/control/control-handler.ts";
import { errorOf, type JsonResponse } from "../client.ts";
import { openTestEmulator, type TestEmulator } from "../test-emulator.ts";

const docs = fileURLToPath(new URL("../../../docs", import.meta.url));

let service: TestEmulator;
let document: Fields;
beforeEach(async () => {
  service = await openTestEmulator({ seed: true });
  document = (await service.control("GET", "/control-openapi.json")).body;
});
afterEach(() => service.close());

interface Operation {
  readonly method: string;
  /** Below /control, with parameters as `{name}`. */
  readonly path: string;
  readonly operation: Fields;
}

function operations(): readonly Operation[] {
  return Object.entries(fieldsOf(document.paths)).flatMap(([path, item]) => {
    const { parameters: _parameters, ...methods } = fieldsOf(item);
    return Object.entries(methods).map(([method, operation]) => {
      return { method: method.toUpperCase(), path: path.replace("/control", ""), operation: fieldsOf(operation) };
    });
  });
}

test("the document is valid OpenAPI 3.1, and has every endpoint once", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  const named = operations().map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`);
  expect(named.toSorted()).toEqual(controlEndpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(controlEndpoints.length);
});

test("an unknown query parameter is refused by every endpoint, with those that are allowed", async () => {
  for (const { method, path } of operations()) {
    const response = await service.control(method, `${path.replace(/\{\w+\}/, "x")}?milisconds=5`);
    expect([method, path, response.status]).toEqual([method, path, 400]);
    expect(errorOf(response).message).toContain("The query parameter milisconds is unknown; ");
  }
  const requests = await service.control("GET", "/requests?since=5");
  expect(errorOf(requests).message).toBe("The query parameter since is unknown; allowed: after");
});

test("an unknown member of a body is refused by every endpoint, with those that are allowed", async () => {
  for (const { method, path, operation } of operations().filter((one) => one.method !== "GET")) {
    const response = await service.control(method, path.replace(/\{\w+\}/, "x"), { milisconds: 5 });
    expect([method, path, response.status]).toEqual([method, path, 422]);
    const allowed = Object.keys(fieldsOf(bodySchema(operation)?.properties ?? {}));
    const list = allowed.length === 0 ? "none is allowed" : `allowed: ${allowed.join(", ")}`;
    expect(errorOf(response).errors).toEqual([{ field: "milisconds", message: `is unknown; ${list}` }]);
  }
});

test("an unknown member inside a body is refused, and free objects take any", async () => {
  const fault = { phase: "before-read", action: { type: "status", milisconds: 5 } };
  const refused = await service.control("POST", "/faults", fault);
  expect([refused.status, errorOf(refused).errors]).toEqual([
    422,
    [
      {
        field: "action.milisconds",
        message: "is unknown; allowed: type, status, headers, body, milliseconds, bytes, content_type",
      },
    ],
  ]);
  const headers = { "x-any": "1" };
  expect((await service.control("POST", "/faults", { ...fault, action: { type: "status", headers } })).status).toBe(
    201,
  );
});

test("the responses match the schemas of the document", async () => {
  const incident = fieldsOf(listIn(await service.send("GET", "/incidents"))[0] ?? {});
  const resolved = listIn(await service.send("GET", "/incidents?lifecycle_stage=closed")).map(fieldsOf);
  const outage = resolved.find(({ name }) => String(name).startsWith("Checkout")) ?? {};
  const channel = `/incidents/${incident.id}`;
  const hook = { name: "Hook", url: "http://127.0.0.1:9/", subscribed_events: ["incident.escalated"] };
  const webhook = (await service.send("POST", "/webhooks", hook)).body;
  await service.send("POST", `/incidents/${incident.id}/escalate`, { member_id: "ada@example.com" });
  await service.emulator.control?.settled();
  const message = await matching("POST", "/incidents/{id}/messages", `${channel}/messages`, {
    said_by: "ada@example.com",
    text: "Looking",
  });
  const escalations = await matching("GET", "/incidents/{id}/escalations", `${channel}/escalations`);
  const calls: readonly (readonly [string, string, string?, Fields?])[] = [
    ["GET", "/control-openapi.json"],
    ["GET", "/openapi.json"],
    ["GET", "/clock"],
    ["PUT", "/clock", "/clock", { advance_ms: 5 }],
    ["GET", "/dialects"],
    ["PATCH", "/dialects", "/dialects", { slug: "derive" }],
    ["POST", "/faults", "/faults", { phase: "after-read", path: "/none", action: { type: "reset" } }],
    ["GET", "/faults"],
    ["DELETE", "/faults/{id}", "/faults/none"],
    ["DELETE", "/faults"],
    ["GET", "/requests", "/requests?after=1"],
    ["GET", "/deliveries"],
    ["GET", "/webhooks/{id}/secret", `/webhooks/${webhook.id}/secret`],
    ["GET", "/workspace"],
    ["PATCH", "/workspace", "/workspace", { name: "Shop" }],
    ["GET", "/people"],
    ["POST", "/people", "/people", { name: "Kim", email: "kim@example.com", chat_user_id: "U77" }],
    [
      "POST",
      "/incidents/{id}/notes",
      `${channel}/notes`,
      { message_id: String(message.id), kind: "finding", statement: "S" },
    ],
    ["POST", "/incidents/{id}/forms/{form}", `${channel}/forms/update`, { message: "Half of it is back" }],
    ["POST", "/incidents/{id}/roles", `${channel}/roles`, { role: "incident_lead", member_id: "ada@example.com" }],
    [
      "POST",
      "/escalations/{id}/acknowledge",
      `/escalations/${fieldsOf(listOfFields(escalations)[0] ?? {}).id}/acknowledge`,
    ],
    ["GET", "/incidents/{id}/postmortem/versions", `/incidents/${outage.id}/postmortem/versions`],
    ["GET", "/posts"],
    ["GET", "/alerts"],
    ["DELETE", "/requests"],
    ["POST", "/seed"],
    ["GET", "/seed"],
    ["POST", "/snapshots", "/snapshots", { name: "one" }],
    ["GET", "/snapshots"],
    ["POST", "/snapshots/{name}/restore", "/snapshots/one/restore"],
    ["DELETE", "/snapshots/{name}", "/snapshots/one"],
    ["POST", "/reset"],
  ];
  for (const [method, path, address = path, body] of calls) await matching(method, path, address, body);
  const tried = [
    ...calls.map(([method, path]) => `${method} ${path}`),
    "POST /incidents/{id}/messages",
    "GET /incidents/{id}/escalations",
  ];
  expect(
    operations()
      .map(({ method, path }) => `${method} ${path}`)
      .filter((one) => !tried.includes(one)),
  ).toEqual([]);
});

/** Sends a request, and expects the status and the schema that the document has for it. Returns the body. */
async function matching(method: string, path: string, address: string, body?: Fields): Promise<Fields> {
  const operation = operations().find((one) => one.method === method && one.path === path)?.operation ?? {};
  const [status = ""] = Object.keys(fieldsOf(operation.responses ?? {})).filter((name) => name !== "default");
  const response = await service.control(method, address, body);
  expect([method, address, response.status]).toEqual([method, address, Number(status)]);
  const schema = schemaIn(fieldsOf(operation.responses ?? {})[status]);
  if (schema === undefined) expect(response.body).toEqual({});
  else {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({ ...schema });
    expect(validate(response.body), `${method} ${path}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
  return response.body;
}

describe("the page of the control surface", () => {
  test("has every endpoint, parameter and member of a body, from the document", async () => {
    const [hand = ""] = readFileSync(join(docs, "control.md"), "utf8").split(MARK);
    await expect(`${hand}${MARK}\n\n${reference()}`).toMatchFileSnapshot(join(docs, "control.md"));
  });
});

const MARK =
  "<!-- From here on written by a test: npx vitest run test/emulator/control/control-document.long.test.ts --update -->";

function reference(): string {
  const sections = operations().map(({ method, path, operation }) => {
    const query = (isList(operation.parameters) ? operation.parameters : []).map(fieldsOf);
    const parameters = [
      ...query.map(({ name, description, schema }) =>
        row(`?${name}`, { ...fieldsOf(schema), description: String(description) }, false),
      ),
      ...rowsOf(bodySchema(operation) ?? {}, ""),
    ];
    const table =
      parameters.length === 0 ? [] : ["", "| Parameter | Type | Description |", "|---|---|---|", ...parameters];
    return [`### ${method} /control${path}`, "", String(operation.summary), ...table, ""].join("\n");
  });
  return sections.join("\n");
}

/** The rows of a body's members, and of those inside them. */
function rowsOf({ properties, required }: Fields, prefix: string): readonly string[] {
  const needed = isList(required) ? required : [];
  return Object.entries(fieldsOf(properties ?? {})).flatMap(([name, value]) => {
    const schema = fieldsOf(value);
    const inner = isFields(schema.items)
      ? rowsOf(schema.items, `${prefix}${name}[].`)
      : rowsOf(schema, `${prefix}${name}.`);
    return [row(`${prefix}${name}`, schema, needed.includes(name)), ...inner];
  });
}

function row(name: string, { type, enum: values, description = "" }: Fields, isRequired: boolean): string {
  const kinds = isList(values)
    ? values.map((value) => `\`${value}\``)
    : [isList(type) ? type.join(" or ") : String(type)];
  return `| \`${name}\`${isRequired ? ", required" : ""} | ${kinds.join(", ")} | ${description} |`;
}

function bodySchema(operation: Fields): Fields | undefined {
  return schemaIn(operation.requestBody);
}

function schemaIn(part: unknown): Fields | undefined {
  const content = fieldsOf(fieldsOf(part ?? {}).content ?? {});
  const media = content["application/json"];
  return media === undefined ? undefined : fieldsOf(fieldsOf(media).schema);
}

function listIn({ body }: JsonResponse): readonly unknown[] {
  return listOfFields(body);
}

function listOfFields(body: Fields): readonly unknown[] {
  return Object.values(body).find(isList) ?? [];
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`no object: ${JSON.stringify(value)}`);
  return value as Fields;
}
