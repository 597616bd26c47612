/** A012: a grant that has expired or expires soon. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf } from "../field-values.ts";
import { isEnabled, type PlannedWorkspace } from "../planned-workspace.ts";

/** Days before the end of a grant from which it is reported. */
const DAYS = 14;

export const endingGrant: Analyzer = {
  id: "A012",
  name: "ending-grant",
  severity: "warning",
  title: `A grant of an agent has expired or expires within ${DAYS} days.`,
  why: "An agent that loses an ability stops in the middle of an incident, and its error looks like a failure of the service.",
  fix: "Set a later expires_at, or remove the grant.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  const horizon = workspace.now.getTime() + DAYS * 86_400_000;
  for (const scope of workspace.managedScopes("grants")) {
    const agent = workspace.resource("agents", scope);
    if (agent !== undefined && !isEnabled(agent)) continue;
    for (const grant of workspace.resources("grants", scope)) {
      const { expires_at } = grant.fields;
      const end = typeof expires_at === "string" ? Date.parse(expires_at) : Number.NaN;
      if (grant.declared === undefined || Number.isNaN(end) || end > horizon) continue;
      // Names the date and not the days left, so that the message does not change every day.
      const verb = end <= workspace.now.getTime() ? "has expired on" : "expires on";
      const message = `${grant.address} ${verb} ${new Date(end).toISOString().slice(0, 10)}`;
      yield { message, ...placeOf(grant, "/expires_at") };
    }
  }
}
