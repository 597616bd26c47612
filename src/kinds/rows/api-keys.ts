/** Service keys: identified by name, addressed by prefix. Permissions are replaced as a whole, and the token is returned once. */

import { isFields, isList, type Json } from "../../core/json.ts";
import { defineKind } from "../model/define-kind.ts";
import type { Kind } from "../model/kind.ts";
import { equalSetMaps, sortSetMap } from "../values/equality.ts";
import { grantableResources } from "./permissions.ts";

export const apiKeys: Kind = defineKind({
  name: "api_keys",
  title: "service key",
  identity: { keys: ["name"], pin: "prefix", stable: ["permissions"], idFields: ["prefix"] },
  endpoint: {
    envelope: { item: "api_key" },
    admin: true,
  },
  lifecycle: {
    disable: "active",
    calledByOthers: [],
    required: ["name"],
    allowsDuplicates: true,
    secret: { field: "token" },
  },
  reviewReason: ({ isNew, fields }) => {
    const change = isNew ? undefined : fields.get("permissions");
    if (change === undefined) return undefined;
    // Values from the environment are not shown.
    if (typeof change.after === "string") return "its permissions differ";
    const held = new Set(abilitiesOf(change.before));
    const gained = abilitiesOf(change.after).filter((ability) => !held.has(ability));
    return gained.length === 0 ? undefined : `gains ${gained.join(", ")}`;
  },
  fields: {
    permissions: { equals: equalSetMaps, canonical: sortSetMap, attention: true, knownValues: grantableResources },
    active: { writtenBy: "update" },
  },
});

/** The permissions as abilities: `incidents.read`. */
function abilitiesOf(permissions: Json): readonly string[] {
  if (!isFields(permissions)) return [];
  return Object.entries(permissions).flatMap(([resource, verbs]) =>
    isList(verbs) ? verbs.map((verb) => `${resource}.${String(verb)}`) : [],
  );
}
