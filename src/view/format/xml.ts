/** XML documents, elements and escapes. */

import { sanitised } from "../../core/sanitise.ts";

/** A document with its root element, with a final line feed. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** An element with attributes and content, which is XML already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly string[],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(sanitised(String(value)))}"`);
  const open = `<${name}${written.join("")}`;
  return content.length === 0 ? `${open}/>` : `${open}>\n${content.join("\n")}\n</${name}>`;
}

/** Text escaped for an element or an attribute. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
