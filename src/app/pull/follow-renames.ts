/**
 * Resources that somebody has renamed in the workspace get their new names in the files before the rest is pulled. So they stay where they
 * stand, with their comments, and the lists that belong to them, such as the rules of a source, stay managed.
 */

import { flowText, keyText } from "../../config/edit/yaml-writer.ts";
import { type Configuration, listAt } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { fileOf, locationOf } from "../../config/resources/origins.ts";
import { InvalidConfiguration, type Location } from "../../core/diagnostic.ts";
import { addTo, groupBy } from "../../core/lists.ts";
import { kinds } from "../../kinds/index.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { PulledResource } from "./list-editor.ts";

/** The configuration with the new names. */
export interface Followed {
  readonly configuration: Configuration;
  /** File → its text with the new names; only files with one. */
  readonly texts: ReadonlyMap<string, string>;
  /** File → what is renamed in it. */
  readonly renamed: ReadonlyMap<string, readonly PulledResource[]>;
}

/** A text in a file that names the renamed resource. */
interface NamePlace {
  readonly at: Location;
  readonly from: string;
  readonly text: string;
}

/** Follows the renames that a plan of the files names; undefined if it names none, or if the files cannot take them. */
export async function followRenames(
  state: ResolvedState,
  plan: () => Promise<Plan>,
  load: (texts: ReadonlyMap<string, string>) => Promise<Configuration>,
): Promise<Followed | undefined> {
  if (!kinds.some(({ name, identity }) => identity.pin !== undefined && mayBeRenamed(state, name))) return undefined;
  try {
    const { renames = [] } = await plan();
    const places: NamePlace[] = [];
    const renamed = new Map<string, PulledResource[]>();
    for (const { from, to } of renames) {
      const declared = state.configuration.declared.find(({ address }) => address === to);
      const live = declared && state.live(declared.kind.name)?.find(({ address }) => address === from);
      if (declared === undefined || live === undefined || declared.kind.identity.pin === undefined) continue;
      places.push(...placesOf(state.configuration, declared, live));
      for (const resource of [declared, ...childrenOf(state.configuration, declared)]) {
        addTo(renamed, fileOf(resource), { address: resource.address, action: "rename" });
      }
    }
    if (places.length === 0) return undefined;
    const texts = textsWith(state.configuration, places);
    return texts && { configuration: await load(texts), texts, renamed };
  } catch (error) {
    if (error instanceof InvalidConfiguration) return undefined;
    throw error;
  }
}

/** Whether some resource is only in the files, and another one only in the workspace. */
function mayBeRenamed(state: ResolvedState, kind: string): boolean {
  const [declared, live] = [state.declaredIn(kind, ""), state.live(kind)];
  if (!state.isManaged(kind) || live === undefined) return false;
  const [names, liveNames] = [new Set(declared.map(({ key }) => key)), new Set(live.map(({ key }) => key))];
  return declared.some(({ key }) => !liveNames.has(key)) && live.some(({ key }) => !names.has(key));
}

/** Its own name, and the keys of the lists that belong to it. */
function placesOf(
  configuration: Configuration,
  { kind, key, keyField, origins }: DeclaredResource,
  live: LiveResource,
): readonly NamePlace[] {
  const lists = kinds
    .filter(({ scopes }) => scopes?.kind === kind.name)
    .flatMap(({ name }) => listAt(configuration, name, key) ?? []);
  return [
    { at: locationOf(origins, `/${keyField}`), from: key, text: flowText(live.key) },
    ...lists.map((at) => ({ at, from: key, text: keyText(live.key) })),
  ];
}

function childrenOf({ declared }: Configuration, { kind, key }: DeclaredResource): readonly DeclaredResource[] {
  return declared.filter((one) => one.scope === key && one.kind.scopes?.kind === kind.name);
}

/** The texts of the files with the new names; undefined if a name is written in another way, such as by a substitution. */
function textsWith(
  { texts: before, overlays }: Configuration,
  places: readonly NamePlace[],
): ReadonlyMap<string, string> | undefined {
  const texts = new Map<string, string>();
  for (const [file, own] of groupBy(places, ({ at }) => at.file)) {
    const text = before.get(file);
    if (text === undefined || overlays?.files.includes(file) === true) return undefined;
    const lines = text.split("\n");
    const starts = [0];
    for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
    const offsetOf = ({ line, column }: Location): number => (starts[line - 1] ?? 0) + column - 1;
    let changed = text;
    for (const { at, from, text: name } of own.toSorted((left, right) => offsetOf(right.at) - offsetOf(left.at))) {
      const start = offsetOf(at);
      const written = [from, JSON.stringify(from), `'${from}'`].find((one) => text.startsWith(one, start));
      if (written === undefined || written.length !== at.length) return undefined;
      changed = changed.slice(0, start) + name + changed.slice(start + written.length);
    }
    texts.set(file, changed);
  }
  return texts;
}
