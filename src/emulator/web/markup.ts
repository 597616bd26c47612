/** The only user of Hono's JSX besides the compiler: markup as values, rendered to a document. All text in it is escaped. */

import type { Child } from "hono/jsx";

/** Markup, or text that is escaped when it is rendered. */
export type Markup = Child;

/** Renders a whole document. */
export async function renderDocument(markup: Markup): Promise<string> {
  return `<!doctype html>${String(await markup)}`;
}
