/** Counts the incidents that use resources and options, where that decides a change. A count that is not shown to the token is omitted. */

import type { Reader } from "../api/http/connection.ts";
import { pageOf } from "../api/read/envelope.ts";
import { readList } from "../api/read/list.ts";
import { type RequestLine, ServiceError } from "../api/read/service-error.ts";
import { UnexpectedResponse } from "../api/read/unexpected-response.ts";
import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { IncidentUsage, OptionUsage } from "../match/incident-usage.ts";
import type { ResolvedWorkspace } from "../match/resolve.ts";
import { incidentCounts, optionCounts } from "./what-to-read.ts";

/** Reads the counts that a plan of this state asks for. */
export async function readIncidentUsage(
  reader: Reader,
  resolved: ResolvedWorkspace,
  parallelism: number,
): Promise<IncidentUsage> {
  const requests = incidentCounts(resolved);
  const incidents = new Map<string, number>();
  for (let at = 0; at < requests.length; at += parallelism) {
    const chunk = requests.slice(at, at + parallelism);
    const counts = await Promise.all(
      chunk.map(({ parameter, id }) => unlessHidden(() => countIncidents(reader, parameter, id))),
    );
    for (const [index, { id }] of chunk.entries()) {
      const count = counts[index];
      if (count !== undefined) incidents.set(id, count);
    }
  }
  const fields = optionCounts(resolved);
  const [first] = fields;
  if (first === undefined) return { incidents };
  const keys = fields.map(({ key }) => key);
  const chosen = await unlessHidden(() => readChosenOptions(reader, first.answeredIn, keys));
  if (chosen === undefined) return { incidents };
  for (const { key, id } of fields) incidents.set(id, chosen.get(key)?.length ?? 0);
  return { incidents, options: countOptions(chosen) };
}

/** The number of incidents that use a resource, by its query parameter of the list of incidents. */
export async function countIncidents(reader: Reader, parameter: string, id: string): Promise<number> {
  const request: RequestLine = { method: "GET", path: "/api/v1/incidents" };
  const response = await reader.get({
    path: request.path,
    query: { [parameter]: id, per_page: "1" },
    purpose: "count",
  });
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
  return countOptions(await readChosenOptions(reader, answeredIn, fields));
}

/** Custom field → the options of each incident that has a value of it. */
type ChosenOptions = ReadonlyMap<string, readonly (readonly string[])[]>;

async function readChosenOptions(
  reader: Reader,
  answeredIn: string,
  fields: readonly string[],
): Promise<ChosenOptions> {
  const request = { path: "/api/v1/incidents", purpose: "incidents" } as const;
  const rows = await readList((listRequest) => reader.get(listRequest), {
    request,
    list: "incidents",
    paginated: true,
    identity: ["id"],
  });
  return new Map(
    fields.map((field) => [
      field,
      rows.map((row) => chosenOptions(row, answeredIn, field)).filter((options) => options.length > 0),
    ]),
  );
}

function countOptions(chosen: ChosenOptions): OptionUsage {
  return new Map([...chosen].map(([field, incidents]) => [field, countEach(incidents)]));
}

/** The options that an incident holds of a field, as texts. */
function chosenOptions(row: Fields, answeredIn: string, field: string): readonly string[] {
  const values = row[answeredIn];
  const value: Json | undefined = isFields(values) && Object.hasOwn(values, field) ? values[field] : undefined;
  const options = isList(value) ? value : value === undefined || value === null ? [] : [value];
  return [...new Set(options.flatMap(textsOf))];
}

/** An option as texts: its label, its id, or both where the service returns both. */
function textsOf(option: Json): readonly string[] {
  return isFields(option)
    ? [option.label, option.id].flatMap((part) => (typeof part === "string" ? [part] : []))
    : [String(option)];
}

function countEach(incidents: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const option of incidents.flat()) counts.set(option, (counts.get(option) ?? 0) + 1);
  return counts;
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
