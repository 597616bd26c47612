/** Routes of the interface: paths and queries with placeholders, filled safely. */

/** A path below `/api/v1` and its query, with placeholders `{name}`. A query value that fills to an empty text is omitted. */
export interface Route {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** A route with its placeholders filled. */
export interface FilledRoute {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Fills the placeholders of a route; a value in the path is percent-encoded as one segment. Throws {@link UnusableSegment}, and
 * an error for a placeholder without a value.
 */
export function fill(route: Route, values: Readonly<Record<string, string | undefined>>): FilledRoute {
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) => segment(requireValue(name, values[name])));
  return { path: `/api/v1${path}`, query: route.query === undefined ? NO_QUERY : fillQuery(route.query, values) };
}

const NO_QUERY: FilledRoute["query"] = {};

function fillQuery(
  query: FilledRoute["query"],
  values: Readonly<Record<string, string | undefined>>,
): FilledRoute["query"] {
  const all: Record<string, string> = {};
  for (const [name, template] of Object.entries(query)) {
    const value = template.replace(/\{(\w+)\}/g, (_match, key: string) => requireValue(key, values[key]));
    if (value !== "") all[name] = value;
  }
  return all;
}

/**
 * Error for a value that is not safe as one segment of a path: empty, `..`, a separator, a control character, half a surrogate
 * pair, or a percent sign, which a proxy may decode again. The loader checks names in files against a pattern, so such a value
 * comes from the service.
 */
class UnusableSegment extends Error {
  constructor(value: string) {
    super(
      `the service uses the name ${JSON.stringify(value)}, which cannot be part of a URL; no request was sent for it`,
    );
    this.name = "UnusableSegment";
  }
}

const UNUSABLE = /^\.?$|\.\.|[/\\%?#\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Returns one segment of a path, percent-encoded. Throws {@link UnusableSegment}. */
export function segment(value: string): string {
  if (UNUSABLE.test(value)) throw new UnusableSegment(value);
  return encodeURIComponent(value);
}

function requireValue(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`no value for the placeholder {${name}}`);
  return value;
}
