/** The smallest parts of a page, as HTML and SVG. */

import { sanitised } from "../../core/sanitise.ts";
import { thousands } from "../../core/value-text.ts";
import { html } from "../format/html.ts";

/** Width of a box, and its height in a list of boxes. */
export const BOX = 250;
export const BOX_HEIGHT = 28;
/** Distance from one box in a list to the next, and of the first one from the top, below the heads. */
export const STEP = 38;
export const TOP = 34;
/** Characters of a name. */
const NAME = 30;

/** A drawing of a size in pixels. */
export function picture(width: number, height: number, title: string, content: readonly string[]): string {
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${html(title)}">${content.join("\n")}</svg>`;
}

/** A line of text at a place. */
export function text(name: string, x: number, y: number, words: string): string {
  return `<text class="${name}" x="${x}" y="${y}" xml:space="preserve">${html(words)}</text>`;
}

/** A curve between two points, level at both ends. */
export function curve(x1: number, y1: number, x2: number, y2: number, bend: number): string {
  return `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`;
}

export function anchor(address: string): string {
  return html(encodeURIComponent(sanitised(address)));
}

/** A name, cut to the width of a box. */
export function short(name: string): string {
  const characters = [...sanitised(name)];
  return characters.length <= NAME ? characters.join("") : `${characters.slice(0, NAME - 1).join("")}…`;
}

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
