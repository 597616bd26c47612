/** A drift as JUnit XML: new and expired differences are failed tests; accepted ones, and what the settings ignore, are skipped. */

import type { Drift } from "../../drift/drift.ts";
import type { Change, Plan } from "../../plan/plan.ts";
import { plain } from "../format/ansi.ts";
import { element, escaped, xmlDocument } from "../format/xml.ts";
import { fieldLines } from "../plan/field-lines.ts";
import { type PlaceItem, placeItem } from "../plan/left-alone.ts";
import { driftSummary } from "../plan/summary.ts";
import { DRIFT } from "../plan/wording.ts";
import { acceptedItem } from "./text.ts";

/** A case for each resource that differs, each accepted difference and each ignored place; a passed one if there is no drift. */
export function driftJunit(plan: Plan, drift: Drift): string {
  const failed = plan.changes.map(failure);
  const skipped = [
    ...drift.known.map((difference) => skippedCase(acceptedItem(difference), "accepted ")),
    ...(plan.ignored ?? []).map((place) => skippedCase(placeItem(place), "ignored by the settings")),
  ];
  const passed =
    failed.length > 0
      ? []
      : [element("testcase", { name: driftSummary(plan, DRIFT, drift), classname: "workspace" }, [])];
  const counts = {
    ...{ tests: failed.length + skipped.length + passed.length, failures: failed.length },
    ...{ errors: 0, skipped: skipped.length },
  };
  return xmlDocument(
    element("testsuites", { name: "drift", ...counts }, [
      element("testsuite", { name: `incidentctl drift ${plan.target.host}`, ...counts }, [
        ...failed,
        ...skipped,
        ...passed,
      ]),
    ]),
  );
}

function failure(change: Change): string {
  const { address, kind, action, fields, source } = change;
  const message = DRIFT.actions[action].note ?? "differs";
  const lines = fieldLines(fields, { paint: plain, verbose: true, isNew: action === "create" });
  const at = source === undefined ? {} : { file: source.file, line: source.line };
  return element("testcase", { name: address, classname: kind, ...at }, [
    element("failure", { message }, lines.length === 0 ? [] : [escaped(["live → declared", ...lines].join("\n"))]),
  ]);
}

function skippedCase({ where, note }: PlaceItem, reason: string): string {
  const [kind = ""] = where.join("/").split("/");
  return element("testcase", { name: where.join(" "), classname: kind }, [
    element("skipped", { message: `${reason}${note}` }, []),
  ]);
}
