/** A declared entry of a file: its values, and what its places are found from when somebody asks. Most runs ask for hardly any. */

import type { Location } from "../../core/diagnostic.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { CoveredValue, DeclaredResource } from "../../kinds/resource.ts";
import { ParsedFile } from "../source/parsed-file.ts";
import type { Source } from "../source/source.ts";
import { escaped, type Found, follow, type Node, placeOf, steps, textOf } from "../source/tree.ts";

/** What of an entry is stated, and where. */
export interface Statement extends Omit<DeclaredResource, "at" | "place" | "covered"> {
  /** The file that holds its list. */
  readonly source: Source;
  /** Its tree, or the file in which that is found again by its start. */
  readonly tree: Node | ParsedFile;
  readonly start: number;
}

/** One of tens of thousands, so it holds on to nothing else. */
export class DeclaredInFile implements DeclaredResource {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly keyField: string;
  readonly address: string;
  readonly fields: Fields;
  readonly extra: readonly string[];
  readonly protected: boolean;
  readonly secrets: readonly string[];
  declare readonly pin?: string;
  declare readonly renamedFrom?: string;
  readonly #source: Source;
  readonly #tree: Node | ParsedFile;
  readonly #start: number;

  constructor(statement: Statement) {
    this.kind = statement.kind;
    this.scope = statement.scope;
    this.key = statement.key;
    this.keyField = statement.keyField;
    this.address = statement.address;
    this.fields = statement.fields;
    this.extra = statement.extra;
    this.protected = statement.protected;
    this.secrets = statement.secrets;
    this.#source = statement.source;
    this.#tree = statement.tree;
    this.#start = statement.start;
    if (statement.pin !== undefined) this.pin = statement.pin;
    if (statement.renamedFrom !== undefined) this.renamedFrom = statement.renamedFrom;
  }

  get at(): Location {
    const { source = this.#source } = this.#tree;
    return source.location(this.#start);
  }

  /** Made when it is asked for, so that it can be handed on without its entry. */
  get place(): DeclaredResource["place"] {
    return (pointer) => placeOf(this.#find(pointer).node, this.#source);
  }

  get covered(): NonNullable<DeclaredResource["covered"]> {
    return (pointer) => {
      const { member, whole } = this.#find(pointer);
      const all: CoveredValue[] = [];
      for (let one = whole ? member?.covers : undefined; one !== undefined; one = one.covers) {
        all.push({ written: textOf(one.value, this.#source).trim(), at: placeOf(one.value, this.#source) });
      }
      return all;
    };
  }

  /** What `extra` holds stands one step deeper in the file than in the entry. */
  #find(pointer: string): Found {
    const node = this.#tree instanceof ParsedFile ? this.#tree.mappingAt(this.#start) : this.#tree;
    const [first = ""] = steps(pointer);
    return follow(node, follow(node, `/extra/${escaped(first)}`).whole ? `/extra${pointer}` : pointer);
  }
}
