/** A web page in one file. Its policy forbids to load or send anything, and any script but its own. */

import { createHash } from "node:crypto";
import { sanitised } from "../../core/sanitise.ts";

/** The parts of a page. The body is HTML already. */
export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  readonly body: readonly string[];
}

/** The page, with a final line feed. Its policy allows its style and script by their hashes, and nothing else. */
export function htmlDocument({ title, style, script, body }: HtmlPage): string {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
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
    ...(script === undefined ? [] : [`<script>${script}</script>`]),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** A page of headings, lists and tables without scripts, in a light and a dark theme. */
export function simplePage(title: string, body: readonly string[]): string {
  return htmlDocument({ title, style: SIMPLE_STYLE, body });
}

const SIMPLE_STYLE = `
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --quiet: #59636e; --line: #d1d9e0; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #f85149; --quiet: #9198a1; --line: #3d444d; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); } .quiet { color: var(--quiet); }
`;

/** A table of texts. */
export function simpleTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p class="quiet">None.</p>';
  const heads = head.map((cell) => `<th>${html(cell)}</th>`).join("");
  const lines = rows.map((row) => `<tr>${row.map((cell) => `<td><code>${html(cell)}</code></td>`).join("")}</tr>`);
  return `<table><thead><tr>${heads}</tr></thead><tbody>${lines.join("\n")}</tbody></table>`;
}

/** Text, sanitised and escaped for an element or an attribute. */
export function html(text: string): string {
  return escaped(sanitised(text)).replaceAll("'", "&#39;");
}

/** Text escaped for an element or an attribute of HTML or XML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
