/**
 * Reads the live state: each list once and whole, parents before their children. Reads run side by side up to a limit. A list that
 * cannot be read is an error and never an empty list.
 */

import pLimit from "p-limit";
import { type Fields, textIn } from "../../core/json.ts";
import { fill } from "../../core/route.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { listName } from "../../kinds/model/resource.ts";
import { CannotRead, IncompleteList } from "../../service/lists/cannot-read.ts";
import { memberOf } from "../../service/lists/envelope.ts";
import { readList, readWhole } from "../../service/lists/list.ts";
import type { ApiRequest, Reader } from "../../service/requests/connection.ts";
import type { Purpose } from "../../service/requests/purpose.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import { NOTHING_READ, type Observation, type ObservedList } from "../match/observation.ts";
import { fieldValue, keyOfRow } from "../match/resolved-state.ts";

/** A target: one list of a kind, or every list of it that exists. */
export type ReadTarget =
  | { readonly kind: string; readonly scope: string }
  | { readonly kind: string; readonly every: true };

export interface ObserveOptions {
  /** Requests in flight at a time. */
  readonly parallelism: number;
  /** Earlier readings, which are not read again. */
  readonly earlier?: Observation;
  /** Read once: lists that may be incomplete stay `open` and are not read a second time to prove that nothing is missing. */
  readonly once?: boolean;
  /** Lists among the targets that were left open: reading them again proves them. */
  readonly openLists?: readonly ObservedList[];
  /** Selects rows whose member is read as well, because the list leaves out fields. */
  readonly detail?: (kind: Kind, row: Fields) => boolean;
}

/**
 * Reads the targets and the parents needed to find them. A scope whose parent does not exist has no rows.
 * Throws {@link CannotRead} and {@link IncompleteList} besides what a reader throws.
 */
export async function observe(
  reader: Reader,
  kinds: readonly Kind[],
  targets: readonly ReadTarget[],
  { parallelism, earlier, once = false, openLists = [], detail = () => false }: ObserveOptions,
): Promise<Observation> {
  const isTokenValid = earlier !== undefined && earlier.lists.length > 0;
  const get = sideBySide(reader, parallelism, isTokenValid ? parallelism : 1);
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  /** Every list, also while it is being read, so that a parent is read once for all its children. */
  const readings = new Map<string, Promise<ObservedList>>();
  for (const list of earlier?.lists ?? []) {
    readings.set(listName(list.kind, list.scope), Promise.resolve(list));
  }

  function kindNamed(name: string): Kind {
    const kind = byName.get(name);
    if (kind === undefined) throw new Error(`there is no kind "${name}"`);
    return kind;
  }

  function read(kind: Kind, scope: string): Promise<ObservedList> {
    const name = listName(kind.name, scope);
    const current = readings.get(name);
    if (current !== undefined) return current;
    const reading = readWholeList(kind, scope);
    readings.set(name, reading);
    return reading;
  }

  async function readWholeList(kind: Kind, scope: string): Promise<ObservedList> {
    const parent = parentOf(kind, scope);
    const parentRow = parent === undefined ? undefined : await findParent(kindNamed(parent), scope);
    if (parent !== undefined && parentRow === undefined) return { kind: kind.name, scope, rows: [] };
    const { rows, open } = await readRows(kind, scope, parentRow);
    const detailedRows =
      kind.endpoint.detail === true ? await Promise.all(rows.map((row) => detailed(kind, scope, row))) : rows;
    return { kind: kind.name, scope, rows: detailedRows, ...(open === undefined ? {} : { open }) };
  }

  async function findParent(parent: Kind, key: string): Promise<Fields | undefined> {
    const { rows } = await read(parent, "");
    return rows.find((row) => keyOfRow(parent, row) === key);
  }

  async function readRows(
    kind: Kind,
    scope: string,
    parent: Fields | undefined,
  ): Promise<Pick<ObservedList, "rows" | "open">> {
    const target = fill(kind.endpoint.list, { scope, parent: typeof parent?.id === "string" ? parent.id : undefined });
    const disabled = kind.lifecycle.disable === undefined ? {} : { include_disabled: "true" };
    const request: ApiRequest = {
      ...tokenOf(kind),
      path: target.path,
      query: { ...target.query, ...disabled },
      purpose: purposeOf(kind),
    };
    const identity = kind.endpoint.keyInBody === true ? [] : ["id", ...kind.identity.idFields];
    const listing = {
      request,
      list: kind.endpoint.envelope.list,
      paginated: kind.endpoint.paginated === true,
      identity,
    };
    const openList = openLists.find((read) => read.kind === kind.name && read.scope === scope);
    try {
      const { rows, pages } =
        openList?.open?.pages === false
          ? { rows: openList.rows, pages: 1 }
          : await readWhole(get, { ...listing, certain: !once }, openList?.rows);
      const allDisabled = kind.lifecycle.disable !== undefined && rows.every((row) => isDisabledRow(kind, row));
      if (once) return { rows, ...(pages > 1 || allDisabled ? { open: { pages: pages > 1 } } : {}) };
      if (allDisabled) {
        const enabledRequest = { ...request, query: target.query, purpose: "enabled" } as const;
        if (!(await readList(get, { ...listing, request: enabledRequest })).every((row) => isDisabledRow(kind, row))) {
          throw new IncompleteList(request.path, "with include_disabled=true it omits the enabled resources");
        }
      }
      return { rows };
    } catch (error) {
      if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) {
        throw new CannotRead({ name: kind.name, admin: kind.endpoint.admin === true }, scope, error);
      }
      throw error;
    }
  }

  async function detailed(kind: Kind, scope: string, row: Fields): Promise<Fields> {
    if (!detail(kind, row)) return row;
    try {
      return await readDetail({ host: reader.host, get }, kind, scope, row);
    } catch (error) {
      // The interface promises no GET of a member: without one, the row of the list is all there is.
      if (error instanceof ServiceError && (error.status === 404 || error.status === 405)) return row;
      throw error;
    }
  }

  async function scopesOf(kind: Kind): Promise<readonly string[]> {
    const { parent, scopes } = kind;
    if (parent !== undefined) return keysOf(kindNamed(parent.kind));
    if (scopes === undefined) return [""];
    const plain = scopes.patterns.some((pattern) => !pattern.includes("*")) ? [""] : [];
    const live = scopes.kind === undefined ? [] : await keysOf(kindNamed(scopes.kind));
    return [...plain, ...(scopes.names ?? []), ...live];
  }

  async function keysOf(parent: Kind): Promise<readonly string[]> {
    const { rows } = await read(parent, "");
    return rows.flatMap((row) => textIn(keyOfRow(parent, row)) ?? []);
  }

  async function readTarget(target: ReadTarget): Promise<void> {
    const kind = kindNamed(target.kind);
    const scopes = "scope" in target ? [target.scope] : await scopesOf(kind);
    await Promise.all(scopes.map((scope) => read(kind, scope)));
  }

  await Promise.all(targets.map(readTarget));
  const lists = inRegistryOrder(kinds, await Promise.all(readings.values()));
  return { ...(earlier ?? NOTHING_READ), lists };
}

/** The row with the fields that only its member returns. */
async function readDetail(reader: Reader, kind: Kind, scope: string, row: Fields): Promise<Fields> {
  const id = kind.identity.idFields.map((field) => row[field]).find((value) => value !== undefined);
  const { path, query } = fill(kind.endpoint.member, { scope, id: String(id) });
  const { body } = await reader.get({ ...tokenOf(kind), path, query, purpose: "entry" });
  // What the list shows of any resource counts, also where it has another form: no plan reads all of them by themselves.
  const shown = Object.entries(row).filter(([, value]) => value !== null);
  return { ...row, ...memberOf(body, kind.endpoint.envelope.item), ...Object.fromEntries(shown) };
}

export function isDisabledRow(kind: Kind, row: Fields): boolean {
  return fieldValue(kind, row, kind.lifecycle.disable ?? "") === false;
}

/**
 * A bounded number of reads at a time. If nothing was read before, the first read runs alone, so that a wrong token costs one request.
 * After a failure the waiting reads are not sent.
 */
function sideBySide(reader: Reader, parallelism: number, initialParallelism: number): Reader["get"] {
  const limit = pLimit(initialParallelism);
  return (request) =>
    limit(async () => {
      try {
        const response = await reader.get(request);
        limit.concurrency = parallelism;
        return response;
      } catch (error) {
        limit.clearQueue();
        throw error;
      }
    });
}

/** The kind whose resource a scope is; undefined for a fixed scope. */
function parentOf({ parent, scopes }: Kind, scope: string): string | undefined {
  return parent?.kind ?? (scope === "" ? undefined : scopes?.kind);
}

function tokenOf(kind: Kind): Pick<ApiRequest, "admin"> {
  return kind.endpoint.admin === true ? { admin: true } : {};
}

/** The purpose of reading a list: a form and a list of rules are always one request. */
function purposeOf({ endpoint: { keyInBody }, lifecycle: { order } }: Kind): Purpose {
  if (keyInBody === true) return "form";
  return order === "rank" ? "rules" : "page";
}

/** Lists by kind in registry order, then by scope: the order of the responses does not matter. */
function inRegistryOrder(kinds: readonly Kind[], lists: readonly ObservedList[]): readonly ObservedList[] {
  return kinds.flatMap(({ name }) =>
    lists.filter(({ kind }) => kind === name).sort((left, right) => (left.scope < right.scope ? -1 : 1)),
  );
}
