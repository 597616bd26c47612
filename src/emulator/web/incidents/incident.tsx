/** One incident: its facts, everything that belongs to it, and what a responder can do with it. */

import { fieldsIn, isFields, type Json } from "../../../core/json.ts";
import { requireFound } from "../../http/http-error.ts";
import { customFieldTable } from "../../modules/custom-fields/custom-field-tables.ts";
import {
  type IncidentRow,
  identifierOf,
  incidents,
  serializeIncident,
} from "../../modules/incident-record/incident.ts";
import { links } from "../../modules/incidents/links.ts";
import { formsOf } from "../../modules/incidents/submit-form.ts";
import { firstAdmin } from "../../modules/people.ts";
import { alerts } from "../../modules/routing/alert.ts";
import type { Database } from "../../store/database.ts";
import { Problem } from "../fields.tsx";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { Facts, JsonText, Panel, Time } from "../parts.tsx";
import { ActionPanel, type IncidentScope, type RefusedAttempt, runAction } from "./action-form.tsx";
import { incidentActions, isAction } from "./actions.ts";
import { ConversationPanel, PostPanel, TimelinePanel } from "./conversation.tsx";
import { findByName } from "./find-incident.ts";
import { formTitle } from "./incident-form.tsx";
import { IncidentMarks, incidentLink } from "./list.tsx";
import { hasPostmortemPanel, PostmortemPanel } from "./postmortem.tsx";
import { ActionItemPanel, EscalationPanel, PeoplePanel, RunbookPanels } from "./response.tsx";

/** The page `/incidents/INC-1`, which the id of the incident opens too, and the forms on it. */
export const incidentDetailPages: readonly WebPage[] = [
  {
    method: "GET",
    path: "/incidents/:incident",
    view: (context) => view({ context, incident: findByName(context.database, context.param("incident")) }),
  },
  { method: "POST", path: "/incidents/:incident/actions/:action", view: act },
];

async function act(context: PageContext): Promise<PageResult> {
  const incident = findByName(context.database, context.param("incident"));
  const action = requireFound([context.param("action")].find(isAction));
  const attempt = await runAction(context, incident, action);
  const { section } = incidentActions[action];
  return attempt === undefined
    ? { goTo: `/incidents/${identifierOf(incident)}#${section}` }
    : view({ context, incident, attempt });
}

function view(scope: IncidentScope): PageResult {
  const { context, incident, attempt } = scope;
  const { database } = context;
  const identifier = identifierOf(incident);
  return {
    title: `${identifier}: ${incident.name}`,
    heading: incident.name,
    crumbs: ["/incidents", "Incidents", identifier],
    mark: <IncidentMarks database={database} incident={incident} />,
    note: incident.summary ?? undefined,
    ...(attempt === undefined ? {} : { status: 422 }),
    body: (
      <>
        {attempt === undefined ? null : <Refusal attempt={attempt} />}
        {context.isWritable ? <FormLinks scope={scope} /> : null}
        <Parts scope={scope} />
        <Panel title="Facts">
          <Facts facts={factsOf(database, incident)} />
        </Panel>
        {alertPanel(database, incident)}
        <PeoplePanel scope={scope} />
        <div id="runbooks">
          <RunbookPanels scope={scope} />
        </div>
        <ActionItemPanel scope={scope} />
        <EscalationPanel scope={scope} />
        <TimelinePanel scope={scope} />
        <ConversationPanel scope={scope} />
        <LinkPanel scope={scope} />
        <PostmortemPanel scope={scope} />
        <div id="posts">
          <PostPanel scope={scope} />
        </div>
        <details class="panel">
          <summary>As the interface returns it</summary>
          <JsonText label="The incident as JSON" value={serializeIncident(database, incident)} />
        </details>
      </>
    ),
  };
}

/** Why an action was refused. The form shows what its fields lack. */
function Refusal({ attempt: { action, problems } }: { readonly attempt: RefusedAttempt }): Markup {
  const { refused, inputs = {} } = incidentActions[action];
  const others = problems.filter(({ field }) => field === undefined || !Object.hasOwn(inputs, field));
  return (
    <Problem>
      <p>
        <b>{refused}</b> {others.length < problems.length ? "The form below says what to correct." : ""}
      </p>
      {others.map(({ field, message }) => (
        <p>{field === undefined ? message : `${field}: ${message}`}</p>
      ))}
    </Problem>
  );
}

const parts: readonly (readonly [id: string, name: string])[] = [
  ["people", "People"],
  ["action-items", "Action items"],
  ["escalations", "Escalations"],
  ["timeline", "Timeline"],
  ["conversation", "Conversation"],
];

/** Links to the parts of a long page. */
function Parts({ scope }: { readonly scope: IncidentScope }): Markup {
  const all = hasPostmortemPanel(scope) ? [...parts, ["postmortem", "Postmortem"] as const] : parts;
  return (
    <nav class="parts" aria-label="Parts of this page">
      {all.map(([id, name]) => (
        <a href={`#${id}`}>{name}</a>
      ))}
    </nav>
  );
}

/** Links to the forms that fit the incident. */
function FormLinks({ scope: { context, incident } }: { readonly scope: IncidentScope }): Markup {
  return (
    <>
      <nav class="tabs" aria-label="Forms of the incident">
        {formsOf(context.database, incident).map((form) => (
          <a class={form === "cancel" ? "second" : "main"} href={`/incidents/${identifierOf(incident)}/forms/${form}`}>
            {formTitle(context.database, incident, form)}
          </a>
        ))}
      </nav>
      <p class="quiet">You act as {firstAdmin(context.database).name}.</p>
    </>
  );
}

function factsOf(database: Database, incident: IncidentRow): readonly (readonly [name: string, value: Markup])[] {
  const { type, lead, custom_fields } = serializeIncident(database, incident);
  const optional = (name: string, at: string | null): readonly (readonly [string, Markup])[] =>
    at === null ? [] : [[name, <Time at={at} />]];
  return [
    ["Type", nameIn(type)],
    ["Lead", nameIn(lead)],
    ["Declared by", incident.declared_by?.name ?? "nobody: an alert created it"],
    ["Source", incident.source],
    ["Visibility", incident.visibility],
    ["Declared", <Time at={incident.declared_at} />],
    ...optional("Detected", incident.detected_at),
    ...optional("Resolved", incident.resolved_at),
    ["Updated", <Time at={incident.updated_at} />],
    ...Object.entries(fieldsIn(custom_fields)).map(([slug, value]): readonly [string, Markup] => [
      database.find(customFieldTable, { slug })?.name ?? slug,
      valueText(value),
    ]),
  ];
}

function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function nameIn(value: Json | undefined): string {
  return isFields(value) ? String(value.name) : "none";
}

/** The alerts of the incident, if there are any. */
function alertPanel(database: Database, { id }: IncidentRow): Markup {
  const rows = database.list(alerts, { incident_id: id });
  if (rows.length === 0) return null;
  return (
    <Panel title="Alerts">
      {rows.map(({ received_at, status, fields }) => (
        <Facts
          facts={[
            ["Received", <Time at={received_at} />],
            ["State", status],
            ...Object.entries(fields).map(([name, value]) => [name, valueText(value)] as const),
          ]}
        />
      ))}
    </Panel>
  );
}

/** The links with other incidents, in both directions. */
function LinkPanel({ scope }: { readonly scope: IncidentScope }): Markup {
  const { database } = scope.context;
  const { id } = scope.incident;
  const linked = [
    ...database.list(links, { incident_id: id }).map((link) => ({ ...link, other: link.other_incident_id })),
    ...database.list(links, { other_incident_id: id }).map((link) => ({ ...link, other: link.incident_id })),
  ];
  if (linked.length === 0 && !scope.context.isWritable) return null;
  return (
    <Panel title="Links" id="links">
      {linked.length === 0 ? <p class="quiet empty">The incident is linked to no other.</p> : null}
      <ul>
        {linked.map(({ relationship, other }) => {
          const incident = database.find(incidents, { id: other });
          return (
            <li>
              {relationship}: {incidentLink(incident)} <span class="text">{incident?.name}</span>
            </li>
          );
        })}
      </ul>
      <ActionPanel scope={scope} action="link" title="Link an incident, or merge this one as a duplicate" />
    </Panel>
  );
}
