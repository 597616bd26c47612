/**
 * Reads incidents: the most recent ones, and how many use resources and options, where that decides a change. A count that is not shown to
 * the token is omitted.
 */

import type { Fields } from "../../core/json.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { CannotRead } from "../../service/lists/cannot-read.ts";
import { pageOf } from "../../service/lists/envelope.ts";
import { type FirstRows, readFirstRows, readList } from "../../service/lists/list.ts";
import type { ApiRequest, Reader } from "../../service/requests/connection.ts";
import { type RequestLine, ServiceError } from "../../service/requests/service-error.ts";
import { UnexpectedResponse } from "../../service/requests/unexpected-response.ts";
import { answersOf, type IncidentSearch, incidentSearch, textsOf } from "../match/incident-search.ts";
import type { IncidentCount, IncidentUsage, OptionUsage } from "../match/incident-usage.ts";
import type { ResolvedWorkspace } from "../match/resolve.ts";
import { countedResources, optionCounts } from "./what-to-read.ts";

/** Reads the counts that a plan of this state asks for. */
export async function readIncidentUsage(
  reader: Reader,
  resolved: ResolvedWorkspace,
  parallelism: number,
): Promise<IncidentUsage> {
  const fields = optionCounts(resolved);
  const [first] = fields;
  const incidents = first === undefined ? undefined : await unlessHidden(() => readAllIncidents(reader));
  const counts = await countUses(reader, resolved, countedResources(resolved), parallelism, incidents);
  if (first === undefined || incidents === undefined) return { incidents: counts };
  const keys = fields.map(({ key }) => key);
  return { incidents: counts, options: optionUsage(incidents, first.answeredIn, keys) };
}

/** The numbers of incidents that use these resources, by their ids. `incidents`: all incidents, if they were read already. */
export async function countUses(
  reader: Reader,
  resolved: ResolvedWorkspace,
  resources: readonly LiveResource[],
  parallelism: number,
  incidents?: readonly Fields[],
): Promise<ReadonlyMap<string, IncidentCount>> {
  const searches = resources.flatMap((live) => {
    const search = incidentSearch(resolved, live);
    return search === undefined ? [] : [{ live, search }];
  });
  const counts = new Map<string, IncidentCount>();
  const filters = searches.flatMap(({ live, search }) => (search.by === "filter" ? [{ live, ...search }] : []));
  for (let at = 0; at < filters.length; at += parallelism) {
    const some = filters.slice(at, at + parallelism);
    const results = await Promise.all(
      some.map(({ parameter, live }) => unlessHidden(() => countIncidents(reader, parameter, String(live.row.id)))),
    );
    for (const [index, { live }] of some.entries()) {
      const count = results[index];
      if (count !== undefined) counts.set(String(live.row.id), { count });
    }
  }
  const readings = searches.flatMap(({ live, search }) => (search.by === "reading" ? [{ live, ...search }] : []));
  if (readings.length === 0) return counts;
  // A kind that can be disabled needs no certainty.
  const isBounded = readings.every(({ live }) => live.kind.lifecycle.disable !== undefined);
  const { maxIncidentsRead } = resolved.state.configuration.settings;
  const read = async (): Promise<FirstRows> =>
    isBounded
      ? readFirstRows((request) => reader.get(request), ASK, "incidents", maxIncidentsRead)
      : { rows: await readAllIncidents(reader), isWhole: true };
  const pages = incidents === undefined ? await unlessHidden(read) : { rows: incidents, isWhole: true };
  if (pages === undefined) return counts;
  for (const { live, isUsedBy } of readings) {
    const count = countOf(pages, isUsedBy);
    if (count !== undefined) counts.set(String(live.row.id), count);
  }
  return counts;
}

/** Counts the incidents that use a resource; undefined if none is known to, and some do not say. */
function countOf(
  { rows, isWhole }: FirstRows,
  isUsedBy: Extract<IncidentSearch, { by: "reading" }>["isUsedBy"],
): IncidentCount | undefined {
  const uses = rows.map(isUsedBy).filter((isUsed) => isUsed !== undefined);
  const count = uses.filter((isUsed) => isUsed).length;
  if (uses.length === rows.length && isWhole) return { count, byReading: true };
  return uses.length < rows.length && count === 0 ? undefined : { count, among: uses.length, byReading: true };
}

const ASK: ApiRequest = { path: "/api/v1/incidents", purpose: "incidents" };

function readAllIncidents(reader: Reader): Promise<readonly Fields[]> {
  return readList((request) => reader.get(request), {
    request: ASK,
    list: "incidents",
    paginated: true,
    identity: ["id"],
  });
}

/** The number of incidents that use a resource, by its query parameter of the list of incidents. */
export async function countIncidents(reader: Reader, parameter: string, id: string): Promise<number> {
  const request: RequestLine = { method: "GET", path: ASK.path };
  const response = await reader.get({ path: ASK.path, query: { [parameter]: id, per_page: "1" }, purpose: "count" });
  const page = pageOf(request, response);
  if (page === undefined) {
    throw new UnexpectedResponse(request, response.status, `${response.status} and no pagination object`);
  }
  return page.total;
}

/** Counts, over all incidents, the values of these fields in the object `answeredIn` of each incident. Only counts are kept. */
export async function countOptionUsage(
  reader: Reader,
  answeredIn: string,
  fields: readonly string[],
): Promise<OptionUsage> {
  return optionUsage(await readAllIncidents(reader), answeredIn, fields);
}

function optionUsage(rows: readonly Fields[], answeredIn: string, fields: readonly string[]): OptionUsage {
  return new Map(
    fields.map((field) => {
      const counts = new Map<string, number>();
      for (const row of rows) {
        const options = new Set((answersOf(row, answeredIn, field) ?? []).flatMap(textsOf));
        for (const option of options) counts.set(option, (counts.get(option) ?? 0) + 1);
      }
      return [field, counts];
    }),
  );
}

/** The value that was read; undefined if the service does not show it to this token. */
async function unlessHidden<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

/** The most recent incidents, newest first. Throws {@link CannotRead} with the permission that the token lacks. */
export async function recentIncidents(reader: Reader, last: number): Promise<readonly Fields[]> {
  try {
    const { rows } = await readFirstRows((one) => reader.get(one), ASK, "incidents", last);
    // The interface does not specify an order: if the list does not start with the newest incident, all of it is read.
    return isNewestFirst(rows) ? rows : (await readAllIncidents(reader)).toSorted(byDeclaration).slice(0, last);
  } catch (error) {
    if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) {
      throw new CannotRead({ name: "incidents (permission incidents.read)", admin: false }, "", error);
    }
    throw error;
  }
}

function isNewestFirst(rows: readonly Fields[]): boolean {
  return rows.every((row, at) => at === 0 || momentOf(rows[at - 1] ?? row) >= momentOf(row));
}

function byDeclaration(left: Fields, right: Fields): number {
  return momentOf(right) - momentOf(left);
}

function momentOf({ declared_at, created_at }: Fields): number {
  const moment = Date.parse(String(declared_at ?? created_at));
  return Number.isNaN(moment) ? 0 : moment;
}
