/** What the suite says of services that speak another dialect: it fails where the interface is contradicted, and nowhere else. */

import { expect, test } from "vitest";
import { ruleFiles } from "../../src/conformance/all-rules.ts";
import { openSession } from "../../src/conformance/check.ts";
import { dialectNames } from "../../src/conformance/dialects.ts";
import { standardDialects } from "../../src/emulator/dialects.ts";
import type { EmulatorOptions } from "../../src/emulator/emulator.ts";
import { resultLines } from "../../src/view/conformance/text.ts";
import { someOf } from "../support/samples/sample-size.ts";
import { wrapEmulatorTarget } from "./wrapped-emulator.ts";

type Dialects = NonNullable<EmulatorOptions["dialects"]>;

const configuration = ruleFiles.filter(({ file }) =>
  /(option-lists|disabled-entries|resources|custom-fields|forms|runbooks|routing)\.ts$/.test(file),
);

const cases: readonly (readonly [Dialects, readonly string[]])[] = [
  [{ options: "replace" }, ["resources.3.rename", "resources.3.held"]],
  [
    { locked_fields: "ignore" },
    [
      ...["declare.severity", "update.severity", "resolve.severity", "update.status"].flatMap((field) => [
        `resources.5.locked.${field}.visible`,
        `resources.5.locked.${field}.required`,
      ]),
    ],
  ],
  [{ slug: "accept" }, []],
  [{ envelope: "wrapped" }, []],
  [{ condition_values: "id" }, []],
  [{ fallback: "sticky" }, ["resources.6.fallback.again"]],
  [{ delete_guard: "incidents" }, ["disabled.3.condition"]],
  [{ readable: "partial" }, []],
  [{ disabled: "all" }, []],
];

test.each(someOf(cases, 5))(
  "under %j exactly the rules it contradicts fail",
  { timeout: 120_000 },
  async (dialects, contradicted) => {
    const failed: string[] = [];
    const lines: string[] = [];
    for (const { rules } of configuration) {
      const own = wrapEmulatorTarget((fetch) => fetch, { dialects });
      const session = openSession(own.target);
      for (const rule of rules.filter(({ basis }) => basis === "interface")) {
        const result = await session.check(rule);
        if (result.outcome.kind !== "failed") continue;
        failed.push(rule.id);
        lines.push(...resultLines(result));
      }
      await session.close();
      await own.close();
    }
    expect([...failed].sort(), lines.join("\n")).toEqual([...contradicted].sort());
  },
);

test.each([{}, ...cases.map(([dialects]) => dialects)])(
  "under %j the service's own dialects are found",
  async (dialects) => {
    const own = wrapEmulatorTarget((fetch) => fetch, { dialects });
    const session = openSession(own.target);
    const found: (readonly [string, string | undefined])[] = [];
    for (const name of dialectNames) {
      const { value, reason } = await session.detect(name);
      found.push([name, value ?? reason]);
    }
    await session.close();
    await own.close();
    expect(Object.fromEntries(found)).toEqual({ ...standardDialects, ...dialects });
  },
);

test("a service that answers in another way has no known dialects, and says why", async () => {
  const fetch = () => new Response("oops", { status: 500 });
  const session = openSession({ url: "http://service.invalid", adminToken: "ff_admin", fetch });
  for (const name of dialectNames) {
    expect(await session.detect(name)).toMatchObject({ name, reason: expect.stringMatching(/expected|fits neither/) });
  }
});
