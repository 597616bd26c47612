/** Incident types: an ordered list that responders choose from. */

import type { Kind } from "../model/kind.ts";
import { equalColors } from "../values/equality.ts";
import { optionList } from "./option-list.ts";

export const incidentTypes: Kind = optionList({
  name: "incident_types",
  title: "incident type",
  references: { namedIn: "type" },
  fields: { color: { equals: equalColors } },
});
