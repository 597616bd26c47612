/** A web page that needs nothing besides itself: it may load nothing, send nothing, and run nothing but its own script. */

import { createHash } from "node:crypto";
import { sanitised } from "../../core/sanitise.ts";
import { escaped } from "./xml.ts";

/** The parts of a page; the body is HTML already. */
export interface Page {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly body: readonly string[];
}

/** The page, ending with a line feed. Its policy names the hashes of its own style and script, and allows nothing else. */
export function page({ title, style, script, body }: Page): string {
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

/** Text as it may stand in an element or an attribute. */
export function html(text: string): string {
  return escaped(sanitised(text)).replaceAll("'", "&#39;");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
