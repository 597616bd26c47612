/** Rule 4 of the configuration resources: runbook steps and conditions; and the catalog's references. */

import type { Fields, Json } from "../../core/json.ts";
import { expectRefusal, expectSame, expectStatus, expectThat, memberOf } from "../expectation.ts";
import { findResource } from "../fixtures/configuration-resources.ts";
import { severityCondition } from "../fixtures/forms.ts";
import { createMember, listMembers, memberPath } from "../fixtures/requests.ts";
import { type ConformanceRule, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { at, rowsAt, textAt } from "../value-shape.ts";

const kind = findResource("runbooks");

const steps: readonly Fields[] = [
  { title: "Open the bridge", instruction: "Call everyone who is on call." },
  { title: "Say what is known", instruction: "One sentence." },
];

async function readRunbook(context: RuleContext, slug: string): Promise<Fields> {
  const single = await context.client.get(`${kind.path}/${slug}`);
  if (single.status === 200) return memberOf(single);
  return (await listMembers(context, kind)).find((runbook) => runbook.slug === slug) ?? {};
}

async function titles(context: RuleContext, slug: string): Promise<readonly Json[]> {
  return rowsAt(await readRunbook(context, slug), "steps").map((step) => textAt(step, "title"));
}

/** The rules of runbooks, and of what a catalog type's references forbid. */
export const runbookRules: readonly ConformanceRule[] = rulesOf("Configuration resources", [
  {
    id: "resources.4.created",
    title: "4: a runbook keeps the steps it was created with, in their order",
    async check(context) {
      const created = await createMember(context, kind, { steps });
      expectSame("the steps", await titles(context, textAt(created, "slug")), ["Open the bridge", "Say what is known"]);
    },
  },
  {
    id: "resources.4.steps.kept",
    title: "4: a PATCH that omits steps leaves them untouched",
    async check(context) {
      const created = await createMember(context, kind, { steps });
      const slug = textAt(created, "slug");
      const before = rowsAt(await readRunbook(context, slug), "steps");
      expectStatus(await context.client.patch(memberPath(kind, created), { summary: "Changed" }), 200);
      expectSame("the steps", rowsAt(await readRunbook(context, slug), "steps"), before);
    },
  },
  {
    id: "resources.4.steps.sent",
    title: "4: steps change when they are sent",
    async check(context) {
      const created = await createMember(context, kind, { steps });
      const sent = [{ title: "Only this", instruction: "Nothing else." }];
      expectStatus(await context.client.patch(memberPath(kind, created), { steps: sent }), 200);
      expectSame("the steps", await titles(context, textAt(created, "slug")), ["Only this"]);
    },
  },
  {
    id: "resources.4.steps.cleared",
    basis: "wire",
    title: "an empty array of steps clears them",
    async check(context) {
      const created = await createMember(context, kind, { steps });
      expectStatus(await context.client.patch(memberPath(kind, created), { steps: [] }), 200);
      expectSame("the steps", await titles(context, textAt(created, "slug")), []);
    },
  },
  {
    id: "resources.4.conditions.kept",
    title: "4: a PATCH that omits conditions leaves them untouched",
    async check(context) {
      const created = await createMember(context, kind, { conditions: [await severityCondition(context)] });
      const slug = textAt(created, "slug");
      const before = at(await readRunbook(context, slug), "conditions");
      expectStatus(await context.client.patch(memberPath(kind, created), { summary: "Changed" }), 200);
      // The wire facts say that conditions are never returned; then absent stays absent.
      expectSame("the conditions", at(await readRunbook(context, slug), "conditions"), before);
    },
  },
  {
    id: "resources.4.conditions.sent",
    title: "4: conditions change when they are sent",
    async check(context) {
      const created = await createMember(context, kind, { conditions: [await severityCondition(context)] });
      expectStatus(await context.client.patch(memberPath(kind, created), { conditions: [] }), 200);
      const after = at(await readRunbook(context, textAt(created, "slug")), "conditions") ?? [];
      expectSame("the conditions", after, []);
    },
  },
  {
    id: "runbooks.member",
    basis: "wire",
    title: "a runbook's member body is { runbook } and adds its content",
    async check(context) {
      const created = await createMember(context, kind, { content: "# What to do" });
      const exchange = await context.client.get(memberPath(kind, created));
      expectSame("runbook.content", at(exchange.body, "runbook", "content"), "# What to do", exchange);
    },
  },
  {
    id: "catalog.attributes",
    basis: "wire",
    title: "a catalog type keeps its attributes when they are omitted, and returns them as attribute_definitions",
    async check(context) {
      const types = findResource("catalog_types");
      const created = await createMember(context, types, { attributes: [{ name: "Tier", attribute_type: "text" }] });
      expectSame("the attribute", at(created, "attribute_definitions", 0, "slug"), "tier");
      const exchange = await context.client.patch(memberPath(types, created), { description: "Changed" });
      expectSame("the attributes", memberOf(exchange).attribute_definitions, created.attribute_definitions, exchange);
    },
  },
  {
    id: "disabled.3.catalog",
    title: "Disabled entries 3: deleting a catalog type another type's reference refers to is refused with 422",
    async check(context) {
      const types = findResource("catalog_types");
      const target = await createMember(context, types);
      const reference = { name: "Owner", attribute_type: "reference", reference_type: target.slug ?? null };
      await createMember(context, types, { attributes: [reference] });
      expectRefusal(await context.client.delete(memberPath(types, target)), 422);
      const still = (await listMembers(context, types)).some((type) => type.slug === target.slug);
      expectThat(still, "the type after the refusal", still);
    },
  },
]);
