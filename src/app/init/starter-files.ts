/** Files of a new repository: settings, schemas for editors, an example, pipelines. */

import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { flowText } from "../../config/edit/yaml-writer.ts";
import { workspaceSchema } from "../../config/schema/schema.ts";
import { settingsForEditors } from "../../config/schema/settings-schema.ts";
import { packageFile } from "../../core/package.ts";
import { kinds } from "../../kinds/index.ts";
import { prettyJson } from "../../view/format/json.ts";
import { SCHEMA_FILE } from "../pull/files.ts";
import { pipelineOf } from "./component.ts";
import { callingWorkflow } from "./uses.ts";

/** Where the pipelines run. */
export type PipelineChoice = "github" | "gitlab" | "generic" | "none";

/** Where entries of the catalog can come from. */
export const CATALOG_PRESETS = ["backstage", "csv", "folders"] as const;
export type CatalogPreset = (typeof CATALOG_PRESETS)[number];

/** A file to write if it does not exist. */
export interface StarterFile {
  /** Path below the repository. */
  readonly file: string;
  readonly text: string;
}

/** The name of the file that lists ignored files. */
export const IGNORE_FILE = ".gitignore";

const IGNORE_TEXT =
  "# Journals and the embedded service's database.\n.incidentctl/\n# Saved plans, each for one state of the workspace.\n*.plan\n# One-time tokens of --secrets-out.\ntokens*.jsonl\n";

/** The branch in the workflows' templates. */
const BRANCH = "main";

/** The settings' schema, beside the settings. */
const SETTINGS_SCHEMA = "settings.schema.json";

const LIMITS_TEXT = `# Live resources of a managed kind that are not in the configuration.
removal:
  default: disable_or_delete

# The most removals of a kind in one apply. Default: 30%, or 3 of a kind with fewer than 10.
# limits:
#   max_removals: 30%

# The environment variables that \${env:NAME} may read. Default: all but those of pipelines, Node and incidentctl.
# environment_variables: [PAGER_TOKEN]
`;

/** The pipelines of a new repository. */
export interface Pipelines {
  readonly forge?: PipelineChoice | undefined;
  /** The branch that is applied. */
  readonly branch?: string | undefined;
  /** The repository and the commit whose workflows are called, as `OWNER/REPO@COMMIT`. Default: whole workflows are written. */
  readonly uses?: string | undefined;
}

/** Settings, schemas, ignored files and pipelines. */
export function starterFiles(
  url: string | undefined,
  { forge = "none", branch = BRANCH, uses }: Pipelines = {},
): StarterFile[] {
  const address =
    url === undefined
      ? "# The only address that the token may be sent to.\n# base_url: https://incidents.example.com\n"
      : `# The only address that the token may be sent to.\nbase_url: ${flowText(url)}\n`;
  const text = `# yaml-language-server: $schema=${SETTINGS_SCHEMA}\n# Settings of incidentctl: which service, which files, which limits. Commit this file.\nversion: 1\n\n${address}\nconfig: [config]\n\n${LIMITS_TEXT}`;
  return [
    { file: "incidentctl.yaml", text },
    { file: SCHEMA_FILE, text: prettyJson(workspaceSchema(kinds)) },
    { file: SETTINGS_SCHEMA, text: prettyJson(settingsForEditors(kinds)) },
    {
      file: IGNORE_FILE,
      text: forge === "none" ? IGNORE_TEXT : `${IGNORE_TEXT}# Reports of the pipelines.\nreports/\n`,
    },
    ...pipelineFiles(forge, uses).map(({ text, ...file }) => ({
      ...file,
      text: text.replace(`branches: [${BRANCH}]`, `branches: [${branch}]`),
    })),
  ];
}

/** The text of `config/severities.yaml` in a repository that is not pulled. */
export const EXAMPLE = `# A key owns its kind: the list has every resource, in the order of the service.
# A kind without a key in any file is never changed.
severities:
  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`;

/** The text of `config/catalog.yaml` for a preset. */
export function catalogText(preset: CatalogPreset): string {
  return readFileSync(templatePath(`catalog/${preset}.yaml`), "utf8");
}

function pipelineFiles(forge: PipelineChoice, uses: string | undefined): readonly StarterFile[] {
  if (forge === "none" || forge === "generic") return [];
  if (forge === "github") {
    const files = folderFiles("github/workflows", ".github/workflows");
    if (uses === undefined) return files;
    return files.map(({ file, text }) => ({ file, text: callingWorkflow(basename(file), text, uses) }));
  }
  return [{ file: ".gitlab-ci.yml", text: pipelineOf(readFileSync(templatePath("gitlab/template.yml"), "utf8")) }];
}

function folderFiles(folder: string, target: string): readonly StarterFile[] {
  const names = readdirSync(templatePath(folder)).sort();
  return names.map((name) => template(`${folder}/${name}`, `${target}/${name}`));
}

function template(path: string, file: string): StarterFile {
  return { file, text: readFileSync(templatePath(path), "utf8") };
}

function templatePath(path: string): string {
  return fileURLToPath(packageFile(`templates/${path}`));
}
