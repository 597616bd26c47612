/** A drift as JUnit XML: new and expired differences are failed tests; accepted ones, and what the settings ignore, are skipped. */

import type { Drift } from "../../plan/drift/drift.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import { plain } from "../format/ansi.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";
import { acceptedItem } from "../plan/drift-status.ts";
import { fieldLines } from "../plan/field-lines.ts";
import { type PlaceItem, placeItem } from "../plan/left-alone.ts";
import { driftSummary } from "../plan/summary.ts";
import { DRIFT } from "../plan/wording.ts";

/** A case for each resource that differs, each accepted difference and each ignored place; a passed one if there is no drift. */
export function driftJunit(plan: Plan, drift: Drift): string {
  const failed = plan.changes.map(failedCase);
  const skipped = [
    ...drift.known.map((difference) => skippedCase(acceptedItem(difference), "accepted ")),
    ...(plan.ignored ?? []).map((place) => skippedCase(placeItem(place), "ignored by the settings")),
  ];
  const passed = { name: driftSummary(plan, DRIFT, drift), classname: "workspace" };
  const cases = [...failed, ...skipped, ...(failed.length > 0 ? [] : [passed])];
  return junitDocument("drift", [{ name: `incidentctl drift ${plan.target.host}`, cases }]);
}

function failedCase({ address, kind, action, fields, source }: Change): JunitCase {
  const message = DRIFT.actions[action].note ?? "differs";
  const lines = fieldLines(fields, { paint: plain, verbose: true, isNew: action === "create" });
  const text = lines.length === 0 ? "" : ["live → declared", ...lines].join("\n");
  return { name: address, classname: kind, at: source, result: { kind: "failure", message, text } };
}

function skippedCase({ where, note }: PlaceItem, reason: string): JunitCase {
  const [kind = ""] = where.join("/").split("/");
  return { name: where.join(" "), classname: kind, result: { kind: "skipped", message: `${reason}${note}` } };
}
