import { expect, test } from "vitest";
import { masked } from "../../src/report/mask.ts";

const secret = 'p"ss wörd\n/42';

test.each([
  ["as it is", secret],
  ["in JSON", JSON.stringify({ url: `https://x/${secret}` })],
  ["in a URL", `https://x/?key=${encodeURIComponent(secret)}`],
  ["in base64", Buffer.from(secret).toString("base64")],
  ["in base64url", Buffer.from(secret).toString("base64url")],
  ["in hex", Buffer.from(secret).toString("hex")],
])("a secret is masked %s", (_form, text) => {
  const safe = masked(`before ${text} after`, [secret]);
  expect(safe).toContain("(secret)");
  expect(safe).not.toContain("42");
});

test("a secret within another one leaves no rest of the longer one", () => {
  expect(masked("token-with-suffix", ["token", "token-with-suffix"])).toBe("(secret)");
});

test("a value too short to be told from ordinary words is left to the fields that hold it", () => {
  expect(masked("eu and more", ["eu", ""])).toBe("eu and more");
});

test("masking keeps JSON valid", () => {
  expect(JSON.parse(masked(JSON.stringify({ a: secret, b: [`x${secret}`] }), [secret]))).toEqual({
    a: "(secret)",
    b: ["x(secret)"],
  });
});
