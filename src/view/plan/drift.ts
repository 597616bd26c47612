/** Drift as JUnit XML, and the differences that `drift accept` accepted as text. */

import { sanitised } from "../../core/sanitise.ts";
import { counted, fieldPath } from "../../core/value-text.ts";
import type { AcceptedDrift } from "../../plan/drift/accept.ts";
import type { Acceptance } from "../../plan/drift/acceptance.ts";
import { plain } from "../format/ansi.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";
import { fieldLines } from "./field-lines.ts";
import { shownFields } from "./field-rows.ts";
import type { ChangeView, PlanView } from "./plan-view.ts";
import { placesOf, type Wording } from "./wording.ts";

/** A failed case for each resource that differs, a skipped one for each accepted or ignored place; a passed one if there is no drift. */
export function driftJunit({ plan, changes, accepted, leftAlone, verdict, wording }: PlanView): string {
  const failed = changes.map((change) => failedCase(change, wording));
  const skipped = [...accepted, ...leftAlone].flatMap(({ items, skipped: reason }) =>
    reason === undefined ? [] : items.map(({ where, note }) => skippedCase(where, `${reason}${note}`)),
  );
  const passed = failed.length > 0 ? [] : [{ name: verdict.summary, classname: "workspace" }];
  const cases = [...failed, ...skipped, ...passed];
  return junitDocument("drift", [{ name: `incidentctl drift ${plan.target.host}`, cases }]);
}

function failedCase({ change, word }: ChangeView, wording: Wording): JunitCase {
  const { address, kind, action, source } = change;
  const [isNew, isGone] = [action === "create", action === "delete"];
  const style = { paint: plain, verbose: true, cuts: false, isNew, isGone, places: placesOf(wording) };
  const lines = fieldLines(shownFields(change), style);
  const hasDiff = lines.some((line) => line.startsWith("  | "));
  const text = [...(hasDiff && wording.legend !== undefined ? [wording.legend] : []), ...lines].join("\n");
  return {
    ...{ name: address, classname: kind, at: source },
    result: { kind: "failure", message: word.note ?? "differs", text },
  };
}

function skippedCase(where: readonly string[], message: string): JunitCase {
  const [kind = ""] = where.join("/").split("/");
  return { name: where.join(" "), classname: kind, result: { kind: "skipped", message } };
}

/** The differences that are accepted from now on, and the acceptances that were removed from the file. */
export function acceptedText({ accepted, removed }: AcceptedDrift, until: string, file: string): string {
  const lines = [
    `${counted(accepted.length, "difference")} accepted until ${until}, in ${file}:`,
    ...accepted.map(acceptedLine),
    ...(removed.length === 0
      ? []
      : ["", "Removed, because there is no difference any more:", ...removed.map(acceptedLine)]),
  ];
  return `${lines.join("\n")}\n`;
}

function acceptedLine({ address, path }: Acceptance): string {
  return `  ${sanitised(address)}${path === "" ? "" : `  ${fieldPath(path)}`}`;
}
