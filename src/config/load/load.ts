/** Loads a configuration: reads files, extracts resources, and checks every rule that does not need the service. */

import { join } from "node:path";
import { type Diagnostic, InvalidConfiguration } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { defined, type Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import {
  completeFields,
  digestibleEntries,
  ownedLists,
  withOrigins,
  withoutRepeats,
} from "../catalog/entries/complete.ts";
import { OtherNames } from "../catalog/entries/other-names.ts";
import type { Sources, SourcesContext } from "../catalog/entries/sources.ts";
import { type Configuration, linesOf } from "../resources/configuration.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { withOpaqueValues } from "../resources/opaque-values.ts";
import { ResourceIndex } from "../resources/resource-index.ts";
import { checkRules } from "../rules/index.ts";
import { checkPatterns } from "../settings/check-ignore.ts";
import { exemptionsOf } from "../settings/exemptions.ts";
import { locate, type Project } from "../settings/project.ts";
import { readServiceProfile } from "../settings/service-profile.ts";
import { type LoadedSettings, readSettings } from "../settings/settings-file.ts";
import { DISK } from "../source/disk.ts";
import type { FileTree } from "../source/file-tree.ts";
import {
  type ConfigurationPath,
  type FileBytes,
  fileName,
  readFiles,
  realPath,
  withinFileCount,
} from "../source/files.ts";
import { refuseTokens, withoutTokens } from "../source/leaked-tokens.ts";
import { FOREIGN_LIMITS, LIMITS, type Limits } from "../source/limits.ts";
import { ParsedFile } from "../source/parsed-file.ts";
import type { Source } from "../source/source.ts";
import { decode } from "../source/text.ts";
import { Substitutions } from "../values/substitution-sources.ts";
import type { SubstitutionResolver } from "../values/value.ts";
import { digestOf, fileDigests } from "./digest.ts";
import { extractByFile, extractFromAll } from "./extract-files.ts";
import type { ExtractionCache } from "./extraction-cache.ts";
import { refuseIgnored } from "./ignored-resources.ts";
import { checkReferences } from "./references.ts";
import {
  checkDefaults,
  checkRenames,
  refuseDisabledBuiltins,
  refuseDuplicates,
  warnOfLongNames,
  warnOfOrderOverFiles,
} from "./resource-checks.ts";
import { warnOfUnreadFiles } from "./unread-files.ts";

/** Options of a load. */
export interface LoadContext {
  readonly kinds: readonly Kind[];
  /** Values of `${env:…}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The base of relative paths. */
  readonly cwd: string;
  /** An environment in the settings. */
  readonly environment?: string;
  /** The variable that names the environment, if no flag does; for messages. */
  readonly environmentVariable?: string;
  /** Values of `${var:…}`; they replace those in the settings. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  /** The files. Default: the disk. */
  readonly tree?: FileTree;
  /** There need not be any file, and files beside the configuration are not looked for. */
  readonly mayBeEmpty?: boolean;
  /** The configuration is compared and never applied, so that the rules of single resources need not hold. */
  readonly isBase?: boolean;
  /** Files that need not be parsed again. Default: none. */
  readonly cache?: ExtractionCache;
  /** Receives the size of all files in bytes, before they are parsed. */
  readonly onSize?: (bytes: number) => void;
}

/**
 * Loads the files at or below the paths; without paths, the paths in the settings, or else the directory `cwd`. Paths that are a part of
 * what the settings name load all of it, and are the `part` of the configuration.
 * Throws `InvalidConfiguration` with all errors. It sends nothing, and reads no other files but those beside the settings, to warn of
 * configuration that the settings leave out.
 */
export async function load(paths: readonly string[], options: LoadContext): Promise<Configuration> {
  const { configuration, error } = await loadWithErrors(paths, options);
  if (error !== undefined) throw error;
  return configuration;
}

/**
 * A configuration with its errors. With errors, it has what is known in spite of them, and must not be planned. `isComplete`: every file
 * could be parsed.
 */
type LoadedWithErrors =
  | { readonly configuration: Configuration; readonly isComplete: true; readonly error?: never }
  | {
      readonly configuration: Configuration | undefined;
      readonly isComplete: boolean;
      readonly error: InvalidConfiguration;
    };

/** Loads as {@link load}, with errors beside what is known: without valid settings the configuration is undefined. */
export async function loadWithErrors(paths: readonly string[], options: LoadContext): Promise<LoadedWithErrors> {
  const findings = new Findings();
  const sources = new Map<string, Source>();
  const project = locate(paths, options.cwd, findings, options.tree ?? DISK, options.kinds);
  const loaded = project === undefined ? undefined : await loadProject(project, options, sources, findings);
  const texts = new Map([...sources].map(([file, { text }]) => [file, text]));
  const opaque = (severity: "error" | "warning") => withOpaqueValues(findings.list(severity), loaded?.declared ?? []);
  const [errors, warnings] = [opaque("error"), opaque("warning")];
  const { isComplete = false, ...rest } = loaded ?? {};
  const configuration = loaded && {
    ...(rest as Loaded),
    warnings: warnings.map(withoutTokensIn),
    texts,
    secrets: loaded.secrets.filter((value) => !isStated(value, texts)),
  };
  if (configuration !== undefined && errors.length === 0) return { configuration, isComplete: true };
  const diagnostics = [...errors, ...warnings].map(withoutTokensIn);
  const error = new InvalidConfiguration(diagnostics, (file) => linesOf({ texts }, file));
  return { configuration, isComplete, error };
}

type Loaded = Omit<Configuration, "texts" | "warnings">;

async function loadProject(
  project: Project,
  options: LoadContext,
  texts: Map<string, Source>,
  findings: Findings,
): Promise<(Loaded & { readonly isComplete: boolean }) | undefined> {
  const { kinds, env, environment, environmentVariable, vars, mayBeEmpty = false } = options;
  const { tree, root, home } = project;
  const limits = { ...LIMITS, ...options.limits };
  const fileFindings = findings.during("files");
  const parseFile = (bytes: FileBytes): ParsedFile | undefined => {
    const known = options.cache?.parsed(bytes);
    if (known !== undefined) {
      texts.set(known.source.file, known.source);
      return known;
    }
    const foundBefore = findings.count;
    const source = decode(bytes.file, bytes.path, bytes.bytes, fileFindings);
    if (source === undefined) return undefined;
    texts.set(source.file, source);
    refuseTokens(source, fileFindings);
    const file = ParsedFile.read(source, limits, fileFindings);
    if (file !== undefined) options.cache?.keepParsed(file, findings.count > foundBefore);
    return file;
  };
  const settingsBytes = readSettingsFile(project, limits, fileFindings);
  const settingsFile = settingsBytes === undefined ? undefined : parseFile(settingsBytes);
  const settingsSubstitutions = new Substitutions(home, env, new Map(), { tree });
  const choice = { environment, environmentVariable, vars };
  const read = readSettings(settingsFile, project, kinds, choice, settingsSubstitutions, findings);
  // Without its variables and overlays, the files would have errors that only mislead.
  if (read === undefined) return undefined;
  const before = findings.errorCount;
  const overlayFiles = new Set(read.overlays.map(({ path }) => realPath(path, tree)));
  const search = { root, tree, limits: { ...limits, files: limits.files + FOREIGN_LIMITS.files }, mayBeEmpty };
  const found = readFiles(read.paths, search, fileFindings).filter(
    ({ path }) => !overlayFiles.has(realPath(path, tree)),
  );
  const isNamed = project.settings !== undefined || project.given.length > 0;
  const listed = isNamed ? found : refuseForeignFolder(found, kinds, fileFindings);
  if (!mayBeEmpty && findings.errorCount === 0) {
    const known = new Set([...overlayFiles, ...listed.map(({ path }) => realPath(path, tree))]);
    if (read.pathsOfSettings) warnOfUnreadFiles(project, known, kinds, findings);
  }
  const overlays = readOverlays(read, project, limits, fileFindings);
  const loadedProfile =
    read.profile === undefined ? undefined : readServiceProfile(read.profile, project, limits, fileFindings);
  const fileSubstitutions = new Substitutions(root, env, read.variables, { tree, readable: read.readable });
  const sources = mentionsSources(listed, kinds)
    ? await openSources({
        ...{ kinds, tree, configurationRoot: root, home, findings: fileFindings },
        keep: (source) => texts.set(source.file, source),
      })
    : undefined;
  const own = sources?.configurationFiles(listed, fileSubstitutions) ?? listed;
  const files = withinFileCount(own, limits, fileFindings);
  options.onSize?.([...files, ...overlays].reduce((sum, { bytes }) => sum + bytes.length, 0));
  const allFilesRead = findings.errorCount === before;
  // An overlay and the files that it includes may be outside the given paths.
  const overlaySubstitutions = new Substitutions(home, env, read.variables, { tree, readable: read.readable });
  const overlayPaths = new Set(overlays.map(({ path }) => path));
  const substitutions: SubstitutionResolver = {
    resolverFor: (source) =>
      (overlayPaths.has(source.path) ? overlaySubstitutions : fileSubstitutions).resolverFor(source),
  };
  const extraction = { kinds, substitutions, findings };
  // A source of entries reads other files, whose content may be another the next time.
  const cache = sources === undefined ? options.cache : undefined;
  cache?.open([home, root, environment, vars, [...read.variables]]);
  const extract = overlays.length === 0 && sources === undefined ? extractByFile : extractFromAll;
  const extracted = await extract({ files, overlays, parse: parseFile, sources, cache }, extraction);
  const { sourced = [] } = sources ?? {};
  const { invalid } = extracted;
  const extractedResources = withOrigins(extracted.resources, sourced, invalid);
  const valid =
    invalid.size === 0 ? extractedResources : extractedResources.filter((resource) => !invalid.has(resource));
  const index = new ResourceIndex(extractedResources, extracted.lists);
  const exemptions = read.ignore.length === 0 ? undefined : exemptionsOf(read.ignore.map(({ text }) => text));
  refuseDisabledBuiltins(valid, findings);
  checkDefaults(valid, findings);
  warnOfLongNames(valid, findings);
  warnOfOrderOverFiles(extractedResources, new Set(overlays.map(({ file }) => file)), findings);
  checkRenames(valid, index, findings);
  // An unreadable file may declare the missing resources.
  const { removals } = extracted;
  const isComplete = allFilesRead && extracted.isComplete && sourced.every((list) => list.isComplete);
  const referenceFindings = findings.during("references");
  const names = new OtherNames(valid, index, referenceFindings);
  const rewritten = isComplete
    ? checkReferences(valid, extracted.lists, index, referenceFindings, { kinds, removals, exemptions, names })
    : new Map<DeclaredResource, Fields>();
  const completed = completeFields(extractedResources, rewritten, sourced, names);
  const { resources, sourced: lists } = withoutRepeats(completed, sourced);
  refuseDuplicates(resources, kinds, findings);
  checkPatterns(read.ignore, kinds, findings);
  refuseIgnored(read.ignore, valid, extracted.lists, findings);
  const toCheck = options.isBase === true ? [] : valid;
  for (const resource of toCheck) checkRules(resource, { kinds, declared: index, findings });
  const used = [settingsSubstitutions, fileSubstitutions, overlaySubstitutions];
  const made = sourced.map(digestibleEntries);
  const allFiles = [settingsBytes ?? [], loadedProfile?.file ?? [], files, overlays, made].flat();
  warnOfUnused(vars, used, read.variables.keys(), findings);
  const environmentValues = new Map(used.flatMap(({ environment: values }) => [...values]));
  const secretVariables = [...read.variables].filter(([, { secret }]) => secret);
  return {
    settings: loadedProfile === undefined ? read.settings : { ...read.settings, serviceProfile: loadedProfile.profile },
    managed: ownedLists(index.managed, sourced),
    declared: resources,
    ...(overlays.length === 0 ? {} : { overlays: { files: overlays.map(({ file }) => file), removals } }),
    directives: extracted.directives,
    ...defined({ exemptions, part: read.part }),
    ...(lists.length === 0 ? {} : { sourced: lists }),
    listLocations: index.locations(),
    digest: digestOf(allFiles, used, { environment, vars }),
    files: fileDigests(allFiles, used),
    environmentValues,
    secrets: searchable([...environmentValues.values(), ...secretVariables.map(([, { value }]) => String(value))]),
    secretVariables: secretVariables.map(([name]) => name),
    isComplete,
  };
}

/** Whether a file may have sources of entries. Their module is loaded only then. */
function mentionsSources(files: readonly FileBytes[], kinds: readonly Kind[]): boolean {
  const keys = kinds.flatMap(({ parent }) => parent?.from ?? []);
  return files.some(({ bytes }) =>
    keys.some((key) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(key)),
  );
}

async function openSources(context: SourcesContext): Promise<Sources> {
  const module = await import("../catalog/entries/sources.ts");
  return new module.Sources(context);
}

/** Warns of `--var` without effect: the name is probably misspelt. */
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
    findings.warning("W_VAR", `the variable "${name}" is set but not used`, undefined, { help });
  }
}

/** Reads the settings file of a project; undefined if there is none, or if it cannot be read. */
export function readSettingsFile(project: Project, limits: Limits, findings: Findings): FileBytes | undefined {
  if (project.settings === undefined) return undefined;
  const file = fileName(project.root, project.settings);
  const bytes = project.tree.read(project.settings, {
    root: project.home,
    maximum: limits.fileBytes,
    mayBeHidden: true,
  });
  if (!("code" in bytes)) return { file, path: project.settings, bytes };
  findings.error(bytes.code, bytes.message, { file, line: 1, column: 1 });
  return undefined;
}

/** Reads the overlays of the chosen environment. An overlay among the configuration paths is an error. */
function readOverlays(
  { settings, paths, part = [], overlays }: LoadedSettings,
  project: Project,
  limits: Limits,
  findings: Findings,
): readonly FileBytes[] {
  const named: readonly ConfigurationPath[] = [...paths, ...part.map((path) => ({ path: join(project.root, path) }))];
  for (const { path, at } of named) {
    const overlay = overlays.find((one) => realPath(one.path, project.tree) === realPath(path, project.tree));
    if (overlay === undefined) continue;
    const message = `"${fileName(project.root, path)}" is an overlay, not a configuration file`;
    findings.error("E_OVERLAY", message, at ?? overlay.at, {
      help: `To use the overlay, run with -e ${overlay.environment}.`,
    });
  }
  let total = 0;
  return overlays
    .filter(({ environment }) => environment === settings.environment)
    .flatMap(({ path, at }) => {
      const bytes = project.tree.read(path, { root: project.home, maximum: limits.fileBytes, mayBeHidden: false });
      if ("code" in bytes) {
        findings.error(bytes.code, `the overlay "${fileName(project.home, path)}": ${bytes.message}`, at);
        return [];
      }
      total += bytes.length;
      if (total <= limits.totalBytes) return [{ file: fileName(project.root, path), path, bytes }];
      findings.error("E_TOO_LARGE", `the overlays have more than ${limits.totalBytes} bytes together`, at);
      return [];
    });
}

/**
 * The values from the environment that the second net looks for: those that nobody guesses. Of a word, the net would tell in which text it
 * is masked that it is the value.
 */
function searchable(values: Iterable<string>): readonly string[] {
  const isUnguessable = (value: string): boolean => value.length >= 16 && /\d/.test(value) && /\p{L}/u.test(value);
  return [...new Set(values)].filter(isUnguessable);
}

/** Whether a file has the text. What is written there is shown as it is, whatever the environment has. */
function isStated(text: string, files: ReadonlyMap<string, string>): boolean {
  return [...files].some(([file, content]) => content.includes(text) || file.includes(text));
}

/** The finding without tokens in its texts. */
function withoutTokensIn(finding: Diagnostic): Diagnostic {
  return {
    ...finding,
    message: withoutTokens(finding.message),
    ...defined({
      help: finding.help && withoutTokens(finding.help),
      correction: finding.correction && withoutTokens(finding.correction),
      related: finding.related?.map(({ message, at }) => ({ message: withoutTokens(message), at })),
    }),
  };
}

/** So many files without a kind may be mistakes of a configuration. */
const MAX_FOREIGN = 20;

/** Records one error in place of one for each file, and returns no file, if many files have no kind. */
function refuseForeignFolder(
  files: readonly FileBytes[],
  kinds: readonly Kind[],
  findings: Findings,
): readonly FileBytes[] {
  const key = new RegExp(`^["']?(?:${kinds.map(({ name }) => name).join("|")})["']?:`, "m");
  const foreign = files.filter(({ bytes }) => !key.test(new TextDecoder().decode(bytes))).length;
  if (foreign <= MAX_FOREIGN) return files;
  const message = `${foreign} of ${files.length} YAML files in this directory declare nothing, and no incidentctl.yaml says which of them are the configuration`;
  findings.error("E_SETTINGS", message, undefined, {
    help: "Name the directory of the configuration, or begin one in an empty directory: incidentctl init.",
  });
  return [];
}
