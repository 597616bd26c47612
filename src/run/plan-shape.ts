/** Whether a JSON value has the shape of a plan: what `show` and `apply --plan` may rely on in a file that anybody wrote. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Plan } from "../plan/plan.ts";

type Check = (value: Json | undefined) => boolean;

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const moment: Check = (value) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const anything: Check = (value) => value !== undefined;

const place = record({ file: text, line: number, column: number });

const change = record({
  address: text,
  label: optional(text),
  kind: text,
  action: oneOf("create", "update", "move", "enable", "disable", "delete"),
  fields: listOf(
    record({
      path: text,
      before: anything,
      after: anything,
      secret: optional(oneOf(true)),
      renamed: optional(listOf(record({ from: text, to: text }))),
    }),
  ),
  reason: text,
  risk: oneOf("safe", "attention", "destructive"),
  operations: listOf(text),
  source: optional(place),
  neighbours: optional(record({ before: optional(text), after: optional(text) })),
  cascades: optional(listOf(text)),
});

const operation = record({
  id: text,
  method: oneOf("POST", "PATCH", "DELETE"),
  path: text,
  query: isTexts,
  body: (value) => value === null || isFields(value),
  address: text,
  depends_on: listOf(text),
  why: text,
});

const plan = record({
  format_version: oneOf(1),
  tool: record({ name: text, version: text }),
  target: record({ host: text, workspace: (value) => value === null || typeof value === "string" }),
  partial: optional(listOf(text)),
  undoes: optional(text),
  summary: record({
    create: number,
    update: number,
    move: number,
    enable: number,
    disable: number,
    delete: number,
    unchanged: number,
    operations: number,
    requests: number,
  }),
  changes: listOf(change),
  operations: listOf(operation),
  transitions: optional(
    listOf(
      record({
        address: text,
        kind: text,
        added: number,
        edited: number,
        moved: number,
        removed: number,
        writes: number,
        window: number,
        exposed: listOf(text),
        order: optional(listOf(record({ name: text, before: orNull(number), after: orNull(number) }))),
      }),
    ),
  ),
  derived: listOf(record({ address: text, path: text, before: anything, after: anything, reason: text })),
  warnings: listOf(record({ code: text, message: text, address: optional(text), source: optional(place) })),
  unreadable: listOf(record({ address: text, path: text, reason: text })),
  blocked: listOf(record({ code: text, message: text, addresses: listOf(text), flag: optional(text) })),
  seal: record({ created_at: moment, configuration: text, live: text, fingerprint: text, hash: text }),
});

/** Whether the value can be shown and compared as a plan. That it is the right one only its recomputation tells. */
export function isPlan(value: Json): value is Fields & Plan {
  return isShallow(value, DEEPEST) && plan(value);
}

/** Files hold at most 32 lists and mappings within each other, and a plan lays a few around them. */
const DEEPEST = 64;

function isShallow(value: Json, depth: number): boolean {
  if (!isFields(value) && !isList(value)) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}

function record(members: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(members);
  return (value) => isFields(value) && checks.every(([name, check]) => check(own(value, name)));
}

function own(value: Fields, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function listOf(check: Check): Check {
  return (value) => isList(value) && value.every(check);
}

function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function oneOf(...values: readonly Json[]): Check {
  return (value) => value !== undefined && values.includes(value);
}

function isTexts(value: Json | undefined): boolean {
  return isFields(value) && Object.values(value).every(text);
}
