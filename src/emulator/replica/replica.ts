/** The emulator's public face for replicas: a fresh service that holds a workspace as another service answered it. */

import type { Control } from "../control/control.ts";
import type { Dialects } from "../dialects.ts";
import { createEmulator, type Emulator } from "../emulator.ts";
import type { HeldCounts } from "./incidents.ts";
import type { Loading, WorkspaceRows } from "./lenient-rows.ts";
import { loadWorkspace } from "./load-workspace.ts";

/** What a replica is made of. */
export interface ReplicaSource {
  /** Lists as the interface answers them, by the path below /api/v1: `/severities`, `/forms/declare`, `/routing_rules?source=Datadog`. */
  readonly rows: WorkspaceRows;
  readonly held: HeldCounts;
  /** Email addresses, user or member ids of people that writes to come will name. */
  readonly people: readonly string[];
  readonly dialects: Partial<Dialects>;
}

/** A service in process, in memory, that reaches nobody. */
export interface Replica {
  readonly emulator: Emulator;
  /** For faults. */
  readonly control: Control;
  /** What was made up or left out, in sentences without their full stop. */
  readonly notes: readonly string[];
  /** Incidents that were made so that the counts hold. */
  readonly incidents: number;
}

/** Makes a replica. The paths that `source.rows` does not have stay as a bare workspace has them. */
export function createReplica(source: ReplicaSource): Replica {
  const emulator = createEmulator({
    workspace: "bare",
    control: true,
    dialects: source.dialects,
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
    send: () => Promise.reject(new Error("a replica reaches nobody")),
  });
  const { control } = emulator;
  if (control === undefined) throw new Error("the emulator was made without its control surface");
  const loading: Loading = { service: control.service, rows: source.rows, notes: new Set() };
  const incidents = loadWorkspace(loading, source);
  return { emulator, control, notes: [...loading.notes], incidents };
}

export type { HeldCounts } from "./incidents.ts";
export type { WorkspaceRows } from "./lenient-rows.ts";
