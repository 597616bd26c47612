/** Rules of "Position rule", each for every option list. */

import type { Fields } from "../../../core/json.ts";
import { expectSame, expectSuccess } from "../../expectation.ts";
import { above, all, column, row } from "../../expected.ts";
import { type ConfigurationResource, optionLists } from "../../fixtures/configuration-resources.ts";
import { made } from "../../fixtures/given.ts";
import { createMember, listMembers, memberPath } from "../../fixtures/requests.ts";
import { forEach, type Rules, rulesOf } from "../../row.ts";
import type { ConformanceRule, RuleContext } from "../../rule.ts";
import { fromOne, numberAt, rising, textAt } from "../../value-shape.ts";

/** The slugs of the list in the order of their positions, disabled entries too. */
async function order(context: RuleContext, kind: ConfigurationResource): Promise<readonly string[]> {
  const entries = await listMembers(context, kind, true);
  return [...entries]
    .sort((left, right) => numberAt(left, "position") - numberAt(right, "position"))
    .map((entry) => textAt(entry, "slug"));
}

async function place(
  context: RuleContext,
  kind: ConfigurationResource,
  entry: Fields,
  position: number,
): Promise<void> {
  expectSuccess(await context.client.patch(memberPath(kind, entry), { position }));
}

/** Sees to it that the list is long enough for its middle to differ from its ends. */
async function lengthen(context: RuleContext, kind: ConfigurationResource): Promise<void> {
  for (let missing = 4 - (await listMembers(context, kind, true)).length; missing > 0; missing -= 1)
    await createMember(context, kind);
}

/** The order without the slug, and then with it at the index. */
function inserted(slugs: readonly string[], slug: string, index: number): string[] {
  const rest = slugs.filter((other) => other !== slug);
  return [...rest.slice(0, index), slug, ...rest.slice(index)];
}

/** Creates with the position and expects the entry at the index of the order before, everything else unmoved. */
async function createdAt(
  context: RuleContext,
  kind: ConfigurationResource,
  position: number | undefined,
  index: number,
): Promise<void> {
  await lengthen(context, kind);
  const before = await order(context, kind);
  const created = await createMember(context, kind, position === undefined ? {} : { position });
  const at = Math.min(index, before.length);
  expectSame(`the order of ${kind.id}`, await order(context, kind), inserted(before, textAt(created, "slug"), at));
}

/** Moves a new entry to the position and expects it at the index, everything else unmoved. */
async function movedTo(
  context: RuleContext,
  kind: ConfigurationResource,
  from: number,
  position: number,
  index: number,
): Promise<void> {
  await lengthen(context, kind);
  const created = await createMember(context, kind, { position: from });
  const before = await order(context, kind);
  await place(context, kind, created, position);
  const at = Math.min(index, before.length - 1);
  expectSame(`the order of ${kind.id}`, await order(context, kind), inserted(before, textAt(created, "slug"), at));
}

const beyond = 10_000;

const ruleRows: Rules = forEach(optionLists, (kind) => ({
  [`position.1.create.${kind.id}`]: {
    title: `1: position is accepted on create (${kind.id})`,
    check: (context) => createdAt(context, kind, 2, 1),
  },
  [`position.1.update.${kind.id}`]: {
    title: `1: position is accepted on update (${kind.id})`,
    check: (context) => movedTo(context, kind, beyond, 2, 1),
  },
  [`position.1.down.${kind.id}`]: {
    title: `1: an entry is moved down the list as well as up (${kind.id})`,
    check: (context) => movedTo(context, kind, 1, 3, 2),
  },
  [`position.2.${kind.id}`]: {
    title: `2: an entry created without position is placed at the bottom (${kind.id})`,
    check: (context) => createdAt(context, kind, undefined, beyond),
  },
  [`position.2.listed.${kind.id}`]: {
    title: `2: lists are in the order of positions, so the bottom is where the list ends (${kind.id})`,
    given: { first: made(kind.id), last: made(kind.id) },
    steps: ["", "?include_disabled=true"].map((query) => ({
      request: `LIST ${kind.id}${query}`,
      shows: all(column("position", rising), row({ slug: "{last.slug}" }, { position: above("{first.position}") })),
    })),
  },
  [`position.3.bottom.${kind.id}`]: {
    title: `3: a position beyond the bottom lands at the bottom, on create and on update (${kind.id})`,
    async check(context) {
      await createdAt(context, kind, beyond, beyond);
      await movedTo(context, kind, 1, beyond, beyond);
    },
  },
  [`position.3.top.${kind.id}`]: {
    title: `3: a position beyond the top lands at the top, on create and on update (${kind.id})`,
    async check(context) {
      await createdAt(context, kind, 0, 0);
      await createdAt(context, kind, -5, 0);
      await movedTo(context, kind, beyond, 0, 0);
      await movedTo(context, kind, beyond, -5, 0);
    },
  },
  [`position.answer.${kind.id}`]: {
    title: `1: the response and the listing show the position that was given (${kind.id})`,
    given: { first: made(kind.id), made: made(kind.id, { position: 2 }, { position: 2 }) },
    steps: [
      { request: `PATCH ${kind.id}/{made.slug}`, body: { position: 1 }, shows: { position: 1 } },
      { request: `LIST ${kind.id}`, shows: row({ slug: "{made.slug}" }, { position: 1 }) },
    ],
  },
}));

const wireRows: Rules = forEach(optionLists, (kind) => ({
  [`position.whole.${kind.id}`]: {
    basis: "wire",
    title: `after a write positions run from 1 without gaps, disabled entries included (${kind.id})`,
    given: { made: made(kind.id, { position: 1 }) },
    steps: [{ request: `LIST ${kind.id}?include_disabled=true`, shows: column("position", fromOne) }],
  },
  [`position.words.${kind.id}`]: {
    basis: "wire",
    title: `a position that is not a whole number is refused with 400 (${kind.id})`,
    given: { made: made(kind.id) },
    steps: ["top", "2.5"].map((position) => ({
      request: `PATCH ${kind.id}/{made.slug}`,
      body: { position },
      refusal: "400",
    })),
  },
}));

export const positionRules: readonly ConformanceRule[] = rulesOf("Position rule", { ...ruleRows, ...wireRows });
