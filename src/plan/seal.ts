/** What a plan is bound to: the files, the live state it was read from, and its own text. */

import { createHash } from "node:crypto";
import type { Configuration } from "../config/configuration.ts";
import { canonical, canonicalUnordered, type Fields, type Json } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Live } from "../kinds/resource.ts";
import type { Plan, Seal } from "./plan.ts";
import type { State } from "./state.ts";

/** Seals a plan that has everything but its seal. */
export function seal(plan: Omit<Plan, "seal">, configuration: Configuration, state: State, now: Date): Seal {
  const bound = { configuration: configuration.digest, live: digestOfTexts(liveState(configuration, state)) };
  return { created_at: now.toISOString(), ...bound, hash: digest({ ...asJson(plan), ...bound }) };
}

/** The hash that a plan's text must have. */
export function hashOf(plan: Plan): string {
  const { seal: bound, ...rest } = plan;
  return digest({ ...asJson(rest), configuration: bound.configuration, live: bound.live });
}

/** Digest of the ids of the kinds that incidents hold: tells one workspace from another. Null when they were not read. */
export function workspaceIdentity(state: State): string | null {
  const counted = [...state.kinds.values()].filter((kind) => kind.countedBy !== undefined);
  if (counted.some((kind) => state.live(kind.name) === undefined)) return null;
  return digest(
    counted.map((kind) =>
      state
        .rows(kind.name)
        .map(({ id }) => id ?? null)
        .sort(),
    ),
  ).slice(0, 16);
}

/** Every live field that a decision could rest on; what changes by mere use, such as a token's last use, is left out. */
function liveState(configuration: Configuration, state: State): readonly string[] {
  const declared = new Map<Kind, Set<string>>();
  for (const { kind, fields } of configuration.declared) {
    const names = declared.get(kind) ?? new Set<string>();
    declared.set(kind, names);
    for (const name of Object.keys(fields)) names.add(name);
  }
  return [...state.kinds.values()]
    .flatMap((kind) => {
      const names = new Set([
        ...(declared.get(kind) ?? []),
        ...Object.keys(kind.fields ?? {}),
        ...kind.key,
        ...kind.address,
        "id",
        "name",
        "position",
        kind.disable ?? "enabled",
      ]);
      const sorted = [...names].sort();
      return state.all(kind.name).map((live) => picture(kind, live, sorted, state.held(live)));
    })
    .sort();
}

/** The canonical text of what is looked at in an entry: { fields, held, kind, scope }. */
function picture(kind: Kind, { row, fields, scope }: Live, names: readonly string[], held: number | undefined): string {
  let members = "";
  for (const name of names) {
    const from = Object.hasOwn(fields, name) ? fields : row;
    if (!Object.hasOwn(from, name)) continue;
    const told = from[name] ?? null;
    const value = kind.fields?.[name]?.inOrder?.(told) ?? told;
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonicalUnordered(value)}`;
  }
  return `{"fields":{${members}},"held":${held ?? null},"kind":${JSON.stringify(kind.name)},"scope":${JSON.stringify(scope)}}`;
}

function asJson(value: object): Fields {
  return JSON.parse(JSON.stringify(value)) as Fields;
}

function digest(value: Json): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

/** The digest of a list of texts, without a text of all of them: of a large workspace that would be the largest of all. */
function digestOfTexts(texts: readonly string[]): string {
  const hash = createHash("sha256").update("[");
  for (let at = 0; at < texts.length; at += TOGETHER) {
    const some = JSON.stringify(texts.slice(at, at + TOGETHER)).slice(1, -1);
    hash.update(at === 0 ? some : `,${some}`);
  }
  return hash.update("]").digest("hex");
}

/** Texts that are digested at a time. */
const TOGETHER = 256;
