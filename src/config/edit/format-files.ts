/** Files of a configuration in their canonical layout. Words and comments stay. */

import { join } from "node:path";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { canonical, equal, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { locate, type Project } from "../settings/project.ts";
import { type ConfigurationPath, readFiles, TEST_FILES } from "../source/files.ts";
import { LIMITS, type Limits } from "../source/limits.ts";
import { Source } from "../source/source.ts";
import { decode } from "../source/text.ts";
import { memberOf, type Node } from "../source/tree.ts";
import { readYaml, type YamlFile } from "../source/yaml/read-yaml.ts";
import { layOut, NoCanonicalLayout } from "./layout.ts";
import { commentsOf, parseCst, parseValue } from "./yaml-cst.ts";

/** A file, and its text in the canonical layout; undefined if YAML of its style has none. */
export interface FormattedFile {
  readonly source: Source;
  readonly text: string | undefined;
}

/** Formats every file of the configuration, its tests and its settings. An error of YAML in any of them is thrown. */
export async function formatFiles(
  paths: readonly string[],
  cwd: string,
  kinds: readonly Kind[],
): Promise<readonly FormattedFile[]> {
  const findings = new Findings();
  const sources = new Map<string, Source>();
  const project = locate(paths, cwd, findings);
  const files = project === undefined ? [] : await filesOf(project, kinds, findings);
  const read = files.flatMap(({ file, path, bytes }) => {
    const source = decode(file, path, bytes, findings);
    if (source === undefined) return [];
    sources.set(file, source);
    const content = readYaml(source, LIMITS, findings);
    return content === undefined ? [] : [{ source, content }];
  });
  const errors = findings.list("error");
  if (errors.length > 0) throw new InvalidConfiguration(errors, (file) => sources.get(file)?.lines());
  return read.map(({ source, content }) => ({ source, text: formatText(source, content, LIMITS) }));
}

async function filesOf(
  project: Project,
  kinds: readonly Kind[],
  findings: Findings,
): Promise<ReturnType<typeof readFiles>> {
  const { Sources } = await import("../catalog/entries/sources.ts");
  const settings = settingsOf(project);
  const targets = pathsToFormat(project, settings?.node);
  const { tree, root, home } = project;
  const place = { tree, configurationRoot: root, home };
  const sources = new Sources({ kinds, ...place, findings: new Findings(), keep: () => {} });
  const files = sources.configurationFiles(readFiles(targets, { root, limits: LIMITS }, findings));
  const tests = readFiles(targets, { root, limits: LIMITS, type: TEST_FILES }, new Findings());
  const all = [...(settings === undefined ? [] : [settings.bytes]), ...files, ...tests];
  return all.filter(({ path }, at) => all.findIndex((one) => one.path === path) === at);
}

/** The settings file, if it belongs to the given paths. */
function settingsOf({
  tree,
  settings,
  home,
  given,
}: Project): { readonly bytes: ReturnType<typeof readFiles>[number]; readonly node: Node | undefined } | undefined {
  if (settings === undefined || (given.length > 0 && !given.includes(home))) return undefined;
  const bytes = tree.read(settings, { root: home, maximum: LIMITS.fileBytes, mayBeHidden: true });
  if ("code" in bytes) return undefined;
  const file = settings.slice(home.length + 1);
  const source = new Source(file, settings, new TextDecoder().decode(bytes));
  return { bytes: { file, path: settings, bytes }, node: readYaml(source, LIMITS, new Findings())?.node };
}

/** The given paths, or else those in the settings: the configuration, and the overlays of environments. */
function pathsToFormat({ given, home, root }: Project, settings: Node | undefined): readonly ConfigurationPath[] {
  if (given.length > 0) return given.map((path) => ({ path }));
  const config = textsIn(settings, "config");
  const environments = memberOf(settings, "environments")?.value;
  const overlays =
    environments?.type === "map"
      ? [...environments.members.values()].flatMap(({ value }) => textsIn(value, "overlays"))
      : [];
  return [
    ...(config.length === 0 ? [root] : []),
    ...[...config, ...new Set(overlays)].map((path) => join(home, path)),
  ].map((path) => ({ path }));
}

function textsIn(node: Node | undefined, name: string): readonly string[] {
  const list = memberOf(node, name)?.value;
  if (list?.type !== "list") return [];
  return list.items.flatMap((item) => (item.type === "scalar" && typeof item.value === "string" ? [item.value] : []));
}

/** Returns the file in its canonical layout; undefined if its values or comments would change. */
export function formatText(source: Source, file: YamlFile, limits: Limits): string | undefined {
  const value = parseValue(source.text);
  // The layout is that of another parser than the loader's, so both must read the same values.
  if (value === undefined || !equal(value, file.value)) return undefined;
  try {
    const first = layOutOnce(source.text);
    const text = first === undefined ? undefined : layOutOnce(first);
    const settled = text === undefined ? undefined : layOutOnce(text);
    if (text === undefined || settled !== text) return undefined;
    const read = readYaml(new Source(source.file, source.path, text), limits, new Findings());
    const isSame =
      read !== undefined && meaning(read.node) === meaning(file.node) && comments(text) === comments(source.text);
    return isSame ? text : undefined;
  } catch (error) {
    if (error instanceof NoCanonicalLayout) return undefined;
    throw error;
  }
}

function layOutOnce(text: string): string | undefined {
  const document = parseCst(text);
  return document === undefined ? undefined : layOut(document);
}

function comments(text: string): string {
  return JSON.stringify(commentsOf(text).map(({ start, end }) => text.slice(start, end).trimEnd()));
}

/** The value of a tree, with the order of its keys. */
function meaning(node: Node): string {
  return canonical(value(node));
}

function value(node: Node): Json {
  if (node.type === "list") return node.items.map(value);
  if (node.type === "map") return [...node.members].map(([name, member]) => [name, value(member.value)]);
  return node.value;
}
