/** Sample journals: a plan of a few operations, and the records of its run. */

import type { Operation, SealedPlan } from "../../../src/plan/model/plan.ts";
import type { RunSnapshot } from "../../../src/plan/model/snapshot.ts";
import type { Intent, Settlement } from "../../../src/run/journal/intent.ts";
import type { BeginRecord } from "../../../src/run/journal/record.ts";
import { operation } from "../apply/run.ts";

/** An empty workspace before the run. */
const NOTHING_BEFORE: RunSnapshot = { entries: [], orders: [], ranks: [] };

/** A plan of these operations. */
function planOf(operations: readonly Operation[]): SealedPlan {
  const none = { create: 0, update: 0, move: 0, enable: 0, disable: 0, delete: 0, unchanged: 0 };
  return {
    format_version: 1,
    tool: { name: "incidentctl", version: "0" },
    target: { host: "https://incidents.example.com", workspace: null },
    summary: { ...none, operations: operations.length, requests: operations.length },
    changes: [],
    operations,
    derived: [],
    warnings: [],
    unreadable: [],
    blocked: [],
    seal: { created_at: "2031-05-01T10:00:00Z", configuration: "c0", live: "", fingerprint: "", hash: "" },
  };
}

/** The first record of a run. */
export function begin(
  run = "0001",
  operations: readonly Operation[] = ["1", "2"].map((id) => operation(id)),
): BeginRecord {
  return {
    type: "begin",
    format_version: 1,
    tool: { name: "incidentctl", version: "0" },
    run,
    at: "2031-05-01T10:00:00.000Z",
    target: { service: "https://incidents.example.com", ids: { levels: ["a", "b"] } },
    plan: planOf(operations),
    before: NOTHING_BEFORE,
  };
}

/** An intent of an operation. */
export function intent(id: string, attempt = 1): Intent {
  return {
    operation: operation(id),
    attempt,
    body: "5e1f",
    before: [{ id, name: "Ümläut" }],
    at: "2031-05-01T10:00:01.000Z",
  };
}

/** The settlement of an operation. */
export function settled(id: string, status: Settlement["status"] = "done"): Settlement {
  return { operation: id, status };
}
