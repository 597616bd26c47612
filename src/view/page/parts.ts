/** The smallest parts of a page, as HTML. */

import { thousands } from "../../core/value-text.ts";
import { html } from "../format/html.ts";
import { anchor } from "./svg.ts";

/** Text in the font of code. */
export function code(text: string): string {
  return `<code>${html(text)}</code>`;
}

/** A link to the card of a resource. */
export function link(address: string): string {
  return `<a href="#${anchor(address)}">${code(address)}</a>`;
}

/** The first names as HTML, and the number of the others. */
export function named(names: readonly string[], most: number, write: (name: string) => string): string {
  const more = names.length > most ? ` and ${thousands(names.length - most)} more` : "";
  return `${names.slice(0, most).map(write).join(", ")}${more}`;
}

/** A few words in a rounded frame. */
export function pill(tone: string, words: string): string {
  return `<span class="pill ${tone}">${html(words)}</span>`;
}

/** A section with a list, or nothing if the list is empty. */
export function section(title: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  return [
    `<section class="panel"><h2>${html(title)}</h2>`,
    "<ul>",
    ...items.map((item) => `<li>${item}</li>`),
    "</ul></section>",
  ];
}
