/** A web page of headings, lists and tables, in one file and without scripts, in a light and a dark theme. */

import { html } from "./html.ts";

const STYLE = `
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --quiet: #59636e; --line: #d1d9e0; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #f85149; --quiet: #9198a1; --line: #3d444d; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); } .quiet { color: var(--quiet); }
`;

/** The page, with a final line feed. The body is HTML already. */
export function simplePage(title: string, body: readonly string[]): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    `<title>${html(title)}</title>`,
    `<style>${STYLE}</style></head>`,
    "<body>",
    ...body,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** A table of texts. */
export function simpleTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p class="quiet">None.</p>';
  const line = (cells: readonly string[], tag: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${tag === "th" ? html(cell) : `<code>${html(cell)}</code>`}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${line(head, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("\n")}</tbody></table>`;
}
