/** Scripts of incidents: steps at times in the past, which fill a workspace as if people had worked in it. */

import type { MessageRow } from "../modules/chat/transcript.ts";
import { customFieldOptions, customFieldTable } from "../modules/custom-fields/custom-field-tables.ts";
import type { MilestoneKind } from "../modules/incident-record/event.ts";
import {
  type CustomValues,
  findIncident,
  type IncidentRow,
  incidents,
  lifecycleEvent,
  stageOf,
  statusOf,
} from "../modules/incident-record/incident.ts";
import { moveIncident, recordLead } from "../modules/incidents/change.ts";
import { createIncident, type NewIncident } from "../modules/incidents/declare.ts";
import type { OptionRow } from "../modules/option-lists/option-list.ts";
import { incidentTypeTable, severityTable, statusTable } from "../modules/option-lists/option-lists.ts";
import { type MemberRow, memberActor, members } from "../modules/people.ts";
import { actionItems, createItem } from "../modules/responders/action-items.ts";
import { noteMilestone, postMessage } from "../modules/responders/conversation.ts";
import type { ServiceContext } from "../service/service-context.ts";
import { runTransaction, type TransactionContext } from "../service/service-context.ts";
import type { Table } from "../store/table.ts";

/** The declaration of an incident. Resources are named by slug, and people by the part of their address before the @. */
interface IncidentDeclaration extends Partial<Pick<NewIncident, "summary" | "source" | "visibility">> {
  readonly name: string;
  readonly severity: string;
  readonly type?: string;
  readonly status?: string;
  /** The affected region, if the workspace has the field. */
  readonly region?: string;
  readonly by: string;
}

/** The script of one incident. Each step happens at the time of the last call of `at`. */
export class IncidentScript {
  readonly #service: ServiceContext;
  readonly #start: Date;
  #now: Date;
  #id = "";
  #last: MessageRow | undefined;

  /** Begins the given hours before the service's current time. */
  constructor(service: ServiceContext, hoursAgo: number) {
    this.#service = service;
    this.#start = new Date(service.now().getTime() - hoursAgo * 3_600_000);
    this.#now = this.#start;
  }

  /** The incident in its current state. */
  get incident(): IncidentRow {
    return findIncident(this.#service.database, this.#id);
  }

  /** Sets the time of the following steps, in minutes after the beginning. */
  at(minutes: number): this {
    this.#now = new Date(this.#start.getTime() + minutes * 60_000);
    return this;
  }

  declare({ name, severity, type, status, region, by, ...rest }: IncidentDeclaration): this {
    const actor = memberActor(this.#person(by));
    this.#id = this.#act((transaction) => {
      const filter = status === undefined ? { is_default: true } : { slug: status };
      return createIncident(
        transaction,
        {
          summary: null,
          source: "chat",
          visibility: "public",
          ...rest,
          name,
          status_id: this.#entry(statusTable, filter).id,
          severity_id: this.#entry(severityTable, { slug: severity }).id,
          incident_type_id: type === undefined ? null : this.#entry(incidentTypeTable, { slug: type }).id,
          declared_by: actor,
          detected_at: null,
          custom_values: region === undefined ? {} : this.#regionValue(region),
          idempotency_key: null,
        },
        actor,
      ).id;
    });
    return this;
  }

  /** Posts a person's message in the channel. */
  say(who: string, text: string): this {
    this.#last = this.#act((transaction) => postMessage(transaction, this.incident, this.#person(who), text));
    return this;
  }

  /** Posts a person's message in the thread of the last message. */
  reply(who: string, text: string): this {
    const thread = this.#last ?? null;
    this.#act((transaction) => postMessage(transaction, this.incident, this.#person(who), text, thread));
    return this;
  }

  /** Notes the last message as a milestone. */
  noteMilestone(kind: MilestoneKind, statement: string): this {
    const message = this.#last;
    if (message === undefined) throw new Error("there is no message to note");
    this.#act((transaction) => noteMilestone(transaction, this.incident, message, kind, statement));
    return this;
  }

  assignLead(who: string, by: string): this {
    const person = this.#person(who);
    this.#act((transaction) => {
      transaction.database.update(incidents, this.#id, { lead_id: person.id, updated_at: transaction.timestamp });
      recordLead(transaction, this.incident, person, memberActor(this.#person(by)));
    });
    return this;
  }

  setStatus(slug: string, by: string): this {
    const status = this.#entry(statusTable, { slug });
    const actor = memberActor(this.#person(by));
    this.#act((transaction) => {
      const before = this.incident;
      const type = lifecycleEvent(stageOf(transaction.database, before), status.lifecycle_stage ?? "active");
      const description = `${actor.name} changed the status from ${statusOf(transaction.database, before).name} to ${status.name}`;
      moveIncident(transaction, before, status, { type, description, actor });
    });
    return this;
  }

  /** Adds an action item, done or in progress. */
  addActionItem(by: string, who: string, description: string, status: "in_progress" | "done" = "done"): this {
    this.#act((transaction) => {
      const [created_by, assignee] = [memberActor(this.#person(by)), memberActor(this.#person(who))];
      const item = createItem(transaction, this.incident, {
        description,
        kind: "action",
        created_by,
        assignee,
        status: "open",
      });
      transaction.database.update(actionItems, item.id, { status });
    });
    return this;
  }

  /** Runs any other step. */
  run(step: (transaction: TransactionContext, incident: IncidentRow) => void): this {
    this.#act((transaction) => step(transaction, this.incident));
    return this;
  }

  #act<Result>(step: (transaction: TransactionContext) => Result): Result {
    return runTransaction(this.#service, step, this.#now);
  }

  #regionValue(label: string): CustomValues {
    const { database } = this.#service;
    const field = database.find(customFieldTable, { slug: "affected_region" });
    const option = field && database.find(customFieldOptions, { field_id: field.id, label });
    return field === undefined || option === undefined ? {} : { [field.id]: option.id };
  }

  #person(name: string): MemberRow {
    const person = this.#service.database.find(members, { email: `${name}@example.com` });
    if (person === undefined) throw new Error(`there is no person ${name}`);
    return person;
  }

  #entry(table: Table<OptionRow>, where: Partial<Pick<OptionRow, "slug" | "is_default">>): OptionRow {
    const entry = this.#service.database.find(table, where);
    if (entry === undefined)
      throw new Error(`the workspace lacks an entry of ${table.name} that the example workspace needs`);
    return entry;
  }
}
