/** A rehearsal as a web page in one file, without scripts, in a light and a dark theme. */

import { counted } from "../../core/value-text.ts";
import { html, simplePage, simpleTable } from "../format/html.ts";
import {
  findingsOf,
  movedText,
  nameOf,
  outcomeText,
  placeOf,
  type Rehearsal,
  type RehearsalCheck,
  type RehearsalFinding,
  SUBJECTS,
  verdict,
} from "./rehearsal.ts";

/** The page, with a final line feed. */
export function rehearsalHtml(rehearsal: Rehearsal): string {
  const { plan, looks, findings, assumptions, samples } = rehearsal;
  const host = html(plan.target.host);
  const moved = samples.filter(({ moves }) => moves);
  const body = [
    `<h1>Rehearsal on a replica of ${host}</h1>`,
    `<p class="${findings.length === 0 ? "good" : "bad"}"><strong>${html(verdict(rehearsal))}</strong> ${counted(plan.operations.length, "operation")}.</p>`,
    `<ul class="looks">${looks.map((look) => lookItem(look, findings)).join("\n")}</ul>`,
    "<h2>Operations</h2>",
    simpleTable(
      ["", "Request", "Resource", "Why"],
      plan.operations.map(({ id, method, path, address, why }) => [id, `${method} ${path}`, address, why]),
    ),
    "<h2>Sample alerts</h2>",
    `<p>${movedText(rehearsal)}.</p>`,
    simpleTable(
      ["Alert", "Before", "After"],
      moved.map((sample) => [nameOf(sample), outcomeText(sample.before), outcomeText(sample.after)]),
    ),
    "<h2>Assumptions</h2>",
    simpleTable(
      ["Subject", "Assumption"],
      assumptions.map(({ about, message }) => [about, message]),
    ),
  ];
  return simplePage(`Rehearsal: ${plan.target.host}`, body);
}

function lookItem(look: RehearsalCheck, findings: readonly RehearsalFinding[]): string {
  const [tone, mark] = look.held ? ["good", "✓"] : ["bad", "✗"];
  const own = findingsOf(look, findings).map(({ first: finding, names }) => {
    const { message, faults = [] } = finding;
    const after = faults.length === 0 ? "" : ` <span class="quiet">after: ${html(faults.join("; "))}</span>`;
    const also = names.length === 0 ? "" : `; also: ${names.map((name) => `<code>${html(name)}</code>`).join(", ")}`;
    return `<li><code>${html(placeOf(finding))}</code> ${html(message)}${after}${also}</li>`;
  });
  const list = own.length === 0 ? "" : `<ul>${own.join("\n")}</ul>`;
  return `<li><span class="${tone}">${mark}</span> ${html(SUBJECTS[look.subject])} <span class="quiet">${html(look.did)}</span>${list}</li>`;
}
