/** Rule 4 of the configuration resources: runbook steps and conditions; and the catalog's references. */

import type { Fields } from "../../../core/json.ts";
import { asKept, column, type Expected, likeKept, row } from "../../expected.ts";
import { made, onSeverity } from "../../fixtures/given.ts";
import { type RowStep, rulesOf } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import { emptyOrAbsent } from "../../value-shape.ts";

const steps: readonly Fields[] = [
  { title: "Open the bridge", instruction: "Call everyone who is on call." },
  { title: "Say what is known", instruction: "One sentence." },
];
const withSteps = { made: made("runbooks", { steps }) };
const withCondition = { made: made("runbooks", { conditions: [onSeverity] }) };

function read(outcome: Pick<RowStep, "shows" | "keep">): RowStep {
  return { request: "READ runbooks/{made.slug}", ...outcome };
}

function titles(...expected: readonly Expected[]): RowStep {
  return read({ shows: { steps: column("title", expected) } });
}

function changed(body: Fields): RowStep {
  return { request: "PATCH runbooks/{made.slug}", body };
}

/** The rules of runbooks, and of what a catalog type's references forbid. */
export const runbookRules: readonly ConformanceRule[] = rulesOf("Configuration resources", {
  "resources.4.created": {
    title: "4: a runbook keeps the steps it was created with, in their order",
    given: withSteps,
    steps: [titles("Open the bridge", "Say what is known")],
  },
  "resources.4.steps.kept": {
    title: "4: a PATCH that omits steps leaves them untouched",
    given: withSteps,
    steps: [read({ keep: "before" }), changed({ summary: "Changed" }), read({ shows: { steps: "{before.steps}" } })],
  },
  "resources.4.steps.sent": {
    title: "4: steps change when they are sent",
    given: withSteps,
    steps: [changed({ steps: [{ title: "Only this", instruction: "Nothing else." }] }), titles("Only this")],
  },
  "resources.4.steps.cleared": {
    basis: "wire",
    title: "an empty array of steps clears them",
    given: withSteps,
    steps: [changed({ steps: [] }), titles()],
  },
  "resources.4.conditions.kept": {
    title: "4: a PATCH that omits conditions leaves them untouched",
    given: withCondition,
    steps: [
      read({ keep: "before" }),
      changed({ summary: "Changed" }),
      // The wire facts say that conditions are never returned; then absent stays absent.
      read({ shows: { conditions: asKept("before.conditions") } }),
    ],
  },
  "resources.4.conditions.sent": {
    title: "4: conditions change when they are sent",
    given: withCondition,
    steps: [changed({ conditions: [] }), read({ shows: { conditions: emptyOrAbsent } })],
  },
  "runbooks.member": {
    basis: "wire",
    title: "a runbook's member body is { runbook }, as its creation returned it, and adds its content",
    given: { made: made("runbooks", { content: "# What to do" }) },
    steps: [
      { request: "GET runbooks/{made.slug}", shows: { runbook: { content: "# What to do" } } },
      { request: "GET runbooks/{made.slug}", shows: likeKept("made") },
    ],
  },
  "catalog.attributes": {
    basis: "wire",
    title: "a catalog type keeps its attributes when they are omitted, and returns them as attribute_definitions",
    given: {
      made: made(
        "catalog_types",
        { attributes: [{ name: "Tier", attribute_type: "text" }] },
        { attribute_definitions: [{ slug: "tier" }] },
      ),
    },
    steps: [
      {
        request: "PATCH catalog/types/{made.slug}",
        body: { description: "Changed" },
        shows: { attribute_definitions: "{made.attribute_definitions}" },
      },
    ],
  },
  "disabled.3.catalog": {
    title: "Disabled entries 3: deleting a catalog type another type's reference refers to is refused with 422",
    given: {
      target: made("catalog_types"),
      made: made("catalog_types", {
        attributes: [{ name: "Owner", attribute_type: "reference", reference_type: "{target.slug}" }],
      }),
    },
    steps: [
      { request: "DELETE catalog/types/{target.slug}", refusal: "422" },
      { request: "LIST catalog/types", shows: row({ slug: "{target.slug}" }) },
    ],
  },
});
