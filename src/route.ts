/** Addresses as data: a path and query with holes, filled safely. */

/** A path below `/api/v1` and its query; `{name}` is a hole. A query value that fills to nothing is left out. */
export interface Route {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** A filled route. */
export interface Target {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Fills the holes; every value is percent-encoded as one path segment.
 * Throws on an unknown hole and on a value that would change the path's shape (empty, `.` or `..`).
 */
export function fill(route: Route, values: Readonly<Record<string, string | undefined>>): Target {
  const path = route.path.replace(/\{(\w+)\}/g, (_hole, name: string) => segment(name, values[name]));
  const query: Record<string, string> = {};
  for (const [name, template] of Object.entries(route.query ?? {})) {
    const value = template.replace(/\{(\w+)\}/g, (_hole, hole: string) => values[hole] ?? "");
    if (value !== "") query[name] = value;
  }
  return { path: `/api/v1${path}`, query };
}

function segment(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`nothing to fill {${name}} with`);
  if (value === "" || value === "." || value === "..") {
    throw new Error(`${JSON.stringify(value)} cannot be a segment of a path`);
  }
  return encodeURIComponent(value);
}
