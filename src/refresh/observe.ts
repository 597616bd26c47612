/**
 * Reads the live state: each wanted collection once and whole, parents before what lies in them. Reads run side by side
 * up to a limit. Nothing here knows a kind; what cannot be read is an error and never an empty list.
 */

import pLimit from "p-limit";
import type { Ask, Reader } from "../api/http/connection.ts";
import type { Purpose } from "../api/http/purpose.ts";
import { CannotRead, IncompleteList } from "../api/read/cannot-read.ts";
import { memberOf } from "../api/read/envelope.ts";
import { readList, readWhole } from "../api/read/list.ts";
import { ServiceError } from "../api/read/service-error.ts";
import type { Fields } from "../core/json.ts";
import { fill } from "../core/route.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Observation, ObservedList } from "../match/observation.ts";

/** What is to be read: one collection of a kind, or each one that exists. */
export type ReadTarget =
  | { readonly kind: string; readonly scope: string }
  | { readonly kind: string; readonly every: true };

/** How to read. */
export interface ObserveOptions {
  /** Requests in flight at a time. */
  readonly parallelism: number;
  /** What was read before: kept, and not read again. */
  readonly already?: Observation;
  /** What is missing is not proved: collections of which it can be doubted are left `open`, and take no second request. */
  readonly once?: boolean;
  /** Of what is wanted, collections that were left open: reading them again proves them. */
  readonly before?: readonly ObservedList[];
  /** Rows whose member is read as well, for what the list leaves out; only asked where a member can be read. */
  readonly detail?: (kind: Kind, row: Fields) => boolean;
}

/**
 * Reads what is wanted, and the parents needed to find it. A scope whose parent does not exist has no rows.
 * Throws {@link CannotRead} and {@link IncompleteList} besides what a reader throws.
 */
export async function observe(
  reader: Reader,
  kinds: readonly Kind[],
  wanted: readonly ReadTarget[],
  { parallelism, already, once = false, before = [], detail = () => false }: ObserveOptions,
): Promise<Observation> {
  const proven = already !== undefined && already.lists.length > 0;
  const get = sideBySide(reader, parallelism, proven ? parallelism : 1);
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  /** Every collection, also while it is being read, so that a parent is read once for all that lies in it. */
  const reading = new Map<string, Promise<ObservedList>>();
  for (const collection of already?.lists ?? []) {
    reading.set(place(collection.kind, collection.scope), Promise.resolve(collection));
  }

  function kindNamed(name: string): Kind {
    const kind = byName.get(name);
    if (kind === undefined) throw new Error(`there is no kind "${name}"`);
    return kind;
  }

  function read(kind: Kind, scope: string): Promise<ObservedList> {
    const at = place(kind.name, scope);
    const known = reading.get(at);
    if (known !== undefined) return known;
    const started = readCollection(kind, scope);
    reading.set(at, started);
    return started;
  }

  async function readCollection(kind: Kind, scope: string): Promise<ObservedList> {
    const parent = parentOf(kind, scope);
    const within = parent === undefined ? undefined : await findParent(kindNamed(parent), scope);
    if (parent !== undefined && within === undefined) return { kind: kind.name, scope, rows: [] };
    const { rows, open } = await readRows(kind, scope, within);
    const whole =
      kind.endpoint.detail === true ? await Promise.all(rows.map((row) => detailed(kind, scope, row))) : rows;
    return { kind: kind.name, scope, rows: whole, ...(open === undefined ? {} : { open }) };
  }

  async function findParent(parent: Kind, key: string): Promise<Fields | undefined> {
    const { rows } = await read(parent, "");
    return rows.find((row) => keyOf(parent, row) === key);
  }

  async function readRows(
    kind: Kind,
    scope: string,
    parent: Fields | undefined,
  ): Promise<Pick<ObservedList, "rows" | "open">> {
    const target = fill(kind.endpoint.list, { scope, parent: typeof parent?.id === "string" ? parent.id : undefined });
    const disabled = kind.lifecycle.disable === undefined ? {} : { include_disabled: "true" };
    const ask: Ask = {
      ...ofSurface(kind),
      path: target.path,
      query: { ...target.query, ...disabled },
      purpose: purposeOf(kind),
    };
    const identity = kind.endpoint.keyInBody === true ? [] : ["id", ...kind.identity.idFields];
    const listing = { ask, list: kind.endpoint.envelope.list, paginated: kind.endpoint.paginated === true, identity };
    const known = before.find((read) => read.kind === kind.name && read.scope === scope);
    try {
      const { rows, pages } =
        known?.open?.pages === false
          ? { rows: known.rows, pages: 1 }
          : await readWhole(get, { ...listing, ...(once ? {} : { certain: true as const }) }, known?.rows);
      const retired = kind.lifecycle.disable !== undefined && rows.every((row) => isRetired(kind, row));
      if (once) return { rows, ...(pages > 1 || retired ? { open: { pages: pages > 1, retired } } : {}) };
      if (retired) {
        const usual = { ...ask, query: target.query, purpose: "enabled" } as const;
        if (!(await readList(get, { ...listing, ask: usual })).every((row) => isRetired(kind, row))) {
          throw new IncompleteList(ask.path, "asked for disabled entries too, it leaves out the enabled ones");
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
      // The interface promises no GET of a member: a service without one tells what its list tells.
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
    return rows.flatMap((row) => keyOf(parent, row) ?? []);
  }

  async function readWanted(want: ReadTarget): Promise<void> {
    const kind = kindNamed(want.kind);
    const scopes = "scope" in want ? [want.scope] : await scopesOf(kind);
    await Promise.all(scopes.map((scope) => read(kind, scope)));
  }

  await Promise.all(wanted.map(readWanted));
  return {
    lists: inOrder(kinds, await Promise.all(reading.values())),
    unread: already?.unread ?? [],
  };
}

/** The row with what only a read of its member tells; for kinds whose members can be read. */
async function readDetail(reader: Reader, kind: Kind, scope: string, row: Fields): Promise<Fields> {
  const id = kind.identity.idFields.map((field) => row[field]).find((value) => value !== undefined);
  const { path, query } = fill(kind.endpoint.member, { scope, id: String(id) });
  const { body } = await reader.get({ ...ofSurface(kind), path, query, purpose: "entry" });
  return { ...row, ...memberOf(body, kind.endpoint.envelope.item) };
}

/** Whether the row says of itself that it is disabled. */
function isRetired({ fields, lifecycle: { disable = "" } }: Kind, row: Fields): boolean {
  return (fields?.[disable]?.wireNames ?? [disable]).some((name) => row[name] === false);
}

/**
 * A bounded number of reads at a time. Where nothing was read before, the first goes alone: a token that is not accepted
 * is found out by one request.
 * After a failure nothing that waits is sent.
 */
function sideBySide(reader: Reader, parallelism: number, atFirst: number): Reader["get"] {
  const limit = pLimit(atFirst);
  return (ask) =>
    limit(async () => {
      try {
        const answer = await reader.get(ask);
        limit.concurrency = parallelism;
        return answer;
      } catch (error) {
        limit.clearQueue();
        throw error;
      }
    });
}

/** The kind whose entry a scope is; undefined for a scope that stands for itself. */
function parentOf({ parent, scopes }: Kind, scope: string): string | undefined {
  return parent?.kind ?? (scope === "" ? undefined : scopes?.kind);
}

/** An entry's key as it is on the wire. */
function keyOf(kind: Kind, row: Fields): string | undefined {
  const [field = ""] = kind.identity.keys;
  const names = kind.fields?.[field]?.wireNames ?? [field];
  return names.map((name) => row[name]).find((value) => typeof value === "string");
}

function ofSurface(kind: Kind): Pick<Ask, "admin"> {
  return kind.endpoint.admin === true ? { admin: true } : {};
}

/** What its list is read for: a form and a list of rules are one request each, whatever they hold. */
function purposeOf({ endpoint: { keyInBody: naming }, lifecycle: { order } }: Kind): Purpose {
  if (naming === true) return "form";
  return order === "rank" ? "rules" : "page";
}

function place(kind: string, scope: string): string {
  return `${kind}\n${scope}`;
}

/** By kind as the registry has them, then by scope: the same whatever answered first. */
function inOrder(kinds: readonly Kind[], collections: readonly ObservedList[]): readonly ObservedList[] {
  return kinds.flatMap(({ name }) =>
    collections.filter(({ kind }) => kind === name).sort((left, right) => (left.scope < right.scope ? -1 : 1)),
  );
}
