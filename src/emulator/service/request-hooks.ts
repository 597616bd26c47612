/** Hooks of a request, through which the control surface observes and aborts it. */

import type { Fields } from "../../core/json.ts";
import type { Principal } from "./permissions.ts";

/** Callbacks of one request. Without a control surface there are none. */
export interface RequestHooks {
  /** Called when the token is accepted and the body read, before any change. May reject with a RequestAborted. */
  afterRead(principal: Principal, body: Fields): Promise<void>;
  /** Called after the handler and before the commit. May throw a RequestAborted, which rolls the transaction back. */
  beforeCommit(): void;
  /** Called after the commit. */
  afterCommit(): void;
}

/** Thrown by a hook to abort a request. The thrower provides the response. */
export class RequestAborted extends Error {}
