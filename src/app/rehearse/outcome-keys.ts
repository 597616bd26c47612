/** Says what becomes of alerts in the words of the files: with slugs where the service has ids. */

import { emptyConfiguration } from "../../config/resources/configuration.ts";
import { defaultSettings } from "../../config/settings/settings-file.ts";
import { type Fields, fieldsIn } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { listName } from "../../kinds/model/resource.ts";
import { NOTHING_READ, type ObservedList } from "../../workspace/match/observation.ts";
import { ResolvedState } from "../../workspace/match/resolved-state.ts";

/** Turns an outcome of the service into that of a declared rule. */
export type OutcomeDecoder = (outcome: Fields) => Fields;

/** The decoder for everything that either snapshot has. */
export function outcomeDecoder(
  kinds: readonly Kind[],
  before: readonly ObservedList[],
  after: readonly ObservedList[],
): OutcomeDecoder {
  const rules = kinds.find(({ rule }) => rule !== undefined);
  const effect = rules?.rule?.effect;
  if (effect === undefined) return (outcome) => outcome;
  const lists = new Map<string, ObservedList>();
  for (const list of [...before, ...after]) {
    const name = listName(list.kind, list.scope);
    const known = new Set(list.rows.map(({ id }) => id));
    const gone = lists.get(name)?.rows.filter(({ id }) => !known.has(id)) ?? [];
    lists.set(name, { ...list, rows: [...list.rows, ...gone] });
  }
  const state = new ResolvedState(kinds, emptyConfiguration(defaultSettings(".")), {
    ...NOTHING_READ,
    lists: [...lists.values()],
  });
  const decode = rules?.codec?.decode?.(state, "");
  return (outcome) => (decode === undefined ? outcome : fieldsIn(decode({ [effect]: outcome })[effect]));
}
