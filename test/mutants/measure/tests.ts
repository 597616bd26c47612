/**
 * What the test files import in place of the test runner: it registers their tests, so that one process can run them
 * again and again. It has what the quick tests use, and Vitest's own `expect`.
 */

import { readFileSync } from "node:fs";
import { chai, GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

type Body = () => unknown;

/** A registered test. */
export interface Registered {
  /** Its file and its titles; unique. */
  readonly id: string;
  readonly file: string;
  readonly body: Body;
  readonly after: readonly Body[];
}

/** The tests of the files that were loaded so far. */
export const registered: Registered[] = [];

const titles: string[] = [];
let file = "";
let after: Body[] = [];

/** Tests that are registered from here on belong to this file. */
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
export const test: Registering = withRows((title, body) => {
  const name = [file, ...titles, title].join(" > ");
  const same = registered.filter(({ id }) => id === name || id.startsWith(`${name} #`)).length;
  registered.push({ id: same === 0 ? name : `${name} #${same + 1}`, file, body, after });
});

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

/** Vitest's, and the comparison with a file. */
export const expect: typeof chai.expect = chai.expect;

Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, configurable: true });
for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
chai.use(({ Assertion }, { addMethod, flag }) => {
  addMethod(Assertion.prototype, "toMatchFileSnapshot", function (this: object, path: string) {
    new Assertion(flag(this, "object")).to.equal(readFileSync(path, "utf8"));
  });
});
