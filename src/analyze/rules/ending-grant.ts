/** A012: an agent that is about to lose what it may do. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about } from "../reading.ts";
import { isEnabled, type View } from "../view.ts";

/** How long before its end a grant is told of. */
const DAYS = 14;

export const endingGrant: Analyzer = {
  id: "A012",
  name: "ending-grant",
  severity: "warning",
  title: `A grant of an agent has expired, or does so within ${DAYS} days.`,
  why: "An agent that loses an ability stops in the middle of an incident, and its error looks like one of the service.",
  fix: "Set a later expires_at, or take the grant away.",
  find,
};

function* find(view: View): Iterable<Hit> {
  const horizon = view.now.getTime() + DAYS * 86_400_000;
  for (const scope of view.scopes("grants")) {
    const agent = view.subject("agents", scope);
    if (agent !== undefined && !isEnabled(agent)) continue;
    for (const grant of view.subjects("grants", scope)) {
      const { expires_at } = grant.fields;
      const end = typeof expires_at === "string" ? Date.parse(expires_at) : Number.NaN;
      if (grant.declared === undefined || Number.isNaN(end) || end > horizon) continue;
      // The date and not the days left: the same files give the same words tomorrow.
      const what = end <= view.now.getTime() ? "has expired on" : "expires on";
      const message = `${grant.address} ${what} ${new Date(end).toISOString().slice(0, 10)}`;
      yield { message, ...about(grant, "/expires_at") };
    }
  }
}
