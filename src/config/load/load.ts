/** Loads a configuration: files to trees, trees to entries, and every rule that can be checked without the service. */

import { createHash } from "node:crypto";
import { type Diagnostic, InvalidConfiguration } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import type { Kind } from "../../kinds/kind.ts";
import { layOver } from "../resolve/overlay.ts";
import { Substitutions } from "../resolve/substitution-sources.ts";
import type { Resolver } from "../resolve/value.ts";
import { checks } from "../rules/index.ts";
import { locate, type Project } from "../settings/project.ts";
import { type Choice, type ReadSettings, readSettings } from "../settings/settings-file.ts";
import type { Directive } from "../source/directives.ts";
import { type FileBytes, fileName, readFiles, readInside, readVisible, realPath } from "../source/files.ts";
import { refuseTokens } from "../source/leaked-tokens.ts";
import { LIMITS, type Limits } from "../source/limits.ts";
import { ParsedFile } from "../source/parsed-file.ts";
import type { Source } from "../source/source.ts";
import { decode } from "../source/text.ts";
import type { Configuration, Dropped } from "./configuration.ts";
import { type Lifted, type Lifting, lift } from "./extract-resources.ts";
import { listsOf, type OwnedList } from "./lists.ts";
import { checkReferences, Directory } from "./references.ts";
import { checkDefaults, checkRenames, refuseDuplicates, warnOfLongNames } from "./resource-checks.ts";

/** What a load depends on besides the files. */
export interface LoadContext {
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
  /** Contents to load instead of what is on the disk, by path relative to the root; given at all, there need be no file. */
  readonly instead?: ReadonlyMap<string, Uint8Array>;
  /** Called with the size of all files in bytes, before they are parsed. */
  readonly onSize?: (bytes: number) => void;
}

/**
 * Loads the files at or below the paths; without paths, those that the settings name, or else the directory `cwd`.
 * Throws `InvalidConfiguration` with every error that was found. Nothing but these files is read, and nothing is sent.
 */
export async function load(paths: readonly string[], options: LoadContext): Promise<Configuration> {
  const findings = new Findings();
  const sources = new Map<string, Source>();
  const lines = (file: string): readonly string[] | undefined => sources.get(file)?.lines();
  const project = locate(paths, options.cwd, findings);
  const configuration = project === undefined ? undefined : await loadProject(project, options, sources, findings);
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

async function loadProject(
  project: Project,
  options: LoadContext,
  sources: Map<string, Source>,
  findings: Findings,
): Promise<Loaded> {
  const { kinds, env, environment, vars } = options;
  const limits = { ...LIMITS, ...options.limits };
  const parseFile = (bytes: FileBytes): ParsedFile | undefined => {
    const source = decode(bytes.file, bytes.path, bytes.bytes, findings);
    if (source === undefined) return undefined;
    sources.set(source.file, source);
    refuseTokens(source, findings);
    return ParsedFile.read(source, limits, findings);
  };
  const settingsBytes = readSettingsFile(project, limits, findings);
  const settingsFile = settingsBytes === undefined ? undefined : parseFile(settingsBytes);
  const early = new Substitutions(project.home, env, new Map());
  const read = readSettings(settingsFile, project, kinds, { environment, vars }, early, findings);
  const before = findings.errorCount;
  const apart = new Set(read.overlays.map(({ path }) => realPath(path)));
  const files = readFiles(read.wanted, project.root, limits, findings, undefined, options.instead).filter(
    ({ path }) => !apart.has(realPath(path)),
  );
  const overlays = readOverlays(read, project, limits, findings);
  options.onSize?.([...files, ...overlays].reduce((sum, { bytes }) => sum + bytes.length, 0));
  const whole = findings.errorCount === before;
  const inFiles = new Substitutions(project.root, env, read.variables);
  // An overlay may lie beside the paths that were given, and so may what it puts in.
  const inOverlays = new Substitutions(project.home, env, read.variables);
  const overlayPaths = new Set(overlays.map(({ path }) => path));
  const substitutions: Resolver = {
    for: (source) => (overlayPaths.has(source.path) ? inOverlays : inFiles).for(source),
  };
  const lifting = { kinds, substitutions, findings };
  const parsing = { files, overlays, parse: parseFile };
  const lifts = overlays.length === 0 ? liftEach : liftTogether;
  const lifted = lifts(parsing, lifting);
  const { entries, unsound } = lifted;
  const sound = unsound.size === 0 ? entries : entries.filter((entry) => !unsound.has(entry));
  const directory = new Directory(entries, lifted.lists);
  refuseDuplicates(entries, findings);
  checkDefaults(sound, findings);
  warnOfLongNames(sound, findings);
  checkRenames(sound, directory, findings);
  // What a file that could not be read declares is unknown, so nothing can be said to be missing.
  if (whole && lifted.complete) checkReferences(sound, lifted.lists, kinds, directory, findings, lifted.dropped);
  const scene = { directory, findings };
  for (const entry of sound) checks[entry.kind.name]?.(entry, scene);
  const used = [early, inFiles, inOverlays];
  warnOfUnused(vars, used, read.variables.keys(), findings);
  return {
    settings: read.settings,
    managed: directory.managed,
    declared: entries,
    ...(overlays.length === 0
      ? {}
      : { overlaid: { files: overlays.map(({ file }) => file), dropped: lifted.dropped } }),
    directives: lifted.directives,
    listAt: (kind, scope) => directory.list(kind, scope)?.at,
    digest: digestOf([settingsBytes ?? [], files, overlays].flat(), used, { environment, vars }),
    secrets: secretsOf(used, read),
  };
}

/** A variable that is given and stands nowhere is likely misspelt: the one that was meant has its old value. */
function warnOfUnused(
  given: LoadContext["vars"] = {},
  used: readonly Substitutions[],
  known: Iterable<string>,
  findings: Findings,
): void {
  const taken = new Set(used.flatMap((one) => one.used));
  const names = Object.keys(given);
  const others = [...known].filter((name) => !names.includes(name));
  for (const name of names.filter((one) => !taken.has(`var:${one}`))) {
    const help = findings.guess(name, others);
    findings.warning("W_VAR", `the variable "${name}" is given, and nothing uses it`, undefined, { help });
  }
}

/** The files of a configuration, and how one of them is parsed. */
interface Parsing {
  readonly files: readonly FileBytes[];
  readonly overlays: readonly FileBytes[];
  parse(file: FileBytes): ParsedFile | undefined;
}

/** The resources, lists and directives of the files. */
interface Gathered extends Lifted {
  readonly dropped: readonly Dropped[];
  readonly directives: readonly Directive[];
  /** Whether every file could be parsed. */
  readonly complete: boolean;
}

/** Lifts the entries file by file, so that there is never more than the tree of one. */
function liftEach({ files, parse }: Parsing, lifting: Lifting): Gathered {
  const counts = new Map<string, number>();
  const gathered: (Lifted & { readonly directives: readonly Directive[] })[] = [];
  let complete = true;
  for (const bytes of files) {
    const file = parse(bytes);
    if (file === undefined) complete = false;
    else {
      const lifted = lift(listsOf(file, lifting.kinds, lifting.findings), { ...lifting, file }, counts);
      gathered.push({ ...lifted, directives: file.directives });
      file.release();
    }
  }
  return {
    lists: gathered.flatMap(({ lists }) => lists),
    entries: gathered.flatMap(({ entries }) => entries),
    unsound: new Set(gathered.flatMap(({ unsound }) => [...unsound])),
    directives: gathered.flatMap(({ directives }) => directives),
    dropped: [],
    complete,
  };
}

/** Lifts the entries of what the overlays make of the files. */
function liftTogether({ files, overlays, parse }: Parsing, lifting: Lifting): Gathered {
  const parsed = files.map(parse);
  const over = overlays.map(parse);
  const listsIn = (file: ParsedFile | undefined): readonly OwnedList[] =>
    file === undefined ? [] : listsOf(file, lifting.kinds, lifting.findings);
  const laid = layOver(parsed.flatMap(listsIn), over.map(listsIn), lifting);
  const all = [...parsed, ...over];
  const lifted = lift(laid.lists, lifting);
  return {
    ...lifted,
    dropped: laid.dropped,
    directives: all.flatMap((file) => file?.directives ?? []),
    complete: !all.includes(undefined),
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

/** The overlays of the chosen environment; one that was taken for a part of the configuration is refused. */
function readOverlays(
  { settings, wanted, overlays }: ReadSettings,
  project: Project,
  limits: Limits,
  findings: Findings,
): readonly FileBytes[] {
  for (const { path, at } of wanted) {
    const overlay = overlays.find((one) => realPath(one.path) === realPath(path));
    if (overlay === undefined) continue;
    const message = `"${fileName(project.root, path)}" is an overlay, and no configuration by itself`;
    findings.error("E_OVERLAY", message, at ?? overlay.at, {
      help: `Lay it over the configuration: -e ${overlay.environment}.`,
    });
  }
  let total = 0;
  return overlays
    .filter(({ environment }) => environment === settings.environment)
    .flatMap(({ path, at }) => {
      const bytes = readVisible(path, project.home, limits.fileBytes);
      if ("code" in bytes) {
        findings.error(bytes.code, `the overlay "${fileName(project.home, path)}": ${bytes.message}`, at);
        return [];
      }
      total += bytes.length;
      if (total <= limits.totalBytes) return [{ file: fileName(project.root, path), path, bytes }];
      findings.error("E_TOO_LARGE", `the overlays hold more than ${limits.totalBytes} bytes together`, at);
      return [];
    });
}

/**
 * SHA-256 over the paths and bytes of everything that was read, the names of what was put in, and what was chosen on the
 * command line. Where nothing was chosen, nothing is added.
 */
function digestOf(
  files: readonly FileBytes[],
  used: readonly Substitutions[],
  { environment, vars = {} }: Choice,
): string {
  const hash = createHash("sha256");
  const add = (name: string, bytes: Uint8Array): void => {
    hash.update(`${JSON.stringify(name)} ${bytes.length}\n`);
    hash.update(bytes);
  };
  for (const { file, bytes } of files) add(file, bytes);
  for (const { files: inside } of used) {
    for (const [name, bytes] of [...inside].sort(([left], [right]) => (left < right ? -1 : 1))) add(name, bytes);
  }
  const chosen = Object.entries(vars).sort(([left], [right]) => (left < right ? -1 : 1));
  if (environment !== undefined || chosen.length > 0) hash.update(JSON.stringify([environment ?? null, chosen]));
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
