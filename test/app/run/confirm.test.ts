import { expect, test } from "vitest";
import { confirmPlan } from "../../../src/app/run/approvals.ts";
import { EXIT } from "../../../src/core/exit-codes.ts";
import type { Io } from "../../../src/core/io.ts";
import { tokensWithoutSink } from "../../../src/plan/checks/policy-checks.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import type { TokenSink } from "../../../src/run/tokens/sink.ts";
import { changeOf, everything, planOf } from "../../view/plans.ts";

const sink: TokenSink = { probe: () => Promise.resolve(), store: () => Promise.resolve() };
const small = planOf([changeOf("severities/minor", "update")]);
const revealing: Plan = {
  ...small,
  operations: small.operations.map((operation) => ({ ...operation, reveals: "token" })),
};
/** The plan as it is made without a place for its token. */
const homeless: Plan = { ...revealing, blocked: tokensWithoutSink(revealing.operations, {}) };

const same = { typed: {}, lineWith: (approvals: readonly string[]) => `incidentctl apply ${approvals.join(" ")}` };

function io(answer?: string): Io {
  const nowhere = { write: () => {}, terminal: false };
  return {
    stdout: nowhere,
    stderr: nowhere,
    env: {},
    cwd: "/",
    now: () => new Date(0),
    fetch: () => Promise.reject(new Error("no network")),
    interruption: () => new AbortController().signal,
    ...(answer === undefined ? {} : { ask: () => Promise.resolve(answer) }),
  };
}

test.each<
  readonly [title: string, plan: Plan, yes: boolean, answer: string | undefined, tokens: TokenSink | undefined]
>([
  ["with --yes nobody is asked", small, true, undefined, undefined],
  ["the answer yes is enough", small, false, "yes", undefined],
  ["a sink takes the tokens", revealing, true, undefined, sink],
])("%s", async (_title, plan, yes, answer, tokens) => {
  await expect(confirmPlan(plan, { ...same, sink: tokens, yes }, io(answer))).resolves.toBeUndefined();
});

test.each<readonly [title: string, plan: Plan, yes: boolean, answer: string | undefined, flag: string]>([
  ["without a terminal and without --yes it is refused", small, false, undefined, "--yes"],
  ["any other answer is a refusal", small, false, "y", "yes"],
  ["what is blocked is refused with the flag to give, also with --yes", everything, true, undefined, "--allow-delete"],
  ["a token needs a place", homeless, true, undefined, "--secrets-out"],
])("%s", async (_title, plan, yes, answer, flag) => {
  await expect(confirmPlan(plan, { ...same, sink: undefined, yes }, io(answer))).rejects.toMatchObject({
    exitCode: EXIT.refused,
    message: expect.stringContaining(flag),
  });
});

test("everything that is missing is reported at once", async () => {
  const plan = { ...homeless, blocked: [...everything.blocked, ...homeless.blocked] };
  const refusal = confirmPlan(plan, { ...same, sink: undefined, yes: false }, io());
  await expect(refusal).rejects.toThrow(/--allow-delete[\s\S]*--secrets-out[\s\S]*--yes/);
  await expect(refusal).rejects.toThrow(/\nNext: .* run incidentctl apply --allow-delete --secrets-out FILE --yes$/);
});

test("the question names the service and the number of operations", async () => {
  const questions: string[] = [];
  const asked = { ...io(), ask: (question: string) => Promise.resolve(questions.push(question) > 0 ? "yes" : "") };
  await confirmPlan(small, { ...same, sink: undefined, yes: false }, asked);
  expect(questions).toEqual(['Apply 1 operation to https://incidents.example.com? Only "yes" is accepted: ']);
});
