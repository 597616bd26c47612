/** Whom an outcome reaches: members, the people and the channel of a team, the team that owns a service, a channel. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { Database } from "../../store/database.ts";
import { type MemberRow, members } from "../access/principals.ts";
import {
  type AttributeRole,
  type CatalogEntryRow,
  catalogAttributes,
  catalogEntries,
} from "../catalog/catalog-tables.ts";
import { entryNamed, type RoutingContext, referredTo } from "./routing-context.ts";

/** People and channels. */
export interface Targets {
  readonly people: readonly MemberRow[];
  readonly channels: readonly string[];
}

/** Whom a target of an outcome names; an id that names nothing reaches nobody. */
export function targetsOf(database: Database, target: Json | undefined, context: RoutingContext): Targets {
  if (!isFields(target)) return { people: [], channels: [] };
  if (target.type === "member") return { people: membersBy(database, [textIn(target, "member_id")]), channels: [] };
  if (target.type === "channel") return { people: [], channels: [textIn(target, "channel_id")] };
  const team =
    target.type === "team"
      ? database.find(catalogEntries, { id: textIn(target, "entry_id") })
      : owningTeam(database, textIn(target, "of"), context);
  if (team === undefined) return { people: [], channels: [] };
  return {
    people: membersBy(database, [...holding(database, team, "members"), ...holding(database, team, "manager")]),
    channels: holding(database, team, "notification_channel"),
  };
}

/** The team that the named entry refers to: `of` says which field of the alert names the entry, such as `service`. */
function owningTeam(database: Database, of: string, context: RoutingContext): CatalogEntryRow | undefined {
  const entry = entryNamed(database, of, context[of]);
  const referred = entry === undefined ? undefined : referredTo(database, entry, "team");
  return referred ?? entryNamed(database, "team", context.team);
}

/** The values of the entry's attribute that bears the role. */
function holding(database: Database, entry: CatalogEntryRow, role: AttributeRole): readonly string[] {
  const attribute = database.find(catalogAttributes, { type_id: entry.type_id, role });
  const value = attribute === undefined ? null : (entry.attributes[attribute.slug] ?? null);
  return (isList(value) ? value : [value]).filter((item) => typeof item === "string");
}

/** The members with these ids or chat user IDs, each once. */
function membersBy(database: Database, ids: readonly string[]): readonly MemberRow[] {
  return [...new Set(ids)].flatMap((id) => {
    const member = database.find(members, { id }) ?? database.find(members, { chat_user_id: id });
    return member === undefined ? [] : [member];
  });
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}
