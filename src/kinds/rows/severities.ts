/** Severities: ordered from the most severe, one of them the default. */

import type { Kind } from "../model/kind.ts";
import { equalColors } from "../values/equality.ts";
import { optionList } from "./option-list.ts";

export const severities: Kind = optionList({
  name: "severities",
  title: "severity",
  lifecycle: {
    derivedFromPosition: "rank",
    exclusive: "default",
  },
  references: { countedBy: "severity_id" },
  fields: {
    default: { wireNames: ["is_default", "default"] },
    color: { equals: equalColors },
  },
});
