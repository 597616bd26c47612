/** Mutants of going fast: what is read once, what goes side by side, and how many requests a minute has. */

import type { Mutant } from "../mutant.ts";

/** Mutants of speed. */
export const speedMutants: readonly Mutant[] = [
  {
    id: "apply-at-a-glance",
    rule: "reading.proved",
    does: "makes and removes by one reading of a list in pages",
    file: "src/refresh/refresh.ts",
    edits: [
      {
        find: "options.glance === true ? everything : await proved(everything)",
        replace: "options.glance !== undefined ? everything : await proved(everything)",
      },
    ],
    redBy: ["test/commands/requests.test.ts"],
  },
  {
    id: "nothing-has-to-be-missing",
    rule: "reading.proved",
    does: "does not prove that what it makes is missing",
    file: "src/refresh/what-to-read.ts",
    edits: [
      { find: "pairs.some(({ live }) => live === undefined),", replace: "pairs.some(({ live }) => live === null)," },
    ],
    redBy: ["test/refresh/what-to-read.test.ts", "test/commands/requests.test.ts"],
  },
  {
    id: "count-from-sending",
    rule: "rate.answered",
    does: "gives the place of a request back a minute after it was sent, whenever the service counted it",
    file: "src/api/http/rate-limit.ts",
    edits: [{ find: "ended.push(clock.now());", replace: "ended.push(at);" }],
    redBy: ["test/api/http/rate-limit.test.ts", "test/api/http/throttling.test.ts"],
  },
  {
    id: "believe-a-check-of-a-minute-ago",
    rule: "rate.waited",
    does: "sends what the rate limit has held back without looking again",
    file: "src/api/http/client.ts",
    edits: [{ find: "admission.at - asked <= LONG_WAIT", replace: "admission.at >= asked" }],
    redBy: ["test/api/http/repeating.test.ts"],
  },
  {
    id: "ignore-what-is-left",
    rule: "rate.told",
    does: "does not mind how little the service says is left",
    file: "src/api/http/rate-limit.ts",
    edits: [{ find: "if (remaining >= underWay ||", replace: "if (remaining >= 0 ||" }],
    redBy: ["test/api/http/rate-limit.test.ts", "test/api/http/throttling.test.ts"],
  },
  {
    id: "write-beside-what-mentions-it",
    rule: "batch.apart",
    does: "writes entries side by side that mention each other",
    file: "src/plan/order/batches.ts",
    edits: [
      { find: "[...mentioned].some((address) => batch.addresses.has(address)) ||", replace: "mentioned.size < 0 ||" },
    ],
    redBy: ["test/plan/order/batches.test.ts"],
  },
  {
    id: "write-anything-side-by-side",
    rule: "batch.apart",
    does: "writes side by side what stands in an order, has a switch, reveals a token or has no unique name",
    file: "src/plan/order/batches.ts",
    edits: [{ find: ".every((fact) => fact === undefined)", replace: ".some((fact) => fact === undefined)" }],
    redBy: ["test/plan/order/batches.test.ts"],
  },
  {
    id: "go-on-beside-a-refusal",
    rule: "batch.stops",
    does: "goes on with a batch after one of its operations was refused",
    file: "src/apply/execute/apply.ts",
    edits: [{ find: "stoppedAt ??= outcome.operation.id;", replace: "stoppedAt ??= undefined;" }],
    redBy: ["test/apply/execute/batch.test.ts"],
  },
  {
    id: "leave-what-is-under-way",
    rule: "batch.stops",
    does: "leaves behind what is under way when this program fails",
    file: "src/apply/execute/apply.ts",
    edits: [{ find: "    await Promise.allSettled(all);\n", replace: "" }],
    redBy: ["test/apply/execute/batch.test.ts"],
  },
];
