/** Severities: position 1 is the most severe, and rank is derived from it. */

import type { ServiceModule } from "../../service/module.ts";
import type { Table } from "../../store/table.ts";
import { type OptionRow, optionListModule, optionTable } from "./option-list.ts";

/** The severities. */
export const severityTable: Table<OptionRow> = optionTable("severities");

/** The module of /api/v1/severities. A fresh workspace's ranks are 5, 3 and 1 until the list is first written. */
export const severities: ServiceModule = optionListModule({
  title: "Severity",
  path: "severities",
  table: severityTable,
  own: { color: true, is_default: true, rank: true },
  initialEntries: [
    { name: "Critical", position: 1, rank: 5, color: "#DC143C" },
    { name: "Major", position: 2, rank: 3, color: "#FF6B35" },
    { name: "Minor", position: 3, rank: 1, color: "#FFA500", is_default: true },
  ],
});
