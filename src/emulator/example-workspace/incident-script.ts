/** A story: incidents told step by step at times of the past, so that a workspace looks as if people had worked in it. */

import { type MemberRow, members } from "../rooms/access/principals.ts";
import { note, say } from "../rooms/chat/conversation.ts";
import type { MessageRow } from "../rooms/chat/transcript.ts";
import { moveIncident, recordLead } from "../rooms/incidents/change.ts";
import { createIncident, type NewIncident } from "../rooms/incidents/declare.ts";
import type { MilestoneKind } from "../rooms/incidents/event.ts";
import { findIncident, type IncidentRow, incidents, stageOf, statusOf } from "../rooms/incidents/incident.ts";
import { moveOf } from "../rooms/incidents/lifecycle.ts";
import { incidentTypeTable } from "../rooms/option-lists/incident-types.ts";
import type { OptionRow } from "../rooms/option-lists/option-list.ts";
import { severityTable } from "../rooms/option-lists/severities.ts";
import { statusTable } from "../rooms/option-lists/statuses.ts";
import { actionItems, createItem } from "../rooms/responders/action-items.ts";
import { memberActor } from "../rooms/responders/people.ts";
import type { Service } from "../service-context.ts";
import type { Table } from "../store/table.ts";
import { type Act, perform } from "../transaction.ts";

/** How an incident of a story begins; entries are named by slug, the person by the name before the @ of their address. */
export interface Beginning extends Partial<Pick<NewIncident, "summary" | "source" | "visibility">> {
  readonly name: string;
  readonly severity: string;
  readonly type?: string;
  readonly status?: string;
  readonly by: string;
}

/** One incident as it is told. Each step happens at the time that `at` set last. */
export class Story {
  readonly #service: Service;
  readonly #start: Date;
  #now: Date;
  #id = "";
  #last: MessageRow | undefined;

  /** Begins so many hours before the service's present. */
  constructor(service: Service, hoursAgo: number) {
    this.#service = service;
    this.#start = new Date(service.now().getTime() - hoursAgo * 3_600_000);
    this.#now = this.#start;
  }

  /** The incident as it stands. */
  get incident(): IncidentRow {
    return findIncident(this.#service.database, this.#id);
  }

  /** The steps that follow happen so many minutes after the beginning. */
  at(minutes: number): this {
    this.#now = new Date(this.#start.getTime() + minutes * 60_000);
    return this;
  }

  /** The incident is declared. */
  declare({ name, severity, type, status, by, ...rest }: Beginning): this {
    const actor = memberActor(this.#person(by));
    this.#id = this.#act((act) => {
      const chosen = status === undefined ? { is_default: true } : { slug: status };
      return createIncident(
        act,
        {
          summary: null,
          source: "chat",
          visibility: "public",
          ...rest,
          name,
          status_id: this.#entry(statusTable, chosen).id,
          severity_id: this.#entry(severityTable, { slug: severity }).id,
          incident_type_id: type === undefined ? null : this.#entry(incidentTypeTable, { slug: type }).id,
          declared_by: actor,
          detected_at: null,
          custom_values: {},
          idempotency_key: null,
        },
        actor,
      ).id;
    });
    return this;
  }

  /** A person speaks in the channel. */
  says(who: string, text: string): this {
    this.#last = this.#act((act) => say(act, this.incident, this.#person(who), text));
    return this;
  }

  /** A person answers in the thread of what was said last. */
  replies(who: string, text: string): this {
    const thread = this.#last ?? null;
    this.#act((act) => say(act, this.incident, this.#person(who), text, thread));
    return this;
  }

  /** What was said last is noted as a milestone. */
  noted(kind: MilestoneKind, statement: string): this {
    const message = this.#last;
    if (message === undefined) throw new Error("nothing was said that could be noted");
    this.#act((act) => note(act, this.incident, message, kind, statement));
    return this;
  }

  /** A person makes somebody the lead. */
  leads(who: string, by: string): this {
    const person = this.#person(who);
    this.#act((act) => {
      act.database.update(incidents, this.#id, { lead_id: person.id, updated_at: act.timestamp });
      recordLead(act, this.incident, person, memberActor(this.#person(by)));
    });
    return this;
  }

  /** A person puts the incident into the status of this slug. */
  moves(slug: string, by: string): this {
    const status = this.#entry(statusTable, { slug });
    const actor = memberActor(this.#person(by));
    this.#act((act) => {
      const before = this.incident;
      const type = moveOf(stageOf(act.database, before), status.lifecycle_stage ?? "active");
      const description = `${actor.name} changed the status from ${statusOf(act.database, before).name} to ${status.name}`;
      moveIncident(act, before, status, { type, description, actor });
    });
    return this;
  }

  /** A person adds an action item for another, done or still open. */
  asks(by: string, who: string, description: string, status: "in_progress" | "done" = "done"): this {
    this.#act((act) => {
      const [created_by, assignee] = [memberActor(this.#person(by)), memberActor(this.#person(who))];
      const item = createItem(act, this.incident, {
        description,
        kind: "action",
        created_by,
        assignee,
        status: "open",
      });
      act.database.update(actionItems, item.id, { status });
    });
    return this;
  }

  /** Anything else at this point of the story. */
  does(step: (act: Act, incident: IncidentRow) => void): this {
    this.#act((act) => step(act, this.incident));
    return this;
  }

  #act<Result>(step: (act: Act) => Result): Result {
    return perform(this.#service, step, this.#now);
  }

  #person(name: string): MemberRow {
    const person = this.#service.database.find(members, { email: `${name}@example.com` });
    if (person === undefined) throw new Error(`nobody is called ${name}`);
    return person;
  }

  #entry(table: Table<OptionRow>, where: Partial<Pick<OptionRow, "slug" | "is_default">>): OptionRow {
    const entry = this.#service.database.find(table, where);
    if (entry === undefined) throw new Error(`the workspace lacks an entry of ${table.name} that the story needs`);
    return entry;
  }
}
