/** Configurations from plain values instead of files, for tests of everything after the loader. */

import { createHash } from "node:crypto";
import { type Configuration, emptyConfiguration } from "../../../src/config/resources/configuration.ts";
import type { DeclaredResource } from "../../../src/config/resources/declared-resource.ts";
import type { Settings } from "../../../src/config/settings/settings.ts";
import { defaultSettings } from "../../../src/config/settings/settings-file.ts";
import { canonical, type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { childrenOf, type Kind, LIFECYCLE } from "../../../src/kinds/model/kind.ts";
import { addressOf } from "../../../src/kinds/model/resource.ts";

/** The configuration of files with these values. */
export function configured(document: Fields, settings: Partial<Settings> = {}): Configuration {
  const managed: { kind: string; scope: string }[] = [];
  const declared: DeclaredResource[] = [];
  const collect = (kind: Kind, scope: string, entries: Json | undefined) => {
    if (!isList(entries)) throw new Error(`${kind.name} wants a list`);
    managed.push({ kind: kind.name, scope });
    for (const [index, entry] of entries.entries()) {
      if (!isFields(entry)) throw new Error(`${kind.name} wants objects`);
      const nested = childrenOf(kinds, kind);
      const made = declaredEntry(kind, scope, entry, index, nested);
      declared.push(made);
      for (const inner of nested) {
        const field = inner.parent?.field ?? "";
        if (entry[field] !== undefined) collect(inner, made.key, entry[field]);
      }
    }
  };
  for (const kind of kinds) {
    const value = document[kind.name];
    if (value === undefined || kind.parent !== undefined) continue;
    if (kind.scopes === undefined) collect(kind, "", value);
    else for (const [scope, entries] of scopesIn(kind.scopes.patterns, value)) collect(kind, scope, entries);
  }
  const digest = createHash("sha256").update(canonical(document)).digest("hex");
  return {
    ...emptyConfiguration({ ...defaultSettings("."), ...settings }),
    managed,
    declared,
    digest,
  };
}

function scopesIn(patterns: readonly string[], value: Json): readonly (readonly [string, Json])[] {
  return patterns.flatMap((pattern): readonly (readonly [string, Json])[] => {
    const parts = pattern.split("/").slice(1);
    let at: Json | undefined = value;
    for (const part of parts.filter((one) => one !== "*")) at = isFields(at) ? at[part] : undefined;
    if (at === undefined) return [];
    return pattern.includes("*") ? (isFields(at) ? Object.entries(at) : []) : [["", at]];
  });
}

function declaredEntry(
  kind: Kind,
  scope: string,
  entry: Fields,
  index: number,
  nested: readonly Kind[],
): DeclaredResource {
  const keyField = kind.identity.keys.find((name) => entry[name] !== undefined) ?? "";
  const key = kind.identity.keys.length === 0 ? String(index + 1) : String(entry[keyField]);
  const hidden = new Set([...LIFECYCLE, kind.identity.pin ?? "", ...nested.map(({ parent }) => parent?.field ?? "")]);
  const extra = isFields(entry.extra) ? entry.extra : {};
  const fields = Object.fromEntries(Object.entries({ ...entry, ...extra }).filter(([name]) => !hidden.has(name)));
  const at = { file: "test.yaml", line: index + 1, column: 1 };
  return {
    kind,
    scope,
    key,
    keyField,
    address: addressOf(kind, scope, key),
    fields,
    extra: Object.keys(extra),
    ...(kind.identity.pin !== undefined && entry[kind.identity.pin] !== undefined
      ? { pin: String(entry[kind.identity.pin]) }
      : {}),
    ...(typeof entry.renamed_from === "string" ? { renamedFrom: entry.renamed_from } : {}),
    protected: entry.protected === true,
    origins: { at },
    secrets: [],
  };
}
