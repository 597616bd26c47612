/** The authentication of a request: agents, service keys and their grants. */

import { HttpError } from "../../http/http-error.ts";
import { type Ability, isMemberAbility } from "../../service/permissions.ts";
import type { Principal, PrincipalKind } from "../../service/principal.ts";
import type { AnyTable, Database } from "../../store/database.ts";
import { boolean, enumText, json, key, optionalText, type Table, table, text, uniqueText } from "../../store/table.ts";
import { members } from "../people.ts";
import { type TokenRow, tokenDigest, tokens } from "./tokens.ts";

/** An agent. The tokens of a disabled agent are invalid. */
export interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly created_at: string;
}

/** A service key. Its only token is in the tokens table. */
export interface ServiceKeyRow {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly created_at: string;
  /** True for the key of `Emulator.serviceToken`, which is not part of the workspace and never listed. */
  readonly built_in: boolean;
}

/** One ability or permission set of a principal. */
export interface GrantRow {
  readonly id: string;
  readonly principal_kind: PrincipalKind;
  readonly principal_id: string;
  readonly ability: string | null;
  readonly permission_set: string | null;
  /** Slugs of the environments to which it is limited; empty for all. */
  readonly environments: readonly string[];
  readonly expires_at: string | null;
  readonly created_at: string;
}

/** A named set of abilities, granted together. */
export interface PermissionSetRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** Sorted. */
  readonly abilities: readonly Ability[];
  /** A built-in set cannot be changed. */
  readonly built_in: boolean;
}

/** The agents. */
export const agents: Table<AgentRow> = table("agents", {
  id: key,
  name: text,
  slug: uniqueText,
  description: optionalText,
  enabled: boolean,
  created_at: text,
});

/** The service keys. */
export const serviceKeys: Table<ServiceKeyRow> = table("api_keys", {
  id: key,
  name: text,
  active: boolean,
  created_at: text,
  built_in: boolean,
});

/** The grants of agents and service keys. */
export const grants: Table<GrantRow> = table(
  "grants",
  {
    id: key,
    principal_kind: enumText(),
    principal_id: text,
    ability: optionalText,
    permission_set: optionalText,
    environments: json<readonly string[]>(),
    expires_at: optionalText,
    created_at: text,
  },
  // SQLite treats NULLs as distinct: each constraint applies only to rows with a value.
  "UNIQUE (principal_id, ability)",
  "UNIQUE (principal_id, permission_set)",
);

/** The permission sets, built-in ones included. */
export const permissionSets: Table<PermissionSetRow> = table("permission_sets", {
  id: key,
  name: text,
  slug: uniqueText,
  abilities: json(),
  built_in: boolean,
});

/** The tables that authentication reads. */
export const accessTables: readonly AnyTable[] = [members, agents, serviceKeys, grants, permissionSets, tokens];

const unauthorized = "The token is missing, invalid, expired or deactivated";
const refreshMilliseconds = 60_000;

/**
 * The principal of the `Authorization` header. Throws the same 401 for a missing, invalid, expired or deactivated
 * token.
 */
export function authenticate(database: Database, header: string | null, now: Date): Principal {
  const token = /^Bearer (\S+)$/i.exec(header ?? "")?.[1];
  const holder = token === undefined ? undefined : holderOf(database, tokenDigest(token));
  if (holder === undefined || hasExpired(holder.row, now.toISOString()))
    throw new HttpError(401, "unauthorized", unauthorized);
  const { row, principal } = holder;
  // last_used_at is refreshed at most once a minute.
  if (row.last_used_at === null || Date.parse(row.last_used_at) <= now.getTime() - refreshMilliseconds) {
    database.update(tokens, row.id, { last_used_at: now.toISOString() });
  }
  return principal;
}

/** Throws 403 with action and resource if the principal lacks the ability. */
export function authorize(database: Database, principal: Principal, ability: Ability, now: Date): void {
  if (hasAbility(database, principal, ability, now)) return;
  const [resource = "", action = ""] = ability.split(".");
  throw new HttpError(403, "forbidden", `This token may not ${action} ${resource.replaceAll("_", " ")}`);
}

/** Whether the principal has the ability now: as an admin or a member, or by a grant that has not expired. */
function hasAbility(database: Database, principal: Principal, ability: Ability, now: Date): boolean {
  if (principal.admin || (principal.kind === "user" && isMemberAbility(ability))) return true;
  const timestamp = now.toISOString();
  return grantsOf(database, principal.id).some(
    (grant) => grant.abilities.has(ability) && !hasExpired(grant, timestamp),
  );
}

/** The abilities of a principal, directly and by permission sets, without expired grants. */
export function grantedAbilities(database: Database, principalId: string, timestamp: string): ReadonlySet<string> {
  const live = grantsOf(database, principalId).filter((grant) => !hasExpired(grant, timestamp));
  return new Set(live.flatMap(({ abilities }) => [...abilities]));
}

/** Grants of a principal: the abilities that a grant gives, itself or by a permission set. */
interface GrantedAbilities {
  readonly abilities: ReadonlySet<string>;
  readonly expires_at: string | null;
}

function grantsOf(database: Database, principalId: string): readonly GrantedAbilities[] {
  return database.derive(accessTables, `grants ${principalId}`, () => {
    const sets = new Map(database.list(permissionSets).map(({ slug, abilities }) => [slug, abilities]));
    return database.list(grants, { principal_id: principalId }).map(({ ability, permission_set, expires_at }) => {
      const abilities = ability === null ? sets.get(permission_set ?? "") : [ability];
      return { abilities: new Set<string>(abilities), expires_at };
    });
  });
}

function hasExpired({ expires_at }: { readonly expires_at: string | null }, timestamp: string): boolean {
  return expires_at !== null && expires_at <= timestamp;
}

/** A token and its principal; undefined if the token is unknown or deactivated. */
function holderOf(database: Database, digest: string): { row: TokenRow; principal: Principal } | undefined {
  return database.derive(accessTables, `token ${digest}`, () => {
    const row = database.find(tokens, { digest });
    const principal = row === undefined ? undefined : principalOf(database, row);
    return row === undefined || principal === undefined ? undefined : { row, principal };
  });
}

function principalOf(database: Database, token: TokenRow): Principal | undefined {
  const { principal_kind: kind, principal_id: id } = token;
  const base = { kind, id, token_id: token.id };
  if (kind === "user") {
    const member = database.find(members, { id });
    return member && { ...base, name: member.name, email: member.email, admin: member.role === "admin" };
  }
  const machine = kind === "agent" ? database.find(agents, { id }) : database.find(serviceKeys, { id });
  if (machine === undefined) return undefined;
  const works = "enabled" in machine ? machine.enabled : machine.active;
  return works ? { ...base, name: machine.name, email: null, admin: false } : undefined;
}
