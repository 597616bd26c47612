/** Faults in the configuration resources, routing and webhooks. */

import { resources } from "../../../src/conformance/fixtures/configuration-resources.ts";
import { numberAt, rowsAt, textAt } from "../../../src/conformance/value-shape.ts";
import { type Fields, isFields, type Json } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import {
  changeError,
  changeRequest,
  changeResponse,
  fieldsOf,
  intercept,
  mapRows,
  matches,
  type PlantedFault,
  without,
} from "./planted-fault.ts";

const optionLists = new RegExp(`^(${OPTION_LISTS.join("|")})$`);
const optionEntry = new RegExp(`^(${OPTION_LISTS.join("|")})/[^/]+$`);
let counter = 0;

function fresh(): string {
  counter += 1;
  return `fault ${counter}`;
}

/** Fields that responses leave out, each with the rule that asks for it. */
const missing: readonly (readonly [method: string, path: string, field: string, foundBy: string])[] = [
  ["PATCH", "forms/:", "conditions", "forms.answer"],
  ["GET", "forms/:", "name", "forms.answer"],
  ["GET", "runbooks/:", "summary", "runbooks.member"],
  ["POST", "routing_rules", "outcome", "routing.shown"],
  ["GET", "routing_rules", "outcome", "routing.shown"],
  ["PATCH", "routing_rules/:", "conditions", "routing.shown"],
  ["POST", "grants", "principal", "grants.shown"],
  ["GET", "grants", "expires_at", "grants.shown"],
  ["PATCH", "incidents/:/action_items/:", "description", "items.shape"],
  ["POST", "incidents/:/runbook_steps/claim", "assignee", "responders.claim.status"],
  ["POST", "incidents/:/postmortem", "title", "postmortem.shape"],
  ["PATCH", "incidents/:/postmortem", "html", "postmortem.shape"],
  ["POST", "incidents", "lead", "incident.shown"],
  ["PATCH", "incidents/:", "custom_fields", "incident.shown"],
  ["GET", "incidents/:", "visibility", "incident.shown"],
];

/** The body without the field, of itself, of the member that it wraps, and of its rows. */
function withoutField(body: Json, field: string): Json {
  const own = without(fieldsOf(body), field);
  const wrapped = Object.entries(own).map(([name, value]) => [
    name,
    isFields(value) && /^(?:incident|runbook)$/.test(name) ? without(value, field) : value,
  ]);
  return mapRows(Object.fromEntries(wrapped), (row) => without(row, field));
}

function withoutFirst(body: Json | undefined): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(body)).slice(1));
}

/** The collections, each with the rule that asks for 201. */
const accepted201: readonly (readonly [path: string, foundBy: string])[] = [
  ...resources.map(({ id, path }): readonly [string, string] => [path, `resources.status.${id}`]),
  ["routing_rules", "resources.6.status"],
  ["grants", "grants.again"],
  ["agents/[^/]+/rotate", "agents.rotate.status"],
  ["catalog/types/[^/]+/entries", "resources.catalog.upsert"],
];

/** Faults of the configuration resources. */
export const configurationFaults: readonly PlantedFault[] = [
  ...OPTION_LISTS.map(
    (list): PlantedFault => ({
      title: `the list of ${list} is in reverse order`,
      foundBy: [`position.2.listed.${list}`],
      wrap: changeResponse(matches("GET", new RegExp(`^${list}$`)), ({ status, body }) => ({
        status,
        body: { ...fieldsOf(body), [list]: [...rowsAt(body, list)].reverse() },
      })),
    }),
  ),
  ...accepted201.map(
    ([path, foundBy]): PlantedFault => ({
      title: `POST ${path} returns 200 instead of 201`,
      foundBy: [foundBy],
      wrap: changeResponse(matches("POST", new RegExp(`^${path}$`)), ({ status, body }) => ({
        status: status === 201 ? 200 : status,
        body,
      })),
    }),
  ),
  ...resources.map(
    ({ id, path }): PlantedFault => ({
      title: `the list of ${path} does not return the last field`,
      foundBy: [`resources.shown.${id}`],
      wrap: changeResponse(matches("GET", new RegExp(`^${path}$`)), ({ status, body }) => ({
        status,
        body: mapRows(body, (row) => without(row, Object.keys(row).at(-1) ?? "")),
      })),
    }),
  ),
  ...resources.flatMap(({ id, path }): readonly PlantedFault[] =>
    ["POST", "PATCH"].map((method) => ({
      title: `${method} ${path} does not return the first field of a member`,
      foundBy: [`resources.shown.${id}`],
      wrap: changeResponse(matches(method, new RegExp(`^${path}(/[^/]+)?$`)), ({ status, body }) => ({
        status,
        body: id === "runbooks" ? { runbook: withoutFirst(fieldsOf(body).runbook) } : withoutFirst(body),
      })),
    })),
  ),
  ...missing.map(
    ([method, path, field, foundBy]): PlantedFault => ({
      title: `${method} ${path} returns no ${field}`,
      foundBy: [foundBy],
      wrap: changeResponse(matches(method, new RegExp(`^${path.replaceAll(":", "[^/]+")}$`)), ({ status, body }) => ({
        status,
        body: status < 300 ? withoutField(body, field) : body,
      })),
    }),
  ),
  {
    title: "listings show disabled entries",
    foundBy: ["disabled.2.hidden.severities", "disabled.2.hidden.incident_roles"],
    wrap: changeRequest(matches("GET", optionLists), () => ({
      query: new URLSearchParams({ include_disabled: "true" }),
    })),
  },
  {
    title: "include_disabled is ignored",
    foundBy: ["disabled.1.kept.statuses", "disabled.2.asked.statuses"],
    wrap: changeRequest(matches("GET", optionLists), () => ({ query: new URLSearchParams() })),
  },
  {
    title: "a position lands one below the one that was sent",
    foundBy: ["position.1.create.severities", "position.1.update.incident_types", "position.answer.statuses"],
    wrap: changeRequest(
      ({ path, body }) => optionLists.test(path.split("/")[0] ?? "") && typeof body.position === "number",
      ({ body }) => ({ body: { ...body, position: numberAt(body, "position") + 1 } }),
    ),
  },
  {
    title: "an entry created without position goes to the top",
    foundBy: ["position.2.severities", "position.2.incident_roles"],
    wrap: changeRequest(
      (request) => matches("POST", optionLists)(request) && request.body.position === undefined,
      ({ body }) => ({ body: { ...body, position: 1 } }),
    ),
  },
  {
    title: "a position beyond the bottom lands at the top",
    foundBy: ["position.3.bottom.statuses"],
    wrap: changeRequest(
      ({ path, body }) => optionLists.test(path.split("/")[0] ?? "") && numberAt(body, "position") > 100,
      ({ body }) => ({ body: { ...body, position: 1 } }),
    ),
  },
  {
    title: "the slug changes when an entry is renamed",
    foundBy: ["options.slug.severities", "options.slug.incident_roles"],
    wrap: changeResponse(
      (request) => matches("PATCH", optionEntry)(request) && request.body.name !== undefined,
      ({ status, body }) => ({ status, body: status === 200 ? { ...fieldsOf(body), slug: fresh() } : body }),
    ),
  },
  {
    title: "a status keeps its stage",
    foundBy: ["status.stage.moved"],
    wrap: changeRequest(matches("PATCH", /^statuses\/[^/]+$/), ({ body }) => ({
      body: without(body, "lifecycle_stage"),
    })),
  },
  {
    title: "rank rises with position instead of falling",
    foundBy: ["severity.rank.derived", "severity.rank.moves"],
    wrap: changeResponse(
      ({ path }) => path.startsWith("severities"),
      ({ status, body }) => {
        const turned = (entry: Fields) => ({ ...entry, rank: numberAt(entry, "position") });
        const one = fieldsOf(body);
        return { status, body: one.rank === undefined ? mapRows(body, turned) : turned(one) };
      },
    ),
  },
  {
    title: "deleting an entry that is referenced succeeds",
    foundBy: ["disabled.3.refused.severities", "errors.other.referenced"],
    wrap: changeResponse(matches("DELETE", optionEntry), (response) =>
      response.status === 422 ? { status: 204, body: null } : response,
    ),
  },
  {
    title: "the refusal of a referenced entry's deletion gives no count",
    foundBy: ["disabled.3.refused.incident_types", "errors.other.referenced"],
    wrap: changeResponse(matches("DELETE", optionEntry), ({ status, body }) => ({
      status,
      body: changeError(body, (error) => ({ ...error, message: "The entry is in use." })),
    })),
  },
  {
    title: "a change of one form field shows a second one as well",
    foundBy: ["resources.2.one"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("PATCH", /^forms\/declare$/)(request) || request.body.required !== true) return undefined;
        await send("PATCH", request.path, { system_field: "summary", visible: true, required: true });
        return undefined;
      }),
  },
  {
    title: "there is a fifth form",
    foundBy: ["resources.2.only", "limits.forms"],
    wrap: changeRequest(matches("GET", /^forms\/escalate$/), () => ({ path: "forms/cancel" })),
  },
  {
    title: "Severity and Status may be hidden: the change returns 200",
    foundBy: ["resources.5.locked.declare.severity.visible", "errors.other.locked"],
    wrap: changeResponse(matches("PATCH", /^forms\//), ({ status, body }, request) =>
      status === 422 && request.body.conditions === undefined ? { status: 200, body: {} } : { status, body },
    ),
  },
  {
    title: "conditions of a form field are added to those there are",
    foundBy: ["resources.5.conditions", "resources.5.cleared"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("PATCH", /^forms\//)(request) || !Array.isArray(request.body.conditions)) return undefined;
        const form = await send("GET", request.path);
        const field = rowsAt(form.body, "fields").find((each) => each.slug === request.body.custom_field);
        const conditions: readonly Json[] = [...rowsAt(field, "conditions"), ...request.body.conditions];
        return send("PATCH", request.path, { ...request.body, conditions });
      }),
  },
  {
    title: "a change of a runbook without steps takes its steps away",
    foundBy: ["resources.4.steps.kept"],
    wrap: changeRequest(
      (request) => matches("PATCH", /^runbooks\//)(request) && request.body.steps === undefined,
      ({ body }) => ({ body: { ...body, steps: [] } }),
    ),
  },
  {
    title: "deleting a routing rule renumbers the others",
    foundBy: ["resources.6.gap"],
    wrap: changeResponse(matches("GET", /^routing_rules$/), ({ status, body }) => ({
      status,
      body: mapRows(body, (rule, index) => ({ ...rule, priority: index + 1 })),
    })),
  },
  {
    title: "routing rules of a source are those of the workspace",
    foundBy: ["resources.6.source", "resources.6.workspace"],
    wrap: changeRequest(
      ({ path, query }) => path.startsWith("routing_rules") && query.has("source"),
      () => ({ query: new URLSearchParams() }),
    ),
  },
  {
    title: "routing evaluate creates an incident",
    foundBy: ["evaluate.nothing"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (request.path !== "routing/evaluate") return undefined;
        const severities = await send("GET", "severities");
        const severity_id = textAt(severities.body, "severities", 0, "id");
        await send("POST", "incidents", { idempotency_key: fresh(), name: "From a dry run", severity_id });
        return undefined;
      }),
  },
  {
    title: "webhooks never fire",
    foundBy: ["events.4.fires"],
    wrap: changeRequest(matches("POST", /^webhooks$/), ({ body }) => ({ body: { ...body, subscribed_events: [] } })),
  },
];
