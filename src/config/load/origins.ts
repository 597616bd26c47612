/** The origins of a resource's values: files, overlays, substitutions. */

import { defined, escapedStep, isFields, isList, type Json } from "../../core/json.ts";
import type { Configuration } from "../resources/configuration.ts";
import { linesOf } from "../resources/configuration.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { expressionOf, locationOf, overriddenValues } from "../resources/origins.ts";

/** A value of a resource, and its place. */
export interface Origin {
  /** JSON Pointer into the resource. */
  readonly path: string;
  /** Null if it is secret. */
  readonly value: Json;
  readonly secret: boolean;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The file is an overlay of the chosen environment. */
  readonly overlay: boolean;
  /** The expression that made the value out of its place in a foreign file. */
  readonly expression?: string;
  /** The text in the file, if it has a substitution. */
  readonly written?: string;
  /** Text that overlays have replaced, the nearest first; null if it is secret. */
  readonly covers?: readonly {
    readonly written: string | null;
    readonly file: string;
    readonly line: number;
    readonly column: number;
  }[];
}

/** The origin of every value of a resource. Lists of scalars are one value. */
export function originsOf(resource: DeclaredResource, configuration: Configuration): readonly Origin[] {
  const overlays = configuration.overlays?.files ?? [];
  const extra = new Set(resource.extra);
  const fields = Object.entries(resource.fields).flatMap(([name, value]) => leaves(`/${escapedStep(name)}`, value));
  const pin =
    resource.kind.identity.pin !== undefined && resource.pin !== undefined
      ? [[`/${resource.kind.identity.pin}`, resource.pin] as const]
      : [];
  return [...fields, ...pin].map(([path, value]) => {
    const { file, line, column, length = 0 } = locationOf(resource.origins, path);
    const secret = resource.secrets.some(
      (pointer) => `${path}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${path}/`),
    );
    const expression = expressionOf(resource.origins, path);
    const written = linesOf(configuration, file)?.[line - 1]?.slice(column - 1, column - 1 + length) ?? "";
    const [, first = ""] = path.split("/");
    return {
      path: extra.has(first) ? `/extra${path}` : path,
      value: secret ? null : value,
      secret,
      file,
      line,
      column,
      overlay: overlays.includes(file),
      ...coveredAt(resource, path, secret),
      ...defined({ expression }),
      // Foreign text is no substitution.
      ...(written.includes("${") && expression === undefined ? { written } : {}),
    };
  });
}

/** The values that overlays have replaced; of a secret only their places. */
function coveredAt(resource: DeclaredResource, path: string, secret: boolean): Pick<Origin, "covers"> {
  const covers = (overriddenValues(resource.origins, path) ?? []).map(({ written, at: { file, line, column } }) => ({
    written: secret ? null : written,
    file,
    line,
    column,
  }));
  return covers.length === 0 ? {} : { covers };
}

/** Scalars and lists of scalars, with their JSON Pointers. */
function leaves(path: string, value: Json): readonly (readonly [string, Json])[] {
  if (isFields(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, member]) => leaves(`${path}/${escapedStep(name)}`, member));
  }
  if (isList(value) && value.some((item) => isFields(item) || isList(item))) {
    return value.flatMap((item, index) => leaves(`${path}/${index}`, item));
  }
  return [[path, value]];
}
