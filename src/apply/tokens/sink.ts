/** Where one-time tokens go. A sink keeps a token durably or fails; it never shows one. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Secret } from "./secret.ts";

/** Characters of a token that may be told, and that name it for revoking (interface, "Agent"). */
export const PREFIX_LENGTH = 12;

/** A token to keep. */
export interface IssuedToken {
  readonly address: string;
  /** Its first twelve characters. */
  readonly prefix: string;
  readonly token: Secret;
}

/** A place for one-time tokens. */
export interface TokenSink {
  /** Finds out, before anything is sent, whether a token could be kept. Throws {@link UnusableSink}. */
  probe(): Promise<void>;
  /** Resolves when the token is safe. Throws {@link UnusableSink}. */
  keep(issued: IssuedToken): Promise<void>;
}

/** The sink cannot be used; the message says why and holds no token. */
export class UnusableSink extends Error {
  readonly exitCode: number = EXIT.refused;

  constructor(message: string) {
    super(message);
    this.name = "UnusableSink";
  }
}

/** What stands in for a sink where none was given: it keeps nothing, and says so before anything is sent. */
export const noSink: TokenSink = { probe: refuse, keep: refuse };

async function refuse(): Promise<never> {
  throw new UnusableSink("the plan reveals a token, and there is nowhere to keep it");
}

/** The line that every sink is given. */
export function lineOf({ address, prefix, token }: IssuedToken): string {
  return `${JSON.stringify({ address, prefix, token: token.reveal() })}\n`;
}
