/** Seed files: a workspace in one YAML file, its configuration in our own language, its people and incidents beside it. */

import { dirname, resolve } from "node:path";
import { DISK } from "../../config/source/disk.ts";
import { LIMITS, type Limits } from "../../config/source/limits.ts";
import { ParsedFile } from "../../config/source/parsed-file.ts";
import type { Source } from "../../config/source/source.ts";
import { decode } from "../../config/source/text.ts";
import { follow, type MapNode, type Node, placeOf } from "../../config/source/tree.ts";
import { InvalidConfiguration, type Location } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { escapedStep, type Fields, type Json } from "../../core/json.ts";

export interface SeedFile {
  /** The absolute path. */
  readonly path: string;
  /** The resources that exist before the configuration is applied. */
  readonly base: "default" | "bare";
  /** The configuration: a text for the place of this file, or paths; undefined if the file has none. */
  readonly configuration: { readonly text: string } | { readonly paths: readonly string[] } | undefined;
  /** People, incidents and scenarios, not validated yet. */
  readonly data: Fields;
  /** Throws `InvalidConfiguration` with the places of errors in the data. */
  refuse(errors: readonly DataError[]): never;
}

/** An error in the data, with the path of its field, such as `incidents[3].severity`. */
export interface DataError {
  readonly field?: string;
  readonly message: string;
}

const CODE = "E_SEED";
const OWN_KEYS: readonly string[] = ["version", "base", "configuration"];

/** A seed may have thousands of incidents, each with a conversation. */
const SEED_LIMITS: Limits = {
  ...LIMITS,
  fileBytes: 64 * 1024 * 1024,
  tokens: 20_000_000,
  values: 5_000_000,
};

/** Reads a seed file. Throws `InvalidConfiguration` with all errors of its own keys. */
export function readSeedFile(typed: string, cwd: string): SeedFile {
  const path = resolve(cwd, typed);
  const findings = new Findings();
  const bytes = DISK.read(path, { root: dirname(path), maximum: SEED_LIMITS.fileBytes, mayBeHidden: false });
  if ("code" in bytes) {
    findings.error(bytes.code, bytes.message, { file: typed, line: 1, column: 1 });
    return refuseAll(findings, undefined);
  }
  const source = decode(typed, path, bytes, findings);
  const parsed = source === undefined ? undefined : ParsedFile.read(source, SEED_LIMITS, findings);
  if (source === undefined || parsed === undefined) return refuseAll(findings, source);
  const { node } = parsed;
  if (node.type !== "map") {
    findings.error(CODE, "a seed is a mapping that begins with version: 1", placeOf(node, source));
    return refuseAll(findings, source);
  }
  const own = readOwnKeys(node, source, path, findings);
  if (findings.errorCount > 0) return refuseAll(findings, source);
  const members = [...node.members].filter(([name]) => !OWN_KEYS.includes(name));
  return {
    path,
    ...own,
    data: Object.fromEntries(members.map(([name, { value }]) => [name, jsonOf(value)])),
    refuse(errors) {
      for (const { field = "", message } of errors) {
        findings.error(CODE, `${field === "" ? "the seed" : field} ${message}`, placeOfField(node, field, source));
      }
      return refuseAll(findings, source);
    },
  };
}

function readOwnKeys(
  root: MapNode,
  source: Source,
  path: string,
  findings: Findings,
): Pick<SeedFile, "base" | "configuration"> {
  const at = (name: string): Location => placeOf(root.members.get(name)?.value ?? root, source);
  const version = root.members.get("version")?.value;
  if (version?.type !== "scalar" || version.value !== 1) {
    findings.error(CODE, "version must be 1", at("version"), { help: "Begin the file with version: 1." });
  }
  const base = root.members.get("base")?.value;
  const isBare = base?.type === "scalar" && base.value === "bare";
  if (base !== undefined && !isBare && !(base.type === "scalar" && base.value === "default")) {
    findings.error(CODE, "base must be default or bare", at("base"));
  }
  return { base: isBare ? "bare" : "default", configuration: readConfiguration(root, source, path, findings) };
}

function readConfiguration(root: MapNode, source: Source, path: string, findings: Findings): SeedFile["configuration"] {
  const value = root.members.get("configuration")?.value;
  if (value === undefined) return undefined;
  // Blanks instead of everything else keep the lines and columns of the configuration.
  if (value.type === "map")
    return { text: blank(source.text.slice(0, value.start)) + source.text.slice(value.start, value.end) };
  const items = value.type === "list" ? value.items : [value];
  return {
    paths: items.flatMap((item) => {
      if (item.type === "scalar" && typeof item.value === "string") return [resolve(dirname(path), item.value)];
      findings.error(CODE, "configuration must be a mapping, a path or a list of paths", placeOf(item, source));
      return [];
    }),
  };
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

/** The place of a field, or of the nearest value above it. */
function placeOfField(root: Node, field: string, source: Source): Location {
  const steps = field.match(/[^.[\]]+/g) ?? [];
  const { node, member, whole } = follow(root, steps.map((step) => `/${escapedStep(step)}`).join(""));
  return placeOf(whole ? node : (member ?? node), source);
}

function jsonOf(node: Node): Json {
  if (node.type === "scalar") return node.value;
  if (node.type === "list") return node.items.map(jsonOf);
  return Object.fromEntries([...node.members].map(([name, { value }]) => [name, jsonOf(value)]));
}

function refuseAll(findings: Findings, source: Source | undefined): never {
  throw new InvalidConfiguration(findings.list("error"), (file) =>
    file === source?.file ? source?.lines() : undefined,
  );
}
