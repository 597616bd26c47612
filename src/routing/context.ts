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
    learn("team", catalog.find(({ type, slug }) => type === "team" && slug === team.slug)?.name ?? team.slug);
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
  return catalog.find(
    (entry) =>
      entry.type === type &&
      (entry.name.toLowerCase() === text.toLowerCase() || entry.slug === text || entry.externalId === text),
  );
}
