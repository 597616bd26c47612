/** Replicas: an emulator that holds a workspace as read from another service, with the same ids, slugs and positions. */

import type { Control } from "../control/control.ts";
import type { Dialects } from "../dialects.ts";
import { createEmulator, type Emulator } from "../emulator.ts";
import { allModules } from "../modules/all-modules.ts";
import type { ReplicaLoad, WorkspaceRows } from "../service/live-rows.ts";
import { type IncidentCounts, loadIncidents } from "./incidents.ts";
import { loadPeople } from "./people.ts";

/** The source of a replica. */
export interface ReplicaSource {
  /** Lists of the interface, by path below /api/v1: `/severities`, `/forms/declare`, `/routing_rules?source=Datadog`. */
  readonly rows: WorkspaceRows;
  readonly incidentCounts: IncidentCounts;
  /** Email addresses, user ids or member ids of people that later writes name. */
  readonly people: readonly string[];
  readonly dialects: Partial<Dialects>;
}

/** A replica: in process, in memory, without outbound requests. */
export interface Replica {
  readonly emulator: Emulator;
  /** The control surface, for faults. */
  readonly control: Control;
  /** Invented and omitted values, as sentences without a full stop. */
  readonly notes: readonly string[];
  /** The number of created incidents. */
  readonly incidents: number;
}

/** Creates a replica. Resources that `source.rows` lacks are those of a bare workspace. */
export function createReplica(source: ReplicaSource): Replica {
  const emulator = createEmulator({
    workspace: "bare",
    control: true,
    dialects: source.dialects,
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
    send: () => Promise.reject(new Error("a replica sends no requests")),
  });
  const { control } = emulator;
  if (control === undefined) throw new Error("the emulator has no control surface");
  const load: ReplicaLoad = { service: control.service, rows: source.rows, notes: new Set() };
  const incidents = loadWorkspace(load, source);
  return { emulator, control, notes: [...load.notes], incidents };
}

/** Loads everything in one transaction, referenced resources first. Returns the number of created incidents. */
function loadWorkspace(load: ReplicaLoad, { incidentCounts, people }: ReplicaSource): number {
  return load.service.database.transaction(() => {
    for (const module of allModules) module.loadReplica?.(load);
    loadPeople(load, people);
    return loadIncidents(load, incidentCounts);
  });
}

export type { WorkspaceRows } from "../service/live-rows.ts";
