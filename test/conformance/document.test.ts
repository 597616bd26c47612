/** The table of rules in the documentation, and the ids it is addressed by. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allRules } from "../../src/conformance/all-rules.ts";
import { conformanceDocument } from "../../src/conformance/document.ts";

test("docs/conformance.md is what the rules say", async () => {
  await expect(conformanceDocument()).toMatchFileSnapshot("../../docs/conformance.md");
});

test("every reading of a sentence that can be read in two ways names its rule", () => {
  const page = readFileSync(new URL("../../docs/emulator.md", import.meta.url), "utf8");
  const [, table = ""] = /\| Question \|.*?\n\|[-|]+\n(.*?)\n\n/s.exec(page) ?? [];
  const named = table.split("\n").map((row) => /`([\w.-]+)` \|$/.exec(row)?.[1] ?? row);
  expect(named.length).toBeGreaterThanOrEqual(10);
  expect(named.filter((id) => !allRules.some((rule) => rule.id === id))).toEqual([]);
});

test("every rule has an id of its own, made of lower-case words and dots", () => {
  const ids = allRules.map((rule) => rule.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/);
});

test("every heading of the interface with something normative under it has rules", () => {
  const headings = new Set(allRules.map((rule) => rule.section));
  expect([...headings].sort()).toMatchInlineSnapshot(`
    [
      "Action item",
      "Agent",
      "Authentication",
      "Configuration resources",
      "Disabled entries",
      "Endpoints: Incidents",
      "Endpoints: Postmortem",
      "Endpoints: Timeline, notes, transcript",
      "Errors",
      "Events",
      "Incident",
      "Incident Management Service Interface",
      "Incident lifecycle stages",
      "Limits",
      "Pagination",
      "Position rule",
      "Postmortem",
      "Reference data and configuration",
      "Resources and their fields",
      "Responder actions",
      "Severity",
      "Status",
      "Timeline event",
      "Timeline notes",
      "Transcript message",
      "Versioning",
      "What the service does",
    ]
  `);
});
