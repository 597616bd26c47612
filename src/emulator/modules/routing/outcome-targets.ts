/** Targets of an outcome: members, teams, owning teams and channels. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { Database } from "../../store/database.ts";
import {
  type AttributeRole,
  type CatalogEntryRow,
  catalogAttributes,
  catalogEntries,
} from "../catalog/catalog-tables.ts";
import { type MemberRow, members } from "../people.ts";
import { findEntry, type RoutingContext, referencedEntry } from "./routing-context.ts";

/** People and channels. */
export interface ResolvedTargets {
  readonly people: readonly MemberRow[];
  readonly channels: readonly string[];
}

/** The people and channels of a target. An unknown id gives none. */
export function resolveTarget(database: Database, target: Json | undefined, context: RoutingContext): ResolvedTargets {
  if (!isFields(target)) return { people: [], channels: [] };
  if (target.type === "member") return { people: findMembers(database, [textIn(target, "member_id")]), channels: [] };
  if (target.type === "channel") return { people: [], channels: [textIn(target, "channel_id")] };
  const team =
    target.type === "team"
      ? database.find(catalogEntries, { id: textIn(target, "entry_id") })
      : owningTeam(database, textIn(target, "of"), context);
  if (team === undefined) return { people: [], channels: [] };
  return {
    people: findMembers(database, [...roleValues(database, team, "members"), ...roleValues(database, team, "manager")]),
    channels: roleValues(database, team, "notification_channel"),
  };
}

/** The team that the alert's entry references. `of` is the alert's field that names the entry, such as `service`. */
function owningTeam(database: Database, of: string, context: RoutingContext): CatalogEntryRow | undefined {
  const entry = findEntry(database, of, context[of]);
  const team = entry === undefined ? undefined : referencedEntry(database, entry, "team");
  return team ?? findEntry(database, "team", context.team);
}

/** The values of the entry's attribute with the role. */
function roleValues(database: Database, entry: CatalogEntryRow, role: AttributeRole): readonly string[] {
  const attribute = database.find(catalogAttributes, { type_id: entry.type_id, role });
  const value = attribute === undefined ? null : (entry.attributes[attribute.slug] ?? null);
  return (isList(value) ? value : [value]).filter((item) => typeof item === "string");
}

/** The members with these ids or chat user IDs, without duplicates. */
function findMembers(database: Database, ids: readonly string[]): readonly MemberRow[] {
  return [...new Set(ids)].flatMap((id) => {
    const member = database.find(members, { id }) ?? database.find(members, { chat_user_id: id });
    return member === undefined ? [] : [member];
  });
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}
