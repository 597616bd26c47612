import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import type { ResumeOptions } from "../../../src/app/apply/resume-definition.ts";
import { isFields, isList, type Json } from "../../../src/core/json.ts";
import { type Command, type Ended, openWorld, type World, type WorldIo } from "../../commands/world.ts";
import { Timeline } from "../../faults/injection/timeline.ts";

/** A service, or something before it, that sends no `Date`: nobody tells how long ago a creation was sent. */

const hook = "webhooks:\n  - { name: a, url: 'https://hooks.example.com/', subscribed_events: [incident.escalated] }\n";
const key = "api_keys:\n  - { name: a, permissions: { incidents: [read] } }\n";
const START = new Date("2026-11-21T08:00:00Z");
const options = { paths: [], secretsOut: "tokens.jsonl" };
const applying: ApplyFlags = { ...options, yes: true };
// The token of a key that arrived late is lost, and ending it is a removal.
const applyingAgain: ApplyFlags = { ...applying, allowDelete: true };
const resuming: ResumeOptions = { ...options, allowDelete: true };

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n" });
});
afterEach(() => world.close());

function lost(): TypeError {
  const cause = Object.assign(new Error("reset"), { code: "ECONNRESET" });
  return Object.assign(new TypeError("fetch failed"), { cause });
}

/** The service without its clock; the first creation is lost, and carried out where a test says when. */
function dateless(carryOut: (send: () => Promise<Response>) => Promise<void>): WorldIo["fetch"] {
  let isLost = false;
  return async (input, init) => {
    if (init.method === "POST" && !isLost) {
      isLost = true;
      await carryOut(() => world.io.fetch(input, init));
      throw lost();
    }
    const answer = await world.io.fetch(input, init);
    answer.headers.delete("date");
    return answer;
  };
}

function within<Options extends object>(
  differing: Partial<WorldIo>,
  command: Command<Options>,
  given: Options,
): Promise<Ended> {
  return world.run<Options>((one, io, console) => command(one, { ...io, ...differing }, console), given);
}

async function named(list: string): Promise<readonly Json[]> {
  const body = (await world.send("GET", `/api/v1/${list}?include_disabled=true`)) as Json;
  const rows = isFields(body) && isList(body[list]) ? body[list] : [];
  return rows.filter((row) => isFields(row) && row.name === "a");
}

const next = [
  ["apply", apply as Command<object>, applyingAgain],
  ["resume", resume as Command<object>, resuming],
] as const;

describe.each([
  ["webhooks", hook],
  ["api_keys", key],
])("an uncertain creation of %s", (list, file) => {
  describe.each(next)("is resolved by %s", (_name, command, given) => {
    test("if it was not executed: after two minutes in which it does not appear", async () => {
      await world.write({ "file.yaml": file });
      const fetch = dateless(async () => {});
      const clock = new Timeline(START);
      const first = await within({ fetch, clock }, apply, applying);
      expect(first.exit, first.stdout + first.stderr).toBe(4);
      const began = clock.now();
      const then = await within({ fetch, clock }, command, given);
      expect(then.exit, then.stdout + then.stderr).toBe(0);
      expect(then.stderr).toContain("the service's responses have no date");
      expect(clock.now() - began).toBeGreaterThanOrEqual(120_000);
      expect(await named(list)).toHaveLength(1);
    });

    test("if it arrives in the meantime: there is one, and its token is in the sink", async () => {
      await world.write({ "file.yaml": file });
      const clock = new Timeline(START);
      const fetch = dateless(async (send) => {
        clock.later(100_000, async () => void (await send()));
      });
      const first = await within({ fetch, clock }, apply, applying);
      expect(first.exit, first.stdout + first.stderr).toBe(4);
      const then = await within({ fetch, clock }, command, given);
      expect(then.exit, then.stdout + then.stderr).toBe(0);
      expect(await named(list)).toHaveLength(1);
    });
  });
});

test.each([
  ["ahead", 30],
  ["behind", -30],
])("a lost token is replaced although the local clock is half an hour %s", async (_how, minutes) => {
  await world.write({ "file.yaml": key });
  const now = () => new Date(Date.now() + minutes * 60_000);
  const fetch = dateless(async (send) => void (await send()));
  const { exit, stdout, stderr } = await within({ fetch, clock: new Timeline(START), now }, apply, applying);
  expect(exit, stdout + stderr).toBe(0);
  const sink = (await readFile(join(world.folder, "tokens.jsonl"), "utf8")).trim().split("\n");
  const [row] = await named("api_keys");
  expect(isFields(row) && row.prefix).toBe(JSON.parse(sink.at(-1) ?? "{}").prefix);
});
