/** Runbooks attached to incidents. */

import type { Act } from "../act.ts";
import type { IncidentRow } from "./incident.ts";

/** Attaches every runbook whose conditions the incident meets and that is not attached yet. */
export function attachRunbooks(_act: Act, _incident: IncidentRow): void {}
