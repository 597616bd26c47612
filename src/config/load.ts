/** Loads a configuration: files to trees, trees to entries, and every rule that can be checked without the service. */

import { createHash } from "node:crypto";
import { type Diagnostic, InvalidConfiguration } from "../diagnostic.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Configuration } from "./configuration.ts";
import { lift } from "./declare.ts";
import { checkDefaults } from "./defaults.ts";
import { refuseDuplicates } from "./duplicates.ts";
import { type FileBytes, fileName, readFiles, readInside } from "./files.ts";
import { Findings } from "./findings.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { listsOf, type ParsedFile } from "./lists.ts";
import { warnOfLongNames } from "./long-names.ts";
import { locate, type Project } from "./project.ts";
import { checkReferences, Directory } from "./references.ts";
import { remarksOf } from "./remarks.ts";
import { checkRenames } from "./renames.ts";
import { checks } from "./rules/index.ts";
import { refuseTokens } from "./secrets.ts";
import { type ReadSettings, readSettings } from "./settings-file.ts";
import type { Source } from "./source.ts";
import { Substitutions } from "./substitutions.ts";
import { decode } from "./text.ts";
import { parse } from "./yaml.ts";

/** What a load depends on besides the files. */
export interface LoadOptions {
  readonly kinds: readonly Kind[];
  /** For `${env:…}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths begin here. */
  readonly cwd: string;
  /** One of the settings' `environments`. */
  readonly environment?: string;
  /** For `${var:…}`, over those of the settings. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
}

/**
 * Loads the files at or below the paths; without paths, those that the settings name, or else the directory `cwd`.
 * Throws `InvalidConfiguration` with every error that was found. Nothing but these files is read, and nothing is sent.
 */
export async function load(paths: readonly string[], options: LoadOptions): Promise<Configuration> {
  const findings = new Findings();
  const sources = new Map<string, Source>();
  const lines = (file: string): readonly string[] | undefined => sources.get(file)?.lines();
  const project = locate(paths, options.cwd, findings);
  const configuration = project === undefined ? undefined : loadProject(project, options, sources, findings);
  const errors = findings.list("error");
  if (configuration === undefined || errors.length > 0) {
    throw new InvalidConfiguration(
      masked([...errors, ...findings.list("warning")], configuration?.secrets ?? []),
      lines,
    );
  }
  return { ...configuration, warnings: masked(findings.list("warning"), configuration.secrets), lines };
}

type Loaded = Omit<Configuration, "lines" | "warnings">;

function loadProject(project: Project, options: LoadOptions, sources: Map<string, Source>, findings: Findings): Loaded {
  const { kinds, env, environment, vars } = options;
  const limits = { ...LIMITS, ...options.limits };
  const parseFile = (bytes: FileBytes): ParsedFile | undefined => {
    const source = decode(bytes.file, bytes.path, bytes.bytes, findings);
    if (source === undefined) return undefined;
    sources.set(source.file, source);
    refuseTokens(source, findings);
    const node = parse(source, limits, findings);
    return node === undefined ? undefined : { source, node };
  };
  const settingsBytes = readSettingsFile(project, limits, findings);
  const settingsFile = settingsBytes === undefined ? undefined : parseFile(settingsBytes);
  const early = new Substitutions(project.home, env, new Map());
  const read = readSettings(settingsFile, project, kinds, { environment, vars }, early, findings);
  const before = findings.errorCount;
  const files = readFiles(read.wanted, project.root, limits, findings);
  const whole = findings.errorCount === before;
  const parsed = files.map(parseFile);
  const substitutions = new Substitutions(project.root, env, read.variables);
  const lists = parsed.flatMap((file) => (file === undefined ? [] : listsOf(file, kinds, findings)));
  const lifted = lift(lists, { kinds, substitutions, findings });
  const entries = lifted.entries.map(({ declared }) => declared);
  const sound = lifted.entries.flatMap((entry) => (entry.sound ? [entry.declared] : []));
  const directory = new Directory(entries, lifted.lists);
  refuseDuplicates(entries, findings);
  checkDefaults(sound, findings);
  warnOfLongNames(sound, findings);
  checkRenames(sound, directory, findings);
  // What a file that could not be read declares is unknown, so nothing can be said to be missing.
  if (whole && !parsed.includes(undefined)) checkReferences(sound, lifted.lists, kinds, directory, findings);
  for (const entry of sound) checks[entry.kind.name]?.(entry, { directory, findings });
  const used = [early, substitutions];
  return {
    settings: read.settings,
    managed: directory.managed,
    declared: entries,
    remarks: parsed.flatMap((file) => (file === undefined ? [] : remarksOf(file.source))),
    listAt: (kind, scope) => directory.list(kind, scope)?.at,
    digest: digestOf(settingsBytes === undefined ? files : [settingsBytes, ...files], used),
    secrets: secretsOf(used, read),
  };
}

function readSettingsFile(project: Project, limits: Limits, findings: Findings): FileBytes | undefined {
  if (project.settings === undefined) return undefined;
  const file = fileName(project.root, project.settings);
  const bytes = readInside(project.settings, project.home, limits.fileBytes);
  if (!("code" in bytes)) return { file, path: project.settings, bytes };
  findings.error(bytes.code, bytes.message, { file, line: 1, column: 1 });
  return undefined;
}

/** SHA-256 over the paths and bytes of everything that was read, and the names of what was put in. */
function digestOf(files: readonly FileBytes[], used: readonly Substitutions[]): string {
  const hash = createHash("sha256");
  const add = (name: string, bytes: Uint8Array): void => {
    hash.update(`${JSON.stringify(name)} ${bytes.length}\n`);
    hash.update(bytes);
  };
  for (const { file, bytes } of files) add(file, bytes);
  const included = new Map(used.flatMap(({ files: inside }) => [...inside]));
  for (const [name, bytes] of [...included].sort(([left], [right]) => (left < right ? -1 : 1))) add(name, bytes);
  for (const name of new Set(used.flatMap((each) => each.used))) hash.update(`${JSON.stringify(name)}\n`);
  return hash.digest("hex");
}

function secretsOf(used: readonly Substitutions[], { variables }: ReadSettings): readonly string[] {
  const values = [...variables.values()].flatMap(({ value, secret }) => (secret ? [String(value)] : []));
  return [...new Set([...used.flatMap(({ secrets }) => secrets), ...values.filter((value) => value.length >= 4)])];
}

/** Findings that quote a value from the environment, without it. */
export function masked(findings: readonly Diagnostic[], secrets: readonly string[]): readonly Diagnostic[] {
  if (secrets.length === 0) return findings;
  const mask = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, "(secret)"), text);
  return findings.map((finding) => ({
    ...finding,
    message: mask(finding.message),
    ...(finding.help === undefined ? {} : { help: mask(finding.help) }),
    ...(finding.related === undefined
      ? {}
      : { related: finding.related.map(({ message, at }) => ({ message: mask(message), at })) }),
  }));
}
