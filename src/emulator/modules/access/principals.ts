/** The authentication of a request: agents, service keys and their grants. */

import { HttpError } from "../../http/http-error.ts";
import type { Principal } from "../../service/permissions.ts";
import { type Ability, isMemberAbility } from "../../service/permissions.ts";
import type { AnyTable, Database } from "../../store/database.ts";
import { members } from "../people.ts";
import { agentTable } from "./agents.ts";
import { serviceKeyTable } from "./api-keys.ts";
import { grantedAbilities } from "./grant.ts";
import { type TokenRow, tokenDigest, tokens } from "./tokens.ts";

/** The tables from which a token leads to its principal. */
const tables: readonly AnyTable[] = [members, agentTable, serviceKeyTable, tokens];

const unauthorized = "The token is missing, invalid, expired or deactivated";
const refreshMilliseconds = 60_000;

/**
 * The principal of the `Authorization` header. Throws the same 401 for a missing, invalid, expired or deactivated
 * token.
 */
export function authenticate(database: Database, header: string | null, now: Date): Principal {
  const token = /^Bearer (\S+)$/i.exec(header ?? "")?.[1];
  const holder = token === undefined ? undefined : holderOf(database, tokenDigest(token));
  if (holder === undefined || hasExpired(holder.row, now)) throw new HttpError(401, "unauthorized", unauthorized);
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
  return grantedAbilities(database, principal.id, now.toISOString()).has(ability);
}

function hasExpired({ expires_at }: TokenRow, now: Date): boolean {
  return expires_at !== null && expires_at <= now.toISOString();
}

/** A token and its principal; undefined if the token is unknown or deactivated. */
function holderOf(database: Database, digest: string): { row: TokenRow; principal: Principal } | undefined {
  return database.derive(tables, `token ${digest}`, () => {
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
  const machine = kind === "agent" ? database.find(agentTable, { id }) : database.find(serviceKeyTable, { id });
  if (machine === undefined) return undefined;
  const works = "enabled" in machine ? machine.enabled : machine.active;
  return works ? { ...base, name: machine.name, email: null, admin: false } : undefined;
}
