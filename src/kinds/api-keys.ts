/** Service keys: known by name, addressed by prefix; permissions are replaced whole and the token is told once. */

import type { Kind } from "./kind.ts";
import { asSets, sortedWithin } from "./same.ts";

export const apiKeys: Kind = {
  name: "api_keys",
  title: "service key",
  room: "api-keys",
  source: "Agent; Configuration resources, rule 7",
  key: ["name"],
  pin: "prefix",
  collection: { path: "/api_keys" },
  member: { path: "/api_keys/{id}" },
  address: ["prefix"],
  list: "api_keys",
  item: "api_key",
  admin: true,
  disable: "active",
  required: ["name"],
  reveals: "token",
  repeatable: true,
  fields: {
    permissions: { same: asSets, inOrder: sortedWithin, attention: true },
    active: { only: "update" },
  },
};
