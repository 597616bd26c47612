/** Field values and places, as analyzers need them. */

import { locationOf, templateAt } from "../../config/resources/origins.ts";
import type { Hit } from "./analyzer.ts";
import type { PlannedResource } from "./planned-workspace.ts";

/** ASCII words with single spaces, which need no normalization. */
const NORMALIZED = /^[!-~]+(?: [!-~]+)*$/;

/** The text without differences in case, white space and Unicode form. */
export function foldedText(text: string): string {
  const spaced = NORMALIZED.test(text) ? text : text.normalize("NFC").trim().replace(/\s+/g, " ");
  return spaced.toLowerCase();
}

/** Address and place of a hit: a field of the resource by its JSON Pointer, or the resource itself. */
export function placeOf(
  { address, declared }: PlannedResource,
  pointer = "",
): Pick<Hit, "address" | "at" | "resourceAt" | "madeAt"> {
  if (declared === undefined) return { address, at: undefined, resourceAt: undefined, madeAt: undefined };
  const { at, origins } = declared;
  return {
    ...{ address, at: pointer === "" ? at : locationOf(origins, pointer), resourceAt: at },
    madeAt: templateAt(origins, pointer),
  };
}

/** A place of another resource for the `related` of a hit; nothing if the resource is not declared. */
export function relatedPlace({ declared }: PlannedResource, message: string, pointer = ""): Pick<Hit, "related"> {
  if (declared === undefined) return {};
  return { related: [{ message, at: pointer === "" ? declared.at : locationOf(declared.origins, pointer) }] };
}
