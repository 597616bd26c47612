/** A service that stores another form of what it is sent: the bodies of writes are changed on their way to the embedded service. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import type { WorldIo } from "../commands/world.ts";

/** Returns the body that is stored instead. */
export type Alteration = (body: Fields, request: { readonly method: string; readonly path: string }) => Fields;

/** The streams of a world whose service alters what it is sent. */
export function alteringIo(io: WorldIo, alter: Alteration): WorldIo {
  return {
    ...io,
    fetch: (input, init) => {
      if (init.body === undefined || init.method === "GET") return io.fetch(input, init);
      const path = new URL(input).pathname.replace("/api/v1", "");
      const body = alter(JSON.parse(String(init.body)), { method: init.method, path });
      return io.fetch(input, { ...init, body: JSON.stringify(body) });
    },
  };
}

/** Alters one field wherever it is sent. */
export function altersField(name: string, alter: (value: Json) => Json): Alteration {
  return (body) => (body[name] === undefined ? body : { ...body, [name]: alter(body[name]) });
}

/** The streams of a world whose service answers other bodies than the embedded one. */
export function answeringIo(io: WorldIo, alter: Alteration): WorldIo {
  return {
    ...io,
    fetch: async (input, init) => {
      const answer = await io.fetch(input, init);
      const text = await answer.text();
      if (text === "") return new Response(null, answer);
      const { pathname, search } = new URL(input);
      const body = alter(JSON.parse(text), { method: init.method, path: (pathname + search).replace("/api/v1", "") });
      return new Response(JSON.stringify(body), answer);
    },
  };
}

/** Alters each object of an answer that is meant, at any depth: rows of lists, single resources, and what they hold. */
export function altersObjects(isMeant: (object: Fields) => boolean, alter: (object: Fields) => Fields): Alteration {
  const altered = (value: Json): Json => {
    if (isList(value)) return value.map(altered);
    return isFields(value) ? alteredFields(value) : value;
  };
  const alteredFields = (fields: Fields): Fields => {
    const members = Object.entries(fields).map(([name, member]) => [name, altered(member)] as const);
    return isMeant(fields) ? alter(Object.fromEntries(members)) : Object.fromEntries(members);
  };
  return alteredFields;
}

/** Leaves the objects that are meant out of the lists of an answer, at any depth. */
export function dropsObjects(isMeant: (object: Fields) => boolean): Alteration {
  const isLeft = (item: Json): boolean => !isFields(item) || !isMeant(item);
  const left = (value: Json): Json => {
    if (isList(value)) return value.filter(isLeft).map(left);
    return isFields(value) ? leftFields(value) : value;
  };
  const leftFields = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, member]) => [name, left(member)]));
  return leftFields;
}
