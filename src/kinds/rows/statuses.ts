/** Statuses: ordered, each in a lifecycle stage that decides whether an incident is live. */

import type { Kind } from "../model/kind.ts";
import { equalColors } from "../values/equality.ts";
import { optionList } from "./option-list.ts";

export const statuses: Kind = optionList({
  name: "statuses",
  title: "status",
  lifecycle: {
    required: ["name", "lifecycle_stage"],
    exclusive: "default",
    atLeastOnePer: "lifecycle_stage",
    rejectFields: () => (declared, live) => {
      const stage = declared.lifecycle_stage ?? live?.lifecycle_stage;
      if (declared.default !== true || live?.default === true || (stage !== "closed" && stage !== "canceled"))
        return [];
      const message = `its stage is ${stage}, and only a status of the stage triage or active can be the default`;
      return [{ field: "default", code: "E_DEFAULT", message }];
    },
    rejectUpdate: (live, declared, held) =>
      declared.lifecycle_stage === undefined || declared.lifecycle_stage === live.lifecycle_stage || held === 0
        ? undefined
        : {
            field: "lifecycle_stage",
            message: `moving the status from ${live.lifecycle_stage} to ${declared.lifecycle_stage} would change the state of ${held ?? "the"} incidents that have it; declare a new status instead`,
          },
  },
  references: { countedBy: "status_id" },
  fields: {
    lifecycle_stage: { attention: true },
    default: { wireNames: ["is_default", "default"] },
    color: { equals: equalColors },
  },
});
