/** The workspace itself: its id, its name, and whether it lets transcripts be read. */

import { randomUUID } from "node:crypto";
import type { Database } from "../store/database.ts";
import { boolean, key, type Table, table, text } from "../store/table.ts";
import type { Room } from "./room.ts";

/** The one row of settings. */
export interface WorkspaceSettingsRow {
  readonly id: string;
  readonly name: string;
  /** Whether transcripts can be read at all; the ability is needed besides. */
  readonly transcript_access: boolean;
}

const settingsTable: Table<WorkspaceSettingsRow> = table("workspace_settings", {
  id: key,
  name: text,
  transcript_access: boolean,
});

/** The room of the settings, which no endpoint of the interface shows. */
export const workspaceSettings: Room = {
  tables: [settingsTable],
  routes: [],
  seed: ({ database }) =>
    database.insert(settingsTable, { id: randomUUID(), name: "Emulated workspace", transcript_access: true }),
};

/** The settings as they are. */
export function settingsOf(database: Database): WorkspaceSettingsRow {
  const [settings] = database.list(settingsTable);
  if (settings === undefined) throw new Error("the workspace has no settings");
  return settings;
}

/** Changes settings. */
export function changeSettings(database: Database, changes: Partial<Omit<WorkspaceSettingsRow, "id">>): void {
  database.update(settingsTable, settingsOf(database).id, changes);
}
