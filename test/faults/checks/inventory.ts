/** Inventory of a workspace without generated values: workspaces with the same inventory are the same to a user. */

import { canonical, type Fields, type Json } from "../../../src/core/json.ts";
import { serviceKeyTable } from "../../../src/emulator/modules/access/api-keys.ts";
import { grantTable } from "../../../src/emulator/modules/access/grant.ts";
import { tokens } from "../../../src/emulator/modules/access/tokens.ts";
import { allModules } from "../../../src/emulator/modules/all-modules.ts";
import {
  catalogAttributes,
  catalogEntries,
  catalogReferences,
} from "../../../src/emulator/modules/catalog/catalog-tables.ts";
import { customFieldOptions } from "../../../src/emulator/modules/custom-fields/custom-field-tables.ts";
import { conditionTable } from "../../../src/emulator/modules/forms/conditions.ts";
import { routingRuleTable } from "../../../src/emulator/modules/routing/routing-rule-sets.ts";
import { runbookSteps } from "../../../src/emulator/modules/runbooks/runbooks.ts";
import type { Database } from "../../../src/emulator/store/database.ts";
import type { Table } from "../../../src/emulator/store/table.ts";

/** Rows by table, as sorted texts. */
export type Inventory = ReadonlyMap<string, readonly string[]>;

interface Kept {
  readonly table: string;
  readonly rows: readonly (Fields & { readonly id: string })[];
}

/** Columns that the service generates. */
const MADE_UP: readonly string[] = ["created_at", "updated_at", "secret", "rank"];
/** Its slug is part of a generated address; rules refer to the source by name. */
const ADDRESSED = "alert_sources";
/** Form fields keep the order of their creation; no request changes it. */
const UNORDERED = "form_fields";

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The configuration in the database. Ids are replaced by the names of their resources. */
export function inventoryOf(database: Database): Inventory {
  const kept = tablesOf(database);
  const names = new Map(kept.flatMap(({ table, rows }) => rows.map((row) => [row.id, nameOf(table, row)] as const)));
  const describeRow = (table: string, row: Fields): string => {
    const hidden = [
      "id",
      ...MADE_UP,
      ...(table === ADDRESSED ? ["slug"] : []),
      ...(table === UNORDERED ? ["position"] : []),
    ];
    const text = canonical(Object.fromEntries(Object.entries(row).filter(([column]) => !hidden.includes(column))));
    // A name may contain the id of another resource.
    const named = text.replace(ID, (id) => names.get(id) ?? "<id>");
    return named.replace(ID, (id) => names.get(id) ?? "<id>");
  };
  return new Map(kept.map(({ table, rows }) => [table, rows.map((row) => describeRow(table, row)).sort()]));
}

/** The differences between two inventories, as sentences. */
export function differences(expected: Inventory, actual: Inventory): readonly string[] {
  return [...expected].flatMap(([table, rows]) => {
    const actualRows = actual.get(table) ?? [];
    return [
      ...without(rows, actualRows).map((row) => `${table}: missing ${row}`),
      ...without(actualRows, rows).map((row) => `${table}: extra ${row}`),
    ];
  });
}

/** The column with the owner of a row. Such rows are removed with their owner. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  [catalogAttributes.name, "type_id"],
  [catalogEntries.name, "type_id"],
  [catalogReferences.name, "entry_id"],
  [customFieldOptions.name, "field_id"],
  [conditionTable.name, "owner_id"],
  [runbookSteps.name, "runbook_id"],
  [grantTable.name, "principal_id"],
]);

/** The inventory without disabled rows and their parts, and without positions, since disabled rows take up positions. */
export function withoutRetired(inventory: Inventory): Inventory {
  const retired = (row: string) => /"(enabled|active)":false/.test(row);
  const living = (rows: readonly string[]) =>
    rows.filter((row) => !retired(row)).map((row) => row.replace(/,?"position":\d+/, ""));
  const rest = withoutPartsOf(inventory, (_table, row) => retired(row));
  return new Map([...rest].map(([table, rows]) => [table, living(rows)]));
}

/** The inventory without the direct and indirect parts of the chosen rows. */
export function withoutPartsOf(inventory: Inventory, chosen: (table: string, row: string) => boolean): Inventory {
  const owners = new Set<string>();
  const partOf = (table: string, row: Fields) => owners.has(String(row[OWNERS.get(table) ?? ""]));
  const all = [...inventory].flatMap(([table, rows]) =>
    rows.map((text) => ({ table, text, row: JSON.parse(text) as Fields })),
  );
  for (const { table, text, row } of all) if (chosen(table, text)) owners.add(nameOf(table, row));
  for (let before = -1; before !== owners.size; ) {
    before = owners.size;
    for (const { table, row } of all) if (partOf(table, row)) owners.add(nameOf(table, row));
  }
  return new Map(
    [...inventory].map(([table, rows]) => [table, rows.filter((text) => !partOf(table, JSON.parse(text)))]),
  );
}

/** A token that works, and who has it. */
interface LiveToken {
  readonly prefix: string;
  readonly owner: string;
  readonly ownerKind: string;
}

/** Prefixes of the live tokens of agentTable and service keys, without those of the emulator itself. */
export function liveTokens(database: Database): readonly LiveToken[] {
  const keys = database.list(serviceKeyTable).filter((row) => row.built_in);
  return database
    .list(tokens)
    .filter((row) => !row.session && row.principal_kind !== "user")
    .filter((row) => !keys.some(({ id }) => id === row.principal_id))
    .map(({ prefix, principal_id, principal_kind }) => ({ prefix, owner: principal_id, ownerKind: principal_kind }));
}

function without(from: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1);
  return from.filter((row) => {
    const count = counts.get(row) ?? 0;
    counts.set(row, count - 1);
    return count <= 0;
  });
}

/** Tables that hold no configuration; every other table of a module is compared. */
const NO_CONFIGURATION = [
  ...["members", "workspace_settings", "tokens", "deliveries", "alerts", "chat_posts"],
  ...["incidents", "incident_events", "transcript_messages", "action_items", "escalations", "participants"],
  ...["role_assignments", "incident_links", "runbook_attachments", "attached_steps"],
  ...["postmortems", "postmortem_versions"],
];

function tablesOf(database: Database): readonly Kept[] {
  const tables = allModules.flatMap((module) => module.tables as unknown as readonly Table<{ readonly id: string }>[]);
  return tables
    .filter(({ name }) => !NO_CONFIGURATION.includes(name))
    .map((table) => {
      const isRanked = table.name === routingRuleTable.name;
      const order = isRanked ? "rule_set_id, priority" : "rowid";
      // The rows of these tables hold JSON values only; their types are interfaces.
      const kept = { table: table.name, rows: database.list(table, {}, { order }) as unknown as Kept["rows"] };
      return sorted(isRanked ? ranked(kept) : kept);
    });
}

/** Priorities of rules may have gaps; only their order counts. */
function ranked({ table, rows }: Kept): Kept {
  const seen = new Map<Json, number>();
  const numbered = rows.map((row) => {
    const set = row.rule_set_id ?? null;
    seen.set(set, (seen.get(set) ?? 0) + 1);
    return { ...row, priority: seen.get(set) ?? 0 };
  });
  return { table, rows: numbered };
}

/** Sets and maps in sorted order, because the service gives them no order. */
function sorted({ table, rows }: Kept): Kept {
  if (table !== "webhooks" && table !== "grants") return { table, rows };
  const column = table === "webhooks" ? "subscribed_events" : "environments";
  const inOrder = rows.map((row) => {
    const value = row[column];
    return { ...row, [column]: Array.isArray(value) ? [...value].map(String).sort() : (value ?? null) };
  });
  return { table, rows: inOrder };
}

function nameOf(table: string, row: Fields): string {
  const parts = [
    table === ADDRESSED ? row.name : (row.slug ?? row.name ?? row.label),
    row.form,
    row.system_field,
    row.scope,
    row.title,
  ];
  return `<${[table, ...parts.filter((part) => typeof part === "string")].join(" ")}>`;
}
