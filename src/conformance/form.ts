/** How rules use the four forms: custom fields kept for the suite, and changes that are undone. */

import type { Fields, Json } from "../core/json.ts";
import type { Exchange } from "./client.ts";
import { listed, resource } from "./configuration.ts";
import type { Context } from "./context.ts";
import { expectStatus, memberOf } from "./expectation.ts";
import { at, rowsAt, textAt } from "./shape.ts";

/** The forms, of which exactly four exist. */
export const forms: readonly string[] = ["declare", "update", "resolve", "cancel"];

const bodies: Readonly<Record<"text" | "choice", Fields>> = {
  text: { field_type: "text", option_source: "none" },
  choice: { field_type: "single_select", option_source: "fixed", options: ["Alpha", "Beta"] },
};

/**
 * A custom field kept for the suite. What a form shows cannot be deleted through the interface, so the field is made
 * once per workspace, hidden when a rule is over, and used again by later runs.
 */
export function fixtureField(context: Context, sort: "text" | "choice"): Promise<Fields> {
  const name = `Conformance fixture ${sort}`;
  return context.once(`field ${sort}`, async () => {
    const found = (await listed(context, resource("custom_fields"))).find((field) => field.name === name);
    return found ?? memberOf(await context.client.post("custom_fields", { name, ...bodies[sort] }));
  });
}

/** What a PATCH of a form may change of one field. */
export interface FieldChange {
  readonly visible?: boolean;
  readonly required?: boolean;
  readonly conditions?: readonly Fields[];
}

/** Changes a custom field on the form; it is hidden and optional again when the rule is over. */
export async function offered(context: Context, form: string, field: Fields, change: FieldChange): Promise<Exchange> {
  const slug = textAt(field, "slug");
  context.cleanup(() =>
    context.client.patch(`forms/${form}`, { custom_field: slug, visible: false, required: false, conditions: [] }),
  );
  const exchange = await context.client.patch(`forms/${form}`, { custom_field: slug, ...change });
  expectStatus(exchange, 200);
  return exchange;
}

/** The fields of the form, in the form's order. */
export async function fieldsOf(context: Context, form: string): Promise<readonly Fields[]> {
  const exchange = await context.client.get(`forms/${form}`);
  expectStatus(exchange, 200);
  const bare = rowsAt(exchange.body, "fields");
  return bare.length > 0 ? bare : rowsAt(memberOf(exchange), "fields");
}

/** The field of the form with this slug, or an empty object. */
export async function fieldOf(context: Context, form: string, slug: string): Promise<Fields> {
  return (await fieldsOf(context, form)).find((field) => field.slug === slug) ?? {};
}

/** The field's conditions; none when the form shows none. */
export function conditionsOf(field: Fields): readonly Json[] {
  const held = at(field, "conditions");
  return Array.isArray(held) ? held : [];
}
