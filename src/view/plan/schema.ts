/** The JSON Schemas of plans, drift reports and reports of recorded alerts. */

import { readFileSync } from "node:fs";
import { type Fields, fieldsIn, listIn, pick } from "../../core/json.ts";
import { packageFile } from "../../core/package.ts";

export function planSchema(): Fields {
  return read("plan");
}

/** The schema of drift reports, in one document: the schema of plans with the additions of `schemas/drift.json`. */
export function driftSchema(): Fields {
  const [plan, drift] = [read("plan"), read("drift")];
  return {
    ...plan,
    ...drift,
    required: [...listIn(plan.required), ...listIn(drift.required)],
    properties: { ...fieldsIn(plan.properties), ...fieldsIn(drift.properties) },
    $defs: { ...fieldsIn(plan.$defs), ...fieldsIn(drift.$defs) },
  };
}

/** The schema of reports of recorded alerts: that part of the schema of plans, with the additions of `schemas/recorded-alerts.json`. */
export function recordedAlertsSchema(): Fields {
  const report = read("recorded-alerts");
  const [plan, own] = [fieldsIn(read("plan").$defs), fieldsIn(report.$defs)];
  const [change, more] = [fieldsIn(plan.alert_change), fieldsIn(own.alert_change)];
  const alert_change = {
    ...change,
    required: [...listIn(change.required), ...listIn(more.required)],
    properties: { ...fieldsIn(change.properties), ...fieldsIn(more.properties) },
  };
  const shared = pick(plan, ["recorded_alerts", "alert_count", "alert_route"]);
  return { ...report, $defs: { ...own, ...shared, alert_change } };
}

function read(name: "plan" | "drift" | "recorded-alerts"): Fields {
  return JSON.parse(readFileSync(packageFile(`schemas/${name}.json`), "utf8"));
}
