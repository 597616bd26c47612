/** A rehearsal as a web page in one file, without scripts, in a light and a dark theme. */

import { sanitised } from "../../core/sanitise.ts";
import type { Rehearsal, RehearsalCheck, RehearsalFinding } from "../../rehearse/rehearsal.ts";
import { counted } from "../format/value.ts";
import { escaped } from "../format/xml.ts";
import { findingsOf, isMoved, movedText, nameOf, outcomeText, placeOf, SUBJECTS, verdict } from "./text.ts";

const STYLE = `
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --quiet: #59636e; --line: #d1d9e0; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #f85149; --quiet: #9198a1; --line: #3d444d; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); } .quiet { color: var(--quiet); }
ul.looks { list-style: none; padding: 0; }
`;

/** The page, with a final line feed. */
export function rehearsalHtml(rehearsal: Rehearsal): string {
  const { plan, looks, findings, assumptions, samples } = rehearsal;
  const host = text(plan.target.host);
  const moved = samples.filter(isMoved);
  const body = [
    `<h1>Rehearsal on a replica of ${host}</h1>`,
    `<p class="${findings.length === 0 ? "good" : "bad"}"><strong>${text(verdict(rehearsal))}</strong> ${counted(plan.operations.length, "operation")}.</p>`,
    `<ul class="looks">${looks.map((look) => lookItem(look, findings)).join("\n")}</ul>`,
    "<h2>Operations</h2>",
    table(
      ["", "Request", "Resource", "Why"],
      plan.operations.map(({ id, method, path, address, why }) => [id, `${method} ${path}`, address, why]),
    ),
    "<h2>Sample alerts</h2>",
    `<p>${movedText(rehearsal)}.</p>`,
    table(
      ["Alert", "Before", "After"],
      moved.map((sample) => [nameOf(sample), outcomeText(sample.before), outcomeText(sample.after)]),
    ),
    "<h2>Assumptions</h2>",
    table(
      ["Subject", "Assumption"],
      assumptions.map(({ about, message }) => [about, message]),
    ),
  ];
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    `<title>Rehearsal: ${host}</title>`,
    `<style>${STYLE}</style></head>`,
    "<body>",
    ...body,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function lookItem(look: RehearsalCheck, findings: readonly RehearsalFinding[]): string {
  const [tone, mark] = look.held ? ["good", "✓"] : ["bad", "✗"];
  const own = findingsOf(look, findings).map((finding) => {
    const { message, faults = [] } = finding;
    const after = faults.length === 0 ? "" : ` <span class="quiet">after: ${text(faults.join("; "))}</span>`;
    return `<li><code>${text(placeOf(finding))}</code> ${text(message)}${after}</li>`;
  });
  const list = own.length === 0 ? "" : `<ul>${own.join("\n")}</ul>`;
  return `<li><span class="${tone}">${mark}</span> ${text(SUBJECTS[look.subject])} <span class="quiet">${text(look.did)}</span>${list}</li>`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p class="quiet">None.</p>';
  const line = (cells: readonly string[], tag: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${tag === "th" ? text(cell) : `<code>${text(cell)}</code>`}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${line(head, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("\n")}</tbody></table>`;
}

function text(value: string): string {
  return escaped(sanitised(value)).replaceAll("'", "&#39;");
}
