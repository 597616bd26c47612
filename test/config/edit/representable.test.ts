/** The reason why a file cannot have a live value shows the value, cut, and never what may be a secret. */

import { expect, test } from "vitest";
import { unrepresentable } from "../../../src/config/edit/representable.ts";
import { kinds } from "../../../src/kinds/index.ts";

const reasonOf = (kind: string, fields: Parameters<typeof unrepresentable>[1]) => {
  const of = kinds.find(({ name }) => name === kind);
  return of && unrepresentable(of, fields).map(({ reason }) => reason);
};
const END = "so it is not written; change it in the workspace, or use a version of incidentctl that knows it";

test("a value is shown on one line, and cut", () => {
  const field_type = `red\n${"x".repeat(300)}`;
  const [reason = ""] = reasonOf("custom_fields", { slug: "one", name: "One", field_type }) ?? [];
  expect(reason).toMatch(/^the configuration cannot have this value, "red\\n?.*x… \(\d+ more characters\), so/);
  expect(reason).not.toContain("\n");
  expect(reason.endsWith(END)).toBe(true);
});

test("a value that may be a secret is not shown", () => {
  expect(reasonOf("webhooks", { name: "one", url: 12345 })).toEqual([
    `the configuration cannot have this value, ${END}`,
  ]);
});
