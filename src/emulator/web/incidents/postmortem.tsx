/** The postmortem of an incident, and the versions of its body. */

import { requireFound } from "../../http/http-error.ts";
import { identifierOf, stageOf } from "../../modules/incident-record/incident.ts";
import { postmortems, postmortemVersions } from "../../modules/postmortems/postmortems.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { DataTable, Panel, Source, Time } from "../parts.tsx";
import { ActionPanel, type IncidentScope } from "./action-form.tsx";
import { findByName } from "./find-incident.ts";

/** The pages of versions, such as `/incidents/INC-1/postmortem/2`. */
export const postmortemPages: readonly WebPage[] = [
  { method: "GET", path: "/incidents/:incident/postmortem/:version", view: versionPage },
];

/** Whether there is a postmortem, or one could be opened. */
export function hasPostmortemPanel({ context: { database, isWritable }, incident }: IncidentScope): boolean {
  const canOpen = isWritable && stageOf(database, incident) === "closed";
  return canOpen || database.find(postmortems, { incident_id: incident.id }) !== undefined;
}

/** The postmortem, or the form that opens it once the incident is resolved. */
export function PostmortemPanel({ scope }: { readonly scope: IncidentScope }): Markup {
  if (!hasPostmortemPanel(scope)) return null;
  const { context, incident } = scope;
  const { database } = context;
  const postmortem = database.find(postmortems, { incident_id: incident.id });
  if (postmortem === undefined) {
    return (
      <Panel title="Postmortem" id="postmortem">
        <ActionPanel scope={scope} action="open" title="Open the postmortem" />
      </Panel>
    );
  }
  const { id, status, version, html, generation_state } = postmortem;
  return (
    <Panel title="Postmortem" note={`${status.replace("_", " ")}, version ${version}`} id="postmortem">
      {generation_state === null ? null : (
        <p role="status">A first version is being drafted. Reload the page to see it.</p>
      )}
      <p class="quiet">The source of its body. Markup of the workspace is never rendered on these pages.</p>
      <Source label="Body of the postmortem" text={html} />
      <ActionPanel
        scope={scope}
        action="write"
        title="Edit the postmortem"
        carried={{ version: String(version) }}
        values={{ html, status }}
      />
      <DataTable
        label="Versions of the postmortem"
        columns={{
          Version: ({ version: number }) => (
            <a href={`/incidents/${identifierOf(incident)}/postmortem/${number}`}>{`Version ${number}`}</a>
          ),
          Author: ({ written_by }) => written_by?.name ?? "drafted",
          Written: ({ written_at }) => <Time at={written_at} />,
        }}
        rows={database.list(postmortemVersions, { postmortem_id: id }, { order: "version DESC" })}
        empty=""
      />
    </Panel>
  );
}

function versionPage({ database, param }: PageContext): PageResult {
  const incident = findByName(database, param("incident"));
  const { id, title } = requireFound(database.find(postmortems, { incident_id: incident.id }));
  const version = requireFound(
    database.find(postmortemVersions, { postmortem_id: id, version: Number(param("version")) }),
  );
  const identifier = identifierOf(incident);
  return {
    title: `${title}, version ${version.version}`,
    crumbs: ["/incidents", "Incidents", <a href={`/incidents/${identifier}#postmortem`}>{identifier}</a>],
    note: (
      <>
        By {version.written_by?.name ?? "nobody: it was drafted"}, <Time at={version.written_at} />
      </>
    ),
    body: (
      <Panel title="Body">
        <Source label="Body of the version" text={version.html} />
      </Panel>
    ),
  };
}
