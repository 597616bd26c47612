/** Ids as text. They are texts of the interface, and a service that counts its resources answers numbers, which are no amounts. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";

/** A body whose resources have numbers for ids, with these as texts; any other body as it is. */
export function withTextIds(body: Json): Json {
  return parts(body).some(({ id }) => typeof id === "number") ? textIds(body, "") : body;
}

/** The objects of a body that may be resources: itself, its members, and the first of each list. */
function parts(body: Json): readonly Fields[] {
  const members = isFields(body) ? Object.values(body) : [];
  return [body, ...members].map((part) => (isList(part) ? part[0] : part)).filter(isFields);
}

function textIds(value: Json, name: string): Json {
  if (isList(value)) return value.map((item) => textIds(item, name));
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, textIds(one, member)]));
  return typeof value === "number" && /(?:^|_)ids?$/.test(name) ? String(value) : value;
}
