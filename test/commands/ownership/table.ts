/** The table of ownership, from the rows of the kinds and their schemas: a kind or a list in one that is new has its row by itself. */

import { partAt, resourceSchema, typesOf } from "../../../src/config/schema/schema.ts";
import { fieldsIn, isFields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { childrenOf, type Kind, LIFECYCLE, mayReference } from "../../../src/kinds/model/kind.ts";

/**
 * What becomes of a live resource or item: it stays, or it stays and the plan warns that it does (preserved), or it is disabled, or it goes,
 * or the configuration is an error, or apply refuses the plan (blocked).
 */
export type Fate = "stays" | "preserved" | "disabled" | "goes" | "error" | "blocked";

/** One cell. */
export interface Meaning {
  /** Of what nothing uses. */
  readonly free: Fate;
  /** Of what is in use; absent where nothing can use it, or where that makes no difference. */
  readonly used?: Fate;
  /** Of a built-in one, or of an item of one; absent where there are none, or where that makes no difference. */
  readonly builtIn?: Fate;
  /** Of the default one, and of the last of a group of which one must remain; absent where there is neither. */
  readonly last?: Fate;
  readonly words: string;
}

/** A kind's lists of one place in the files, or a list or mapping of its resources. */
export interface OwnershipRow {
  readonly where: string;
  readonly kind: Kind;
  /** A field of the resources; absent for the list of them. */
  readonly field?: string;
  /** A mapping: its empty form is `{}`. */
  readonly isMapping: boolean;
  readonly missing: Meaning;
  readonly empty: Meaning;
  readonly unlisted: Meaning;
}

const stays = (words: string): Meaning => ({ free: "stays", words });

/** Every row, in the order of the kinds. */
export const OWNERSHIP: readonly OwnershipRow[] = kinds.flatMap((kind) => [listRow(kind), ...fieldRows(kind)]);

function listRow(kind: Kind): OwnershipRow {
  const missing = stays("not managed: stays");
  const row = { where: placesOf(kind), kind, isMapping: false, missing };
  if (kind.lifecycle.permanent === true) {
    const kept = stays("stays: nothing removes it");
    return { ...row, empty: kept, unlisted: kept };
  }
  const removal = removalOf(kind);
  const { exclusive } = kind.lifecycle;
  const empty: Meaning =
    exclusive === undefined
      ? { ...removal, words: `all are ${removal.words}` }
      : { free: "blocked", words: "apply refuses it: the default one must stay" };
  return { ...row, empty, unlisted: removal };
}

/** What becomes of a resource that is not listed. */
function removalOf({ name, lifecycle, references, ...kind }: Kind): Meaning {
  const { disable, builtins, exclusive, atLeastOnePer: group } = lifecycle;
  const counted = references?.countedBy ?? references?.namedIn ?? references?.answeredIn;
  const isUsable =
    counted !== undefined ||
    references?.incidentsUnknown === true ||
    kinds.some((other) => other.parent?.kind !== name && mayReference(other, { ...kind, name, lifecycle }, ""));
  const inUse = disable === undefined ? ("preserved" as const) : ("disabled" as const);
  const isUnseen = references?.incidentsUnknown === true && disable !== undefined;
  const words = [
    isUnseen ? "disabled, since nothing tells which incidents use it" : "deleted",
    ...(isUsable && !isUnseen ? [`${inUse} if in use`] : []),
    ...(builtins === undefined ? [] : ["built-in ones stay"]),
    ...(exclusive === undefined
      ? []
      : [`apply refuses it for the default one${group === undefined ? "" : ` and the last of a \`${group}\``}`]),
  ];
  return {
    free: isUnseen ? "disabled" : "goes",
    ...(isUsable && !isUnseen ? { used: inUse } : {}),
    ...(builtins === undefined ? {} : { builtIn: "stays" as const }),
    ...(exclusive === undefined ? {} : { last: "blocked" as const }),
    words: words.join("; "),
  };
}

/** The places of a kind's lists, as paths in the files. */
function placesOf({ name, parent, scopes }: Kind): string {
  if (parent !== undefined) {
    const inParent = `\`${parent.kind}[].${parent.field}\``;
    const from = parent.from === undefined ? "" : `, \`${parent.kind}[].${parent.from}\``;
    return `${inParent}${from}${parent.apart === true ? `, \`${name}.*\`` : ""}`;
  }
  if (scopes === undefined) return `\`${name}\``;
  return scopes.patterns.map((pattern) => `\`${name}${pattern.replaceAll("/", ".")}\``).join(", ");
}

/** The lists of a kind's resources, and the mappings with keys of their own. */
function fieldRows(kind: Kind): readonly OwnershipRow[] {
  const schema = resourceSchema(kind);
  const nested = childrenOf(kinds, kind).flatMap(({ parent }) => [parent?.field ?? "", parent?.from ?? ""]);
  const names = Object.keys(fieldsIn(schema.part.properties)).filter(
    // The service has no aliases of entries.
    (name) => ![...LIFECYCLE, ...nested, kind.identity.otherNames?.aliases].includes(name),
  );
  return names.flatMap((name): readonly OwnershipRow[] => {
    const part = partAt(schema, name);
    const isMapping = typesOf(part).includes("object") && isFields(part?.part.additionalProperties);
    return isMapping || typesOf(part).includes("array") ? [fieldRow(kind, name, isMapping)] : [];
  });
}

function fieldRow(kind: Kind, field: string, isMapping: boolean): OwnershipRow {
  const above = placesOf(kind).replaceAll("`", "").split(", ");
  // The entries of a source have no fields in the files.
  const lists = above.filter((one) => !one.endsWith(`.${kind.parent?.from}`));
  const where = lists.map((one) => `\`${one}[].${field}\``).join(", ");
  const row = { where, kind, field, isMapping };
  const { keyedItems, optionList } = kind.fields?.[field] ?? {};
  if (kinds.some(({ fields = {} }) => Object.values(fields).some((one) => isValuesOf(one.keyedItems, kind, field)))) {
    const left = stays("stays; `null` removes a value");
    return { ...row, missing: stays("stays"), empty: left, unlisted: left };
  }
  const removed = { free: "goes" as const, words: "removed" };
  const emptied = { free: "goes" as const, words: "emptied" };
  if (kind.rule !== undefined) {
    return { ...row, missing: { free: "goes", words: "removed, as with `[]`" }, empty: emptied, unlisted: removed };
  }
  const missing = stays("stays");
  if (optionList === true) {
    return {
      ...{ ...row, missing, empty: { free: "error", words: "an error: one option must remain" } },
      unlisted: { free: "goes", used: "preserved", words: "removed; preserved if incidents use it" },
    };
  }
  if (keyedItems === undefined || kind.lifecycle.builtins === undefined) {
    return { ...row, missing, empty: emptied, unlisted: removed };
  }
  const builtIn = { used: "preserved" as const, builtIn: "stays" as const };
  const kept = "preserved if an entry has a value; stays in a built-in one";
  return {
    ...{ ...row, missing },
    empty: { ...emptied, ...builtIn, words: `emptied; ${kept}` },
    unlisted: { ...removed, ...builtIn, words: `removed; ${kept}` },
  };
}

function isValuesOf(
  items: { readonly kind: string; readonly values: string } | undefined,
  kind: Kind,
  field: string,
): boolean {
  return items?.kind === kind.name && items.values === field;
}

/** The table of the page. */
export function ownershipTable(): string {
  const rows = OWNERSHIP.map(
    ({ where, isMapping, missing, empty, unlisted }) =>
      `| ${where} | ${missing.words} | ${isMapping ? "`{}`: " : ""}${empty.words} | ${unlisted.words} |`,
  );
  return ["| List | Missing | `[]` | Not listed |", "|---|---|---|---|", ...rows].join("\n");
}
