/** One run of the applier on a replica, with sample alerts watched after every write of routing rules. */

import type { Reader, Writer } from "../api/http/connection.ts";
import type { ApplyEvent, ApplyResult, Outcome } from "../apply/execute/outcome.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import { isRulePath } from "./samples.ts";
import type { Props, Stage } from "./stage.ts";
import type { Watch } from "./watch.ts";

/** Carries out a plan on a connection: the applier, with what it needs besides. */
export type CarryOut = (plan: Plan, writer: Writer, props: Props) => AsyncGenerator<ApplyEvent, ApplyResult>;

/** Makes the plan of the configuration against a service. `verifying` is right after an apply. */
export type Replan = (reader: Reader, asked: { readonly verifying: boolean }) => Promise<Plan>;

/** What happens beside the operations. */
export interface Course {
  /** Before an operation is sent. */
  readonly started?: (operation: Operation) => void;
  /** Looks after every write of routing rules; left out where nobody looks. */
  readonly watch?: Watch;
  /** Whether to look yet. */
  readonly looking?: (operation: Operation) => boolean;
}

/** Runs a plan to its end. */
export async function run(
  plan: Plan,
  { writer, props }: Pick<Stage, "writer" | "props">,
  carryOut: CarryOut,
  { started, watch, looking = () => true }: Course,
): Promise<ApplyResult> {
  const events = carryOut(plan, writer, props);
  for (;;) {
    const step = await events.next();
    if (step.done === true) return step.value;
    const { status, operation } = step.value;
    if (status === "started") started?.(operation);
    else if (status !== "skipped" && isRulePath(operation.path) && looking(operation)) await watch?.look(operation.id);
  }
}

/** Whether every operation ended as the plan foresees. */
export function isWhole({ counts }: ApplyResult): boolean {
  return counts.failed + counts.unknown + counts.pending + counts.skipped === 0;
}

/** The operations that are still to do after a run, without those that the service keeps because they are in use. */
export async function remaining(
  reader: Reader,
  replan: Replan,
  outcomes: readonly Outcome[],
): Promise<readonly Operation[]> {
  const kept = outcomes.filter(({ status }) => status === "retained").map(({ operation }) => operation.address);
  const { operations } = await replan(reader, { verifying: true });
  return operations.filter(({ retains, address }) => retains === undefined || !kept.includes(address));
}
