/** Values of the environment are opaque: for two values of one variable, all that is said of a valid configuration is the same, byte for byte. */

import { describe, expect, test } from "vitest";
import { command } from "../../bad-input/run.ts";
import { inDirectory } from "../../config/loading.ts";

/** A configuration with a value of the environment, and values that an analyzer would find something in. */
const CASES: readonly (readonly [title: string, file: string, values: readonly [string, string, ...string[]]])[] = [
  [
    "a condition above another one",
    rules(
      'field: service, operator: is_one_of, value: ["${env:X}"]',
      "field: service, operator: is_one_of, value: [db]",
    ),
    ["db", "x", "another-service"],
  ],
  [
    "a condition below another one",
    rules("field: service, operator: contains, value: d", 'field: service, operator: is_one_of, value: ["${env:X}"]'),
    ["db", "x"],
  ],
  [
    "the address of a webhook",
    `webhooks:
  - { name: A, url: "https://example.com/hook", subscribed_events: [incident.created] }
  - { name: B, url: "\${env:X}", subscribed_events: [incident.created] }
`,
    ["https://example.com/hook", "https://example.com/other", "http://example.com/"],
  ],
  [
    "a name",
    `severities:
  - { slug: high, name: High, default: true }
  - { slug: low, name: "\${env:X}" }
`,
    ["high", "Low"],
  ],
  [
    "a color",
    `severities:
  - { slug: high, name: High, color: "#ff0000", default: true }
  - { slug: low, name: Low, color: "\${env:X}" }
`,
    ["#ff0000", "#00ff00"],
  ],
  [
    "a lifecycle stage",
    `statuses:
  - { slug: a, name: A, lifecycle_stage: triage, default: true }
  - { slug: b, name: B, lifecycle_stage: active }
  - { slug: c, name: C, lifecycle_stage: closed }
  - { slug: d, name: D, lifecycle_stage: "\${env:X}" }
`,
    ["canceled", "closed"],
  ],
  [
    "the end of a grant",
    `agents:
  - { slug: bot, name: Bot, grants: [{ ability: incidents.update, expires_at: "\${env:X}" }] }
`,
    ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"],
  ],
];

function rules(first: string, second: string): string {
  const written = [first, second].map((one) => `    - { conditions: [{ ${one} }], outcome: { action: drop } }\n`);
  return `routing_rules:\n  workspace:\n${written.join("")}`;
}

describe.each(["text", "json"])("validate in %s says the same for every value of the environment", (format) => {
  test.each(CASES)("%s", async (_, file, values) => {
    const said = await inDirectory({ "incidentctl.yaml": "version: 1\n", "a.yaml": file }, async (folder) => {
      const all: unknown[] = [];
      for (const X of values) {
        const { exit, stdout, stderr } = await command(["validate", "--format", format], folder, undefined, { X });
        expect(`${exit} ${stderr}`).not.toContain("error[E_");
        all.push({ exit, stdout, stderr });
      }
      return all;
    });
    expect(new Set(said.map((one) => JSON.stringify(one))).size, JSON.stringify(said, null, 2)).toBe(1);
  });
});
