/** A TCP proxy between the client and the service that does to the bytes what networks do to them. */

import { connect as connectSocket, createServer, type Server, type Socket } from "node:net";

/** What is wrong with the way back from the service; everything that is not named is as it should be. */
export interface Toxics {
  /** Milliseconds before each piece is passed on. */
  readonly latency?: number;
  /** Bytes a second. */
  readonly bandwidth?: number;
  /** Bytes in a piece; the client sees each by itself. */
  readonly slice?: number;
  /** After so many bytes of all answers together, counted from when the toxics were set, what `ends` says. */
  readonly limit?: number;
  /** What happens at the limit, or at once where there is none. */
  readonly ends?: "close" | "reset" | "silence" | "half-close";
  /** Connections are reset as soon as they are made. */
  readonly refuse?: true;
}

/** A proxy that listens on loopback. */
export class ToxicProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #setting: { toxics: Toxics; answered: number };

  private constructor(
    url: string,
    server: Server,
    sockets: Set<Socket>,
    setting: { toxics: Toxics; answered: number },
  ) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
    this.#setting = setting;
  }

  /** Opens a proxy to a service on loopback. */
  static async open(service: string): Promise<ToxicProxy> {
    const target = new URL(service);
    const sockets = new Set<Socket>();
    const setting = { toxics: {} as Toxics, answered: 0 };
    const server = createServer({ allowHalfOpen: true }, (client) => {
      if (setting.toxics.refuse === true) {
        client.resetAndDestroy();
        return;
      }
      const upstream = connectSocket({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
        // What breaks on one side is passed on by the other's end.
        socket.on("error", () => socket.destroy());
      }
      client.on("data", (bytes) => upstream.write(renamed(bytes, target.host)));
      client.on("end", () => upstream.end());
      client.on("close", () => upstream.destroy());
      void answers(upstream, client, setting);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    return new ToxicProxy(`http://127.0.0.1:${address.port}`, server, sockets, setting);
  }

  /** From now on this is wrong. */
  poison(toxics: Toxics): void {
    this.#setting.toxics = toxics;
    this.#setting.answered = 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The service answers only to its own name. */
function renamed(bytes: Buffer, host: string): Buffer {
  const text = bytes.toString("latin1");
  return Buffer.from(text.replace(/^host: .*$/im, `host: ${host}`), "latin1");
}

/** Passes the answers on, piece by piece, until they end or a toxic ends them. */
async function answers(
  upstream: Socket,
  client: Socket,
  setting: { readonly toxics: Toxics; answered: number },
): Promise<void> {
  try {
    for await (const chunk of upstream) {
      const bytes: Buffer = chunk;
      const { slice = bytes.length, latency = 0, bandwidth, limit } = setting.toxics;
      for (let at = 0; at < bytes.length; at += slice) {
        const piece = bytes.subarray(at, at + slice);
        await pause(latency + (bandwidth === undefined ? 0 : (piece.length / bandwidth) * 1000));
        const left = limit === undefined ? piece.length : Math.max(0, limit - setting.answered);
        if (client.destroyed) return;
        client.write(piece.subarray(0, left));
        setting.answered += Math.min(left, piece.length);
        if (left < piece.length) {
          finish(client, setting.toxics.ends ?? "close");
          return;
        }
      }
    }
    client.end();
  } catch {
    client.destroy();
  }
}

function finish(client: Socket, how: NonNullable<Toxics["ends"]>): void {
  if (how === "reset") client.resetAndDestroy();
  else if (how === "close") client.destroySoon();
  else if (how === "half-close") client.end();
  // In silence the connection stays open, and nothing more comes.
}

function pause(milliseconds: number): Promise<void> {
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
