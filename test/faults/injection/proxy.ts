/** A TCP proxy between client and service that simulates network faults. */

import { connect as connectSocket, createServer, type Server, type Socket } from "node:net";

/** Faults in the direction from the service to the client. */
export interface Toxics {
  /** Delay of each chunk in milliseconds. */
  readonly latency?: number;
  /** Bytes a second. */
  readonly bandwidth?: number;
  /** Bytes of a chunk. The client receives each separately. */
  readonly slice?: number;
  /** Number of response bytes, since the faults were set, after which `ends` happens. */
  readonly limit?: number;
  /** The end of a connection at the limit, or at once without a limit. */
  readonly ends?: "close" | "reset" | "silence" | "half-close";
  /** Resets connections as soon as they are opened. */
  readonly refuse?: true;
}

/** A proxy that listens on loopback. */
export class ToxicProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #setting: { toxics: Toxics; sent: number };

  private constructor(url: string, server: Server, sockets: Set<Socket>, setting: { toxics: Toxics; sent: number }) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
    this.#setting = setting;
  }

  /** Opens a proxy to a service on loopback. */
  static async open(service: string): Promise<ToxicProxy> {
    const target = new URL(service);
    const sockets = new Set<Socket>();
    const setting = { toxics: {} as Toxics, sent: 0 };
    const server = createServer({ allowHalfOpen: true }, (client) => {
      if (setting.toxics.refuse === true) {
        client.resetAndDestroy();
        return;
      }
      const upstream = connectSocket({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
        // An error on one side ends the other side.
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

  /** Sets the faults from now on. */
  poison(toxics: Toxics): void {
    this.#setting.toxics = toxics;
    this.#setting.sent = 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The service accepts requests only under its own host name. */
function renamed(bytes: Buffer, host: string): Buffer {
  const text = bytes.toString("latin1");
  return Buffer.from(text.replace(/^host: .*$/im, `host: ${host}`), "latin1");
}

/** Forwards the responses in chunks until they end or a fault ends them. */
async function answers(
  upstream: Socket,
  client: Socket,
  setting: { readonly toxics: Toxics; sent: number },
): Promise<void> {
  try {
    for await (const chunk of upstream) {
      const bytes: Buffer = chunk;
      const { slice = bytes.length, latency = 0, bandwidth, limit } = setting.toxics;
      for (let at = 0; at < bytes.length; at += slice) {
        const piece = bytes.subarray(at, at + slice);
        await pause(latency + (bandwidth === undefined ? 0 : (piece.length / bandwidth) * 1000));
        const rest = limit === undefined ? piece.length : Math.max(0, limit - setting.sent);
        if (client.destroyed) return;
        client.write(piece.subarray(0, rest));
        setting.sent += Math.min(rest, piece.length);
        if (rest < piece.length) {
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
  // With `silence` the connection stays open without more data.
}

function pause(milliseconds: number): Promise<void> {
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
