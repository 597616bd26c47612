/** What an undo leaves as it is or cannot restore, and how it says so. */

import { expect, test } from "vitest";
import { defaultSettings } from "../../../src/config/settings/settings-file.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { lostFallback } from "../../../src/plan/undo/former-values.ts";
import { inverse } from "../../support/plans/make-undo.ts";

const created = { webhooks: [{ name: "new", url: "https://a.example.com/", subscribed_events: ["incident.created"] }] };
const rows = (...ids: readonly string[]) => ({
  webhooks: ids.map((id) => ({
    id,
    name: "new",
    url: "https://a.example.com/",
    subscribed_events: ["incident.created"],
  })),
});

test("a resource whose creation was not answered is removed if it is the only one of its name", () => {
  const { managed, desired, warnings } = inverse(created, {}, rows("1"));
  expect([managed, desired, warnings]).toEqual([[expect.objectContaining({ scope: "" })], [], []]);
});

test.each([2, 3])(
  "of %i that have the name of a resource whose creation was not answered, none is removed",
  (count) => {
    const now = rows(...Array.from({ length: count }, (_, at) => String(at)));
    const { managed, desired, warnings } = inverse(created, {}, now);
    expect([managed, desired]).toEqual([[], []]);
    const message = `webhooks/new stays unchanged: ${count} live resources have its name`;
    expect(warnings).toEqual([{ code: "W_UNDO", address: "webhooks/new", message }]);
  },
);

/** What an undo says that gives a scope of rules its empty list back, on a service with this fallback. */
function lost(scope: string, fallback?: string): string | undefined {
  const kind = kinds.find(({ name }) => name === "routing_rules");
  if (kind === undefined) throw new Error("there are no routing rules");
  const dialects = fallback === undefined ? {} : { fallback };
  const serviceProfile = { service: "", checkedAt: "", dialects, broken: [] };
  return lostFallback(kind, scope, { ...defaultSettings("."), serviceProfile });
}

test("a source that had no rules is told to lose those of the workspace, unless the service falls back to them", () => {
  const subject = "routing_rules/sources/Grafana had no routing rules of its own, and that cannot be restored";
  const scope = "sources/Grafana";
  expect(lost(scope, "sticky")).toBe(
    `${subject}: this service does not fall back to those of the workspace, so all its alerts are dropped`,
  );
  expect(lost(scope)).toBe(
    `${subject}: if the service does not fall back to those of the workspace, all its alerts are dropped`,
  );
  expect(lost(scope, "restore")).toBeUndefined();
});

test.each([undefined, "sticky", "restore"])("the rules of the workspace fall back to none, with %s", (fallback) => {
  expect(lost("", fallback)).toBeUndefined();
});
