/** The workspace's settings: id, name and access to transcripts. */

import { randomUUID } from "node:crypto";
import type { ServiceModule } from "../service/module.ts";
import type { Database } from "../store/database.ts";
import { type RowOfColumns, rowTable, type Table } from "../store/table.ts";

const settingsColumns = {
  id: { type: "string" },
  name: { type: "string" },
  // Whether transcripts are readable. The ability is required as well.
  transcript_access: { type: "boolean" },
} as const;

/** The only row of the settings. */
export type WorkspaceSettingsRow = RowOfColumns<typeof settingsColumns>;

const settingsTable: Table<WorkspaceSettingsRow> = rowTable("workspace_settings", settingsColumns);

/** The module of the settings, which have no endpoint. */
export const workspaceSettings: ServiceModule = {
  tables: [settingsTable],
  endpoints: [],
  seed: ({ database }) =>
    database.insert(settingsTable, { id: randomUUID(), name: "Emulated workspace", transcript_access: true }),
};

/** The current settings. */
export function settingsOf(database: Database): WorkspaceSettingsRow {
  const [settings] = database.rowsById(settingsTable).values();
  if (settings === undefined) throw new Error("the workspace has no settings");
  return settings;
}

export function changeSettings(database: Database, changes: Partial<Omit<WorkspaceSettingsRow, "id">>): void {
  database.update(settingsTable, settingsOf(database).id, changes);
}
