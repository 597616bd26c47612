/** The environments that the settings of a configuration name. */

import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { Findings } from "../../core/findings.ts";
import { locate } from "../settings/project.ts";
import { readSettings } from "../settings/settings-file.ts";
import { LIMITS } from "../source/limits.ts";
import { ParsedFile } from "../source/parsed-file.ts";
import type { Source } from "../source/source.ts";
import { decode } from "../source/text.ts";
import { Substitutions } from "../values/substitution-sources.ts";
import { type LoadContext, readSettingsFile } from "./load.ts";

/**
 * The names in their order; none without settings. Reads only the settings, so that errors in the files of one environment do not
 * matter. Throws `InvalidConfiguration` if the settings have errors.
 */
export function environmentNames(
  paths: readonly string[],
  { cwd, env, kinds }: Pick<LoadContext, "cwd" | "env" | "kinds">,
): readonly string[] {
  const findings = new Findings();
  const project = locate(paths, cwd, findings);
  const bytes = project === undefined ? undefined : readSettingsFile(project, LIMITS, findings);
  const source: Source | undefined =
    bytes === undefined ? undefined : decode(bytes.file, bytes.path, bytes.bytes, findings);
  const file = source === undefined ? undefined : ParsedFile.read(source, LIMITS, findings);
  const settings =
    project === undefined
      ? undefined
      : readSettings(file, project, kinds, {}, new Substitutions(project.home, env, new Map()), findings);
  const errors = findings.list("error");
  if (errors.length > 0) {
    throw new InvalidConfiguration(errors, (name) => (name === source?.file ? source.lines() : undefined));
  }
  return settings?.settings.environments ?? [];
}
