/** The points inside a request at which the control surface looks in, or breaks in. */

import type { Fields } from "../core/json.ts";
import type { Principal } from "./rooms/access/principals.ts";

/** What is called in the course of one request. Without a control surface there are no hooks. */
export interface Hooks {
  /** The body has been read and the token accepted; nothing is done yet. May reject with an Interruption. */
  afterRead(principal: Principal, body: Fields): Promise<void>;
  /** The handler is done, the transaction not yet committed. May throw an Interruption, which rolls it back. */
  beforeCommit(): void;
  /** The transaction is committed. */
  committed(): void;
}

/** Ends a request at a hook; what the client gets instead is up to whoever threw it. */
export class Interruption extends Error {}
