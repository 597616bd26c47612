/** Texts of golden files: in them no line stands that each new kind would change. */

import { kinds } from "../../src/kinds/index.ts";
import { grantableResources } from "../../src/kinds/rows/permissions.ts";

const ALL = kinds.map(({ name }) => name).join(", ");
const KEYS = kinds
  .flatMap(({ name, parent }) => (parent === undefined || parent.apart === true ? [name] : []))
  .join(", ");
const RESOURCES = grantableResources(kinds)
  .join(", ")
  .replace(/, (\w+)$/, " and $1");
const TOP = kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name);

/** The text with names for the lists of all kinds, of the keys of the files and of what permissions name. What a plan has not read is told by what it has. */
export function withoutKinds(text: string): string {
  return text
    .replaceAll(ALL, "<every kind>")
    .replaceAll(KEYS, "<every key>")
    .replaceAll(RESOURCES, "<every resource>")
    .replaceAll(/^( +)(.+) {2}not read$/gm, (_line, margin: string, places: string) => {
      const unread = places.split(", ");
      const read = TOP.filter((name) => !unread.includes(name));
      const others = unread.filter((place) => !TOP.includes(place));
      return `${margin}${[`every kind but ${read.join(" and ")}`, ...others].join(", ")}  not read`;
    });
}
