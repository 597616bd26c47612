/** Everything that a grant can name: abilities, and the principals that can have them. */

import { listOf, objectSchema, uuid } from "../../http/response-schema.ts";
import { endpoint, ok, type ServiceModule } from "../../service/module.ts";
import { abilityGroup, grantableAbilities, riskLevel, riskLevels } from "../../service/permissions.ts";
import { members } from "../people.ts";
import { agentTable } from "./agents.ts";
import { serviceKeyTable } from "./api-keys.ts";

const ability = objectSchema("Ability", {
  key: { type: "string", enum: grantableAbilities },
  risk_level: { type: "string", enum: riskLevels },
  group: { type: "string", description: "The display name of its resource.", examples: ["Incidents"] },
});

const principal = objectSchema("Principal", {
  kind: { type: "string", enum: ["user", "agent", "api_key"] },
  id: uuid,
  name: { type: "string", examples: ["Ada Okafor"] },
});

/** The endpoints of /api/v1/abilities and /principals, which only an admin's personal token reaches. */
export const grantable: ServiceModule = {
  tables: [],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/abilities",
      operationId: "listAbilities",
      summary: "Lists every ability that can be granted.",
      requiredAbility: "permissions.read",
      responses: { 200: objectSchema("AbilityList", { abilities: listOf(ability) }) },
      handle: () => {
        const rows = grantableAbilities.map((key) => ({ key, risk_level: riskLevel(key), group: abilityGroup(key) }));
        return ok({ abilities: rows });
      },
    }),
    endpoint({
      method: "GET",
      path: "/principals",
      operationId: "listPrincipals",
      summary: "Lists whom abilities can be granted to: members, agents and service keys.",
      requiredAbility: "permissions.read",
      responses: { 200: objectSchema("PrincipalList", { principals: listOf(principal) }) },
      handle: ({ database }) => {
        const listing = { order: "name, rowid" };
        const people = database.list(members, {}, listing).map(({ id, name }) => ({ kind: "user" as const, id, name }));
        const machines = database
          .list(agentTable, {}, listing)
          .map(({ id, name }) => ({ kind: "agent" as const, id, name }));
        const keys = database.list(serviceKeyTable, { built_in: false }, listing);
        return ok({
          principals: [...people, ...machines, ...keys.map(({ id, name }) => ({ kind: "api_key" as const, id, name }))],
        });
      },
    }),
  ],
};
