/** Validation of every plan that the tests make: against its JSON Schema, and its operations against their kinds. */

import { type Fields, isFields, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { underivedPart } from "../../../src/plan/checks/underived.ts";
import type { SealedPlan } from "../../../src/plan/model/plan.ts";
import { planSchema } from "../../../src/view/plan/schema.ts";
import { deepFrozen } from "../plain-value.ts";
import { compiled } from "./compiled-schema.ts";

/** The schema, with `additionalProperties: false` wherever it names properties. */
export function closed(schema: Fields): Fields {
  return JSON.parse(JSON.stringify(schema), (_name, part: Json) =>
    isFields(part) && part.type === "object" && isFields(part.properties)
      ? { ...part, additionalProperties: false }
      : part,
  );
}

const validate = compiled(closed(planSchema()));

/** The plan, frozen: nothing may change it later. Throws if it is invalid, has a property that the schema does not describe, or an operation that its kind does not give. */
export function described(plan: SealedPlan): SealedPlan {
  if (!validate(plan)) throw new Error(`the plan does not match its schema: ${JSON.stringify(validate.errors?.[0])}`);
  for (const operation of plan.operations.flatMap((one) => [one, { ...one, ...one.fallback }])) {
    const part = underivedPart(operation, kinds);
    if (part !== undefined) throw new Error(`the ${part} of ${JSON.stringify(operation)} is not that of its kind`);
  }
  return deepFrozen(plan);
}
