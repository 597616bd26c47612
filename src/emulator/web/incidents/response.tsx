/** The response to an incident: who has which role, the steps of its runbooks, action items and escalations. */

import { incidentRoleTable, leadRole } from "../../modules/option-lists/option-lists.ts";
import { firstAdmin, type MemberRow, members } from "../../modules/people.ts";
import { actionItems } from "../../modules/responders/action-items.ts";
import { escalations } from "../../modules/responders/escalations.ts";
import { participants, roleAssignments } from "../../modules/responders/participants.ts";
import { attachedSteps, attachments } from "../../modules/runbooks/runbook-attachments.ts";
import { runbookTable } from "../../modules/runbooks/runbooks.ts";
import type { Markup } from "../markup.ts";
import { DataTable, Panel, Pill, TablePanel, Time } from "../parts.tsx";
import { ActionForm, ActionPanel, type IncidentScope } from "./action-form.tsx";

/** The lead, the holders of roles, and the other people in the channel. */
export function PeoplePanel({ scope }: { readonly scope: IncidentScope }): Markup {
  const { context, incident } = scope;
  const { database } = context;
  const people = database.rowsById(members);
  const holders = new Map(
    database.list(roleAssignments, { incident_id: incident.id }).map(({ role_id, member_id }) => [role_id, member_id]),
  );
  const roles = database.list(incidentRoleTable, {}, { order: "position" }).map((role) => {
    const isLead = role.slug === leadRole;
    return { ...role, isLead, holder: people.get((isLead ? incident.lead_id : holders.get(role.id)) ?? "") };
  });
  const present = database
    .list(participants, { incident_id: incident.id })
    .map(({ member_id }) => people.get(member_id));
  return (
    <Panel title="People" id="people">
      <DataTable
        label="Roles"
        columns={{
          Role: ({ name }) => name,
          Person: ({ holder }) => holder?.name ?? "nobody",
          Assign: context.isWritable
            ? ({ name, slug, isLead, holder }) => (
                <ActionForm
                  scope={scope}
                  action={isLead ? "lead" : "role"}
                  carried={isLead ? {} : { role: slug }}
                  values={holder === undefined ? {} : { [isLead ? "lead_id" : "member_id"]: holder.email }}
                  of={name}
                />
              )
            : undefined,
        }}
        rows={roles.filter(({ enabled, holder }) => enabled || holder !== undefined)}
        empty="The workspace has no roles."
      />
      <p class="text">In the channel: {namesOf(present)}</p>
      <ActionPanel scope={scope} action="invite" title="Invite people" />
      <ActionPanel scope={scope} action="thank" title="Thank somebody" />
    </Panel>
  );
}

function namesOf(people: readonly (MemberRow | undefined)[]): string {
  const names = people.flatMap((person) => person?.name ?? []);
  return names.length === 0 ? "nobody" : names.join(", ");
}

/** The runbooks of the incident with their steps; a claimed step shows its action item. */
export function RunbookPanels({ scope }: { readonly scope: IncidentScope }): Markup {
  const { context, incident } = scope;
  const { database } = context;
  const attached = database.list(attachments, { incident_id: incident.id });
  if (attached.length === 0) return null;
  return attached.map(({ id, runbook_id }) => {
    const runbook = database.find(runbookTable, { id: runbook_id });
    const steps = database.list(attachedSteps, { attachment_id: id }, { order: "position" });
    const rows = steps.map((step) => ({
      ...step,
      item: database.find(actionItems, { id: step.action_item_id ?? "" }),
    }));
    const done = rows.filter(({ item }) => item?.status === "done").length;
    return (
      <TablePanel
        label={`Runbook ${runbook?.name ?? "deleted"}`}
        note={`${done} of ${rows.length} steps done`}
        columns={{
          Step: ({ position, title, instruction }) => (
            <>
              <b>{`${position}. ${title}`}</b>
              {instruction === null ? null : <p class="said">{instruction}</p>}
            </>
          ),
          Status: ({ item }) => (item === undefined ? "not claimed" : <ItemStatus {...item} />),
          Assignee: ({ item }) => item?.assignee?.name ?? "nobody",
          Next: context.isWritable
            ? ({ id: step_id, title, item }) =>
                item === undefined ? (
                  <ActionForm
                    scope={scope}
                    action="claim"
                    carried={{ runbook_id: id, step_id }}
                    values={{ member_id: firstAdmin(database).email }}
                    of={title}
                  />
                ) : (
                  <FinishForm scope={scope} item={item} />
                )
            : undefined,
        }}
        rows={rows}
        empty="The runbook has no steps."
      />
    );
  });
}

interface Item {
  readonly id: string;
  readonly description: string;
  readonly status: string;
}

function ItemStatus({ status }: { readonly status: string }): Markup {
  return <Pill tone={status === "done" ? "added" : ""}>{status.replace("_", " ")}</Pill>;
}

function FinishForm({ scope, item }: { readonly scope: IncidentScope; readonly item: Item }): Markup {
  if (item.status === "done") return null;
  const carried = { item_id: item.id, status: "done" };
  return <ActionForm scope={scope} action="finish" carried={carried} of={item.description} />;
}

export function ActionItemPanel({ scope }: { readonly scope: IncidentScope }): Markup {
  const { context, incident } = scope;
  return (
    <Panel title="Action items" id="action-items">
      <DataTable
        label="Action items"
        columns={{
          Description: ({ description }) => description,
          Kind: ({ kind }) => kind,
          Status: (item) => <ItemStatus {...item} />,
          Assignee: ({ assignee }) => assignee?.name ?? "nobody",
          Next: context.isWritable
            ? (item) =>
                item.status === "done" ? null : (
                  <>
                    <ActionForm
                      scope={scope}
                      action="assign"
                      carried={{ item_id: item.id }}
                      values={{ assignee_id: item.assignee?.email ?? "" }}
                      of={item.description}
                    />
                    <FinishForm scope={scope} item={item} />
                  </>
                )
            : undefined,
        }}
        rows={context.database.list(actionItems, { incident_id: incident.id })}
        empty="There is no action item."
      />
      <ActionPanel scope={scope} action="add" title="Add an action item" />
    </Panel>
  );
}

/** The people who were asked to respond. */
export function EscalationPanel({ scope }: { readonly scope: IncidentScope }): Markup {
  const { context, incident } = scope;
  const { database } = context;
  const nameOf = (id: string): string => database.rowsById(members).get(id)?.name ?? "a former member";
  return (
    <Panel title="Escalations" id="escalations">
      <DataTable
        label="Escalations"
        columns={{
          Person: ({ member_id }) => nameOf(member_id),
          Reason: ({ reason }) => reason ?? "none",
          Asked: ({ escalated_at }) => <Time at={escalated_at} />,
          Acknowledged: ({ id, member_id, acknowledged_at, nudged_at }) =>
            acknowledged_at === null ? (
              <>
                {nudged_at === null ? "not yet" : "not yet, reminded"}{" "}
                <ActionForm
                  scope={scope}
                  action="acknowledge"
                  carried={{ escalation_id: id }}
                  of={`as ${nameOf(member_id)}`}
                />
              </>
            ) : (
              <Time at={acknowledged_at} />
            ),
        }}
        rows={database.list(escalations, { incident_id: incident.id })}
        empty="Nobody was asked to respond."
      />
      <ActionPanel scope={scope} action="escalate" title="Escalate to somebody" />
    </Panel>
  );
}
