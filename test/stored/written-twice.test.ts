/** A rule that one run writes twice, on a service whose reads show another form of it than the responses to the writes. */

import { expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { type Fields, fieldsIn, isFields, isList, type Json } from "../../src/core/json.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { answeringIo } from "./altering.ts";

const rule = (value: string, channel_id: string, enabled: boolean): Fields => ({
  enabled,
  conditions: value === "" ? [] : [{ field: "title", operator: "contains", value }],
  outcome: { action: "notify_only", notify: { type: "channel", channel_id } },
});

/** Rules, and those that take their place: on the way, the fourth is a copy of the fifth. */
const FORMER = [
  rule("one and all", "C2 triage", true),
  rule("three too", "C3 night", false),
  rule("", "C1 day", false),
  rule("two or more", "C3 night", false),
  rule("three too", "C1 day", true),
];
const NEXT = [
  rule("four", "C2 triage", false),
  rule("one and all", "C2 triage", true),
  rule("three too", "C3 night", false),
  rule("three too", "C3 night", true),
  rule("", "C1 day", true),
];

const document = (workspace: readonly Fields[]): string => JSON.stringify({ routing_rules: { workspace } });

/** Another form of the texts, numbers and booleans of rules. */
type Form = (value: Json, name: string) => Json;
const texts =
  (form: (text: string) => string): Form =>
  (value, name) =>
    /^(value|channel_id)$/.test(name) && typeof value === "string" ? form(value) : value;

function inForm(value: Json, form: Form, name = ""): Json {
  if (isList(value)) return value.map((item) => inForm(item, form, name));
  if (!isFields(value)) return form(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inForm(one, form, key)]));
}

/** Opens a workspace with the former rules and the next files, on a service whose reads show a form of the rules. */
async function opened(form: Form, former: readonly Fields[] = FORMER): Promise<World> {
  const world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/rules.yaml": document(former),
  });
  const isRead = (method: string, path: string) => method === "GET" && path.includes("routing_rules");
  const answered = answeringIo({ ...world.io }, (body, { method, path }) =>
    isRead(method, path) ? fieldsIn(inForm(body, form)) : body,
  );
  Object.assign(world.io, answered);
  const first = await applied(world);
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  await world.write({ "config/rules.yaml": document(NEXT) });
  return world;
}

const applied = (world: World) => world.run(apply, { paths: [], yes: true, allowDelete: true });

test.each<readonly [string, Form]>([
  ["extended texts", texts((text) => `${text} (edited)`)],
  ["shortened texts", texts((text) => text.slice(0, 6))],
  ["upper case", texts((text) => text.toUpperCase())],
])("nobody has changed it where reads show %s", async (_title, form) => {
  const world = await opened(form);
  await expectWrittenTwice(world, "routing_rules/workspace/4");
});

test("nobody has changed it where reads show texts for numbers and booleans", async () => {
  const form: Form = (value) => (/^(number|boolean)$/.test(typeof value) ? String(value) : value);
  const world = await opened(form, [rule("two or more", "C1 day", true), rule("four", "C2 triage", false)]);
  const added = [rule("three too", "C3 night", true), rule("", "C2 triage", true)];
  await world.write({
    "config/rules.yaml": document([...added, rule("two or more", "C1 day", true), rule("", "C1 day", true)]),
  });
  await expectWrittenTwice(world, "routing_rules/workspace/2");
});

async function expectWrittenTwice(world: World, address: string): Promise<void> {
  const second = await applied(world);
  expect(second.exit, second.stdout + second.stderr).toBe(0);
  expect(second.stderr.split(` ${address} `)).toHaveLength(3);
  const planned = await world.run(plan, { paths: [], detailedExitcode: true });
  expect(planned.exit, planned.stdout + planned.stderr).toBe(0);
}

test("what somebody has changed between the two writes stops the run", async () => {
  const world = await opened(texts((text) => `${text} (edited)`));
  const { fetch } = world.io;
  let isChanged = false;
  Object.assign(world.io, {
    fetch: async (...[url, options]: Parameters<typeof fetch>) => {
      const answer = await fetch(url, options);
      if (options.method !== "PATCH" || isChanged) return answer;
      isChanged = true;
      const outcome = { action: "notify_only", notify: { type: "channel", channel_id: "C9 own" } };
      await world.send("PATCH", new URL(url).pathname, { outcome });
      return answer;
    },
  });
  const second = await applied(world);
  expect(second.exit).toBe(4);
  expect(second.stdout).toContain(
    "routing_rules/workspace/4 no longer matches the plan: somebody has changed its outcome",
  );
});
