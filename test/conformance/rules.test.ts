/** Every rule of the conformance suite against our own emulator, over HTTP on loopback: one test per rule. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chapters } from "../../src/conformance/catalogue.ts";
import { type OwnTarget, servedEmulator } from "../../src/conformance/own-emulator.ts";
import { resultLines } from "../../src/conformance/report.ts";
import { openSession, type Session } from "../../src/conformance/session.ts";

describe.each(chapters)("$file", ({ rules }) => {
  let own: OwnTarget;
  let session: Session;

  beforeAll(async () => {
    own = await servedEmulator();
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
