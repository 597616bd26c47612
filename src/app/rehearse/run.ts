/** Applies a plan to a replica and sends sample alerts after every write of routing rules. */

import type { Operation, Plan } from "../../plan/model/plan.ts";
import { type ApplyEvent, type ApplyResult, type Outcome, refusedAddresses } from "../../run/journal/outcome.ts";
import type { Reader, Writer } from "../../service/requests/connection.ts";
import { isRulePath } from "./samples.ts";
import type { RehearsalStage, StageTools } from "./stage.ts";
import type { SampleWatch } from "./watch.ts";

/** A function that applies a plan over a connection. */
export type ApplyPlan = (plan: Plan, writer: Writer, props: StageTools) => AsyncGenerator<ApplyEvent, ApplyResult>;

/**
 * A function that makes the plan of the configuration against a service. `verifying` means right after an apply, in which the service
 * refused to delete the resources with these addresses.
 */
export type Replan = (
  reader: Reader,
  options: { readonly verifying: boolean; readonly refused?: readonly string[] },
) => Promise<Plan>;

/** Callbacks of a run. */
export interface RunHooks {
  /** Called before an operation is sent. */
  readonly started?: (operation: Operation) => void;
  /** Sends sample alerts after every write of routing rules. */
  readonly watch?: SampleWatch;
  /** Whether to send sample alerts after this operation. Default: always. */
  readonly looking?: (operation: Operation) => boolean;
}

/** Runs a plan to its end. */
export async function run(
  plan: Plan,
  { writer, tools }: Pick<RehearsalStage, "writer" | "tools">,
  carryOut: ApplyPlan,
  { started, watch, looking = () => true }: RunHooks,
): Promise<ApplyResult> {
  const events = carryOut(plan, writer, tools);
  for (;;) {
    const step = await events.next();
    if (step.done === true) return step.value;
    const { status, operation } = step.value;
    if (status === "started") started?.(operation);
    else if (status !== "skipped" && isRulePath(operation.path) && looking(operation))
      await watch?.sendSamples(operation.id);
  }
}

/** Returns the operations that are still planned after a run, except for preserved resources in use. */
export async function remainingAfter(
  reader: Reader,
  replan: Replan,
  outcomes: readonly Outcome[],
): Promise<readonly Operation[]> {
  const retained = outcomes.filter(({ status }) => status === "retained").map(({ operation }) => operation.address);
  const { operations } = await replan(reader, { verifying: true, refused: refusedAddresses(outcomes) });
  return operations.filter(({ retains, address }) => retains === undefined || !retained.includes(address));
}
