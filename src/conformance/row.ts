/** Rows: rules of the interface as data. A row says what is made first, what is requested, and what the service returns. */

import type { Fields } from "../core/json.ts";
import type { Client, Exchange } from "./client.ts";
import { expectRefusal, expectShape, expectStatus, expectThat, memberOf } from "./expectation.ts";
import { type Expected, expectMatch, partOf } from "./expected.ts";
import { known } from "./fixtures/given.ts";
import { clientFor, readMember, readPages, write } from "./fixtures/requests.ts";
import type { RuleContext } from "./rule.ts";
import { type ConformanceRule, NotApplicable, type RuleBasis } from "./rule.ts";
import { type Given, openScope, type Scope } from "./scope.ts";
import { at, stringLike, type ValueShape } from "./value-shape.ts";

/** One request and what it must return. Texts may hold references: `{made.slug}` is the slug of the given `made`. */
export interface RowStep {
  /** `PATCH severities/{made.slug}`. `LIST` gets every page of a list; `READ` gets an incident or a runbook as it is now. */
  readonly request: string;
  readonly body?: Fields;
  /** The token, or `nobody`. By default the administrator's, or else the service key. */
  readonly as?: string;
  /** `201`, `404 or 422`, `4xx`. By default 200, and any status of success of a POST or DELETE. */
  readonly status?: string;
  /** The status and, if the document names one, the type of the error: `422 validation_error`. */
  readonly refusal?: string;
  /** The form of the error's message. */
  readonly message?: RegExp;
  /** The member, the list or the body of the response. */
  readonly shows?: Expected;
  /** Texts of which the response contains one. */
  readonly mentions?: readonly string[];
  /** A text that the response does not contain. */
  readonly hides?: string;
  /** The name under which later steps refer to the member or the list. */
  readonly keep?: string;
  /** A status that shows that the rule cannot be checked here, and why. */
  readonly notApplicable?: readonly [status: number, reason: string];
}

/** The response of a step, without the request. */
export type StepOutcome = Omit<RowStep, "request" | "body">;

/** A rule as data. */
export interface Row {
  readonly title: string;
  /** The interface unless stated. */
  readonly basis?: RuleBasis;
  readonly given?: Readonly<Record<string, Given>>;
  readonly steps: readonly RowStep[];
}

/** A rule that is a story: one whose steps depend on each other in ways that a row cannot say. */
export interface Story {
  readonly title: string;
  readonly basis?: RuleBasis;
  check(context: RuleContext): Promise<void>;
}

/** Rules by their ids. */
export type Rules = Readonly<Record<string, Row | Story>>;

/** The rules under one heading of the document. */
export function rulesOf(section: string, rules: Rules): readonly ConformanceRule[] {
  return Object.entries(rules).map(([id, rule]) => ({
    id,
    section,
    title: rule.title,
    basis: rule.basis ?? "interface",
    check: (context) => ("check" in rule ? rule.check(context) : checkRow(rule, context)),
  }));
}

/** A rule that the document states a second time: the check of another one, under another id and title. */
export function alsoStated(title: string, rules: readonly ConformanceRule[], id: string): Story {
  const rule = rules.find((each) => each.id === id);
  if (rule === undefined) throw new Error(`there is no rule "${id}" to state again`);
  return { title, check: rule.check };
}

/** One set of rules out of the rules for each of the values. */
export function forEach<T>(values: readonly T[], rules: (value: T) => Rules): Rules {
  return Object.assign({}, ...values.map(rules));
}

/** A rule for each field of a table: its id ends in the field's name, and the steps say where the field is seen. */
export function fieldRules(
  { id, subject, ...row }: { id: string; subject: string; basis?: RuleBasis; given?: NonNullable<Row["given"]> },
  fields: Readonly<Record<string, ValueShape>>,
  steps: (field: Readonly<Record<string, ValueShape>>) => readonly RowStep[],
): Rules {
  return forEach(Object.entries(fields), ([name, shape]) => ({
    [`${id}.${name}`]: { ...row, title: `${subject} ${name} is ${shape.description}`, steps: steps({ [name]: shape }) },
  }));
}

async function checkRow({ given = {}, steps }: Row, context: RuleContext): Promise<void> {
  const scope = openScope(context, known);
  for (const [name, make] of Object.entries(given)) scope.keep(name, await make(scope));
  for (const step of steps) await checkStep(step, scope);
}

async function checkStep(step: RowStep, scope: Scope): Promise<void> {
  const exchange = await send(step, scope);
  if (step.notApplicable?.[0] === exchange.status) throw new NotApplicable(step.notApplicable[1]);
  expectOutcome(step, exchange);
  if (step.message !== undefined) {
    const shape = stringLike(`like ${step.message.source}`, step.message);
    expectShape("error.message", at(exchange.body, "error", "message"), shape, exchange);
  }
  if (step.mentions !== undefined) {
    const texts = await scope.fill(step.mentions);
    const found = texts.some((text) => exchange.text.includes(text));
    expectThat(found, `a response with ${texts.join(" or ")}`, exchange.body, exchange);
  }
  if (step.hides !== undefined) {
    const found = exchange.text.includes(await scope.fill(step.hides));
    expectThat(!found, `a response without ${step.hides}`, "it is in the response", exchange);
  }
  if (step.shows !== undefined) {
    const actual = partOf(exchange.body, step.shows);
    await expectMatch(step.shows, { actual, subject: "the response", scope, exchange });
  }
  if (step.keep !== undefined) scope.keep(step.keep, Array.isArray(exchange.body) ? exchange.body : memberOf(exchange));
}

function expectOutcome({ request, status, refusal }: RowStep, exchange: Exchange): void {
  const byDefault = /^(POST|DELETE) /.test(request) ? "2xx" : "200";
  const statuses: readonly string[] = (refusal ?? status ?? byDefault).match(/\b\d(?:\d\d|xx)\b/g) ?? [];
  if (!statuses.includes(`${String(exchange.status)[0]}xx`)) expectStatus(exchange, ...statuses.map(Number));
  if (refusal !== undefined) expectRefusal(exchange, exchange.status, /[a-z_]{3,}/.exec(refusal)?.[0]);
}

async function send({ request, body, as }: RowStep, scope: Scope): Promise<Exchange> {
  const [method = "", template = ""] = request.split(" ");
  const path = await scope.path(template);
  const client = as === undefined ? clientFor(scope.context, path) : await clientWith(as, scope);
  if (method === "LIST") return readPages(client, path);
  if (method === "READ") return readMember(client, path);
  if (method === "GET") return client.get(path);
  if (method === "DELETE") return client.delete(path);
  if (method !== "POST" && method !== "PATCH") throw new Error(`a row cannot send "${request}"`);
  return write(scope.context, method, path, body === undefined ? undefined : await scope.fill(body), client);
}

async function clientWith(token: string, { context, fill }: Scope): Promise<Client> {
  return context.bearer(token === "nobody" ? undefined : await fill(token));
}
