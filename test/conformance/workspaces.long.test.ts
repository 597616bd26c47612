/** A right service is blamed for nothing, whatever its workspace contains and whatever the token may do. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emulatorTarget } from "../../src/app/conformance/conformance-command.ts";
import { allRules, ruleFiles } from "../../src/conformance/all-rules.ts";
import { lackingAbilities, type OpenedTarget, openSession } from "../../src/conformance/check.ts";
import type { ConformanceRule, Leftover, RuleResult } from "../../src/conformance/rule.ts";
import type { Fields, Json } from "../../src/core/json.ts";
import type { Emulator, EmulatorOptions } from "../../src/emulator/emulator.ts";
import { resultLines } from "../../src/view/conformance/text.ts";
import { listResources, send } from "../emulator/client.ts";
import { sampleSize } from "../support/samples/sample-size.ts";

/** The target of a fresh emulator in this process, after preparations. */
async function open(
  options: EmulatorOptions,
  prepare: (emulator: Emulator) => Promise<unknown> = async () => {},
): Promise<OpenedTarget & { readonly emulator: Emulator }> {
  const { target, emulator, close } = emulatorTarget({ requestsPerMinute: 1_000_000, ...options });
  await prepare(emulator);
  return { target: { ...target, fetch: emulator.fetch }, emulator, close };
}

/** The target with a service key of these permissions as its only token. */
async function openWithKey(permissions: Fields): Promise<OpenedTarget> {
  let key: Json = null;
  const { target, close } = await open({}, async (emulator) => {
    key = (await send(emulator, "POST", "/api_keys", { name: "Suite", permissions })).body.token ?? null;
  });
  const withKey = { ...target, token: String(key), adminToken: undefined };
  return { target: { ...withKey, lacking: await lackingAbilities(withKey) }, close };
}

async function check(
  { target }: OpenedTarget,
  rules: readonly ConformanceRule[],
): Promise<{ readonly results: readonly RuleResult[]; readonly leftovers: readonly Leftover[] }> {
  const session = openSession(target);
  const results: RuleResult[] = [];
  for (const rule of rules) results.push(await session.check(rule));
  const leftovers = [...results.flatMap((result) => result.leftovers), ...(await session.close())];
  return { results, leftovers };
}

/** The rules that are not kept, with what was seen. */
function blamed(results: readonly RuleResult[]): readonly string[] {
  const remarkable = results.filter(({ outcome }) => outcome.kind === "failed" || outcome.kind === "differs");
  return remarkable.flatMap(resultLines);
}

/** Rules that use up a key's requests of a minute, which these emulators do not limit. */
const limitRules = /^limits\.rate/;

async function removeTypes(emulator: Emulator): Promise<void> {
  for (const { slug } of await listResources(emulator, "/incident_types")) {
    await send(emulator, "DELETE", `/incident_types/${String(slug)}`);
  }
}

describe.each<[string, EmulatorOptions, (emulator: Emulator) => Promise<unknown>]>([
  ["a bare workspace", { seed: false, workspace: "bare" }, async () => {}],
  ["a workspace without incident types", { seed: false }, removeTypes],
])("in %s", (_, options, prepare) => {
  test.each(ruleFiles)("the rules of $file make what they need", { timeout: 120_000 }, async ({ rules }) => {
    const own = await open(options, prepare);
    const { results } = await check(
      own,
      rules.filter(({ id }) => !limitRules.test(id)),
    );
    await own.close();
    expect(blamed(results)).toEqual([]);
    const reasons = results.flatMap(({ outcome }) => (outcome.kind === "not applicable" ? [outcome.reason] : []));
    expect(reasons.filter((reason) => !/^needs an incident with|^no message/.test(reason))).toEqual([]);
  });
});

describe("with a service key", () => {
  test.each<[string, Fields]>([
    ["that only reads", { incidents: ["read"], severities: ["read"], statuses: ["read"] }],
    ["that may do nothing", {}],
    ["that declares incidents and changes none", { incidents: ["read", "create"], severities: ["read"] }],
  ])("%s, rules that need more are not applicable", { timeout: 120_000 }, async (_, permissions) => {
    const own = await openWithKey(permissions);
    const { results } = await check(own, allRules);
    await own.close();
    expect(blamed(results)).toEqual([]);
    const reasons = results.map(({ outcome }) => (outcome.kind === "not applicable" ? outcome.reason : ""));
    expect(reasons.filter((reason) => reason.startsWith("the token lacks the ability ")).length).toBeGreaterThan(100);
  });

  const actions = fc.subarray(["read", "create", "update", "delete"]);
  const permissions = fc.record(
    Object.fromEntries(
      [
        ...["incidents", "severities", "statuses", "incident_types", "incident_roles", "custom_fields", "forms"],
        ...["catalog", "alerts", "policies", "runbooks", "webhooks", "incident_transcripts"],
      ].map((resource) => [resource, actions]),
    ),
  );

  test("of any permissions, no rule is blamed on the service", { timeout: 120_000 }, async () => {
    const rules = fc.subarray([...allRules.filter(({ id }) => !limitRules.test(id))], { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(permissions, rules, async (given, chosen) => {
        const own = await openWithKey(given as Fields);
        const { results } = await check(own, chosen);
        await own.close();
        expect(blamed(results)).toEqual([]);
      }),
      { numRuns: Math.max(3, sampleSize(100)) },
    );
  });

  test("the abilities that the token lacks are found without changing anything", async () => {
    const own = await open({});
    const before = own.emulator.seeds.dump();
    expect(await lackingAbilities(own.target)).toEqual([]);
    const lacking = await lackingAbilities({ ...own.target, adminToken: undefined });
    expect(new Set(lacking.map((ability) => ability.split(":")[0]))).toEqual(new Set(["permissions", "api_keys"]));
    expect(own.emulator.seeds.dump().incidents).toEqual(before.incidents);
    expect(own.emulator.seeds.dump().routing_rules).toEqual(before.routing_rules);
    await own.close();
  });
});

test("what stays is named: incidents that are over, two hidden fields and a disabled runbook; the order of lists is as before", {
  timeout: 120_000,
}, async () => {
  const own = await open({ seed: false });
  const orders = async () => {
    const lists = ["severities", "statuses", "incident_types", "incident_roles"];
    const read = lists.map((list) => listResources(own.emulator, `/${list}?include_disabled=true`));
    return (await Promise.all(read)).map((rows) => rows.map(({ slug }) => slug));
  };
  const before = await orders();
  const { leftovers } = await check(
    own,
    allRules.filter(({ id }) => !limitRules.test(id)),
  );
  expect(await orders()).toEqual(before);
  const kinds = new Set(
    leftovers.map(({ kind, name, state }) =>
      kind === "incident" ? `${kind} ${state}` : `${name.replace(/ \w{8,} /, " … ")} ${state}`,
    ),
  );
  expect([...kinds].sort()).toEqual([
    "Conformance fixture choice hidden",
    "Conformance fixture text hidden",
    "Conformance … runbook disabled",
    "incident canceled",
    "incident over",
  ]);
  const incidents = new Set(leftovers.filter(({ kind }) => kind === "incident").map(({ name }) => name));
  const { body } = await send(own.emulator, "GET", "/incidents");
  expect(body.pagination).toMatchObject({ total: incidents.size });
  const runbooks = await listResources(own.emulator, "/runbooks");
  expect(runbooks).toHaveLength(1);
  const { body: runbook } = await send(own.emulator, "GET", `/runbooks/${String(runbooks[0]?.slug)}`);
  expect(runbook.runbook).toMatchObject({ conditions: [] });
  await own.close();
});
