/** Random cases of a service that alters, and the laws that an apply keeps there. */

import fc from "fast-check";
import { makePlanFor } from "../../../src/app/session/make-plan.ts";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import { InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { canonical, type Fields, isFields, isList, type Json, parseJson } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { updateLastApplied } from "../../../src/plan/checks/update-last-applied.ts";
import { apply } from "../../../src/run/apply/apply.ts";
import {
  createdOtherwise,
  storedOtherwise,
  switchedBy,
  withCreatedIds,
} from "../../../src/run/apply/stored-otherwise.ts";
import { IgnoredChange, UnexpectedSlug } from "../../../src/run/exchange/failure.ts";
import type { Outcome } from "../../../src/run/journal/outcome.ts";
import { reader } from "../../../src/service/http/client.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { ServiceError } from "../../../src/service/requests/service-error.ts";
import {
  type LastApplied,
  type LastAppliedHashes,
  switchesIn,
  whileVerifying,
  withStored,
  withSwitched,
} from "../../../src/workspace/match/last-applied.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { configured } from "../../support/plans/configuration.ts";
import { DEFAULT_OPTIONS } from "../../support/service/test-service.ts";
import type { Altering, AlteringService } from "./altered.ts";
import { ANSWERED_FORMS, STORED_FORMS } from "./forms.ts";
import { subjects } from "./subjects.ts";

/** Documents that are applied one after the other, and the service that they are applied to. */
export interface Case extends Altering {
  readonly documents: readonly Fields[];
}

/** The values of each member of a document, at any depth. */
function membersOf(value: Json, into = new Map<string, Json[]>(), name = ""): ReadonlyMap<string, readonly Json[]> {
  if (name !== "") into.set(name, [...(into.get(name) ?? []), value]);
  if (isList(value)) for (const item of value) membersOf(item, into, name);
  else if (isFields(value)) for (const [member, one] of Object.entries(value)) membersOf(one, into, member);
  return into;
}

/** Forms in which nothing is left of a name. The response is about another resource then. */
const NOT_OF_NAMES: ReadonlySet<string> = new Set(["writes null for texts", "takes no notice", "writes stars"]);

/** Members and the forms that change one of their values. */
function formsOf(document: Fields): readonly (readonly [member: string, form: string])[] {
  return [...membersOf(document)].flatMap(([member, values]) =>
    Object.entries(STORED_FORMS)
      .filter(([form]) => member !== "name" || !NOT_OF_NAMES.has(form))
      .filter(([, form]) => values.some((value) => form(value) !== value))
      .map(([form]) => [member, form] as const),
  );
}

export const cases: fc.Arbitrary<Case> = fc
  .record({
    subjects,
    isChanged: fc.boolean(),
    chosen: fc.array(fc.nat(), { maxLength: 8 }),
    answered: fc.subarray(Object.keys(ANSWERED_FORMS), { maxLength: 3 }),
    to: fc.option(fc.constantFrom("reads" as const, "writes" as const), { nil: undefined }),
  })
  .map(({ subjects: [first, next], isChanged, chosen, answered: drawn, to }) => {
    const forms = formsOf(first);
    // Without positions, the order of the rows is the only one that a service shows.
    const isTold = (form: string) => form !== "answers rows in another order" || !drawn.includes("answers no position");
    // Where an answer to an update leaves out what it did not change, only a person can tell, and the run ends with 4.
    const isSilent = (form: string) =>
      to === "writes" && /^(answers no|leaves (null|empty lists|false|what is empty) out)/.test(form);
    // Where answers to reads and writes differ in added words or items, nothing tells a value from the former one: the run ends with 4.
    const stored = new Map(chosen.flatMap((at) => [forms[at % forms.length] ?? ["", ""]]));
    const isKept = [...stored.values()].some((form) => KEEPING_FORMS.test(form));
    const isHiding = (form: string) =>
      to !== undefined && (HIDING_ANSWERS.test(form) || (isKept && form === "answers texts in HTML"));
    const answered = drawn.filter((form) => isTold(form) && !isSilent(form) && !isHiding(form));
    return { documents: isChanged ? [first, next] : [first], stored, answered, to };
  });

/** A run, with the hashes that the lock gets. */
interface Run {
  readonly outcomes: readonly Outcome[];
  readonly hashes: LastAppliedHashes;
}

const planned = (writer: Writer, own: Configuration, lastApplied: LastApplied) =>
  makePlanFor(own, reader(writer), kinds, { ...DEFAULT_OPTIONS, lastApplied });

/** Applies a document as the command does. */
async function applied(writer: Writer, own: Configuration, before: LastAppliedHashes): Promise<Run> {
  const { plan } = await planned(writer, own, { hashes: before, resend: false });
  const outcomes: Outcome[] = [];
  const sink = { probe: async () => {}, store: async () => {} };
  for await (const event of apply(plan, writer, { keepGoing: false, sink, clock: new VirtualClock() }))
    if (event.status !== "started") outcomes.push(event);
  const switched = switchedBy(outcomes, kinds);
  const created = createdOtherwise(own, outcomes);
  if (outcomes.some((outcome) => outcome.status === "failed" && outcome.error instanceof UnexpectedSlug))
    return { outcomes, hashes: withStored(before, created) };
  const known = whileVerifying({ hashes: withSwitched(before, switched) });
  const made = await planned(writer, withCreatedIds(own, outcomes), known);
  const { recorded } = storedOtherwise(made.plan.changes, outcomes, plan.changes, made);
  const hashes = updateLastApplied(own, plan.operations, made.plan, before, { stored: recorded });
  return { outcomes, hashes: withSwitched({ ...withStored({}, created), ...hashes }, switchesIn(made.state)) };
}

/** What breaks the laws in a case; empty if nothing does. */
export async function broken(one: Case, service: AlteringService): Promise<readonly string[]> {
  const writer = service.begin(one);
  let hashes: LastAppliedHashes = {};
  let former: Configuration | undefined;
  for (const [at, document] of one.documents.entries()) {
    const own = configured(document);
    const run = await applied(writer, own, hashes).catch(stopped);
    if (!("outcomes" in run)) return run;
    hashes = run.hashes;
    const all = await brokenBy(run, own, one, writer);
    const found = all.filter((line) => former === undefined || !isUndecided(line, one, former));
    former = own;
    if (found.length > 0) return found.map((line) => `document ${at + 1}: ${line}`);
    // A person has to look at what failed first.
    if (failures(run).length > 0) return [];
  }
  return [];
}

/**
 * Whether an update is planned again whose new value differs from the former one in nothing that reads show: one that was answered and not
 * carried out looks the same, so only a person can tell, and what else the update sent is sent with it. What a rule shows may be that of another one which was at its place.
 */
function isUndecided(line: string, { answered, to }: Case, former: Configuration): boolean {
  const hidden = answered.flatMap((form) => /^answers no (\w+)$/.exec(form)?.slice(1) ?? []);
  const [, address = "", body = ""] = /^second plan: PATCH (\S+) (.*)$/.exec(line) ?? [];
  if (to !== "reads" || !hidden.some((member) => body.includes(`"${member}":`))) return false;
  if (address.startsWith("routing_rules/")) return true;
  const before = former.declared.find((resource) => resource.address === address)?.fields ?? {};
  const shown = (value: Json | undefined): string => canonical(withoutHidden(value ?? null, hidden));
  return Object.entries(parseJson(body) ?? {}).some(([name, value]) => shown(value) === shown(before[name]));
}

/** A value without the members that no read returns, at any depth. */
function withoutHidden(value: Json, hidden: readonly string[]): Json {
  if (isList(value)) return value.map((item) => withoutHidden(item, hidden));
  if (!isFields(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(shown.map(([name, one]) => [name, withoutHidden(one, hidden)]));
}

/** What breaks the laws after a run. */
async function brokenBy(run: Run, own: Configuration, one: Case, writer: Writer): Promise<readonly string[]> {
  const errors = failures(run);
  const unexplained = errors.filter((error) => !EXPLAINED.some((known) => error instanceof known));
  const carriedOut = run.outcomes.filter(isCarriedOut).map(({ operation }) => repeatedWordsOf(operation));
  const isRepeated = (line: string) => carriedOut.some((words) => line.startsWith(words));
  const second = await requests(writer, own, run.hashes).catch(stopped);
  const lockless = errors.length === 0 && needsNoLock(one) ? await requests(writer, own, {}).catch(stopped) : [];
  return [
    ...unexplained.map((error) => `failed: ${error.message}`),
    ...second.filter((line) => errors.length === 0 || isRepeated(line)).map((line) => `second plan: ${line}`),
    ...lockless.map((line) => `without a lock: ${line}`),
  ];
}

/** The errors of the operations of a run. */
function failures({ outcomes }: Run): readonly Error[] {
  return outcomes.flatMap((outcome) =>
    outcome.status === "failed" || outcome.status === "unknown" ? [outcome.error] : [],
  );
}

/** Whether all forms of a case are the same value, so that nothing needs to be recorded. What tells rules, options and events apart is exact. */
function needsNoLock({ stored, answered, documents }: Case): boolean {
  return (
    [...stored].every(
      ([name, form]) => KNOWN_FORMS.test(form) && !/^(field|values?|options|subscribed_events)$/.test(name),
    ) &&
    !answered.some((form) => UNKNOWN_ANSWERS.test(form)) &&
    // All members of arguments are values.
    !(answered.some((form) => UNKNOWN_IN_VALUES.test(form)) && JSON.stringify(documents).includes('"arguments"'))
  );
}

/** Errors of operations that a person can understand: the service refused, or took no notice, or chose another slug. */
const EXPLAINED = [IgnoredChange, UnexpectedSlug, ServiceError];

/** Forms that need no record: they are the same value. */
const KNOWN_FORMS =
  /^(trims|trims the end|ends the last line|breaks lines|(de)?composes|writes (numbers|booleans) as texts)/;

/** Answers that are another value. A permission that only the service knows is one: a key that has it can do more than the files say. */
const UNKNOWN_ANSWERS =
  /^has permissions|^leaves (false|what is empty) out|^answers (no |null for false|addresses|arguments|the beginning|texts in|stars|conditions|moments to|HTML|decomposed|upper case|words for|an end|a last|lists of texts)/;

/** Answers that are another value where no schema tells what is a member, or true or false. */
const UNKNOWN_IN_VALUES = /^(has members that nobody knows|answers booleans as (numbers|words))$/;

/** Answers that may hide, where not all have them, that an update was carried out. */
const HIDING_ANSWERS =
  /^answers (names of values.*|words for null|an end|a last item|lists of texts as one|one item for its list|stars for addresses|the beginning of texts|moments to the day)$/;

/** Forms that the service does not take for a value: what an update sends so stays as it was. */
const KEEPING_FORMS = /^(writes null for (empty|texts)|takes no notice)$/;

/** Whether a creation or deletion was carried out, also under another slug. */
function isCarriedOut(outcome: Outcome): boolean {
  const { method } = outcome.operation;
  const isDone = outcome.status === "done" || (outcome.status === "failed" && outcome.error instanceof UnexpectedSlug);
  return (method === "POST" || method === "DELETE") && isDone;
}

const wordsOf = ({ method, address }: Outcome["operation"]): string => `${method} ${address} `;

/** The words with which a second plan would repeat a request. The address of a rule is only its place, where a copy of another rule may have been. */
function repeatedWordsOf(operation: Outcome["operation"]): string {
  const isRule = operation.address.startsWith("routing_rules/");
  return `${wordsOf(operation)}${isRule ? JSON.stringify(operation.body) : ""}`;
}

/** The requests of a plan. */
async function requests(writer: Writer, own: Configuration, hashes: LastAppliedHashes): Promise<readonly string[]> {
  const { plan } = await planned(writer, own, { hashes, resend: false });
  return plan.operations.map((operation) => `${wordsOf(operation)}${JSON.stringify(operation.body)}`);
}

/** The errors of a plan that cannot be made, but those that name the live name to write, or what a person has to enable. */
function stopped(error: unknown): readonly string[] {
  if (!(error instanceof InvalidConfiguration)) throw error;
  const others = error.diagnostics.filter(({ code }) => !/^E_(OTHER_FORM|OTHER_SLUG|REF)$/.test(code));
  return others.map(({ code, message }) => `${code} ${message}`);
}
