/** Changes of routing rules that are interrupted at any write: resume makes the writes that remain. */

import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import type { ResumeOptions } from "../../../src/app/apply/resume-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { lostWrite, openWorld, type World } from "../../commands/world.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";

const paths: readonly string[] = [];
let world: World | undefined;

afterEach(() => world?.close());

/** Rules as `a1`: a letter for the conditions, `*` for none, and a number for the outcome. */
type Rules = readonly string[];

const ACTIONS = ["drop", "notify_only", "auto_create_incident"];

function rulesFile(rules: Rules): string {
  const lines = rules.map((text) => {
    const service = text.startsWith("*") ? "" : `{ field: service, operator: is_one_of, value: [${text.charAt(0)}] }`;
    return `\n    - { conditions: [${service}], outcome: { action: ${ACTIONS[Number(text.charAt(1))]} } }`;
  });
  return `routing_rules:\n  workspace:${lines.join("") || " []"}\n`;
}

async function liveRules(on: World): Promise<Rules> {
  const { routing_rules: rows } = (await on.send("GET", "/api/v1/routing_rules")) as {
    routing_rules: { conditions: { value: string[] }[]; outcome: { action: string } }[];
  };
  return rows.map(
    ({ conditions: [condition], outcome }) => `${condition?.value[0] ?? "*"}${ACTIONS.indexOf(outcome.action)}`,
  );
}

/** Changes one list to another, loses the response to a write, and resumes. Returns what happened and the rules at the end. */
async function resumed(before: Rules, after: Rules, nth: number, isSent: boolean, isSaved: boolean) {
  let time = Date.parse("2026-11-21T08:00:00Z");
  const now = () => new Date(time);
  const settings = "version: 1\nlimits: { max_removals: 100 }\n";
  world = await openWorld({ "incidentctl.yaml": settings, "rules.yaml": rulesFile(before) }, { now });
  const approved: ApplyFlags = { paths, yes: true, allowDelete: true };
  const first = await world.run(apply, approved);
  expect(first.exit, first.stderr).toBe(0);
  await world.write({ "rules.yaml": rulesFile(after) });
  if (isSaved) await world.run(plan, { paths, out: "change.plan", allowDelete: true });
  const change: ApplyFlags = isSaved ? { ...approved, plan: "change.plan" } : approved;
  const lost = lostWrite(world, nth, isSent);
  const stopped = await world.run<ApplyFlags>(
    (options, io, console) => apply(options, { ...io, ...lost }, console),
    change,
  );
  const clock = new VirtualClock();
  // A rule that was not appended may still arrive for two minutes.
  time += 121_000;
  const rest = await (isSaved
    ? world.run<ApplyFlags>((options, io, console) => apply(options, { ...io, clock }, console), change)
    : world.run<ResumeOptions>((options, io, console) => resume(options, { ...io, clock }, console), {
        paths,
        allowDelete: true,
      }));
  const end = await liveRules(world);
  await world.close();
  world = undefined;
  return { stopped, rest, end };
}

describe("an interrupted change of rules", () => {
  test.each([
    ["a rule is inserted at the top", ["a0", "b1", "c2"], ["d0", "a0", "b1", "c2"]],
    ["two rules change places", ["a0", "b1", "c2"], ["b1", "a0", "c2"]],
    ["the only rule becomes two equal ones", ["a0"], ["*0", "*0"]],
  ])("is finished by resume at every write: %s", async (_title, before, after) => {
    for (const isSent of [true, false]) {
      for (let nth = 1; ; nth += 1) {
        const { stopped, rest, end } = await resumed(before, after, nth, isSent, false);
        if (stopped.exit === 0) {
          expect(nth).toBeGreaterThan(2);
          break;
        }
        expect(rest.exit, `write ${nth}: ${rest.stderr}`).toBe(0);
        expect(rest.stdout).toContain("Verified: the workspace matches what the files declare");
        expect(end).toEqual(after);
      }
    }
  });

  test.each([true, false])("is finished by its saved plan if the last write was in doubt: sent %s", async (isSent) => {
    const { rest, end } = await resumed(["c2", "a0"], ["c2", "b0", "a1"], 2, isSent, true);
    expect(rest.exit, rest.stderr).toBe(0);
    expect(end).toEqual(["c2", "b0", "a1"]);
  });

  test("is finished for any two lists, also by its saved plan", async () => {
    const rule = fc
      .tuple(fc.constantFrom("a", "b", "c", "d", "*"), fc.constantFrom("0", "1", "2"))
      .map((parts) => parts.join(""));
    const rules = fc.array(rule, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rules, rules, fc.integer({ min: 1, max: 6 }), fc.boolean(), fc.boolean(), async (...change) => {
        const { stopped, rest, end } = await resumed(...change);
        if (stopped.exit !== 0) expect(rest.exit, rest.stderr).toBe(0);
        expect(end).toEqual(change[1]);
      }),
      { numRuns: sampleSize(300) },
    );
  }, 300_000);
});
