/** Fields whose values came from the environment and are never drawn. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { cameFromEnvironment } from "../../workspace/match/last-applied.ts";
import type { DiagramSource } from "./diagrams.ts";

/** Whether a field of a resource holds a value from the environment, by the files or by the last apply. */
export function isFromEnvironment(
  { state, hashes }: Pick<DiagramSource, "state" | "hashes">,
  { kind, scope, key, address }: Pick<DeclaredResource | LiveResource, "kind" | "scope" | "key" | "address">,
  field: string,
): boolean {
  const secrets = state.declared(kind.name, key, scope)?.secrets ?? [];
  const isInFiles = secrets.some((pointer) => pointer === `/${field}` || pointer.startsWith(`/${field}/`));
  return isInFiles || cameFromEnvironment(hashes, address, field);
}
