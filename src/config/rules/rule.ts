/** The interface of rules about a declared resource. */

import type { Findings } from "../../core/findings.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import type { ResourceIndex } from "../load/resource-index.ts";

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

/** The objects of a list. The schema refuses other items. */
export function rowsOf(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

/** The texts of a list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((item) => typeof item === "string") : [];
}
