/** A drift as JUnit XML: new and expired differences are failed tests, accepted ones are skipped. */

import type { Drift } from "../../drift/drift.ts";
import type { Change, Plan } from "../../plan/plan.ts";
import { plain } from "../format/ansi.ts";
import { fieldPath } from "../format/value.ts";
import { element, escaped, xmlDocument } from "../format/xml.ts";
import { fieldLines } from "../plan/field-lines.ts";
import { driftSummary } from "../plan/summary.ts";
import { DRIFT } from "../plan/wording.ts";

/** A case for each resource that differs and for each accepted difference; a passed one if there is no drift. */
export function driftJunit(plan: Plan, drift: Drift): string {
  const failed = plan.changes.map(failure);
  const skipped = drift.known.map(({ address, path, accepted }) =>
    element("testcase", { name: `${address} ${fieldPath(path)}`.trimEnd(), classname: kindOf(address) }, [
      element("skipped", { message: `accepted until ${accepted?.until ?? ""}: ${accepted?.because ?? ""}` }, []),
    ]),
  );
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

function kindOf(address: string): string {
  return address.split("/")[0] ?? "";
}
