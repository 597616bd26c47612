/** Rules of statuses: an incident cannot begin with a closed one. */

import { locationOf } from "../resources/origins.ts";
import type { ResourceRule } from "./rule.ts";

/** Only a status of a live stage can be the default. */
export const checkStatus: ResourceRule = ({ fields, address, origins }, { findings }) => {
  if (fields.default !== true || (fields.lifecycle_stage !== "closed" && fields.lifecycle_stage !== "canceled")) return;
  findings.error(
    "E_DEFAULT",
    `${address} is the default, but its stage is ${fields.lifecycle_stage}`,
    locationOf(origins, "/default"),
    {
      help: "Only a status of the stage triage or active can be the default.",
    },
  );
};
