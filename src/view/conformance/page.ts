/** The results of a conformance check as a web page. */

import type { RuleResult } from "../../conformance/rule.ts";
import { html, simplePage, simpleTable } from "../format/html.ts";
import { skippedLines } from "./forecast.ts";
import { leftoverLines } from "./leftovers.ts";
import { countOutcomes, detailsOf, dialectText, headingsOf, type ServiceReport, verdict } from "./text.ts";

/** The page: the rules that are not kept first, then the dialects, then every rule. */
export function conformancePage({ service, checkedAt, results, dialects, leftovers }: ServiceReport): string {
  const { failed } = countOutcomes(results);
  const notKept = results.filter(({ outcome }) => outcome.kind === "failed" || outcome.kind === "differs");
  const title = `Conformance of ${service}`;
  return simplePage(title, [
    `<h1>${html(title)}</h1>`,
    `<p class="${failed === 0 ? "good" : "bad"}"><strong>${html(verdict(results))}.</strong></p>`,
    `<p class="quiet">Checked on ${html(checkedAt.toISOString())}.</p>`,
    "<h2>Rules that are not kept</h2>",
    ...(notKept.length === 0 ? ['<p class="quiet">None.</p>'] : notKept.map(ruleBlock)),
    ...listSection("Not applicable", "Why", skippedLines(results).slice(1)),
    ...listSection("Stays in the workspace", "What", leftoverLines(leftovers, true)),
    ...listSection("Dialects", "Dialect", dialects.map(dialectText)),
    ...headingsOf(results).flatMap((heading) => [
      `<h2>${html(heading)}</h2>`,
      simpleTable(
        ["Rule", "What must hold", "Outcome"],
        results
          .filter(({ rule }) => rule.section === heading)
          .map(({ rule, outcome }) => [rule.id, rule.title, outcome.kind]),
      ),
    ]),
  ]);
}

/** A table with one column; nothing if there are no items. */
function listSection(title: string, column: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const rows = items.map((item) => [item]);
  return [`<h2>${html(title)}</h2>`, simpleTable([column], rows)];
}

function ruleBlock({ rule, outcome }: RuleResult): string {
  const silent = outcome.kind === "differs" ? ' <span class="quiet">The interface is silent here.</span>' : "";
  return [
    `<h3><code>${html(rule.id)}</code> ${html(rule.title)}</h3>${silent}`,
    simpleTable(["", ""], detailsOf(outcome)),
  ].join("\n");
}
