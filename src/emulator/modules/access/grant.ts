/** Grants: one ability or permission set of a principal, and the abilities that a principal has by its grants. */

import type { Json } from "../../../core/json.ts";
import { type HttpError, validationError } from "../../http/http-error.ts";
import type { RowOf } from "../../resource/field.ts";
import { tableOf } from "../../resource/schemas.ts";
import { principalKinds } from "../../service/permissions.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import { permissionSetTable } from "./permission-sets.ts";

/** A date, or a time of a day with its offset. */
const timeOrBlank =
  "^\\s*(\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)?)?)?\\s*$";

function timeError(time: Json | undefined): HttpError | undefined {
  return typeof time === "string" ? validationError({ field: "expires_at", message: "is not a time" }) : undefined;
}

/** The fields of a grant. One of `ability` and `permission_set` is null. */
export const grantFields = {
  id: { value: { type: "string", format: "uuid" } },
  principal_kind: {
    value: { type: "string", enum: principalKinds as typeof principalKinds },
    hidden: true,
    input: { type: "string", enum: principalKinds as typeof principalKinds },
    sentIn: "create",
    required: true,
  },
  principal_id: {
    value: { type: "string" },
    hidden: true,
    input: { type: "string", description: "The id of the member, agent or service key." },
    sentIn: "create",
    required: true,
  },
  ability: {
    value: { type: ["string", "null"], examples: ["runbooks.update"] },
    input: "Such as runbooks.update; either this or permission_set.",
    sentIn: "create",
    reading: "none",
  },
  permission_set: {
    value: { type: ["string", "null"], examples: [null] },
    input: { type: ["string", "null"], description: "The slug of a permission set." },
    sentIn: "create",
    reading: "none",
  },
  environments: {
    value: { type: "array", items: { type: "string" }, examples: [[]] },
    input: {
      type: ["array", "null"],
      items: { type: "string" },
      description: "Slugs of the environments the grant is narrowed to; [] means all.",
    },
  },
  expires_at: {
    value: { type: ["string", "null"], format: "date-time", examples: [null] },
    input: {
      type: ["string", "null"],
      pattern: timeOrBlank as string,
      description: "A time in the future; blank means never.",
      examples: ["2030-01-01T00:00:00Z"],
      refusal: (time: Json | undefined): HttpError | undefined => timeError(time),
    },
    reading: "nullable",
  },
  created_at: { value: { type: "string", format: "date-time" } },
} as const;

export type GrantRow = RowOf<typeof grantFields>;

/** The grants of people, agents and service keys. SQLite treats NULLs as distinct: each rule applies only to rows with a value. */
export const grantTable: Table<GrantRow> = tableOf(
  "grants",
  grantFields,
  "UNIQUE (principal_id, ability)",
  "UNIQUE (principal_id, permission_set)",
);

/** The abilities of a principal, directly and by permission sets, without expired grants. */
export function grantedAbilities(database: Database, principalId: string, timestamp: string): ReadonlySet<string> {
  const live = grantsOf(database, principalId).filter(
    (grant) => grant.expires_at === null || grant.expires_at > timestamp,
  );
  return new Set(live.flatMap(({ abilities }) => [...abilities]));
}

/** Grants of a principal: the abilities that a grant gives, itself or by a permission set. */
interface GrantedAbilities {
  readonly abilities: ReadonlySet<string>;
  readonly expires_at: string | null;
}

function grantsOf(database: Database, principalId: string): readonly GrantedAbilities[] {
  return database.derive([grantTable, permissionSetTable], `grants ${principalId}`, () => {
    const sets = new Map(database.list(permissionSetTable).map(({ slug, abilities }) => [slug, abilities]));
    return database.list(grantTable, { principal_id: principalId }).map(({ ability, permission_set, expires_at }) => {
      const abilities = ability === null ? sets.get(permission_set ?? "") : [ability];
      return { abilities: new Set<string>(abilities), expires_at };
    });
  });
}
