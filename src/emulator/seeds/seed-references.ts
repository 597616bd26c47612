/** The resources and people that a seed names, as rows. A name that matches nothing is an error with its field. */

import { validationError } from "../http/http-error.ts";
import { agentTable } from "../modules/access/agents.ts";
import { serviceKeyTable } from "../modules/access/api-keys.ts";
import { type Actor, type MemberRow, memberActor, members } from "../modules/people.ts";
import type { Database } from "../store/database.ts";
import type { Table } from "../store/table.ts";
import type { SeedActor } from "./seed-data.ts";
import { stableId } from "./stable-ids.ts";

/** One incident's view of the database: what its fields name, and its times. */
export class SeedReferences {
  readonly database: Database;
  /** The path of the incident in the seed, such as `incidents[3]`. */
  readonly #field: string;
  readonly #now: Date;
  #start: Date;

  constructor(database: Database, field: string, now: Date) {
    this.database = database;
    this.#field = field;
    this.#now = now;
    this.#start = now;
  }

  /** Sets the time from which `+5m` counts. */
  startAt(time: string): void {
    this.#start = new Date(time);
  }

  bySlug<Row extends { readonly id: string; readonly slug: string }>(
    table: Table<Row>,
    slug: string,
    field: string,
  ): Row {
    const row = this.database.list(table).find((each) => each.slug === slug);
    if (row !== undefined) return row;
    const known = this.database.list(table).map((each) => each.slug);
    throw this.error(
      field,
      `names no resource; ${known.length === 0 ? "there is none" : `there are ${known.join(", ")}`}`,
    );
  }

  /** The person with this email address or chat user ID. */
  person(name: string, field: string): MemberRow {
    const email = name.trim().toLowerCase();
    const member = this.database.find(members, { email }) ?? this.database.find(members, { chat_user_id: name.trim() });
    if (member === undefined) throw this.error(field, "names nobody of the workspace");
    return member;
  }

  /** A person or a machine as an actor. A machine that no longer exists keeps its name. */
  actor(actor: SeedActor, field: string): Actor {
    if (typeof actor === "string") return memberActor(this.person(actor, field));
    const { type, name } = actor;
    const row =
      type === "agent" ? this.database.find(agentTable, { name }) : this.database.find(serviceKeyTable, { name });
    return { id: row?.id ?? stableId(type, name), type, name, email: null };
  }

  /** The same; null without an actor. */
  optionalActor(actor: SeedActor | null | undefined, field: string): Actor | null {
    return actor == null ? null : this.actor(actor, field);
  }

  /** The time that the text states, or the other one without a text. */
  time(text: string | undefined, field: string, otherwise: string): string {
    if (text === undefined) return otherwise;
    const time = readSeedTime(text, this.#now, this.#start);
    if (time === undefined) throw this.error(field, "is not a time");
    return time;
  }

  /** The time that the text states; null without a text. */
  optionalTime(text: string | undefined, field: string): string | null {
    return text === undefined ? null : this.time(text, field, "");
  }

  /** An error about a field of the incident. */
  readonly error: (field: string, message: string) => Error = (field, message) =>
    validationError({ field: `${this.#field}.${field}`, message });
}

const unitMilliseconds: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** The milliseconds of a duration, such as `2h30m`. */
export function readDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+)([dhms])/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (unitMilliseconds[unit] ?? 0), 0);
}

/** The time of a text: `-2h` before now, `+5m` after the start, or a time of its own. Undefined for a text that is none. */
function readSeedTime(text: string, now: Date, start: Date): string | undefined {
  const milliseconds = timeOf(text, now, start);
  return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : undefined;
}

function timeOf(text: string, now: Date, start: Date): number {
  if (text.startsWith("-")) return now.getTime() - readDuration(text);
  if (text.startsWith("+")) return start.getTime() + readDuration(text);
  return Date.parse(text);
}
