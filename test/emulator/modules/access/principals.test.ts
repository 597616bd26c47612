import { afterEach, beforeEach, expect, test } from "vitest";
import { serviceKeyTable } from "../../../../src/emulator/modules/access/api-keys.ts";
import { grantTable } from "../../../../src/emulator/modules/access/grant.ts";
import { permissionSetTable } from "../../../../src/emulator/modules/access/permission-sets.ts";
import { authenticate, authorize } from "../../../../src/emulator/modules/access/principals.ts";
import { issueToken, newToken, prefixOf, tokens } from "../../../../src/emulator/modules/access/tokens.ts";
import { allModules } from "../../../../src/emulator/modules/all-modules.ts";
import { members } from "../../../../src/emulator/modules/people.ts";
import { Database } from "../../../../src/emulator/store/database.ts";

const now = new Date("2026-01-01T00:00:00Z");
const created_at = now.toISOString();
let database: Database;
beforeEach(() => {
  database = new Database(
    undefined,
    allModules.flatMap(({ tables }) => tables),
  );
  const person = { name: "Mo", email: "mo@example.com", chat_user_id: "U1" };
  database.insert(members, { ...person, id: "m", role: "member" });
  database.insert(serviceKeyTable, { id: "k", name: "CI", active: true, created_at, built_in: false });
});
afterEach(() => database.close());

test("a token is ff_ and 36 base-58 characters, and its prefix the first twelve", () => {
  const token = newToken();
  expect(token).toMatch(/^ff_[1-9A-HJ-NP-Za-km-z]{36}$/);
  expect(prefixOf(token)).toHaveLength(12);
});

test("only the digest of a token is stored", () => {
  const token = issueToken(database, { principal_kind: "api_key", principal_id: "k", created_at });
  expect(JSON.stringify(database.list(tokens))).not.toContain(token);
});

test("Authentication rule 2: an expired or deactivated token is indistinguishable from an unknown one", () => {
  const token = issueToken(database, { principal_kind: "api_key", principal_id: "k", created_at });
  const header = `Bearer ${token}`;
  expect(authenticate(database, header, now)).toMatchObject({ kind: "api_key", name: "CI", admin: false });
  const [row] = database.list(tokens);
  database.update(tokens, row?.id ?? "", { expires_at: created_at });
  expect(() => authenticate(database, header, now)).toThrow("missing, invalid, expired or deactivated");
  database.update(tokens, row?.id ?? "", { expires_at: null });
  database.update(serviceKeyTable, "k", { active: false });
  expect(() => authenticate(database, header, now)).toThrow("missing, invalid, expired or deactivated");
});

test("Authentication rule 3: a service key has its granted abilities until the grant expires", () => {
  const header = `Bearer ${issueToken(database, { principal_kind: "api_key", principal_id: "k", created_at })}`;
  const key = authenticate(database, header, now);
  expect(() => authorize(database, key, "severities.update", now)).toThrow("This token may not update severities");
  database.insert(grantTable, {
    id: "g",
    principal_kind: "api_key",
    principal_id: "k",
    ability: "severities.update",
    permission_set: null,
    environments: [],
    expires_at: "2026-01-02T00:00:00.000Z",
    created_at,
  });
  authorize(database, key, "severities.update", now);
  expect(() => authorize(database, key, "severities.update", new Date("2026-01-03T00:00:00Z"))).toThrow("may not");
});

test("a member's own token reads, declares and updates incidents, and reaches no admin-only endpoint", () => {
  const header = `Bearer ${issueToken(database, { principal_kind: "user", principal_id: "m", created_at })}`;
  const member = authenticate(database, header, now);
  for (const ability of ["severities.read", "incidents.create", "incidents.update"] as const) {
    authorize(database, member, ability, now);
  }
  for (const ability of ["severities.update", "incidents.delete", "api_keys.read", "permissions.read"] as const) {
    expect(() => authorize(database, member, ability, now)).toThrow("may not");
  }
});

test("Authentication rule 3: a permission set gives its abilities, and a member can be granted more", () => {
  const set = { name: "Editors", slug: "editors", abilities: ["forms.update"] as const, built_in: false };
  database.insert(permissionSetTable, { ...set, id: "s" });
  for (const [principal_kind, principal_id] of [
    ["api_key", "k"],
    ["user", "m"],
  ] as const) {
    const header = `Bearer ${issueToken(database, { principal_kind, principal_id, created_at })}`;
    const principal = authenticate(database, header, now);
    expect(() => authorize(database, principal, "forms.update", now)).toThrow("may not update forms");
    const grant = { principal_kind, principal_id, ability: null, environments: [], expires_at: null, created_at };
    database.insert(grantTable, { ...grant, id: `g-${principal_id}`, permission_set: "editors" });
    authorize(database, principal, "forms.update", now);
    expect(() => authorize(database, principal, "forms.delete", now)).toThrow("may not delete forms");
  }
});

test("a principal has an ability or a permission set once", () => {
  const grant = {
    principal_kind: "api_key",
    principal_id: "k",
    environments: [],
    expires_at: null,
    created_at,
  } as const;
  database.insert(grantTable, { ...grant, id: "1", ability: "forms.read", permission_set: null });
  database.insert(grantTable, { ...grant, id: "2", ability: null, permission_set: "editors" });
  expect(() =>
    database.insert(grantTable, { ...grant, id: "3", ability: "forms.read", permission_set: null }),
  ).toThrow();
  expect(() => database.insert(grantTable, { ...grant, id: "4", ability: null, permission_set: "editors" })).toThrow();
});

test("last_used_at is refreshed at most once a minute", () => {
  const header = `Bearer ${issueToken(database, { principal_kind: "user", principal_id: "m", created_at })}`;
  const times = [0, 59_999, 60_000].map((later) => {
    authenticate(database, header, new Date(now.getTime() + later));
    return database.list(tokens)[0]?.last_used_at;
  });
  expect(times).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", "2026-01-01T00:01:00.000Z"]);
});
