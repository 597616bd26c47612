/** The context of a rule: clients, people, unused names, and a list of clean-up steps. */

import type { Client, Exchange } from "./client.ts";

/** Reading a member the target does not provide makes the rule not applicable, with the reason. */
export interface RuleContext {
  /** The ablest token given: the admin's, or else the service key. */
  readonly client: Client;
  /** The admin's personal token. */
  readonly admin: Client;
  /** A client with another token, or none; an impatient one returns a 429 instead of waiting. */
  bearer(token: string | undefined, patient?: boolean): Client;
  /** A person's email address. */
  readonly person: string;
  /** Another person's email address. */
  readonly otherPerson: string;
  /** The first person's chat-platform user ID. */
  readonly chatId: string;
  /** Moves the service's clock forward by milliseconds. */
  readonly advanceClock: (milliseconds: number) => void;
  /** Turns the workspace's transcript access on or off; undefined where only its dashboard can. */
  readonly switchTranscripts: ((on: boolean) => Promise<void>) | undefined;
  /** An incident that holds notes and a conversation, if the caller named one. */
  readonly incident: string | undefined;
  /** Whether a key's requests of a minute may be used up. */
  readonly rateLimit: boolean;
  /** Whether the workspace is the suite's own, so that what cannot be undone may be done. */
  readonly disposable: boolean;
  /** Whether the service can deliver to a listener on this machine's loopback. */
  readonly reachesLoopback: boolean;
  /** A name nothing in the workspace bears, ending in the word. */
  name(word: string): string;
  /** Registers a clean-up step for the end of the rule. Steps run in reverse order, and a 404 counts as success. */
  cleanup(step: () => Promise<Exchange | undefined>): void;
  /** The value made by the first rule that asked under this key; made things last until the session ends. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
}
