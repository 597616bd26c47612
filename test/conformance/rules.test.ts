/** Every rule of the conformance suite against our own emulator, over HTTP on loopback: one test per rule. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveEmulatorTarget } from "../../src/app/conformance/conformance-command.ts";
import { ruleFiles } from "../../src/conformance/all-rules.ts";
import { type ConformanceSession, type OpenedTarget, openSession } from "../../src/conformance/check.ts";
import { resultLines } from "../../src/view/conformance/text.ts";

describe.each(ruleFiles)("$file", ({ rules }) => {
  let own: OpenedTarget;
  let session: ConformanceSession;

  beforeAll(async () => {
    own = await serveEmulatorTarget();
    session = openSession(own.target);
  });

  afterAll(async () => {
    await session.close();
    await own.close();
  });

  test.each(rules)("$id $section: $title", async (rule) => {
    const result = await session.check(rule);
    expect(result.outcome.kind, resultLines(result).join("\n")).toBe("passed");
  });
});
