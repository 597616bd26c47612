/** The language server shows no value of the environment, and nothing that depends on it. */

import { expect, test } from "vitest";
import { withEditor } from "./editor.ts";

const V = `\${env:CANARY}`;
const FILES = {
  "incidentctl.yaml": `version: 1\nconfig: [config]\nvars: { word: "a ${V}" }\n`,
  "config/a.yaml": `catalog_entries:
  team: [{ slug: payments, name: "Payments ${V}" }]
  service: [{ slug: billing, name: Billing, attributes: { owner_team: payments, tier: "${V}", description: "\${var:word}" } }]
webhooks: [{ name: pager, url: "${V}", subscribed_events: ["${V}"] }]
severities: [{ slug: critical, name: "${V}", color: "${V}" }, { slug: "${V}", name: Other }]
routing_rules:
  workspace:
    - name: first
      conditions: [{ field: service, operator: matches_regex, value: "${V}" }]
      outcome: { action: drop }
    - name: second
      conditions: [{ field: service, operator: starts_with, value: g }]
      outcome: { action: drop }
`,
};

/** Texts around each place to ask about. */
const PLACES = [
  "Payments $|{",
  "owner_team: pay|ments",
  'tier: "$|{',
  "${var:wo|rd}",
  'url: "$|{',
  'color: "$|{',
  "serv|ice:",
];

async function said(canary: string): Promise<string> {
  const all: unknown[] = [];
  await withEditor(
    FILES,
    async (editor) => {
      const file = "config/a.yaml";
      await editor.open(file);
      all.push(await editor.findings(file, (lines) => lines.length > 0));
      for (const around of PLACES) {
        all.push(await editor.hover(file, around), await editor.definition(file, around));
        all.push(await editor.references(file, around, true));
      }
      const text = editor.text(file);
      for (const typed of ["tier: |", "owner_team: |", "color: |"]) {
        const start = text.indexOf(typed.slice(0, -1));
        all.push(
          await editor.proposals(file, `${text.slice(0, start)}${typed}${text.slice(start + typed.length - 1)}`),
        );
      }
      all.push(editor.messages);
    },
    { variables: { CANARY: canary } },
  );
  return JSON.stringify(all, null, 1);
}

test("findings, hovers, places and proposals are the same for every value", async () => {
  const one = await said("Щ");
  expect(one).not.toMatch(/[ЩЖ]|\\u04/);
  expect(one).toContain("E_ENV");
  expect(await said("ЖЖЖ'\"<b>")).toBe(one);
});
