/** Dialects: the choices where the interface document and a known service differ. */

/** The choices of each row of the dialect table, the interface document's first. */
const choices = {
  /** Custom field options: an unmatched label renames an unmatched option, or replaces it. */
  options: ["rename", "replace"],
  /** Hiding a locked form field or making it optional: 422, or 200 without a change. */
  locked_fields: ["refuse", "ignore"],
  /** Slugs: always derived from the name, or taken from the request if valid. */
  slug: ["derive", "accept"],
  /** Bodies of a single resource: bare (runbooks wrapped), or all wrapped under the resource's name. */
  envelope: ["bare", "wrapped"],
  /** Values of a condition in responses: slugs (labels for options), or ids. */
  condition_values: ["slug", "id"],
  /** A source whose last rule is deleted: falls back to the workspace rules, or keeps its empty rule set. */
  fallback: ["restore", "sticky"],
  /** References that prevent a DELETE: all of them, or only those that the known service counts. */
  delete_guard: ["any", "incidents"],
  /** Fields in responses: all of them, or all but those that the known service never returns. */
  readable: ["full", "partial"],
  /** Lists that omit disabled resources unless `include_disabled=true`: the option lists, or all whose resources can be disabled. */
  disabled: ["option_lists", "all"],
} as const;

/** One choice for each row of the dialect table. `standardDialects` is the interface document's choice. */
export type Dialects = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] };

/** The interface document's choice for every row. */
export const standardDialects: Dialects = Object.fromEntries(
  Object.entries(choices).map(([name, [standard]]) => [name, standard]),
) as Dialects;

/** Every dialect with its two choices, default first. */
export function dialectChoices(): readonly (readonly [name: keyof Dialects, choices: readonly string[]])[] {
  return (Object.keys(choices) as (keyof Dialects)[]).map((name) => [name, choices[name]]);
}

/** Parses `name=value` switches; the last one of a name counts. Throws for an unknown name or value, and lists the known ones. */
export function parseDialects(switches: readonly string[]): Partial<Dialects> {
  return Object.fromEntries(
    switches.map((text) => {
      const [name = "", value = ""] = text.split("=", 2).map((part) => part.trim());
      if (!isDialect(name)) {
        throw new Error(`unknown dialect "${name}"; known are ${Object.keys(choices).join(", ")}`);
      }
      const knownValues: readonly string[] = choices[name];
      if (!knownValues.includes(value))
        throw new Error(`dialect ${name} is ${knownValues.join(" or ")}, not "${value}"`);
      return [name, value];
    }),
  );
}

function isDialect(name: string): name is keyof Dialects {
  return Object.hasOwn(choices, name);
}
