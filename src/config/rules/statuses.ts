/** Rules of statuses: an incident cannot begin with a closed one. */

import type { ResourceRule } from "./rule.ts";

/** Only a status of a live stage can be the default. */
export const checkStatus: ResourceRule = ({ fields, address, place }, { findings }) => {
  if (fields.default !== true || (fields.lifecycle_stage !== "closed" && fields.lifecycle_stage !== "canceled")) return;
  findings.error(
    "E_DEFAULT",
    `${address} is the default, but its stage is ${fields.lifecycle_stage}`,
    place("/default"),
    {
      help: "Only a status of the stage triage or active can be the default.",
    },
  );
};
