/** Permission sets: named sets of abilities, granted together. */

import { randomUUID } from "node:crypto";
import { unprocessable } from "../../http/http-error.ts";
import type { RowOf } from "../../resource/field.ts";
import { resourceModule } from "../../resource/resource.ts";
import { tableOf } from "../../resource/schemas.ts";
import type { ServiceModule } from "../../service/module.ts";
import { slugInput, slugOfNew } from "../../service/names.ts";
import { type Ability, grantableAbilities, isGrantable } from "../../service/permissions.ts";
import { refuseIfReferenced } from "../../store/references.ts";
import type { Table } from "../../store/table.ts";

const fields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", examples: ["Responders"] },
    input: "The display name.",
    reading: "name",
    required: true,
  },
  slug: {
    value: { type: "string", examples: ["responders"] },
    input: slugInput as typeof slugInput,
    reading: "none",
    unique: true,
  },
  // Sorted.
  abilities: {
    value: { type: "array", items: { type: "string", enum: grantableAbilities as typeof grantableAbilities } },
    input: {
      type: ["array", "null"],
      items: { type: "string" },
      description: "The whole set; what cannot be granted is dropped.",
      examples: [["incidents.read", "incidents.update"]],
    },
  },
  // A built-in set cannot be changed.
  built_in: { value: { type: "boolean", examples: [false] } },
} as const;

/** A named set of abilities. */
export type PermissionSetRow = RowOf<typeof fields>;

/** The permission sets, built-in ones included. */
export const permissionSetTable: Table<PermissionSetRow> = tableOf("permission_sets", fields);

/** The module of /api/v1/permission_sets, which only an admin's personal token reaches. */
export const permissionSets: ServiceModule = {
  ...resourceModule({
    title: "PermissionSet",
    path: "permission_sets",
    ability: "permissions",
    fields,
    table: permissionSetTable,
    address: "slug",
    order: "name, rowid",
    summaries: {
      list: "Lists the permission sets by name.",
      create: "Creates a permission set.",
      update: "Changes a permission set; abilities, when sent, are the whole set.",
      delete: "Deletes a permission set that nobody is granted.",
    },
    read: { abilities: sortAbilities },
    complete: (request, { name }) => ({ slug: slugOfNew(request, name) }),
    check(_request, row) {
      refuseBuiltIn(row);
      return row;
    },
    protect(request, row) {
      refuseBuiltIn(row);
      refuseIfReferenced(row, "permission_sets", request);
    },
  }),
  seed: ({ database }) => {
    const abilities = sortAbilities(grantableAbilities.filter((ability) => ability.endsWith(".read")));
    const row = { id: randomUUID(), name: "Read everything", slug: "read_everything", abilities, built_in: true };
    database.insert(permissionSetTable, row);
  },
};

function sortAbilities(abilities: readonly string[]): readonly Ability[] {
  return [...new Set(abilities)].filter(isGrantable).sort();
}

function refuseBuiltIn({ name, built_in }: PermissionSetRow): void {
  if (built_in) throw unprocessable(`${name} is built in and cannot be changed.`);
}
