/** A web page in one file. Its policy forbids to load or send anything, and any script but its own. */

import { createHash } from "node:crypto";
import { sanitised } from "../../core/sanitise.ts";
import { escaped } from "./xml.ts";

/** The parts of a page. The body is HTML already. */
export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly body: readonly string[];
}

/** The page, with a final line feed. Its policy allows its style and script by their hashes, and nothing else. */
export function htmlDocument({ title, style, script, body }: HtmlPage): string {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">',
    `<title>${html(title)}</title>`,
    `<style>${style}</style></head>`,
    "<body>",
    ...body,
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** Text, sanitised and escaped for an element or an attribute. */
export function html(text: string): string {
  return escaped(sanitised(text)).replaceAll("'", "&#39;");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
