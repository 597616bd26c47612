/** The people of a replica: the service lists none. */

import { type Fields, textsIn } from "../../core/json.ts";
import { catalogAttributes, catalogEntries } from "../modules/catalog/catalog-tables.ts";
import { members } from "../modules/people.ts";
import type { ReplicaLoad } from "../service/live-rows.ts";

/** Creates people for unknown names in the catalog and in the plan, so that the replica accepts writes that name them. */
export function loadPeople({ service: { database }, notes }: ReplicaLoad, peopleInPlan: readonly string[]): void {
  const knownPeople = new Set(
    database.list(members).flatMap(({ id, email, chat_user_id }) => [id, email, chat_user_id]),
  );
  const memberWords = database
    .list(catalogAttributes)
    .flatMap(({ type_id, slug, attribute_type }) =>
      attribute_type === "workspace_member" || attribute_type === "workspace_members"
        ? database.list(catalogEntries, { type_id }).flatMap(({ attributes }) => wordsIn(attributes[slug]))
        : [],
    );
  const words = [...new Set([...memberWords, ...peopleInPlan])].filter((word) => !knownPeople.has(word));
  if (words.length === 0) return;
  notes.add(`${words.length} people in the catalog or the plan are assumed to exist`);
  database.insert(
    members,
    ...words.map((word) => ({ id: word, name: word, email: word, chat_user_id: word, role: "member" as const })),
  );
}

function wordsIn(value: Fields[string] | undefined): readonly string[] {
  return typeof value === "string" ? [value] : textsIn(value);
}
