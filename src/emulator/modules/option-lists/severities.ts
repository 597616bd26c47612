/** Severities: position 1 is the most severe, and rank is derived from it. */

import { objectSchema, present } from "../../http/response-schema.ts";
import type { ServiceModule } from "../../service/module.ts";
import type { Table } from "../../store/table.ts";
import { type OptionRow, optionColor, optionListModule, optionProperties, optionTable } from "./option-list.ts";

/** The severities. */
export const severityTable: Table<OptionRow> = optionTable("severities");

const severity = objectSchema("Severity", {
  ...optionProperties,
  color: optionColor,
  is_default: { type: "boolean", description: "true for the default of the workspace." },
  rank: { type: "integer", description: "Derived from the position: the higher, the more severe." },
});

/** The module of /api/v1/severities. A fresh workspace's ranks are 5, 3 and 1 until the list is first written. */
export const severities: ServiceModule = optionListModule({
  path: "severities",
  singular: "severity",
  table: severityTable,
  names: ["Severities", "Severity"],
  schema: severity,
  present: (row) => present(severity, row),
  builtInSlug: undefined,
  protectionReason: () => undefined,
  defaultReason: () => undefined,
  initialEntries: [
    { name: "Critical", position: 1, rank: 5, color: "#DC143C" },
    { name: "Major", position: 2, rank: 3, color: "#FF6B35" },
    { name: "Minor", position: 3, rank: 1, color: "#FFA500", is_default: true },
  ],
});
