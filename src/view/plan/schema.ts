/** The JSON Schemas of plans and drift reports. */

import { readFileSync } from "node:fs";
import { type Fields, fieldsIn, listIn } from "../../core/json.ts";
import { packageFile } from "../../core/package.ts";

/** The schema of plans. */
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

function read(name: "plan" | "drift"): Fields {
  return JSON.parse(readFileSync(packageFile(`schemas/${name}.json`), "utf8"));
}
