/** Token sinks: storage for one-time tokens. A sink stores a token durably or fails; it never prints one. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Secret } from "../exchange/secret.ts";

/** A token to store. */
export interface IssuedToken {
  readonly address: string;
  /** The first twelve characters. */
  readonly prefix: string;
  readonly token: Secret;
}

/** Storage for one-time tokens. */
export interface TokenSink {
  /** Tests, before anything is sent, whether a token could be stored. Throws {@link UnusableSink}. */
  probe(): Promise<void>;
  /** Resolves once the token is stored. Throws {@link UnusableSink}. */
  store(issued: IssuedToken): Promise<void>;
}

/** Error for a sink that cannot be used. The message contains no token. */
export class UnusableSink extends Error {
  readonly exitCode: number = EXIT.refused;

  constructor(message: string) {
    super(message);
    this.name = "UnusableSink";
  }
}

/** The sink of a run without one: it fails before anything is sent. */
export const noSink: TokenSink = { probe: refuse, store: refuse };

async function refuse(): Promise<never> {
  throw new UnusableSink("the plan creates a token, and there is nowhere to store it");
}

/** Returns the line of JSON that a sink stores. */
export function tokenLine({ address, prefix, token }: IssuedToken): string {
  return `${JSON.stringify({ address, prefix, token: token.reveal() })}\n`;
}
