/** A resource that the files declare, in the same words as a live one, so that like is compared with like. */

import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { Origins } from "./origins.ts";

/** A resource in the files: plain data, but for the functions of its kind. */
export interface DeclaredResource {
  readonly kind: Kind;
  /** The list that it is in: a form, an alert source's name, a catalog type, an agent; empty if the kind has one list. */
  readonly scope: string;
  /** The value of its key field; for a ranked kind its place in the list, counted from 1. */
  readonly key: string;
  /** The key field that names it; empty for a ranked kind. */
  readonly keyField: string;
  /** Its address: `severities/critical`. */
  readonly address: string;
  /** The declared fields with substitutions made and `extra` merged in; without nested resources, pins and lifecycle keys. */
  readonly fields: Fields;
  /** Names of fields from `extra`, sent and compared as they are. */
  readonly extra: readonly string[];
  /** Fields as they are in the files, of those that have names of the service in `fields`, which the files have in another form. Default: none. */
  readonly written?: Fields;
  readonly pin?: string;
  readonly renamedFrom?: string;
  /** Names besides the key that references in the files may use. Default: none. */
  readonly aliases?: readonly string[];
  readonly protected: boolean;
  /** Where its values come from. */
  readonly origins: Origins;
  /** JSON Pointers of values that came from the environment. */
  readonly secrets: readonly string[];
  /** Pointers of `secrets` → where the value is in the files, if a key of the service is in them. Default: the same. */
  readonly writtenSecrets?: ReadonlyMap<string, string>;
  /** JSON Pointers to fields that plans leave alone, because they are ignored or accepted; `fields` lacks them. Default: none. */
  readonly exempt?: readonly string[];
}
