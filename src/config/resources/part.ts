/** A part of a configuration: what the files at or below some of its paths declare. */

import { type Configuration, listAt, type ManagedList } from "./configuration.ts";
import type { DeclaredResource } from "./declared-resource.ts";
import { fileOf } from "./origins.ts";

/** Whether a file is at or below one of the paths, all relative to the root. */
export function isInPart(paths: readonly string[], file: string): boolean {
  return paths.map((path) => path.replace(/^\.\//, "")).some((path) => file === path || file.startsWith(`${path}/`));
}

/** The resources that the files at or below the paths declare. */
export function declaredInPart(
  { declared }: Pick<Configuration, "declared">,
  paths: readonly string[],
): readonly DeclaredResource[] {
  return declared.filter(
    (resource) =>
      isInPart(paths, fileOf(resource)) ||
      ("source" in resource.origins && isInPart(paths, resource.origins.source.file)),
  );
}

/** The configuration with only the lists and the resources that the files of its part declare. `part`: of others. */
export function withinPart(
  configuration: Configuration,
  part: readonly string[] | undefined = configuration.part,
): Configuration {
  if (part === undefined) return configuration;
  const { managed } = configuration;
  const declared = declaredInPart(configuration, part);
  const isOwn = ({ kind, scope }: ManagedList): boolean =>
    isInPart(part, listAt(configuration, kind, scope)?.file ?? "") ||
    declared.some((resource) => resource.kind.name === kind && resource.scope === scope);
  return { ...configuration, managed: managed.filter(isOwn), declared };
}
