/** The schemas of request bodies against the service: each takes what the other takes, but for rules that only the workspace decides. */

import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fields, fieldsIn, isFields, isList, type Json } from "../../../src/core/json.ts";
import { openapi } from "../../../src/emulator/openapi/service-document.ts";
import { arbitraryBody } from "../../support/openapi/arbitrary-body.ts";
import { documentAjv } from "../../support/openapi/document-ajv.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { errorOf, type JsonResponse, listResources } from "../client.ts";
import { openTestEmulator, type TestEmulator } from "../test-emulator.ts";
import { workspaceRules } from "./workspace-rules.ts";

const document = openapi();
const ajv = documentAjv(document);

/** An operation with a body. */
interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly body: Fields;
  isValid(body: Json): boolean;
}

const operations = Object.entries(fieldsIn(document.paths)).flatMap(([path, item]) =>
  Object.entries(fieldsIn(item)).flatMap(([method, operation]): Operation[] => {
    const { operationId, requestBody } = fieldsIn(operation);
    if (requestBody === undefined) return [];
    const content = fieldsIn(fieldsIn(fieldsIn(requestBody).content)["application/json"]);
    const body = fieldsIn(content.schema);
    const validate = ajv.compile({ $ref: `openapi${String(body.$ref)}` });
    const isValid = (value: Json): boolean => validate(value);
    return [{ operationId: String(operationId), method: method.toUpperCase(), path, body, isValid }];
  }),
);

/** The values of path parameters, by the path. */
const addresses: Record<string, readonly Fields[]> = {};
let words: readonly string[];
let service: TestEmulator;

beforeAll(async () => {
  service = await openTestEmulator({ requestsPerMinute: Number.POSITIVE_INFINITY });
  const create = async (path: string, body: Fields): Promise<Fields> => (await service.send("POST", path, body)).body;
  const option = { option_source: "fixed", options: ["EU", "US"] };
  await create("/custom_fields", { name: "Region", field_type: "single_select", ...option });
  await create("/custom_fields", { name: "Note", field_type: "text", option_source: "none" });
  await service.send("PATCH", "/forms/declare", { custom_field: "region" });
  await create("/catalog/types", {
    name: "Host",
    attributes: [
      { name: "Cores", attribute_type: "number", required: true },
      { name: "Tier", attribute_type: "select", options: ["A", "B"] },
    ],
  });
  const entry = await create("/catalog/types/host/entries", { name: "One", attributes: { cores: 1 } });
  await create("/runbooks", { name: "Failover", steps: [{ title: "Look" }], conditions: [] });
  const source = await create("/alert_sources", { name: "Pager" });
  for (const _ of [1, 2]) await create("/routing_rules", { outcome: { action: "drop" } });
  const webhook = await create("/webhooks", { name: "Hook", url: "http://127.0.0.1:9" });
  const key = await create("/api_keys", { name: "CI" });
  const agent = await create("/agents", { name: "Bot" });
  const grant = { principal_kind: "agent", principal_id: agent.id ?? null, ability: "incidents.read" };
  const { id: grantId } = await create("/grants", grant);
  const [incident, resolved] = [await service.declare(), await service.declareIn("resolved")];
  await create(`/incidents/${resolved.id}/postmortem`, {});
  const item = await create(`/incidents/${incident.id}/action_items`, { description: "Roll back" });
  const at = (name: string, ...values: readonly (Json | undefined)[]): readonly Fields[] =>
    values.map((value) => ({ [name]: value ?? null }));
  const incidents = at("id", incident.id, resolved.id);
  const options = await Promise.all(
    OPTION_LISTS.map(async (list) => {
      await create(`/${list}`, { name: "Spare", lifecycle_stage: "active" });
      return [
        list,
        at("slug", ...(await listResources(service.emulator, `/${list}`)).map(({ slug }) => slug)),
      ] as const;
    }),
  );
  Object.assign(addresses, {
    ...Object.fromEntries(options),
    custom_fields: at("slug", "region", "note"),
    forms: at("slug", "declare", "update", "resolve", "cancel"),
    runbooks: at("slug", "failover"),
    "catalog/types": at("slug", "host", "team"),
    "catalog/entries": at("id", entry.id),
    alert_sources: at("slug", source.slug),
    alerts: at("slug", source.slug),
    routing_rules: at("priority", 1),
    webhooks: at("id", webhook.id),
    api_keys: at("prefix", key.prefix),
    agents: at("slug", "bot"),
    grants: at("id", grantId),
    permission_sets: at("slug", "read_everything"),
    incidents: incidents.map((each) => ({ ...each, item_id: item.id ?? null })),
  });
  const severities = await listResources(service.emulator, "/severities");
  const ids = [entry, incident, agent, ...severities].map(({ id }) => String(id));
  words = [
    "major",
    "resolved",
    "region",
    "EU",
    "Pager",
    "ada@example.com",
    "summary",
    "incidents.read",
    "host",
    ...ids,
  ];
});
afterAll(() => service.close());

test("every operation with a body has an address", () => {
  const missing = operations.filter(({ path }) => path.includes("{") && addressesOf(path).length === 0);
  expect(missing).toEqual([]);
});

test.each(operations)("the service takes a body of $operationId exactly if its schema does", async (operation) => {
  const body = arbitraryBody(document, operation.body, words);
  await fc.assert(
    fc.asyncProperty(body, fc.nat(), async (value, index) => {
      const { method, path, isValid } = operation;
      const response = await service.send(method, filled(path, index), value);
      const { status } = response;
      if (isValid(value)) expect(status === 404 || status === 409 ? [] : unexplained(response)).toEqual([]);
      else expect(status).toBeGreaterThanOrEqual(400);
    }),
    { numRuns: sampleSize(900) },
  );
});

test("the page of the emulator lists the rules that a schema cannot decide", async () => {
  const page = await readFile(new URL("../../../docs/emulator.md", import.meta.url), "utf8");
  expect(workspaceRules.filter(({ rule }) => !page.includes(`\n- ${rule}.\n`))).toEqual([]);
});

function addressesOf(path: string): readonly Fields[] {
  const [, , , first = "", second = ""] = path.split("/");
  return addresses[`${first}/${second}`] ?? addresses[first] ?? [];
}

function filled(path: string, index: number): string {
  const all = addressesOf(path);
  const address = all[index % Math.max(1, all.length)] ?? {};
  return path.replace("/api/v1", "").replaceAll(/\{(\w+)\}/g, (_, name: string) => String(address[name] ?? "1"));
}

/** The reasons of a refusal that are no rule of the workspace. */
function unexplained(response: JsonResponse): readonly string[] {
  return reasonsOf(response).filter((reason) => workspaceRules.every((rule) => !rule.reason.test(reason)));
}

/** The reasons of a refusal: one for each of its errors, or its message. None for any other response. */
function reasonsOf(response: JsonResponse): readonly string[] {
  if (response.status < 300) return [];
  const { message, errors } = errorOf(response);
  if (!isList(errors)) return [String(message)];
  return errors.filter(isFields).map((each) => `${String(each.field)} ${String(each.message)}`);
}
