/** What a pull reads of the service, once, and what of it is still not said by files. */

import type { ApiRequest, Reader } from "../api/http/connection.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { kinds } from "../kinds/index.ts";
import { type Kind, topKindOf } from "../kinds/kind.ts";
import type { Observation } from "../match/observation.ts";
import type { Unreadable } from "../plan/plan.ts";
import { observeWithReferences } from "../refresh/observe-references.ts";
import type { ReadingSession } from "../session/session.ts";
import type { Conflict } from "./pull.ts";

/** The keys of the files that kinds stand under: for a nested one that of the kind that it lies in. */
export function topOf(names: readonly string[]): readonly string[] {
  const top = names.map((name) => {
    const kind = kinds.find((one) => one.name === name);
    return kind === undefined ? name : topKindOf(kind);
  });
  return [...new Set(top)];
}

/** A reader, and one that gives again what the first was answered last: what is compared in the end is what was read. */
export function recorded(reader: Reader): { readonly live: Reader; readonly again: Reader } {
  const answers = new Map<string, ReturnType<Reader["get"]>>();
  const get: Reader["get"] = (ask) => {
    const answer = reader.get(ask);
    answers.set(same(ask), answer);
    return answer;
  };
  const { host } = reader;
  return { live: { host, get }, again: { host, get: (ask) => answers.get(same(ask)) ?? get(ask) } };
}

/** What is asked, whatever for. */
function same({ purpose: _purpose, ...ask }: ApiRequest): string {
  return JSON.stringify(ask);
}

/** Reads kinds with all that lies in them and whatever they mention; only of those that `must` be read a refusal is an error. */
export async function look(reader: Reader, wanted: readonly Kind[], must: readonly string[]): Promise<Observation> {
  const own = new Set(wanted.map(({ name }) => name));
  for (const { name, parent } of kinds) if (parent !== undefined && own.has(parent.kind)) own.add(name);
  return observeWithReferences(reader, kinds, own, (name) => topOf([name]).some((one) => must.includes(one)));
}

/** What is left to say once the files are as they will be. */
interface Residual {
  /** What a plan would still change, as far as nothing was said of it yet. */
  readonly conflicts: readonly Conflict[];
  /** What files state and the service does not tell, so that nobody knows whether it is live. */
  readonly untold: readonly Unreadable[];
}

/** Plans the files as they will be against what was read. */
export async function residual(
  configuration: Configuration,
  session: ReadingSession,
  reader: Reader,
  asked: readonly string[] | undefined,
  known: readonly Conflict[],
): Promise<Residual> {
  const narrowing = { kinds: asked ?? [], targets: [], excludes: [] };
  const plan = await session.plan({ configuration, reader: reader, filter: narrowing, identify: false });
  const open = plan.changes.filter(({ address }) => known.every((one) => one.address !== address));
  const conflicts = open.map(({ address, fields, action }) => {
    const [first] = fields;
    const path = fields.length === 1 && first !== undefined ? first.path : "";
    return { address, path, reason: `a plan would still ${action} it; see incidentctl plan` };
  });
  return { conflicts, untold: plan.unreadable };
}
