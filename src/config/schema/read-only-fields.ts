/** Fields of the service that files cannot set. */

/** Help for read-only fields, by name. */
export const READ_ONLY: ReadonlyMap<string, string> = new Map([
  ["position", "The order of the list is the order in the service."],
  ["rank", "The service derives it from the order of the list."],
  ["priority", "The order of the list is the order of the rules."],
  ["id", "References are slugs, labels and names, never ids."],
  ["is_default", "Write default: true."],
  ["locked", "The service decides which fields are locked."],
  ["created_at", "The service sets it."],
  ["updated_at", "The service sets it."],
  ["last_used_at", "The service sets it."],
  ["granted_abilities", "List the abilities under grants."],
  ["catalog_type_id", "Write catalog_type with the slug of the type."],
  ["reference_type_id", "Write reference_type with the slug of the type."],
  ["severity_id", "Write severity with the slug of the severity."],
  ["entry_id", "Write team with the slug of the entry."],
  ["attribute_definitions", "Write attributes."],
  ["references", "Write a reference as an attribute, with the slug of its target."],
  ["principal_id", "A grant belongs to the agent that it is listed under."],
  ["principal_kind", "A grant belongs to the agent that it is listed under."],
]);

/** Keys of secrets. Their values are never printed. */
export const SECRET_KEYS: ReadonlySet<string> = new Set(["token", "tokens", "secret", "signing_secret", "password"]);
