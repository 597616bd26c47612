/** The dialects: where the interface's word and a known service differ, which of the two the emulator follows. */

/** One choice per row of the dialect table; `standardDialects` holds the interface's word. */
export interface Dialects {
  /** Custom field options: an unmatched label takes over an unmatched option, or replaces it. */
  readonly options: "rename" | "replace";
  /** Hiding or making optional a locked form field: 422, or 200 with nothing changed. */
  readonly locked_fields: "refuse" | "ignore";
  /** Slugs: always derived from the name, or a valid sent one is used. */
  readonly slug: "derive" | "accept";
  /** Member bodies: bare (runbooks wrapped), or all wrapped under the entry's name. */
  readonly envelope: "bare" | "wrapped";
  /** Values of a condition as read: slugs (labels for options), or ids. */
  readonly condition_values: "slug" | "id";
  /** A source whose last rule is deleted: falls back to the workspace rules, or keeps its empty rule set. */
  readonly fallback: "restore" | "sticky";
  /** What refuses a DELETE, whether every reference or only what the known service counts. */
  readonly delete_guard: "any" | "incidents";
  /** What is read back: every written field, or all but those the known service never returns. */
  readonly readable: "full" | "partial";
}

const choices: { readonly [Name in keyof Dialects]: readonly [Dialects[Name], Dialects[Name]] } = {
  options: ["rename", "replace"],
  locked_fields: ["refuse", "ignore"],
  slug: ["derive", "accept"],
  envelope: ["bare", "wrapped"],
  condition_values: ["slug", "id"],
  fallback: ["restore", "sticky"],
  delete_guard: ["any", "incidents"],
  readable: ["full", "partial"],
};

/** The interface document's word on every row. */
export const standardDialects: Dialects = {
  options: "rename",
  locked_fields: "refuse",
  slug: "derive",
  envelope: "bare",
  condition_values: "slug",
  fallback: "restore",
  delete_guard: "any",
  readable: "full",
};

/** Every dialect with its two choices, the default first. */
export function dialectChoices(): readonly (readonly [name: keyof Dialects, choices: readonly string[]])[] {
  return (Object.keys(choices) as (keyof Dialects)[]).map((name) => [name, choices[name]]);
}

/** Reads `name=value` switches, the last of a name winning. Throws on an unknown name or value, naming the known ones. */
export function parseDialects(switches: readonly string[]): Partial<Dialects> {
  return Object.fromEntries(
    switches.map((text) => {
      const [name = "", value = ""] = text.split("=", 2).map((part) => part.trim());
      if (!isDialect(name)) {
        throw new Error(`unknown dialect "${name}"; known are ${Object.keys(choices).join(", ")}`);
      }
      const known: readonly string[] = choices[name];
      if (!known.includes(value)) throw new Error(`dialect ${name} is ${known.join(" or ")}, not "${value}"`);
      return [name, value];
    }),
  );
}

function isDialect(name: string): name is keyof Dialects {
  return Object.hasOwn(choices, name);
}
