/** Kinds that are option lists: ordered by position, named by a slug that the service derives from the name, and disabled or removed. */

import { defineKind, type KindFacts } from "../model/define-kind.ts";
import type { Kind } from "../model/kind.ts";
import { equalTexts } from "../values/equality.ts";

/** An option list, with what it has besides. */
export function optionList({
  lifecycle,
  fields,
  ...facts
}: Omit<KindFacts, "identity" | "lifecycle"> & Partial<KindFacts>): Kind {
  return defineKind({
    identity: { keys: ["slug"], displayName: "name", idFields: ["slug"], slug: "option" },
    lifecycle: { order: "position", required: ["name"], disable: "enabled", ...lifecycle },
    fields: { ...fields, description: { equals: equalTexts } },
    ...facts,
  });
}
