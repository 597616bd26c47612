/** The initial content of a workspace, and the two tokens that the emulator's user receives at each start. */

import { randomUUID } from "node:crypto";
import { serviceKeyTable } from "./modules/access/api-keys.ts";
import { grantTable } from "./modules/access/grant.ts";
import { issueToken, newToken, tokens } from "./modules/access/tokens.ts";
import { firstAdmin, members } from "./modules/people.ts";
import type { ServiceModule } from "./service/module.ts";
import { grantableAbilities } from "./service/permissions.ts";
import type { ServiceContext, WorkspaceTemplate } from "./service/service-context.ts";
import type { Database } from "./store/database.ts";

/** The tokens of one start. */
export interface SessionTokens {
  /** A personal token of an admin, with every permission. */
  readonly admin: string;
  /** A service key with every ability that can be granted. */
  readonly service: string;
}

/** The people of every workspace. The first one owns the admin token. */
const initialPeople = [
  { name: "Ada Marsh", email: "ada@example.com", chat_user_id: "U0001", role: "admin" },
  { name: "Grace Holm", email: "grace@example.com", chat_user_id: "U0002", role: "member" },
] as const;

/** Fills a new database with the owners of the two tokens and the initial resources of every module. */
export function seedWorkspace(
  service: ServiceContext,
  modules: readonly ServiceModule[],
  workspace: WorkspaceTemplate,
): void {
  const created_at = service.now().toISOString();
  service.database.transaction(() => {
    service.database.insert(members, ...initialPeople.map((person) => ({ ...person, id: randomUUID() })));
    const id = randomUUID();
    service.database.insert(serviceKeyTable, { id, name: "Emulator", active: true, created_at, built_in: true });
    const grant = { principal_kind: "api_key", principal_id: id, permission_set: null, expires_at: null } as const;
    service.database.insert(
      grantTable,
      ...grantableAbilities.map((ability) => ({ ...grant, id: randomUUID(), ability, environments: [], created_at })),
    );
    for (const module of modules) module.seed?.(service, workspace);
  });
}

/** Revokes the tokens of earlier starts and issues new ones: the fixed texts, or random ones. */
export function openTokenSession(
  { database, now }: ServiceContext,
  fixedTokens: Partial<SessionTokens>,
): SessionTokens {
  const created_at = now().toISOString();
  const session = { admin: fixedTokens.admin ?? newToken(), service: fixedTokens.service ?? newToken() };
  database.transaction(() => {
    database.remove(tokens, { session: true });
    const admin = { principal_kind: "user", principal_id: firstAdmin(database).id, created_at, session: true } as const;
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

function builtInKey(database: Database): string {
  const key = database.find(serviceKeyTable, { built_in: true });
  if (key === undefined) throw new Error("the workspace has lost the emulator's own service key");
  return key.id;
}
