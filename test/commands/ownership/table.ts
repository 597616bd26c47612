/** The table of ownership, from the rows of the kinds and their schemas: a kind or a list in one that is new has its row by itself. */

import { partAt, resourceSchema, typesOf } from "../../../src/config/schema/schema.ts";
import { fieldsIn, isFields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { childrenOf, type Kind, LIFECYCLE } from "../../../src/kinds/model/kind.ts";

/** What becomes of the live part: it stays, or it goes, or the configuration is refused. */
export interface Meaning {
  readonly goes: boolean | "refused";
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

const stays = (words: string): Meaning => ({ goes: false, words });
const goes = (words: string): Meaning => ({ goes: true, words });

/** Every row, in the order of the kinds. */
export const OWNERSHIP: readonly OwnershipRow[] = kinds.flatMap((kind) => [listRow(kind), ...fieldRows(kind)]);

function listRow(kind: Kind): OwnershipRow {
  const { permanent, builtins, disable } = kind.lifecycle;
  const used = kind.lifecycle.order === "rank" || kind.lifecycle.ownedByParent === true ? "" : usedWords(disable);
  const removal = `deleted${used}${builtins === undefined ? "" : "; built-in ones stay"}`;
  const kept = stays("stays: nothing removes it");
  return {
    ...{ where: placesOf(kind), kind, isMapping: false, missing: stays("not managed: stays") },
    empty: permanent === true ? kept : goes(`all are ${removal}`),
    unlisted: permanent === true ? kept : goes(removal),
  };
}

function usedWords(disable: string | undefined): string {
  return disable === undefined ? "; preserved if in use" : "; disabled if in use";
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
  if (kind.rule !== undefined) {
    return { ...row, missing: goes("removed, as with `[]`"), empty: goes("emptied"), unlisted: goes("removed") };
  }
  const builtIn = keyedItems === undefined || kind.lifecycle.builtins === undefined ? "" : "; stays in a built-in one";
  const used = optionList === true ? "; stays if incidents use it" : "";
  return {
    ...{ ...row, missing: stays("stays") },
    empty:
      optionList === true ? { goes: "refused", words: "an error: one option must remain" } : goes(`emptied${builtIn}`),
    unlisted: goes(`removed${used}${builtIn}`),
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
