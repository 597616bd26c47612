/** Reads the live state for a pull, and finds the differences that remain after it. */

import type { ApiRequest, Reader } from "../api/http/connection.ts";
import { type Configuration, isSourced } from "../config/load/configuration.ts";
import { equal, isFields } from "../core/json.ts";
import { kinds } from "../kinds/index.ts";
import { type Kind, topKindOf } from "../kinds/kind.ts";
import type { Observation } from "../match/observation.ts";
import type { FieldChange, Unreadable } from "../plan/plan.ts";
import { observeWithReferences } from "../refresh/observe-references.ts";
import type { ReadingSession } from "../session/session.ts";
import type { Conflict } from "./pull.ts";

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
  const answers = new Map<string, ReturnType<Reader["get"]>>();
  const get: Reader["get"] = (ask) => {
    const answer = reader.get(ask);
    answers.set(requestKey(ask), answer);
    return answer;
  };
  const { host } = reader;
  return { live: { host, get }, again: { host, get: (ask) => answers.get(requestKey(ask)) ?? get(ask) } };
}

/** Key of a request, whatever its purpose. */
function requestKey({ purpose: _purpose, ...ask }: ApiRequest): string {
  return JSON.stringify(ask);
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

/** Differences that remain after the pull. */
interface RemainingDifferences {
  /** Changes of a plan that no earlier conflict explains. */
  readonly conflicts: readonly Conflict[];
  /** Declared fields that the service does not return, so that they cannot be compared. */
  readonly untold: readonly Unreadable[];
}

/** Plans the pulled files against the state that was read. */
export async function remainingDifferences(
  configuration: Configuration,
  session: ReadingSession,
  reader: Reader,
  kindNames: readonly string[] | undefined,
  knownConflicts: readonly Conflict[],
): Promise<RemainingDifferences> {
  const narrowing = { kinds: kindNames ?? [], targets: [], excludes: [] };
  const plan = await session.plan({ configuration, reader, filter: narrowing, identify: false });
  const open = plan.changes.filter(({ address }) => knownConflicts.every((one) => one.address !== address));
  const sourced = new Map(
    configuration.declared.flatMap((resource) =>
      isSourced(configuration, resource.kind.name, resource.scope) ? [[resource.address, resource] as const] : [],
    ),
  );
  const conflicts = open.map(({ address, fields, action }) => {
    const [first] = fields;
    const path = fields.length === 1 && first !== undefined ? first.path : "";
    const resource = sourced.get(address);
    if (resource === undefined)
      return { address, path, reason: `a plan would still ${action} it; see incidentctl plan` };
    const names = fields.flatMap(differingNames).join(", ");
    const reason = `the workspace differs from the files that make it${action === "create" ? ": it is not there" : ` in ${names}`}`;
    return { address, path: "", reason, at: resource.place(first?.path ?? "") };
  });
  return { conflicts, untold: plan.unreadable };
}

/** The path of a field that differs; of an object, the paths of its differing members. */
function differingNames({ path, before, after }: FieldChange): readonly string[] {
  const name = path.slice(1);
  if (!isFields(before) || !isFields(after)) return [name];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((member) => !equal(before[member] ?? null, after[member] ?? null))
    .map((member) => `${name}/${member}`);
}
