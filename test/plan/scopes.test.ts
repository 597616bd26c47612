import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/json.ts";
import { type Given, planned } from "../support/planned.ts";

const to = (channel_id: string): Fields => ({ action: "notify_only", notify: { type: "channel", channel_id } });
const when = (...services: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value: services });
const rule = (outcome: Fields, ...conditions: readonly Fields[]): Fields => ({ conditions, outcome, enabled: true });
const source = { name: "Datadog", endpoint_path: "dd" };
const sources = { alert_sources: [{ name: "Datadog" }] };

/** The requests and their bodies' outcomes, and the window that the plan names. */
function change(document: Fields, given: Given): readonly string[] {
  const { operations, warnings } = planned(document, given);
  return [
    ...operations.map(({ method, path, body }) => {
      const outcome = body === null ? "" : ` ${JSON.stringify(body.outcome)}`;
      return `${method} ${path.split("/").slice(3).join("/")}${outcome}`;
    }),
    ...warnings.map(({ code, message }) => `${code} ${/during \d+ requests/.exec(message)?.[0]}`),
  ];
}

describe("the first rules of a source", () => {
  const live = { alert_sources: [source], routing_rules: [rule(to("ALL"))], "routing_rules Datadog": [] };
  const rules = [rule(to("WEB"), when("web")), rule(to("REST"))];

  test("are written under a rule that holds every alert on the outcome of the declared catch-all", () => {
    const [hold, ...others] = change({ ...sources, routing_rules: { sources: { Datadog: rules } } }, { live });
    expect(hold).toBe(`POST routing_rules ${JSON.stringify(to("REST"))}`);
    expect(others.at(-1)).toMatch(/^W_ROUTING_WINDOW during \d requests$/);
    expect(others.at(-2)).toMatch(/^PATCH routing_rules\/.*"WEB"/);
  });

  test("are held on the outcome of the settings where none matches everything", () => {
    const wanted = [rule(to("WEB"), when("web")), rule(to("DB"), when("db"))];
    const settings = { holdingOutcome: to("DESK") };
    const [hold] = change({ ...sources, routing_rules: { sources: { Datadog: wanted } } }, { live, settings });
    expect(hold).toBe(`POST routing_rules ${JSON.stringify(to("DESK"))}`);
  });

  test("need no window where the source falls back to nothing", () => {
    const bare = { ...live, routing_rules: [] };
    expect(change({ ...sources, routing_rules: { sources: { Datadog: rules } } }, { live: bare })).toEqual([
      `POST routing_rules ${JSON.stringify(to("WEB"))}`,
      `POST routing_rules ${JSON.stringify(to("REST"))}`,
    ]);
  });
});
