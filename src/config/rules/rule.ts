/** What a rule about one declared entry is given, and how it speaks. */

import type { Findings } from "../../core/findings.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Directory } from "../load/references.ts";

/** What a rule may look at and write to. */
export interface Scene {
  /** Everything that is declared. */
  readonly directory: Directory;
  readonly findings: Findings;
}

/** Holds one entry, whose schema holds, against what its kind demands beyond the schema. */
export type Check = (entry: DeclaredResource, scene: Scene) => void;

/** The objects of a list, with their places; what is something else was refused by the schema. */
export function rowsOf(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

/** The texts of a list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((item) => typeof item === "string") : [];
}
