/** The interface of rules about a declared resource. */

import type { Findings } from "../../core/findings.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import type { ResourceIndex } from "../resources/resource-index.ts";

/** The context of a rule. */
export interface CheckContext {
  /** Every kind. */
  readonly kinds: readonly Kind[];
  /** All declared resources. */
  readonly declared: ResourceIndex;
  readonly findings: Findings;
}

/** Checks one resource beyond its schema, which it fulfils. */
export type ResourceRule = (resource: DeclaredResource, context: CheckContext) => void;
