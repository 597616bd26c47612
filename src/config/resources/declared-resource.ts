/** A resource that a file declares. The places of its values are computed on request: most runs need few of them. */

import type { Location } from "../../core/diagnostic.ts";
import { escapedStep, type Fields, stepsOf } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { DeclaredResource, OverriddenValue } from "../../kinds/model/resource.ts";
import { ParsedFile } from "../source/parsed-file.ts";
import type { Source } from "../source/source.ts";
import { type Found, follow, type Node, placeOf, textOf } from "../source/tree.ts";

/** The values of a resource, and where its file holds them. */
export interface Declaration
  extends Omit<DeclaredResource, "at" | "place" | "covered" | "expression" | "made" | "madeAt"> {
  /** The file of its list. */
  readonly source: Source;
  /** Its tree, or the file that can be read again for it. */
  readonly tree: Node | ParsedFile;
  readonly start: number;
}

/** Do not spread: `at`, `place`, `covered`, `expression`, `made` and `madeAt` are getters. */
export class ResourceInFile implements DeclaredResource {
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
  declare readonly aliases?: readonly string[];
  readonly #source: Source;
  readonly #tree: Node | ParsedFile;
  readonly #start: number;

  constructor(statement: Declaration) {
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
    if (statement.aliases !== undefined) this.aliases = statement.aliases;
  }

  /** The resource with other fields at the same places. */
  withFields(fields: Fields): ResourceInFile {
    const { kind, scope, key, keyField, address, extra, secrets, pin, renamedFrom, aliases } = this;
    return new ResourceInFile({
      ...{ kind, scope, key, keyField, address, fields, extra, secrets, protected: this.protected },
      ...(pin === undefined ? {} : { pin }),
      ...(renamedFrom === undefined ? {} : { renamedFrom }),
      ...(aliases === undefined ? {} : { aliases }),
      ...{ source: this.#source, tree: this.#tree, start: this.#start },
    });
  }

  get at(): Location {
    const { source = this.#source } = this.#tree;
    return source.location(this.#start);
  }

  get place(): DeclaredResource["place"] {
    return (pointer) => placeOf(this.#find(pointer).node, this.#source);
  }

  get covered(): NonNullable<DeclaredResource["covered"]> {
    return (pointer) => {
      const { member, whole } = this.#find(pointer);
      const all: OverriddenValue[] = [];
      for (let one = whole ? member?.covers : undefined; one !== undefined; one = one.covers) {
        all.push({ written: textOf(one.value, this.#source).trim(), at: placeOf(one.value, this.#source) });
      }
      return all;
    };
  }

  get expression(): NonNullable<DeclaredResource["expression"]> {
    return (pointer) => {
      const { member, whole } = this.#find(pointer);
      return whole ? member?.expression : undefined;
    };
  }

  get made(): NonNullable<DeclaredResource["made"]> {
    return (pointer) => {
      const { node, whole } = this.#find(pointer);
      return whole && node.type === "scalar" && node.isSecret !== true ? node.computed : undefined;
    };
  }

  get madeAt(): NonNullable<DeclaredResource["madeAt"]> {
    return (pointer) => {
      const { node, whole } = this.#find(pointer);
      const made = whole || this.#tree instanceof ParsedFile ? node.madeAt : this.#tree.madeAt;
      return made === undefined ? undefined : placeOf(made, this.#source);
    };
  }

  /** Fields under `extra` are one step deeper in the file than in the resource. */
  #find(pointer: string): Found {
    const node = this.#tree instanceof ParsedFile ? this.#tree.mappingAt(this.#start) : this.#tree;
    const [first = ""] = stepsOf(pointer);
    return follow(node, follow(node, `/extra/${escapedStep(first)}`).whole ? `/extra${pointer}` : pointer);
  }
}
