/** Checks a service against the rules of the interface, one file of rules after another, and finds out its dialects. */

import { abilityOf, findLackingAbilities, type NamedAbility } from "./abilities.ts";
import { type RuleFile, ruleFiles } from "./all-rules.ts";
import { type Client, connect, type Exchange, type FetchFunction, formatExchange, formatValue } from "./client.ts";
import { type DetectedDialect, detectDialect, dialectNames } from "./dialects.ts";
import {
  type CleanupStep,
  type ConformanceRule,
  Deviation,
  type Leftover,
  NotApplicable,
  type RuleContext,
  type RuleOutcome,
  type RuleResult,
  type WorkspaceFacts,
} from "./rule.ts";

/** The rules to check. */
interface RuleChoice {
  /** Part of a heading of the interface document, in any case. */
  readonly section?: string | undefined;
  /** The beginning of a rule's id. */
  readonly rule?: string | undefined;
}

/** The options of a check. */
interface ServiceCheck extends RuleChoice {
  /** Opens the service for one file of rules. */
  readonly open: () => Promise<OpenedTarget>;
  /** Ends the check after the rule under way. What rules made is removed first. */
  readonly signal: AbortSignal;
  readonly onResult: (result: RuleResult) => void;
}

/** The results of a check. */
export interface ConformanceReport {
  readonly results: readonly RuleResult[];
  /** Every dialect; none if only some rules were checked, or if the check was interrupted. */
  readonly dialects: readonly DetectedDialect[];
  /** All that stays in the workspace, each thing once. */
  readonly leftovers: readonly Leftover[];
}

/** The files of rules, each with the chosen rules only; without files that have none of them. */
export function chosenRules({ section = "", rule: id = "" }: RuleChoice): readonly RuleFile[] {
  const heading = section.toLowerCase();
  return ruleFiles
    .map(({ file, rules }) => ({
      file,
      rules: rules.filter((rule) => rule.section.toLowerCase().includes(heading) && rule.id.startsWith(id)),
    }))
    .filter(({ rules }) => rules.length > 0);
}

/** Checks the chosen rules. Without a choice, it also finds out every dialect. */
export async function checkService(options: ServiceCheck): Promise<ConformanceReport> {
  const results: RuleResult[] = [];
  const leftovers: Leftover[] = [];
  for (const { rules } of chosenRules(options)) {
    if (options.signal.aborted) break;
    leftovers.push(...(await checkRules(rules, results, options)));
  }
  const isWhole = (options.section ?? options.rule) === undefined && !options.signal.aborted;
  const dialects = isWhole ? await detectDialects(options, leftovers) : [];
  const all = [...results.flatMap((result) => result.leftovers), ...leftovers];
  // What several rules use stays once, as the last of them left it.
  const once = new Map(all.map((leftover) => [`${leftover.kind} ${leftover.name}`, leftover]));
  return { results, dialects, leftovers: [...once.values()] };
}

async function checkRules(
  rules: RuleFile["rules"],
  results: RuleResult[],
  { open, signal, onResult }: ServiceCheck,
): Promise<readonly Leftover[]> {
  const { target, close } = await open();
  const session = openSession(target);
  try {
    for (const rule of rules) {
      if (signal.aborted) break;
      const result = await session.check(rule);
      results.push(result);
      onResult(result);
    }
    return await session.close();
  } finally {
    await close();
  }
}

async function detectDialects(
  { open, signal }: ServiceCheck,
  leftovers: Leftover[],
): Promise<readonly DetectedDialect[]> {
  const { target, close } = await open();
  const session = openSession(target);
  const dialects: DetectedDialect[] = [];
  try {
    for (const name of dialectNames) if (!signal.aborted) dialects.push(await session.detect(name));
    leftovers.push(...(await session.close()));
    return dialects;
  } finally {
    await close();
  }
}

/** The status of a first request with the ablest token. Throws the error of the connection if there is no response. */
export async function firstStatus(target: ConformanceTarget): Promise<number> {
  return (await ablestClient(target).get("severities")).status;
}

/** The abilities that the ablest token lacks. */
export function lackingAbilities(target: ConformanceTarget): Promise<readonly NamedAbility[]> {
  return findLackingAbilities(ablestClient(target));
}

function ablestClient({ url, token, adminToken, fetch = globalFetch, pace }: ConformanceTarget): Client {
  return connect({ url, token: adminToken ?? token, fetch, patient: true, pace, record: () => {} });
}

const globalFetch: FetchFunction = (request) => globalThis.fetch(request);

/** A service to check, and what the caller knows about it. */
export interface ConformanceTarget extends WorkspaceFacts {
  readonly url: string;
  /** Used instead of the global fetch. */
  readonly fetch?: FetchFunction;
  /** A service key or any other token. */
  readonly token?: string | undefined;
  /** An admin's personal token. */
  readonly adminToken?: string | undefined;
  /** The abilities that the ablest token lacks. Rules that need one are not applicable. */
  readonly lacking?: readonly NamedAbility[];
  /** Waits until the next request may be sent. */
  readonly pace?: (() => Promise<void>) | undefined;
}

/** A target that must be closed after use. */
export interface OpenedTarget {
  readonly target: ConformanceTarget;
  close(): Promise<void>;
}

/** Rules checked one after another against one target. */
export interface ConformanceSession {
  check(rule: ConformanceRule): Promise<RuleResult>;
  /** Finds out which choice of a dialect the service follows. */
  detect(name: DetectedDialect["name"]): Promise<DetectedDialect>;
  /** Runs the clean-up of shared resources and of dialects. Returns what stays. */
  close(): Promise<readonly Leftover[]>;
}

export function openSession(target: ConformanceTarget): ConformanceSession {
  const { fetch = globalFetch } = target;
  const shared = new Map<string, Promise<unknown>>();
  const sharedSteps: CleanupStep[] = [];
  const lacking = new Set<NamedAbility>(target.lacking);
  const run = Math.random().toString(36).slice(2, 8);
  const detected: Leftover[] = [];
  /** Whether the rule has changed anything. */
  let isChanged = false;
  let names = 0;
  let last: Exchange | undefined;
  let steps: CleanupStep[] = [];

  function bearer(token: string | undefined, patient = true, check: (exchange: Exchange) => void = () => {}): Client {
    const record = (exchange: Exchange) => {
      last = exchange;
      isChanged ||= exchange.method !== "GET" && exchange.status < 300;
      check(exchange);
    };
    return connect({ url: target.url, token, fetch, patient, pace: target.pace, record });
  }

  /** A client of one of the given tokens. A refusal of what the token may not do is no fault of the service. */
  function owner(token: string | undefined): Client {
    return bearer(token, true, ({ status, method, path }) => {
      const ability = status === 403 ? abilityOf(method, path) : undefined;
      if (ability !== undefined && lacking.has(ability)) {
        throw new NotApplicable(`the token lacks the ability ${ability}`);
      }
    });
  }

  function known<T>(value: T | undefined, reason: string): T {
    if (value === undefined) throw new NotApplicable(reason);
    return value;
  }

  const { incident, rateLimit, switchTranscripts, disposable, reachesLoopback } = target;
  const context: RuleContext = {
    incident,
    rateLimit,
    switchTranscripts,
    disposable,
    reachesLoopback,
    client: owner(target.adminToken ?? target.token),
    bearer: (token, patient) => bearer(token, patient),
    get admin() {
      return owner(known(target.adminToken, "needs an administrator's token (INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN)"));
    },
    get person() {
      return known(target.person, "needs a person of the workspace (--person EMAIL)");
    },
    get otherPerson() {
      return known(target.otherPerson, "needs another person of the workspace (--other-person EMAIL)");
    },
    get chatId() {
      return known(target.chatId, "needs the person's chat user ID (--chat-id ID)");
    },
    get advanceClock() {
      return known(target.advanceClock, "needs the service's clock to be moved; only our own emulator allows it");
    },
    name: (word) => {
      names += 1;
      return `Conformance ${run}${names.toString(36)} ${word}`;
    },
    cleanup: (step) => {
      steps.push(step);
    },
    async once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const held = shared.get(key);
      if (held !== undefined) return held as Promise<T>;
      // A shared resource outlives the rule that first asked for it, and so do its clean-up steps.
      const own = steps;
      steps = sharedSteps;
      const made = make();
      shared.set(key, made);
      try {
        return await made;
      } finally {
        steps = own;
      }
    },
  };

  async function clearUp(list: CleanupStep[]): Promise<readonly Leftover[]> {
    const leftovers: Leftover[] = [];
    for (const step of list.splice(0).reverse()) {
      try {
        const end = await step();
        if (end === undefined) continue;
        if ("kind" in end) leftovers.push(end);
        else if (end.status >= 400 && end.status !== 404) leftovers.push(refusedRequest(end, "it was refused"));
      } catch (error) {
        const isNothing = error instanceof NotApplicable && !isChanged;
        if (!isNothing) leftovers.push(refusedRequest(last, error instanceof Error ? error.message : String(error)));
      }
    }
    return leftovers;
  }

  return {
    async check(rule) {
      last = undefined;
      isChanged = false;
      steps = [];
      const outcome = await outcomeOf(rule, context, () => last);
      return { rule, outcome, leftovers: await clearUp(steps) };
    },
    async detect(name) {
      steps = [];
      const dialect = await detectDialect(name, context);
      detected.push(...(await clearUp(steps)));
      return dialect;
    },
    close: async () => [...detected.splice(0), ...(await clearUp(sharedSteps))],
  };
}

function refusedRequest(exchange: Exchange | undefined, state: string): Leftover {
  return { kind: "request", name: exchange === undefined ? "(none was sent)" : formatExchange(exchange), state };
}

async function outcomeOf(
  rule: ConformanceRule,
  context: RuleContext,
  last: () => Exchange | undefined,
): Promise<RuleOutcome> {
  const kind = rule.basis === "wire" ? "differs" : "failed";
  try {
    await rule.check(context);
    return { kind: "passed" };
  } catch (error) {
    if (error instanceof NotApplicable) return { kind: "not applicable", reason: error.message };
    const exchange = error instanceof Deviation ? (error.exchange ?? last()) : last();
    const request = exchange === undefined ? "(no request was sent)" : formatExchange(exchange);
    if (error instanceof Deviation) return { kind, expected: error.expected, actual: error.actual, request };
    return { kind, expected: "a response the rule can be read from", actual: formatValue(String(error)), request };
  }
}
