/** The interface of rules about a declared resource. */

import type { Location } from "../../core/diagnostic.ts";
import type { FindingDetails, Findings } from "../../core/findings.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { locationOf } from "../resources/origins.ts";
import type { ResourceIndex } from "../resources/resource-index.ts";

/** The configuration that a rule is about. */
export interface CheckedConfiguration {
  /** Every kind. */
  readonly kinds: readonly Kind[];
  /** All declared resources. */
  readonly declared: ResourceIndex;
  readonly findings: Findings;
}

/** Records a finding at a JSON Pointer into the resource. */
type Report = (code: string, message: string, pointer: string, details?: FindingDetails) => void;

/** The context of a rule. */
export interface CheckContext extends CheckedConfiguration {
  readonly error: Report;
  readonly warning: Report;
  /** The place at a JSON Pointer into the resource. */
  readonly at: (pointer: string) => Location;
}

/** Checks one resource beyond its schema, which it fulfils. */
export type ResourceRule = (resource: DeclaredResource, context: CheckContext) => void;

/** The context of the rule for a resource. */
export function checkContext(
  { origins, address }: DeclaredResource,
  { kinds, declared, findings: all }: CheckedConfiguration,
): CheckContext {
  const findings = all.about(address);
  const at = (pointer: string): Location => locationOf(origins, pointer);
  return {
    kinds,
    declared,
    findings,
    at,
    error: (code, message, pointer, details) => findings.error(code, message, at(pointer), details),
    warning: (code, message, pointer, details) => findings.warning(code, message, at(pointer), details),
  };
}
