import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { findings } from "../loading.ts";

const options =
  (kind: string, more = "") =>
  (slug: string) =>
    `${kind}: [{ slug: ${slug}, name: ${slug.toUpperCase()}${more} }]\n`;

/** A file with one resource of each kind whose order counts. */
const SAMPLES: Readonly<Record<string, (slug: string) => string>> = {
  severities: options("severities"),
  statuses: options("statuses", ", lifecycle_stage: active"),
  incident_types: options("incident_types"),
  incident_roles: options("incident_roles"),
  routing_rules: (slug) => `routing_rules: { workspace: [{ name: ${slug}, outcome: { action: drop } }] }\n`,
};
const ordered = kinds.filter(({ lifecycle }) => lifecycle.order !== undefined).map(({ name }) => name);

describe("a list whose order counts", () => {
  test("is of a kind with a sample here", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(ordered.sort());
  });

  test.each(ordered)("%s in two files is a warning that names both", async (kind) => {
    const [first = "", second = ""] = ["one", "two"].map((slug) => SAMPLES[kind]?.(slug));
    const files = { "a.yaml": first, "deep/b.yaml": second };
    const list = kind === "routing_rules" ? "routing_rules/workspace" : kind;
    expect(await findings(files)).toMatchObject([
      {
        severity: "warning",
        code: "W_ORDER",
        message: `the order of ${list} is that of the paths of its files: a.yaml and deep/b.yaml`,
        at: { file: "deep/b.yaml", line: 1 },
        related: [{ message: "first here", at: { file: "a.yaml", line: 1 } }],
        help: `Write ${list} in one file.`,
      },
    ]);
    expect(await findings({ "a.yaml": first })).toEqual([]);
  });

  test("of rules is that of one scope", async () => {
    const source = "alert_sources: [{ name: Datadog, provider: datadog }]\n";
    const rules = "routing_rules: { sources: { Datadog: [{ name: x, outcome: { action: drop } }] } }\n";
    const files = { "a.yaml": SAMPLES.routing_rules?.("one") ?? "", "b.yaml": source + rules };
    expect(await findings(files)).toEqual([]);
  });

  test("may get a resource from an overlay, which places it", async () => {
    const files = {
      "a.yaml": SAMPLES.severities?.("one") ?? "",
      "incidentctl.yaml": "version: 1\nconfig: [a.yaml]\nenvironments: { staging: { overlays: [staging.yaml] } }\n",
      "staging.yaml": SAMPLES.severities?.("two") ?? "",
    };
    expect(await findings(files, { environment: "staging" })).toEqual([]);
  });

  test("is not warned of where no order counts", async () => {
    const hook = (name: string) =>
      `webhooks: [{ name: ${name}, url: "https://a.example/${name}", subscribed_events: [incident.created] }]\n`;
    expect(await findings({ "a.yaml": hook("one"), "b.yaml": hook("two") })).toEqual([]);
  });
});
