/** The names of the catalog that are known, from the files, from what was read, and of built-in types in a default workspace. */

import { isSourced } from "../../../config/resources/configuration.ts";
import { type Fields, isList, objectsIn, textIn, textsIn } from "../../../core/json.ts";
import { ENRICHING_TYPES } from "../../../kinds/routing/context.ts";
import { BUILT_IN_TYPES } from "../../../kinds/rows/catalog-attributes.ts";
import { attributesBySlug } from "../../../kinds/rows/catalog-values.ts";
import type { PlannedWorkspace } from "../planned-workspace.ts";

/** The attributes of a catalog type. */
interface KnownAttributes {
  readonly bySlug: ReadonlyMap<string, Fields>;
  /** It has no others. False for a built-in type that was not read: its workspace may have added some. */
  readonly isCertain: boolean;
  readonly isDeclared: boolean;
}

/** The texts by which an alert can name something of the catalog. */
interface KnownValues {
  readonly names: readonly string[];
  has(text: string): boolean;
}

/** The types, attributes and entries that are known. */
export class KnownCatalog {
  readonly #workspace: PlannedWorkspace;
  readonly #attributes = new Map<string, KnownAttributes | undefined>();
  readonly #entries = new Map<string, KnownValues | undefined>();
  /** The slugs of the types. */
  readonly types: ReadonlySet<string>;

  constructor(workspace: PlannedWorkspace) {
    this.#workspace = workspace;
    const known = [...workspace.resources("catalog_types"), ...(workspace.live("catalog_types") ?? [])];
    this.types = new Set([...ENRICHING_TYPES, ...known.map(({ key }) => key)]);
  }

  /** Whether there are no other types. */
  get hasAllTypes(): boolean {
    return this.#isComplete("catalog_types", "");
  }

  /** The attributes of a type; undefined if they are not known. */
  attributes(type: string): KnownAttributes | undefined {
    if (!this.#attributes.has(type)) this.#attributes.set(type, this.#attributesOf(type));
    return this.#attributes.get(type);
  }

  /** The entries of a type; undefined if there are others, or none: alerts then name what is not in the catalog. */
  entries(type: string): KnownValues | undefined {
    if (!this.#entries.has(type)) this.#entries.set(type, this.#entriesOf(type));
    return this.#entries.get(type);
  }

  #attributesOf(type: string): KnownAttributes | undefined {
    const planned = this.#workspace.resource("catalog_types", type);
    const declared = planned?.declared;
    const types = this.#workspace.live("catalog_types");
    const live = types?.find(({ key }) => key === type);
    if (planned?.hasUnknown("/attributes") === true) return undefined;
    const [own, ofLive] = [declared?.fields.attributes, live?.fields.attributes];
    const isUnread = types === undefined && Object.hasOwn(BUILT_IN_TYPES, type);
    const others = isUnread ? BUILT_IN_TYPES[type]?.attributes : ofLive;
    // The service may leave out the attributes of a type.
    if (!isList(others) && (live !== undefined || !isList(own))) return undefined;
    return {
      bySlug: attributesBySlug([...objectsIn(own), ...objectsIn(others)]),
      isCertain: !isUnread,
      isDeclared: declared !== undefined,
    };
  }

  #entriesOf(type: string): KnownValues | undefined {
    if (!this.#isComplete("catalog_entries", type)) return undefined;
    const planned = this.#workspace.resources("catalog_entries", type);
    // A value of the environment is not compared.
    if (planned.some((entry) => NAMES.some((pointer) => entry.isUnknown(pointer)))) return undefined;
    const all = [...planned, ...(this.#workspace.live("catalog_entries", type) ?? [])];
    if (all.length === 0) return undefined;
    const slugs = new Set(all.map(({ key }) => key));
    const ids = new Set(all.map(({ fields }) => textIn(fields.external_id)));
    const names = new Set(all.map(({ fields }) => textIn(fields.name)?.toLowerCase()));
    return {
      names: [...slugs],
      has: (text) => slugs.has(text) || ids.has(text) || names.has(text.toLowerCase()),
    };
  }

  /** Whether every resource of a list is known. */
  #isComplete(kind: string, scope: string): boolean {
    const workspace = this.#workspace;
    if (workspace.live(kind, scope) !== undefined) return true;
    return (
      workspace.isManaged(kind, scope) &&
      !workspace.mayPreserveUndeclared(kind, scope) &&
      !isSourced(workspace.configuration, kind, scope)
    );
  }
}

/** Fields by which an alert can name an entry. */
const NAMES: readonly string[] = ["/name", "/external_id"];

/** The options of an attribute; undefined if it has none. */
export function optionsOf(attribute: Fields | undefined): KnownValues | undefined {
  const options = textsIn(attribute?.options);
  return options.length === 0 ? undefined : { names: options, has: (text) => options.includes(text) };
}
