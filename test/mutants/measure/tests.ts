/**
 * Stands in for `vitest` in the built copy: registers the tests, so that one process can run them many times. It has the functions that
 * the quick tests use, and Vitest's own `expect`.
 */

import { readFileSync } from "node:fs";
import { chai, GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

type Body = () => unknown;

/** A registered test. */
export interface Registered {
  /** Its file and titles; unique. */
  readonly id: string;
  readonly file: string;
  readonly body: Body;
  readonly after: readonly Body[];
}

/** The tests of the files loaded so far. */
export const registered: Registered[] = [];

const titles: string[] = [];
let file = "";
let after: Body[] = [];

/** Registers the following tests as tests of this file. */
export function startFile(path: string): void {
  file = path;
  after = [];
}

type Register = (title: string, body: Body) => void;
interface Registering extends Register {
  /** One for each row. */
  readonly each: (rows: readonly unknown[]) => (title: string, body: (...row: readonly unknown[]) => unknown) => void;
}

/** Registers a test. */
export const test: Registering = withRows(register);

/** Registers a test; some files call it so. */
export const it: Registering = withRows(register);

/** Registers the tests of a group. */
export const describe: Registering = withRows((title, body) => {
  titles.push(title);
  body();
  titles.pop();
});

/** Runs after each test of the file. */
export function afterEach(body: Body): void {
  after.push(body);
}

/** Does nothing: the process that runs the tests again and again ends without the last of them. */
export function afterAll(_body: Body): void {}

function register(title: string, body: Body): void {
  const name = [file, ...titles, title].join(" > ");
  const same = registered.filter(({ id }) => id === name || id.startsWith(`${name} #`)).length;
  registered.push({ id: same === 0 ? name : `${name} #${same + 1}`, file, body, after });
}

function withRows(register: Register): Registering {
  return Object.assign(register, {
    each:
      (rows: readonly unknown[]) =>
      (title: string, body: (...row: readonly unknown[]) => unknown): void => {
        for (const [index, row] of rows.entries()) {
          const cells = Array.isArray(row) ? row : [row];
          register(`${title} [${index}]`, () => body(...cells));
        }
      },
  });
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
