/** Filling a workspace: every room's own seed once, and the two tokens with which the emulator's user comes in. */

import { randomUUID } from "node:crypto";
import { grantableAbilities } from "./rooms/access/permissions.ts";
import { grants, members, serviceKeys } from "./rooms/access/principals.ts";
import { issueToken, newToken, tokens } from "./rooms/access/tokens.ts";
import type { Room } from "./rooms/room.ts";
import type { Service, Workspace } from "./service-context.ts";
import type { Database } from "./store/database.ts";

/** The tokens of a session. */
export interface SessionTokens {
  /** A personal token of an admin: it may do everything. */
  readonly admin: string;
  /** A service key that holds every ability that can be granted. */
  readonly service: string;
}

/** The people of every workspace: the admin behind the session's token comes first. */
const people = [
  { name: "Ada Marsh", email: "ada@example.com", chat_user_id: "U0001", role: "admin" },
  { name: "Grace Holm", email: "grace@example.com", chat_user_id: "U0002", role: "member" },
] as const;

/** Seeds a new database with the people and keys behind the session's tokens and with every room's entries. */
export function seed(service: Service, rooms: readonly Room[], workspace: Workspace): void {
  const created_at = service.now().toISOString();
  service.database.transaction(() => {
    service.database.insert(members, ...people.map((person) => ({ ...person, id: randomUUID() })));
    const id = randomUUID();
    service.database.insert(serviceKeys, { id, name: "Emulator", active: true, created_at, built_in: true });
    const grant = { principal_kind: "api_key", principal_id: id, permission_set: null, expires_at: null } as const;
    service.database.insert(
      grants,
      ...grantableAbilities.map((ability) => ({ ...grant, id: randomUUID(), ability, environments: [], created_at })),
    );
    for (const room of rooms) room.seed?.(service, workspace);
  });
}

/** Ends the tokens of earlier sessions and issues this session's: the given texts, or new random ones. */
export function openSession({ database, now }: Service, given: Partial<SessionTokens>): SessionTokens {
  const created_at = now().toISOString();
  const session = { admin: given.admin ?? newToken(), service: given.service ?? newToken() };
  database.transaction(() => {
    database.remove(tokens, { session: true });
    const admin = { principal_kind: "user", principal_id: firstAdmin(database), created_at, session: true } as const;
    const service = {
      principal_kind: "api_key",
      principal_id: builtInKey(database),
      created_at,
      session: true,
    } as const;
    issueToken(database, admin, session.admin);
    issueToken(database, service, session.service);
  });
  return session;
}

function firstAdmin(database: Database): string {
  const admin = database.find(members, { role: "admin" });
  if (admin === undefined) throw new Error("the workspace has no admin");
  return admin.id;
}

function builtInKey(database: Database): string {
  const key = database.find(serviceKeys, { built_in: true });
  if (key === undefined) throw new Error("the workspace has lost the emulator's own service key");
  return key.id;
}
