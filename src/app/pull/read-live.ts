/** Reads the live state of kinds for files. */

import { kinds } from "../../kinds/index.ts";
import { type Kind, topKindOf } from "../../kinds/model/kind.ts";
import type { ApiRequest, Reader } from "../../service/requests/connection.ts";
import type { Observation } from "../../workspace/match/observation.ts";
import { observeWithReferences } from "../../workspace/read/observe-references.ts";

/** Returns the top-level keys of kinds in the files; a nested kind has the key of its parent. */
export function topOf(names: readonly string[]): readonly string[] {
  const top = names.map((name) => {
    const kind = kinds.find((one) => one.name === name);
    return kind === undefined ? name : topKindOf(kind);
  });
  return [...new Set(top)];
}

/** Returns a reader, and one that repeats its responses, so that the final comparison uses the state that was read. */
export function recordReader(reader: Reader): { readonly live: Reader; readonly again: Reader } {
  const responses = new Map<string, ReturnType<Reader["get"]>>();
  const get: Reader["get"] = (request) => {
    const response = reader.get(request);
    responses.set(requestKey(request), response);
    return response;
  };
  const { host } = reader;
  return { live: { host, get }, again: { host, get: (request) => responses.get(requestKey(request)) ?? get(request) } };
}

/** Key of a request, whatever its purpose. */
function requestKey({ purpose: _purpose, ...request }: ApiRequest): string {
  return JSON.stringify(request);
}

/** Reads kinds with their nested kinds and references. A refused read is an error only for kinds in `must`. */
export async function observeKinds(
  reader: Reader,
  selectedKinds: readonly Kind[],
  must: readonly string[],
): Promise<Observation> {
  const own = new Set(selectedKinds.map(({ name }) => name));
  for (const { name, parent } of kinds) if (parent !== undefined && own.has(parent.kind)) own.add(name);
  return observeWithReferences(reader, kinds, own, (name) => topOf([name]).some((one) => must.includes(one)));
}
