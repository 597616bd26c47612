import { format, inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "../../../src/run/exchange/secret.ts";

const VALUE = "ff_0123456789abcdefghijklmnop";
const secret = new Secret(VALUE);

test.each<[string, () => unknown]>([
  ["joined to a text", () => `the token is ${secret}`],
  ["made a text of", () => String(secret)],
  ["made JSON of", () => JSON.stringify({ secret, in: [secret] })],
  ["looked at", () => inspect({ secret }, { depth: 9, showHidden: true })],
  ["formatted", () => format("%s %j %o %O %d", secret, secret, secret, secret, secret)],
  ["thrown", () => inspect(new Error(`no place for ${secret}`, { cause: secret }))],
  ["taken apart", () => JSON.stringify([Object.entries(secret), { ...secret }, Object.getOwnPropertyNames(secret)])],
  ["cloned", () => inspect(structuredClone({ ...secret }))],
])("a secret is not printed if it is %s", (_how, told) => {
  expect(String(told())).not.toContain(VALUE.slice(0, 8));
});

test("a secret has its value, and its prefix", () => {
  expect(secret.reveal()).toBe(VALUE);
  expect(secret.prefix(12)).toBe(VALUE.slice(0, 12));
  expect([secret.equals(VALUE), secret.equals(`${VALUE}x`), secret.equals(VALUE.replace("0", "1"))]).toEqual([
    true,
    false,
    false,
  ]);
});
