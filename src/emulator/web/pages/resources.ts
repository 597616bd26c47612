/** The resources that the pages list: those of every module, in the order of the modules. */

import { allModules } from "../../modules/all-modules.ts";
import type { ListedResource, ServiceModule } from "../../service/module.ts";

/** A resource with the name of its pages: `/configuration/catalog_types`, `Catalog types`. */
export interface PageResource extends ListedResource {
  readonly name: string;
  readonly title: string;
}

/** The resources of the modules. */
export function resourcesOf(modules: readonly Pick<ServiceModule, "resource">[]): readonly PageResource[] {
  return modules.flatMap(({ resource }) => (resource === undefined ? [] : [named(resource)]));
}

function named(resource: ListedResource): PageResource {
  const name = resource.path.replaceAll("/", "_");
  return { ...resource, name, title: wordsOf(name) };
}

/** A name of the interface as a title: `alert_sources` as `Alert sources`. */
export function wordsOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
}

/** Resources that the page about access shows. */
const onAccessPage: readonly string[] = ["api_keys", "agents", "grants", "permission_sets"];

/** Every resource, except those with a page of their own. */
export const pageResources: readonly PageResource[] = resourcesOf(allModules).filter(
  ({ name }) => !onAccessPage.includes(name),
);
