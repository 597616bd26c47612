/** GitHub's published description of its API, as a judge of requests. The excerpt is made by `.ci/github-api/excerpt.mjs`. */

import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";

interface Operation {
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly path: ValidateFunction;
  readonly query: ValidateFunction;
  readonly body?: ValidateFunction;
}

const file = new URL("github-api.json", import.meta.url);
const description: Readonly<Record<string, Readonly<Record<"path" | "query" | "body", object | undefined>>>> =
  JSON.parse(readFileSync(file, "utf8"));
const text = new Ajv({ coerceTypes: true, strict: false, validateFormats: false });
const json = new Ajv({ strict: false, validateFormats: false });

const operations: readonly Operation[] = Object.entries(description).map(([name, { path, query, body }]) => {
  const [method = "", template = ""] = name.split(" ");
  // A reference to a branch has slashes.
  const pattern = template.replace(/\{(\w+)\}/g, (_, key: string) => (key === "ref" ? "(.+)" : "([^/]+)"));
  return {
    method,
    pattern: new RegExp(`^${pattern}$`),
    names: [...template.matchAll(/\{(\w+)\}/g)].map(([, key = ""]) => key),
    path: text.compile(path ?? false),
    query: text.compile(query ?? false),
    ...(body === undefined ? {} : { body: json.compile(body) }),
  };
});

/** What is wrong with a request; undefined if the description allows it. */
export function complaint(method: string, url: URL, body: unknown): string | undefined {
  const operation = operations.find((one) => one.method === method && one.pattern.test(url.pathname));
  if (operation === undefined) return `${method} ${url.pathname}: no such operation`;
  const values = operation.pattern.exec(url.pathname)?.slice(1).map(decodeURIComponent) ?? [];
  const path = Object.fromEntries(operation.names.map((name, at) => [name, values[at]]));
  const checks: readonly (readonly [ValidateFunction | undefined, unknown])[] = [
    [operation.path, path],
    [operation.query, Object.fromEntries(url.searchParams)],
    [operation.body, body],
  ];
  const errors = checks.flatMap(([check, value]) =>
    check === undefined || check(value)
      ? []
      : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`),
  );
  return errors.length === 0 ? undefined : `${method} ${url}: ${errors.join(", ")}`;
}
