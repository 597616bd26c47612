/** Rules of the interface as data, and the outcomes of their checks. */

import type { Client, Exchange } from "./client.ts";

/** The document that states a rule: the interface, or only the wire facts, which fill its silences. */
export type RuleBasis = "interface" | "wire";

/** One rule: a sentence or a table row of the interface, with the check that shows whether a service keeps it. */
export interface ConformanceRule {
  /** Stable, dotted, and unique: `position.2.severities`. */
  readonly id: string;
  /** The document's heading under which the rule stands. */
  readonly section: string;
  /** The rule in one short sentence of ours. */
  readonly title: string;
  readonly basis: RuleBasis;
  /** Resolves when the rule is kept; throws `Deviation` when it is not, `NotApplicable` when it cannot be seen here. */
  check(context: RuleContext): Promise<void>;
}

/** The noun, or the words that begin a noun phrase, after `a` or `an`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The service does something other than the rule says. */
export class Deviation extends Error {
  override readonly name = "Deviation";
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | undefined;

  constructor(expected: string, actual: string, exchange?: Exchange) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
  }
}

/** The rule cannot be checked against this service, for the reason given. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The outcome of one rule. A deviation from a wire fact is `differs`, not `failed`: the interface leaves it open. */
export type RuleOutcome =
  | { readonly kind: "passed" }
  | {
      readonly kind: "failed" | "differs";
      readonly expected: string;
      readonly actual: string;
      readonly request: string;
    }
  | { readonly kind: "not applicable"; readonly reason: string };

/** Something that a rule has made, or a request that would have undone what it did, and that stays in the workspace. */
export interface Leftover {
  /** `incident`, `severity`, `custom field`; or `request`. */
  readonly kind: string;
  readonly name: string;
  /** `canceled`, `disabled`, `hidden`; or why it is otherwise. */
  readonly state: string;
}

/** A rule with its outcome, and what stays after it. */
export interface RuleResult {
  readonly rule: ConformanceRule;
  readonly outcome: RuleOutcome;
  readonly leftovers: readonly Leftover[];
}

/** A step that undoes what a rule did, and returns its last exchange, or what stays. */
export type CleanupStep = () => Promise<Exchange | Leftover | undefined>;

/** The facts that the caller knows about the service and its workspace. */
export interface WorkspaceFacts {
  /** The email address of a person of the workspace. */
  readonly person?: string | undefined;
  /** The chat-platform user ID of the same person. */
  readonly chatId?: string | undefined;
  /** The email address of another person. */
  readonly otherPerson?: string | undefined;
  /** The id of an incident with notes on its timeline and a conversation. */
  readonly incident?: string | undefined;
  /** Whether rules that use up a key's requests of a minute may run. */
  readonly rateLimit?: boolean | undefined;
  /** Moves the service's clock forward by milliseconds, where the caller holds it. */
  readonly advanceClock?: (milliseconds: number) => void;
  /** Turns the workspace's transcript access on or off; undefined where only its dashboard can. */
  readonly switchTranscripts?: ((on: boolean) => Promise<void>) | undefined;
  /** Whether the workspace is the suite's own, so that what cannot be undone may be done. */
  readonly disposable?: boolean | undefined;
  /** Whether the service can deliver to a listener on this machine's loopback. */
  readonly reachesLoopback?: boolean | undefined;
}

type KnownFacts = "person" | "otherPerson" | "chatId" | "advanceClock";

/** Reading a known fact the target does not provide makes the rule not applicable, with the reason. */
export interface RuleContext
  extends Omit<WorkspaceFacts, KnownFacts>,
    Readonly<{ [Name in KnownFacts]: NonNullable<WorkspaceFacts[Name]> }> {
  /** The ablest token given: the admin's, or else the service key. */
  readonly client: Client;
  /** The admin's personal token. */
  readonly admin: Client;
  /** A client with another token, or none; an impatient one returns a 429 instead of waiting. */
  bearer(token: string | undefined, patient?: boolean): Client;
  /** A name nothing in the workspace bears, ending in the word. */
  name(word: string): string;
  /** Registers a clean-up step for the end of the rule. Steps run in reverse order, and a 404 counts as success. */
  cleanup(step: CleanupStep): void;
  /** The value made by the first rule that asked under this key; made things last until the session ends. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
}
