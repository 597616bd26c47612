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
  const words = name.replaceAll("_", " ").replace(/^api\b/, "API");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Every resource, except grants, of which the page about access tells. */
export const pageResources: readonly PageResource[] = resourcesOf(allModules).filter(({ name }) => name !== "grants");
