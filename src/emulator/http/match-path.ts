/** Matches paths with patterns such as `/faults/:id`. */

/** The parameters of a path that matches the pattern, as written; undefined if it does not match. */
export function matchPath(pattern: string, path: string): ReadonlyMap<string, string> | undefined {
  const [patternParts, pathParts] = [pattern.split("/"), path.split("/")];
  if (patternParts.length !== pathParts.length) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, part] of patternParts.entries()) {
    const value = pathParts[index] ?? "";
    if (part.startsWith(":")) parameters.set(part.slice(1), value);
    else if (part !== value) return undefined;
  }
  return parameters;
}

/** The names of a pattern's parameters. */
export function parametersOf(pattern: string): readonly string[] {
  return [...pattern.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** The pattern in OpenAPI's notation: `/faults/:id` is `/faults/{id}`. */
export function openapiPath(pattern: string): string {
  return pattern.replace(/:(\w+)/g, "{$1}");
}
