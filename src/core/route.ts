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
 * Fills the holes; every value is percent-encoded as one path segment. Throws {@link UnusableSegment}, and on a hole that
 * nothing is given for.
 */
export function fill(route: Route, values: Readonly<Record<string, string | undefined>>): Target {
  const path = route.path.replace(/\{(\w+)\}/g, (_hole, name: string) => segment(stated(name, values[name])));
  return { path: `/api/v1${path}`, query: route.query === undefined ? NOTHING_ASKED : filled(route.query, values) };
}

/** One for all: most addresses have no query. */
const NOTHING_ASKED: Target["query"] = {};

function filled(query: Target["query"], values: Readonly<Record<string, string | undefined>>): Target["query"] {
  const all: Record<string, string> = {};
  for (const [name, template] of Object.entries(query)) {
    const value = template.replace(/\{(\w+)\}/g, (_hole, hole: string) => stated(hole, values[hole]));
    if (value !== "") all[name] = value;
  }
  return all;
}

/**
 * What is to stand in a path would not be one segment of it to everybody who reads it: empty, dots that lead upwards, a
 * separator, a control character, half a character, or a percent sign, which somebody on the way may decode once more.
 * Names in files are held against their pattern before, so it is the service that calls something so.
 */
class UnusableSegment extends Error {
  constructor(value: string) {
    super(
      `the service calls an entry ${JSON.stringify(value)}, which cannot stand in an address; nothing was sent there`,
    );
    this.name = "UnusableSegment";
  }
}

const UNUSABLE = /^\.?$|\.\.|[/\\%?#\p{Cc}\p{Cs}\u2028\u2029]/u;

/** One segment of a path, encoded. Throws {@link UnusableSegment}. */
export function segment(value: string): string {
  if (UNUSABLE.test(value)) throw new UnusableSegment(value);
  return encodeURIComponent(value);
}

function stated(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`nothing to fill {${name}} with`);
  return value;
}
