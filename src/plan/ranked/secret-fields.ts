/**
 * The fields of live rules that may hold values of the environment, former ones too. A rule has no key, so any rule that the files do not have
 * may be what was declared for the same place before. Plans show no such field, hold no digest of it, and copy no such rule.
 */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import { declaredRuleFields, pairRules, type RankedStep, toRankedRule } from "./rule.ts";

/** For each live rule, the names of those fields. A rule with the conditions of a declared one has the fields of that one. */
export function secretFields(
  kind: Kind,
  live: readonly LiveResource[],
  declared: readonly DeclaredResource[],
  hashes: LastAppliedHashes,
): readonly ReadonlySet<string>[] {
  const names = Object.keys(kind.fields ?? {});
  const declaredSecrets = declared.map(({ secrets }) => names.filter((name) => secrets.some((at) => isIn(at, name))));
  const recorded = live.map(({ address }) => names.filter((name) => cameFromEnvironment(hashes, address, name)));
  if ([...declaredSecrets, ...recorded].every(({ length }) => length === 0)) return live.map(() => NONE);
  const partners = pairRules(
    live.map(({ fields }) => toRankedRule(kind, fields)),
    declared.map(({ fields }) => toRankedRule(kind, declaredRuleFields(kind, fields))),
  );
  const partnerOf = new Map([...partners].map(([index, partner]) => [partner, declaredSecrets[index] ?? []]));
  const unpaired = declaredSecrets.filter((_, index) => !partners.has(index));
  const former = [...unpaired, ...recorded].flat();
  return live.map((_, index) => new Set([...(partnerOf.get(index) ?? former), ...(recorded[index] ?? [])]));
}

const NONE: ReadonlySet<string> = new Set();

function isIn(pointer: string, name: string): boolean {
  return pointer === `/${name}` || pointer.startsWith(`/${name}/`);
}

/** Whether a way copies a live rule with such a field: the copy would have to state it. */
export function copiesSecret(steps: readonly RankedStep[], secret: readonly ReadonlySet<string>[]): boolean {
  return steps.some(
    (step) => step.action !== "delete" && step.rule.list === "live" && (secret[step.rule.index]?.size ?? 0) > 0,
  );
}
