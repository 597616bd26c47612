/** A service that stores another form of what it is sent: the bodies of writes are changed on their way to the embedded service. */

import type { Fields, Json } from "../../src/core/json.ts";
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
