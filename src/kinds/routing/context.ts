/** The fields that conditions read: those of the alert, and those that the catalog adds. */

/** A catalog entry, with the parts that routing reads. */
export interface CatalogEntry {
  /** Slug of its type. */
  readonly type: string;
  readonly slug: string;
  readonly name: string;
  readonly externalId?: string;
  /** Plain attributes as text, by slug. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Names of attributes whose value comes from the environment. Default: none. */
  readonly secrets?: readonly string[];
  /** The name comes from the environment. */
  readonly isNameSecret?: boolean;
  /** Entries that it references, in the order of its attributes. */
  readonly references: readonly { readonly type: string; readonly slug: string }[];
}

/** The text of a field and its origin. */
export interface FieldText {
  readonly text: string;
  readonly from: "alert" | "catalog";
  /** It comes from the environment. */
  readonly isSecret?: true;
  /** Why the text is not known. */
  readonly unknown?: string;
}

/** The fields that conditions read, by name. */
export type AlertContext = ReadonlyMap<string, FieldText>;

/** Catalog types that add fields: an alert names an entry in the field of the same name. */
export const ENRICHING_TYPES: readonly string[] = ["service", "team", "environment", "functionality"];

/** Fields of an alert that the interface names, and those that name entries of the catalog. */
export const ALERT_FIELDS: readonly string[] = [
  ...["external_id", "fingerprint", "status", "title", "description", "severity_raw"],
  ...ENRICHING_TYPES,
];

/** Reference attributes of the built-in types, for configurations that declare only entries of them. */
export const BUILT_IN_REFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  service: { owner_team: "team" },
  functionality: { owner_team: "team" },
};

/**
 * The fields of an alert with those that the catalog adds: the team that the service entry references, and the plain attributes of the
 * named entries, such as `service.tier`. Fields of the alert take precedence. Where another entry has a name from the environment, the
 * alert may mean that one, so that what is added is secret.
 */
export function buildContext(fields: Readonly<Record<string, string>>, catalog: CatalogIndex): AlertContext {
  const known = new Map<string, FieldText>(
    Object.entries(fields).map(([name, text]) => [name, { text, from: "alert" }]),
  );
  const add = (name: string, text: string, isSecret = false): void => {
    if (!known.has(name)) known.set(name, { text, from: "catalog", ...(isSecret ? { isSecret } : {}) });
  };
  const services = possibleEntries(catalog, "service", known);
  const [team] = services.entries.flatMap(({ references }) => references.find(({ type }) => type === "team") ?? []);
  if (team !== undefined) {
    const entry = catalog.get("team")?.slugs.get(team.slug)?.entry;
    const isNameSecret = entry?.isNameSecret === true;
    // The slug finds the same entry as a name that is not looked for.
    add("team", isNameSecret ? team.slug : (entry?.name ?? team.slug), isNameSecret || !services.isCertain);
  }
  const isTeamAdded = known.get("team")?.from === "catalog";
  for (const type of ENRICHING_TYPES) {
    const { entries, isCertain } = possibleEntries(catalog, type, known);
    const isKnown = isCertain && (type !== "team" || !isTeamAdded || services.isCertain);
    for (const { attributes, secrets = [] } of entries) {
      for (const [name, text] of Object.entries(attributes)) {
        add(`${type}.${name}`, text, !isKnown || secrets.includes(name));
      }
    }
  }
  return known;
}

/** The entries that an alert may name, and whether it names the only one for certain: a name from the environment may be that of the alert. */
function possibleEntries(
  catalog: CatalogIndex,
  type: string,
  known: AlertContext,
): { readonly entries: readonly CatalogEntry[]; readonly isCertain: boolean } {
  if (!known.has(type)) return { entries: [], isCertain: true };
  const entry = findNamed(catalog, type, known);
  const hidden = (catalog.get(type)?.hidden ?? []).filter((one) => one !== entry);
  return { entries: entry === undefined ? hidden : [entry, ...hidden], isCertain: hidden.length === 0 };
}

/** The entry that an alert names in the field of a type: by its name in any case, its slug or its external id. */
function findNamed(catalog: CatalogIndex, type: string, known: AlertContext): CatalogEntry | undefined {
  const text = known.get(type)?.text;
  if (text === undefined) return undefined;
  const index = catalog.get(type);
  const candidates = [index?.names.get(text.toLowerCase()), index?.slugs.get(text), index?.externalIds.get(text)];
  return candidates.reduce((first, other) =>
    (other?.position ?? NOWHERE) < (first?.position ?? NOWHERE) ? other : first,
  )?.entry;
}

const NOWHERE = Number.POSITIVE_INFINITY;

/** An entry and its position in the catalog: of several with the same name the first is meant. */
interface IndexedEntry {
  readonly entry: CatalogEntry;
  readonly position: number;
}

/** The entries of a type by name, slug and external id. */
export interface TypeIndex {
  /** In lower case. */
  readonly names: Map<string, IndexedEntry>;
  readonly slugs: Map<string, IndexedEntry>;
  readonly externalIds: Map<string, IndexedEntry>;
  /** Those whose name comes from the environment, by which they are not found. */
  readonly hidden: CatalogEntry[];
}

/** The entries of a catalog by type. */
export type CatalogIndex = ReadonlyMap<string, TypeIndex>;

/** Indexes a catalog, once for all alerts. */
export function indexCatalog(catalog: readonly CatalogEntry[]): CatalogIndex {
  const byType = new Map<string, TypeIndex>();
  for (const [position, entry] of catalog.entries()) {
    const { type, name, slug, externalId, isNameSecret } = entry;
    const index: TypeIndex = byType.get(type) ?? {
      names: new Map(),
      slugs: new Map(),
      externalIds: new Map(),
      hidden: [],
    };
    byType.set(type, index);
    const indexed = { entry, position };
    if (isNameSecret === true) index.hidden.push(entry);
    else putFirst(index.names, name.toLowerCase(), indexed);
    putFirst(index.slugs, slug, indexed);
    if (externalId !== undefined) putFirst(index.externalIds, externalId, indexed);
  }
  return byType;
}

function putFirst(index: Map<string, IndexedEntry>, name: string, entry: IndexedEntry): void {
  if (!index.has(name)) index.set(name, entry);
}
