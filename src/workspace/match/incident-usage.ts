/** Numbers of incidents that use resources and options; undefined where they were not counted. */

import { objectsIn } from "../../core/json.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";

/** Incidents by custom field and chosen option, a label or an id. */
export type OptionUsage = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The number of incidents that use a resource. */
export interface IncidentCount {
  readonly count: number;
  /** The number of incidents that were read, if there are others that may use the resource too. */
  readonly among?: number;
  /** The incidents themselves were read, because their list has no filter for the resource. */
  readonly byReading?: true;
}

/** The counts that a plan asks for. */
export interface IncidentUsage {
  /** Incidents that use a resource, by the resource's id. */
  readonly incidents: ReadonlyMap<string, IncidentCount>;
  /** Undefined if it was not read, or could not be. */
  readonly options?: OptionUsage;
}

/** Incidents that use a resource; undefined if they were not counted. */
export function incidentsUsing({ incidents }: IncidentUsage, resource: LiveResource): IncidentCount | undefined {
  return incidents.get(String(resource.row.id));
}

/** Incidents that hold an option of a resource; undefined if they were not read. */
export function incidentsWithOption(
  { options }: IncidentUsage,
  resource: LiveResource,
  field: string,
  label: string,
): number | undefined {
  const counts = options?.get(resource.key);
  if (counts === undefined) return undefined;
  const rows = resource.row[field];
  const option = objectsIn(rows).find((row) => row.label === label);
  return counts.get(label) ?? counts.get(String(option?.id)) ?? 0;
}
