/**
 * Stands in for `vitest` in the built copy: registers the tests, so that one process can run them many times. It has the functions that
 * the quick tests use, and Vitest's own `expect`.
 */

import { readFileSync } from "node:fs";
import { chai, GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

type Body = () => unknown;

/** What runs around the tests of a file or of a group. */
interface Hooks {
  readonly before: Body[];
  readonly after: Body[];
}

export interface Registered {
  /** Its file and titles; unique. */
  readonly id: string;
  readonly file: string;
  readonly body: Body;
  /** Of its file and of the groups that it is in. */
  readonly hooks: readonly Hooks[];
}

/** The tests of the files loaded so far. */
export const registered: Registered[] = [];

const titles: string[] = [];
/** What the test that runs has left to be closed, the last first. */
let unfinished: Body[] = [];
let file = "";
let hooks: Hooks[] = [];

/** Registers the following tests as tests of this file. */
export function startFile(path: string): void {
  file = path;
  hooks = [noHooks()];
}

/** Runs a test with what runs before and after it. Throws if it fails. */
export async function runTest({ body, hooks }: Registered): Promise<void> {
  try {
    for (const { before } of hooks) for (const prepare of before) await prepare();
    await body();
  } finally {
    const closing = unfinished;
    unfinished = [];
    for (const { after } of hooks.toReversed()) for (const clean of after) await clean();
    for (const close of closing) await close();
  }
}

/** Runs after the test that runs, whatever its result. */
export function onTestFinished(body: Body): void {
  unfinished.unshift(body);
}

function noHooks(): Hooks {
  return { before: [], after: [] };
}

type Register = (title: string, body: Body) => void;
/** The time that a test may take, before or after its body, is ignored. */
type Last<Tried> = readonly (Tried | { readonly timeout: number } | number)[];
interface Registering {
  (title: string, ...last: Last<Body>): void;
  /** One for each row. */
  readonly each: (
    rows: readonly unknown[],
  ) => (title: string, ...last: Last<(...row: readonly unknown[]) => unknown>) => void;
}

export const test: Registering = withRows(register);

/** Registers a test; some files call it so. */
export const it: Registering = withRows(register);

/** Registers the tests of a group. */
export const describe: Registering = withRows((title, body) => {
  titles.push(title);
  const outer = hooks;
  hooks = [...outer, noHooks()];
  body();
  hooks = outer;
  titles.pop();
});

/** Runs before each test of the file or group. */
export function beforeEach(body: Body): void {
  hooks.at(-1)?.before.push(body);
}

/** Runs after each test of the file or group. */
export function afterEach(body: Body): void {
  hooks.at(-1)?.after.push(body);
}

/** Before each test too: what a mutant does in it must not stay for the next mutant. */
export function beforeAll(body: Body): void {
  beforeEach(body);
}

/** After each test, as `beforeAll` runs before it. */
export function afterAll(body: Body): void {
  afterEach(body);
}

function register(title: string, body: Body): void {
  const name = [file, ...titles, title].join(" > ");
  const same = registered.filter(({ id }) => id === name || id.startsWith(`${name} #`)).length;
  registered.push({ id: same === 0 ? name : `${name} #${same + 1}`, file, body, hooks });
}

function withRows(register: Register): Registering {
  return Object.assign((title: string, ...last: Last<Body>) => register(title, bodyOf(last)), {
    each:
      (rows: readonly unknown[]) =>
      (title: string, ...last: Last<(...row: readonly unknown[]) => unknown>): void => {
        const body = bodyOf(last);
        for (const [index, row] of rows.entries()) {
          const cells = Array.isArray(row) ? row : [row];
          register(`${title} [${index}]`, () => body(...cells));
        }
      },
  });
}

function bodyOf<Tried extends (...row: readonly unknown[]) => unknown>(last: Last<Tried>): Tried {
  for (const one of last) if (typeof one === "function") return one;
  throw new Error("a test has no body");
}

/** Vitest's own, with the comparison of a text with a file. */
export const expect: typeof chai.expect = chai.expect;

Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, configurable: true });
for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
chai.use(({ Assertion }, { addMethod, flag }) => {
  addMethod(Assertion.prototype, "toMatchFileSnapshot", function (this: object, path: string) {
    new Assertion(flag(this, "object")).to.equal(readFileSync(path, "utf8"));
  });
});
