/** Rules of the tables "Severity" and "Status", and of the fields that incident types and roles share with them. */

import { above, column, type Expected, every, row, rows } from "../../expected.ts";
import { optionLists } from "../../fixtures/configuration-resources.ts";
import { anySeverity, anyStatus, defaultSeverity, incident, incidentIn, made } from "../../fixtures/given.ts";
import { stages } from "../../fixtures/incidents.ts";
import { fieldRules, forEach, type RowStep, type Rules, rulesOf } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import {
  array,
  boolean,
  falling,
  integer,
  nonEmptyString,
  nullValue,
  oneOf,
  rising,
  timestamp,
  uuid,
} from "../../value-shape.ts";

const severityFields = {
  id: uuid,
  name: nonEmptyString,
  slug: nonEmptyString,
  position: integer,
  rank: integer,
  is_default: boolean,
  enabled: boolean,
};

const statusFields = {
  name: nonEmptyString,
  slug: nonEmptyString,
  position: integer,
  enabled: boolean,
  lifecycle_stage: oneOf(...stages),
};

/** The made entry in the list of its kind. */
function listed(list: string, members: Expected): RowStep {
  return { request: `LIST ${list}`, shows: row({ slug: "{made.slug}" }, members) };
}

/** A creation keeps the value. */
function kept(name: string, value: string): Rules[string] {
  return {
    title: `${name} is accepted on write`,
    given: { made: made("severities", { [name]: value }) },
    steps: [listed("severities", { [name]: value })],
  };
}

const slugRules = (lists: typeof optionLists): Rules =>
  forEach(lists, ({ id }) => ({
    [`options.slug.${id}`]: {
      title: `the slug of ${id} addresses the entry and never changes on rename`,
      given: { made: made(id) },
      steps: [
        {
          request: `PATCH ${id}/{made.slug}`,
          body: { name: "{new.name}" },
          shows: { name: "{new.name}", slug: "{made.slug}" },
        },
        listed(id, { name: "{new.name}" }),
      ],
    },
  }));

/** Whether the incident can be led says whether it is live. */
function led(stage: string, name = "incident"): RowStep {
  const request = { request: `PATCH incidents/{${name}.id}`, body: { lead_id: "{person}" } };
  return stage === "triage" || stage === "active" ? { ...request, status: "200" } : { ...request, refusal: "422" };
}

const severityRules: readonly ConformanceRule[] = rulesOf("Severity", {
  "severity.list": {
    title: "the list response is an object with a severities array",
    steps: [{ request: "GET severities", shows: { severities: array } }],
  },
  ...fieldRules(
    { id: "severity.field", subject: "each severity's", given: { any: anySeverity } },
    severityFields,
    (field) => [{ request: "LIST severities?include_disabled=true", shows: every(field) }],
  ),
  ...slugRules(optionLists.slice(0, 1)),
  "severity.name.required": {
    title: "name is required on creation",
    steps: [{ request: "POST severities", body: {}, refusal: "400 or 422" }],
  },
  "severity.position.order": {
    title: "position orders the list: the most severe entry stands first",
    given: { made: made("severities", { position: 1 }) },
    steps: [{ request: "LIST severities", shows: column("position", rising) }, listed("severities", { position: 1 })],
  },
  "severity.rank.derived": {
    title: "rank is derived from position: higher means more severe",
    given: { made: made("severities"), first: made("severities", { position: 1 }) },
    steps: [{ request: "LIST severities?include_disabled=true", shows: column("rank", falling) }],
  },
  "severity.rank.fixed": {
    title: "rank cannot be set",
    given: { made: made("severities") },
    steps: [
      { request: "PATCH severities/{made.slug}", body: { rank: 9999 }, status: "2xx or 4xx" },
      listed("severities", { rank: "{made.rank}" }),
    ],
  },
  "severity.rank.moves": {
    title: "rank follows when the order is changed",
    given: { made: made("severities") },
    steps: [{ request: "PATCH severities/{made.slug}", body: { position: 1 }, shows: { rank: above("{made.rank}") } }],
  },
  "severity.default.one": {
    title: "is_default marks one severity",
    basis: "wire",
    given: { any: anySeverity },
    steps: [{ request: "LIST severities?include_disabled=true", shows: rows({ is_default: true }, [{}]) }],
  },
  "severity.color": kept("color", "#1D76DB"),
  "severity.description": kept("description", "Customers cannot pay."),
});

/** An incident follows the status to the stage, with all that the stage decides. */
const followed = (stage: "closed" | "active"): readonly RowStep[] => [
  {
    request: "PATCH statuses/{made.slug}",
    body: { lifecycle_stage: stage },
    notApplicable: [422, "the service keeps a status that is in use in its stage"],
  },
  {
    request: "READ incidents/{incident.id}",
    shows: { status: { lifecycle_stage: stage }, resolved_at: stage === "closed" ? timestamp : nullValue },
  },
  led(stage),
];

const statusRules: readonly ConformanceRule[] = rulesOf("Status", {
  "status.list": {
    title: "statuses are listed at GET /api/v1/statuses",
    given: { any: anyStatus },
    steps: [{ request: "LIST statuses", shows: every({}) }],
  },
  ...fieldRules({ id: "status.field", subject: "each status's", given: { any: anyStatus } }, statusFields, (field) => [
    { request: "LIST statuses?include_disabled=true", shows: every(field) },
  ]),
  ...slugRules(optionLists.slice(1, 2)),
  "status.name.required": {
    title: "name is required on creation",
    steps: [{ request: "POST statuses", body: { lifecycle_stage: "active" }, refusal: "400 or 422" }],
  },
  "status.lifecycle_stage.required": {
    title: "lifecycle_stage is required on creation",
    steps: [{ request: "POST statuses", body: { name: "{new.status}" }, refusal: "400 or 422" }],
  },
  "status.lifecycle_stage.values": {
    title: "lifecycle_stage is one of triage, active, closed, canceled, and each may be given",
    steps: stages.map((lifecycle_stage) => ({
      request: "POST statuses",
      body: { name: `{new.${lifecycle_stage}}`, lifecycle_stage },
      shows: { lifecycle_stage },
    })),
  },
  "status.lifecycle_stage.other": {
    title: "another lifecycle_stage is refused",
    // The wire facts have 404 here, the document's table of errors 422: both refuse.
    steps: [
      {
        request: "POST statuses",
        body: { name: "{new.status}", lifecycle_stage: "paused" },
        status: "400, 404 or 422",
      },
    ],
  },
  "status.stage.decides": {
    title: "the stage decides whether the status means the incident is live or over",
    given: Object.fromEntries(stages.map((stage) => [stage, incidentIn(stage)])),
    steps: stages.flatMap((stage) => [
      { request: `READ incidents/{${stage}.id}`, shows: { status: { lifecycle_stage: stage } } },
      led(stage, stage),
    ]),
  },
  "status.stage.moved": {
    title: "an incident is over or live as the stage of its status says, even if the status moves to another stage",
    given: { made: made("statuses"), incident: incident({ status_id: "{made.id}" }) },
    steps: [...followed("closed"), ...followed("active")],
  },
  "status.default": {
    title: "the workspace has a default status, used when an incident omits status_id",
    steps: [
      { request: "LIST statuses", shows: row({ id: "{incident.status.id}" }) },
      { request: "LIST statuses", shows: every({ id: "{incident.status.id}" }, { is_default: true }) },
    ],
  },
});

const otherRules: readonly ConformanceRule[] = rulesOf("Resources and their fields", {
  ...slugRules(optionLists.slice(2)),
  "options.default.input": {
    basis: "wire",
    title: "default: true makes a severity the default in place of the one before",
    given: { made: made("severities"), before: defaultSeverity },
    steps: [
      { request: "PATCH severities/{made.slug}", body: { default: true }, shows: { is_default: true } },
      { request: "LIST severities", shows: rows({ is_default: true }, [{ slug: "{made.slug}" }]) },
    ],
  },
  "options.default.disable": {
    basis: "wire",
    title: "the default entry cannot be disabled or deleted",
    given: { before: defaultSeverity },
    steps: [{ request: "PATCH severities/{before.slug}", body: { enabled: false }, refusal: "422" }],
  },
  "options.taken": {
    basis: "wire",
    title: "a name whose slug is taken is refused with 422",
    given: { made: made("severities") },
    steps: [{ request: "POST severities", body: { name: "{made.name}" }, refusal: "422 validation_error" }],
  },
  "options.rename.taken": {
    basis: "wire",
    title: "an entry can be renamed to the name of another: its slug addresses it and does not change",
    given: { one: made("severities"), other: made("severities") },
    steps: [{ request: "PATCH severities/{one.slug}", body: { name: "{other.name}" }, shows: { slug: "{one.slug}" } }],
  },
});

/** The rules of severities, statuses, and what the other option lists share with them. */
export const optionListRules: readonly ConformanceRule[] = [...severityRules, ...statusRules, ...otherRules];
