/** The configuration of the example workspace, as the requests that make it: roles, a catalog, fields, forms, runbooks, sources and rules. */

import type { Fields } from "../../core/json.ts";
import { validateBody } from "../http/body-schema.ts";
import { matchPath } from "../http/match-path.ts";
import { allModules } from "../modules/all-modules.ts";
import { catalogEntries } from "../modules/catalog/catalog-tables.ts";
import { severityTable } from "../modules/option-lists/option-lists.ts";
import { firstAdmin } from "../modules/people.ts";
import { runTransaction, type ServiceContext } from "../service/service-context.ts";

/** Configures a new workspace, as requests of the first admin do. Throws if one is refused. */
export function configureExampleWorkspace(service: ServiceContext): void {
  for (const [request, body] of requests(service)) send(service, request, body);
}

function send(service: ServiceContext, request: string, body: Fields): void {
  const { id, name, email } = firstAdmin(service.database);
  const [method = "", path = ""] = request.split(" ");
  const endpoint = allModules
    .flatMap(({ endpoints }) => endpoints)
    .find((each) => each.method === method && matchPath(each.path, path) !== undefined);
  if (endpoint?.body === undefined) throw new Error(`no operation takes ${request}`);
  const { body: schema, path: pattern } = endpoint;
  runTransaction(service, (transaction) =>
    endpoint.handle({
      ...transaction,
      principal: { kind: "user", id, name, email, admin: true, token_id: id },
      query: new URLSearchParams(),
      body: validateBody(schema, body),
      param: (parameter) => matchPath(pattern, path)?.get(parameter) ?? "",
    }),
  );
}

const text = { field_type: "text", option_source: "none" };
const critical = { condition_field: "severity", operator: "one_of", values: ["critical"] };
const inEurope = {
  ...{ condition_field: "custom_field", custom_field: "affected_region" },
  ...{ operator: "one_of", values: ["Europe"] },
};
const isSecurity = { condition_field: "incident_type", operator: "one_of", values: ["security_incident"] };
const isOutage = { condition_field: "incident_type", operator: "one_of", values: ["service_outage"] };

/** The requests in order. One that names a row by its id is made when the row exists. */
function* requests({ database }: ServiceContext): Generator<readonly [request: string, body: Fields]> {
  const entryId = (slug: string): string => database.find(catalogEntries, { slug })?.id ?? "";
  const severityId = (slug: string): string => database.find(severityTable, { slug })?.id ?? "";

  yield [
    "POST /incident_roles",
    { name: "Communications Lead", description: "Writes to customers and to the company." },
  ];
  for (const [name, channel] of [
    ["Payments Team", "C-PAYMENTS"],
    ["Discovery Team", "C-DISCOVERY"],
  ] as const) {
    yield ["POST /catalog/types/team/entries", { name, attributes: { slack_channel: channel } }];
  }
  for (const [name, team, tier] of [
    ["Checkout API", "payments_team", "Critical"],
    ["Billing Console", "payments_team", "Internal"],
    ["Search API", "discovery_team", "Standard"],
  ] as const) {
    const attributes = { owner_team: entryId(team), tier };
    yield ["POST /catalog/types/service/entries", { name, attributes }];
  }

  yield [
    "POST /custom_fields",
    {
      ...{ name: "Affected region", field_type: "single_select", option_source: "fixed" },
      ...{ options: ["Europe", "North America", "Asia Pacific"], description: "Where customers notice it." },
    },
  ];
  yield [
    "POST /custom_fields",
    { name: "Affected services", field_type: "multi_select", option_source: "catalog", catalog_type: "service" },
  ];
  yield ["POST /custom_fields", { name: "Customer impact", ...text, description: "As support would say it." }];
  yield [
    "POST /custom_fields",
    { name: "Regulator informed", field_type: "single_select", option_source: "fixed", options: ["Yes", "Not needed"] },
  ];
  yield ["PATCH /forms/declare", { system_field: "incident_type", visible: true }];
  yield ["PATCH /forms/declare", { custom_field: "affected_region" }];
  yield ["PATCH /forms/declare", { custom_field: "affected_services" }];
  yield ["PATCH /forms/update", { custom_field: "customer_impact", conditions: [critical] }];
  yield ["PATCH /forms/resolve", { custom_field: "regulator_informed", required: true, conditions: [inEurope] }];

  yield [
    "POST /runbooks",
    {
      ...{ name: "Critical outage", summary: "The first quarter of an hour.", conditions: [critical, isOutage] },
      steps: [
        {
          title: "Open the status page",
          instruction: "Say which region is affected, and when the next update follows.",
        },
        { title: "Stop running releases and migrations" },
        { title: "Name a communications lead" },
      ],
    },
  ];
  yield [
    "POST /runbooks",
    {
      ...{ name: "Suspected intrusion", summary: "Contain first, then look.", conditions: [isSecurity] },
      steps: [
        { title: "End the sessions of the account" },
        { title: "Rotate its credentials", instruction: "Those of the services that it could read, too." },
        { title: "Keep the logs of the last 30 days" },
      ],
    },
  ];

  yield ["POST /alert_sources", { name: "Prometheus", provider: "alertmanager" }];
  yield ["POST /alert_sources", { name: "Uptime checks" }];
  const source = "Prometheus";
  yield [
    "POST /routing_rules",
    { source, conditions: [{ field: "title", operator: "contains", value: "[test]" }], outcome: { action: "drop" } },
  ];
  yield [
    "POST /routing_rules",
    {
      source,
      conditions: [
        { field: "service", operator: "is_one_of", value: ["checkout_api", "search_api"] },
        { field: "severity_raw", operator: "is_one_of", value: ["critical", "page"] },
      ],
      outcome: {
        ...{ action: "auto_create_incident", severity_id: severityId("critical") },
        invite: [{ type: "owning_team", of: "service" }],
      },
    },
  ];
  yield [
    "POST /routing_rules",
    { source, conditions: [], outcome: { action: "notify_only", notify: { type: "owning_team", of: "service" } } },
  ];
}
