/** Reads the settings file `incidentctl.yaml`, with the values of the chosen environment. */

import { join, normalize, sep } from "node:path";
import { type Location, UNKNOWN_ENVIRONMENT } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import type { RemovalLimit } from "../../core/flag-values.ts";
import { defined, escapedStep, type Fields, fieldsIn, isFields, type Json, stepsOf, textsIn } from "../../core/json.ts";
import { parseUrl } from "../../core/url.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { explainViolation } from "../schema/explain-violations.ts";
import { settingsSchema } from "../schema/settings-schema.ts";
import { violations } from "../schema/validator.ts";
import { isInside } from "../source/file-tree.ts";
import { type ConfigurationPath, isRelative } from "../source/files.ts";
import type { ParsedFile } from "../source/parsed-file.ts";
import { follow, memberOf } from "../source/tree.ts";
import type { Substitutions, Variable } from "../values/substitution-sources.ts";
import { resolveValue, type Substitutable } from "../values/value.ts";
import type { LocatedPattern } from "./check-ignore.ts";
import { configuredPaths, type Project } from "./project.ts";
import { INCIDENTS_READ, REQUESTS_PER_MINUTE } from "./request-defaults.ts";
import type { RemovalPolicy, Settings } from "./settings.ts";

/** The settings, and the values of `${var:…}`. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** The paths of the configuration, with their places in the file. */
  readonly paths: readonly ConfigurationPath[];
  /** The settings decide on the paths. */
  readonly pathsOfSettings: boolean;
  /** The paths on the command line, relative to the root, if they are a part of the configuration. */
  readonly part?: readonly string[];
  /** The overlays of every environment. */
  readonly overlays: readonly OverlayPath[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** `environment_variables`: the only variables of the environment that may be read; undefined if the settings list none. */
  readonly readable: readonly string[] | undefined;
  /** The profile of the service, if the settings name one that has an allowed path. */
  readonly profile?: ConfigurationPath;
  /** The patterns of `ignore`, with their places in the file. */
  readonly ignore: readonly LocatedPattern[];
}

/** An overlay of an environment. */
export interface OverlayPath extends ConfigurationPath {
  readonly environment: string;
}

/** The environment and variables from the command line. */
export interface SettingsChoice {
  readonly environment?: string | undefined;
  /** The variable that names the environment, if no flag does; for messages. */
  readonly environmentVariable?: string | undefined;
  readonly vars?: Readonly<Record<string, string>> | undefined;
}

const ABSENCE = "To use the default, remove the key.";
const KIND_HELP = "It is a kind: write it in a file of the configuration, such as config/severities.yaml.";
const SECRET_HELP =
  "Set INCIDENTCTL_TOKEN in the environment instead, and revoke this token if others can read the file.";

/** The folder of journals and of the emulator's database, beside the settings. */
const OWN_FOLDER = ".incidentctl";

/**
 * Returns the settings of a project; undefined if they lack the chosen environment. The file is optional. Only values of `vars` can
 * have substitutions.
 */
export function readSettings(
  file: ParsedFile | undefined,
  project: Project,
  kinds: readonly Kind[],
  choice: SettingsChoice,
  substitutions: Substitutions,
  findings: Findings,
): LoadedSettings | undefined {
  const reader = new SettingsReader(file, findings);
  const stated = file === undefined ? {} : reader.check(file, kinds, substitutions);
  const environment = reader.environment(stated, choice);
  if (environment === undefined) return undefined;
  const chosen = `/environments/${escapedStep(choice.environment ?? "")}`;
  const baseUrl = environment.base_url ?? stated.base_url;
  if (typeof baseUrl === "string") {
    reader.checkBaseUrl(baseUrl, environment.base_url === undefined ? "/base_url" : `${chosen}/base_url`);
  }
  const variables = new Map<string, Variable>([
    ...reader.variables(stated.vars, "/vars"),
    ...reader.variables(environment.vars, `${chosen}/vars`),
    ...Object.entries(choice.vars ?? {}).map(([name, value]): [string, Variable] => [name, { value, secret: false }]),
  ]);
  const config = textsIn(stated.config);
  const { paths, isOfSettings, part } = configuredPaths(project, config, findings);
  const settings = {
    ...settingsOf(stated, baseUrl, variables, paths, project.home),
    environments: Object.keys(fieldsIn(stated.environments)),
    ...defined({ environment: choice.environment }),
  };
  const named = isOfSettings ? config : [];
  const places = named.map((_, index) => reader.place(`/config/${index}`));
  const wanted = settings.config.map((path, index) => ({ path, at: places[index] }));
  return {
    settings,
    paths: wanted.filter((_, index) => reader.checkPath(named[index], project, places[index])),
    pathsOfSettings: isOfSettings,
    ...defined({ part }),
    overlays: reader.overlays(stated, project),
    variables,
    readable: stated.environment_variables === undefined ? undefined : textsIn(stated.environment_variables),
    ...reader.profile(stated, choice, project),
    ignore: textsIn(stated.ignore).map((text, index) => ({ text, at: reader.place(`/ignore/${index}`) })),
  };
}

/** The settings of a directory without a settings file. */
export function defaultSettings(home: string): Settings {
  return { ...settingsOf({}, undefined, new Map(), [home], home), environments: [] };
}

function settingsOf(
  stated: Fields,
  baseUrl: Json | undefined,
  variables: ReadonlyMap<string, Variable>,
  config: readonly string[],
  home: string,
): Omit<Settings, "environments"> {
  const removal = fieldsIn(stated.removal);
  const limits = fieldsIn(stated.limits);
  const { default: fallback = "disable_or_delete", ...policies } = removal;
  const holding = fieldsIn(stated.routing).holding_outcome;
  return {
    ...(typeof stated.base === "string" ? { base: stated.base } : {}),
    ...(typeof baseUrl === "string" ? { baseUrl: baseUrl.replace(/\/+$/, "") } : {}),
    config,
    removal: { default: fallback as RemovalPolicy, kinds: policies as Record<string, RemovalPolicy> },
    ...defined({ maxRemovals: ceilingOf(limits.max_removals) }),
    requestsPerMinute:
      typeof limits.requests_per_minute === "number" ? limits.requests_per_minute : REQUESTS_PER_MINUTE,
    maxIncidentsRead: typeof limits.max_incidents_read === "number" ? limits.max_incidents_read : INCIDENTS_READ,
    protected: textsIn(stated.protected),
    ...(isFields(holding) ? { holdingOutcome: holding } : {}),
    vars: Object.fromEntries([...variables].map(([name, { value }]) => [name, value])),
    home,
  };
}

function ceilingOf(value: Json | undefined): RemovalLimit | undefined {
  if (typeof value === "number") return { entries: value };
  return typeof value === "string" ? { percent: Number.parseInt(value, 10) } : undefined;
}

/** Reads and checks the parts of a settings file. */
class SettingsReader {
  readonly #file: ParsedFile | undefined;
  readonly #findings: Findings;
  #secrets: ReadonlySet<string> = new Set();

  constructor(file: ParsedFile | undefined, findings: Findings) {
    this.#file = file;
    this.#findings = findings;
  }

  /** Returns the content of the file, or none if it breaks the schema. */
  check({ source, node }: ParsedFile, kinds: readonly Kind[], substitutions: Substitutions): Fields {
    const schema = settingsSchema(kinds);
    const part = { whole: schema, part: schema };
    const listed = memberOf(node, "environment_variables")?.value;
    if (listed?.type === "list")
      substitutions.readOnly(listed.items.flatMap((item) => (item.type === "scalar" ? String(item.value) : [])));
    const value = resolveValue(node, () => part, source, substitutions, this.#findings, substitutableAt);
    this.#secrets = new Set(value.secrets);
    const found = violations("settings", value.json);
    for (const violation of found) {
      if (!value.unresolved.has(violation.pointer))
        explainViolation(
          violation,
          {
            ...{ source, node, title: "settings file", absence: ABSENCE, secretHelp: SECRET_HELP },
            elsewhere: (key) => (kinds.some(({ name }) => name === key) ? KIND_HELP : undefined),
          },
          this.#findings,
        );
    }
    return found.length + value.unresolved.size === 0 ? fieldsIn(value.json) : {};
  }

  /** Returns the chosen environment; undefined if the file does not have it. */
  environment(stated: Fields, { environment: name, environmentVariable }: SettingsChoice): Fields | undefined {
    if (name === undefined) return {};
    const environments = fieldsIn(stated.environments);
    if (!Object.hasOwn(environments, name)) {
      // With errors in the file, its environments are not known.
      if (this.#findings.errorCount > 0) return {};
      const known = Object.keys(environments);
      const listed =
        known.length === 0
          ? "Declare it under environments in incidentctl.yaml."
          : `The environments are: ${known.join(", ")}.`;
      const source = environmentVariable === undefined ? [] : [`The name is from ${environmentVariable}.`];
      this.#findings.error(UNKNOWN_ENVIRONMENT, `there is no environment "${name}"`, this.place("/environments"), {
        help: [...source, this.#findings.guess(name, known) ?? [], listed].flat().join(" "),
      });
      return undefined;
    }
    return fieldsIn(environments[name]);
  }

  /** Returns every overlay of every environment that has an allowed path. */
  overlays(stated: Fields, project: Project): readonly OverlayPath[] {
    return Object.entries(fieldsIn(stated.environments)).flatMap(([environment, chosen]) =>
      textsIn(fieldsIn(chosen).overlays).flatMap((path, index) => {
        const at = this.place(`/environments/${escapedStep(environment)}/overlays/${index}`);
        return this.checkPath(path, project, at) ? [{ environment, path: join(project.home, path), at }] : [];
      }),
    );
  }

  /** Returns the profile of the service: the chosen environment's, or else that of all. */
  profile(stated: Fields, { environment }: SettingsChoice, project: Project): Pick<LoadedSettings, "profile"> {
    const own = environment === undefined ? {} : fieldsIn(fieldsIn(stated.environments)[environment]);
    const path = own.service_profile ?? stated.service_profile;
    if (typeof path !== "string") return {};
    const prefix = own.service_profile === undefined ? "" : `/environments/${escapedStep(environment ?? "")}`;
    const at = this.place(`${prefix}/service_profile`);
    return this.checkPath(path, project, at) ? { profile: { path: join(project.home, path), at } } : {};
  }

  variables(stated: Json | undefined, pointer: string): [string, Variable][] {
    return Object.entries(fieldsIn(stated)).map(([name, value]) => [
      name,
      { value: value as string | number | boolean, secret: this.#secrets.has(`${pointer}/${escapedStep(name)}`) },
    ]);
  }

  checkBaseUrl(baseUrl: string, pointer: string): void {
    if (isOrigin(baseUrl)) return;
    this.#findings.error(
      "E_BASE_URL",
      "the base URL must be a scheme, a host and an optional port",
      this.place(pointer),
      {
        help: "Write it like https://incidents.example.com. Plain http is only allowed for this machine.",
      },
    );
  }

  /** Whether a configuration path is allowed: relative, below the settings, and outside `.incidentctl/`. */
  checkPath(path: string | undefined, { home }: Project, at: Location | undefined): boolean {
    if (path === undefined) return true;
    const [first] = normalize(path).split(sep);
    if (!isRelative(path) || !isInside(join(home, path), home)) {
      this.#findings.error("E_INCLUDE_ROOT", `"${path}" is not a path inside the configuration root`, at, {
        help: "Write it relative to incidentctl.yaml, below it.",
      });
      return false;
    }
    if (first !== OWN_FOLDER) return true;
    this.#findings.error(
      "E_OVERLAP",
      `"${path}" cannot be configuration: incidentctl keeps its own files in ${OWN_FOLDER}`,
      at,
    );
    return false;
  }

  place(pointer: string): Location | undefined {
    if (this.#file === undefined) return undefined;
    const { node, source } = this.#file;
    const found = follow(node, pointer);
    return source.location(found.node.start, found.node.end);
  }
}

/** Values at or below `vars`, of the file or of an environment, may have substitutions. */
function substitutableAt(pointer: string): Substitutable {
  const [first, , third] = stepsOf(pointer);
  return first === "vars" || (first === "environments" && third === "vars") ? "any" : "nothing";
}

/** Whether a text is an https origin, or an http origin of this machine, in its normal spelling. */
function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined || url.hostname.endsWith(".") || url.port === "0") return false;
  const local = url.hostname === "localhost" || url.hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(url.hostname);
  const written = text
    .toLowerCase()
    .replace(/\/$/, "")
    .replace(url.protocol === "https:" ? /:443$/ : /:80$/, "");
  return written === url.origin && (url.protocol === "https:" || (url.protocol === "http:" && local));
}
