/** The parts of routing that may hold values of the environment, by where these stand in the files: texts are never searched for them. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { isFields, isList, type Json, stepsOf } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";
import { ENRICHING_TYPES } from "../../kinds/routing/context.ts";

/** The parts of outcomes that reports do not show. */
export interface SecretOutcomes {
  /** Fields that hold a value of the environment in some rule. */
  readonly outcome: ReadonlySet<string>;
}

/** The parts of rules and entries that reports do not show. */
export interface SecretParts extends SecretOutcomes {
  /** Names of the rules with a value of the environment in a condition, by scope; undefined for a rule without a name. */
  readonly conditions: ReadonlyMap<string, ReadonlySet<string | undefined>>;
  /** The name of a field in a condition is one. */
  readonly hasSecretField: boolean;
  /** Fields that the catalog derives from one. */
  readonly derived: ReadonlySet<string>;
}

/** The secret parts by the files. */
export function secretParts({ declared }: Configuration): SecretParts {
  const conditions = new Map<string, Set<string | undefined>>();
  const [outcome, derived] = [new Set<string>(), new Set<string>()];
  let hasSecretField = false;
  for (const { kind, scope, fields, secrets } of declared) {
    for (const [part = "", ...steps] of secrets.map(stepsOf)) {
      if (kind.name === "routing_rules" && part === "conditions") {
        hasSecretField ||= steps.at(-1) === "field";
        const names = conditions.get(scope) ?? new Set();
        conditions.set(scope, names.add(typeof fields.name === "string" ? fields.name : undefined));
      }
      if (kind.name === "routing_rules" && part === "outcome")
        outcome.add(steps.findLast((step) => !/^\d+$/.test(step)) ?? "");
      if (kind.name === "catalog_entries") derived.add(part === "name" ? scope : `${scope}.${steps[0]}`);
    }
  }
  return { conditions, hasSecretField, outcome, derived };
}

/**
 * Whether what becomes of an alert could depend on a value from the environment: one of the rules in the scopes has such a condition, or
 * reads a field that the catalog adds while an entry has such a value. `read`: the fields that these rules read.
 */
export function decidesBySecrets(
  { conditions, derived }: SecretParts,
  scopes: readonly string[],
  read: readonly string[],
  fields: Readonly<Record<string, string>>,
): boolean {
  if (scopes.some((scope) => conditions.has(scope))) return true;
  const isAdded = (field: string) =>
    ENRICHING_TYPES.includes(field.split(".")[0] ?? "") && !Object.hasOwn(fields, field);
  return derived.size > 0 && read.some(isAdded);
}

/** Whether a live rule, with the name that the files give to the same rule, may have a secret condition. A rule that they do not have may. */
export function hasSecretConditions({ conditions }: SecretParts, scope: string, label: string | undefined): boolean {
  const names = conditions.get(scope);
  return names !== undefined && (label === undefined || names.has(label));
}

/** The outcome of a rule without the values of secret fields. */
export function shownOutcome(outcome: Json, parts: SecretOutcomes): Json {
  if (isList(outcome)) return outcome.map((item) => shownOutcome(item, parts));
  if (!isFields(outcome)) return outcome;
  return Object.fromEntries(
    Object.entries(outcome).map(([name, value]) => [name, parts.outcome.has(name) ? MASK : shownOutcome(value, parts)]),
  );
}
