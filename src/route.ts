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
 * Throws on a hole that nothing is given for and on a value that would change the path's shape (empty, `.` or `..`).
 */
export function fill(route: Route, values: Readonly<Record<string, string | undefined>>): Target {
  const path = route.path.replace(/\{(\w+)\}/g, (_hole, name: string) => segment(stated(name, values[name])));
  const query: Record<string, string> = {};
  for (const [name, template] of Object.entries(route.query ?? {})) {
    const value = template.replace(/\{(\w+)\}/g, (_hole, hole: string) => stated(hole, values[hole]));
    if (value !== "") query[name] = value;
  }
  return { path: `/api/v1${path}`, query };
}

/** One segment of a path, encoded. Throws on a value that would change the path's shape. */
export function segment(value: string): string {
  if (value === "" || value === "." || value === "..") {
    throw new Error(`${JSON.stringify(value)} cannot be a segment of a path`);
  }
  return encodeURIComponent(value);
}

function stated(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`nothing to fill {${name}} with`);
  return value;
}
