/** Service keys: identified by name, addressed by prefix. Permissions are replaced as a whole, and the token is returned once. */

import { equalSetMaps, sortSetMap } from "./equality.ts";
import type { Kind } from "./kind.ts";

export const apiKeys: Kind = {
  name: "api_keys",
  title: "service key",
  module: "api-keys",
  source: "Agent; Configuration resources, rule 7",
  identity: { keys: ["name"], pin: "prefix", idFields: ["prefix"] },
  endpoint: {
    list: { path: "/api_keys" },
    member: { path: "/api_keys/{id}" },
    envelope: { list: "api_keys", item: "api_key" },
    admin: true,
  },
  lifecycle: { disable: "active", required: ["name"], allowsDuplicates: true, secret: { field: "token" } },
  fields: {
    permissions: { equals: equalSetMaps, canonical: sortSetMap, attention: true },
    active: { writtenBy: "update" },
  },
};
