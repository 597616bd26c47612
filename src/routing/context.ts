/** What conditions see of an alert: its own fields, and what the catalog knows about the entries that these name. */

/** A catalog entry as far as routing knows it. */
export interface CatalogEntry {
  /** Slug of its type. */
  readonly type: string;
  readonly slug: string;
  readonly name: string;
  readonly externalId?: string;
  /** Plain attributes as text, by their slugs. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Entries that it refers to, in the order of its attributes. */
  readonly references: readonly { readonly type: string; readonly slug: string }[];
}

/** A field's text, and whether only the catalog knows it. */
export interface Known {
  readonly text: string;
  readonly from: "alert" | "catalog";
}

/** The fields that conditions look at, by name. */
export type Context = ReadonlyMap<string, Known>;

/** The types whose entries an alert's field of the same name may name. */
export const ENRICHING: readonly string[] = ["service", "team", "environment", "functionality"];

/** Reference attributes of the built-in types, for files that declare entries and leave the attributes to the service. */
export const BUILT_IN_REFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  service: { owner_team: "team" },
  functionality: { owner_team: "team" },
};

/**
 * The fields of an alert with the catalog's knowledge: the team that the service refers to, and each plain attribute of the
 * entries named, such as `service.tier`. What the alert says itself always wins.
 */
export function contextOf(fields: Readonly<Record<string, string>>, catalog: readonly CatalogEntry[]): Context {
  const known = new Map<string, Known>(Object.entries(fields).map(([name, text]) => [name, { text, from: "alert" }]));
  const learn = (name: string, text: string): void => {
    if (!known.has(name)) known.set(name, { text, from: "catalog" });
  };
  const team = named(catalog, "service", known)?.references.find(({ type }) => type === "team");
  if (team !== undefined) {
    learn("team", registerOf(catalog).get("team")?.slugs.get(team.slug)?.entry.name ?? team.slug);
  }
  for (const type of ENRICHING) {
    const entry = named(catalog, type, known);
    for (const [name, text] of Object.entries(entry?.attributes ?? {})) learn(`${type}.${name}`, text);
  }
  return known;
}

/** The entry that the field of the type's name names: by its name whatever the case, its slug or its external id. */
function named(catalog: readonly CatalogEntry[], type: string, known: Context): CatalogEntry | undefined {
  const text = known.get(type)?.text;
  if (text === undefined) return undefined;
  const words = registerOf(catalog).get(type);
  const found = [words?.names.get(text.toLowerCase()), words?.slugs.get(text), words?.externalIds.get(text)];
  return found.reduce((first, other) => ((other?.place ?? NOWHERE) < (first?.place ?? NOWHERE) ? other : first))?.entry;
}

const NOWHERE = Number.POSITIVE_INFINITY;

/** An entry, and where it stands in the catalog: of several that a word names the first is meant. */
interface Placed {
  readonly entry: CatalogEntry;
  readonly place: number;
}

/** The entries of a type by what may name them. */
interface Words {
  /** In small letters. */
  readonly names: Map<string, Placed>;
  readonly slugs: Map<string, Placed>;
  readonly externalIds: Map<string, Placed>;
}

/** Made once for each catalog: there are as many entries as there are samples. */
const registers = new WeakMap<readonly CatalogEntry[], ReadonlyMap<string, Words>>();

/** What names the entries of each type. */
function registerOf(catalog: readonly CatalogEntry[]): ReadonlyMap<string, Words> {
  const known = registers.get(catalog);
  if (known !== undefined) return known;
  const register = new Map<string, Words>();
  for (const [place, entry] of catalog.entries()) {
    const { type, name, slug, externalId } = entry;
    const words: Words = register.get(type) ?? { names: new Map(), slugs: new Map(), externalIds: new Map() };
    register.set(type, words);
    const placed = { entry, place };
    putFirst(words.names, name.toLowerCase(), placed);
    putFirst(words.slugs, slug, placed);
    if (externalId !== undefined) putFirst(words.externalIds, externalId, placed);
  }
  registers.set(catalog, register);
  return register;
}

function putFirst(words: Map<string, Placed>, word: string, placed: Placed): void {
  if (!words.has(word)) words.set(word, placed);
}
