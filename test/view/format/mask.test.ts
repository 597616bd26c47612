import fc from "fast-check";
import { expect, test } from "vitest";
import { quoted } from "../../../src/core/sanitise.ts";
import { MASK } from "../../../src/core/value-text.ts";
import { escaped } from "../../../src/view/format/html.ts";
import { masked, Secrets } from "../../../src/view/format/mask.ts";

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

test("a secret that contains another one is masked as a whole", () => {
  expect(masked("token-with-suffix", ["token", "token-with-suffix"])).toBe("(secret)");
});

test("a value as short as an ordinary word is masked only by its field", () => {
  expect(masked("eu and more", ["eu", ""])).toBe("eu and more");
});

test("masking keeps JSON valid", () => {
  expect(JSON.parse(masked(JSON.stringify({ a: secret, b: [`x${secret}`] }), [secret]))).toEqual({
    a: "(secret)",
    b: ["x(secret)"],
  });
});

/** Values of the kind that secrets are: no shorter than what is masked in every form. */
const value = fc.string({ unit: "binary-ascii", minLength: 8, maxLength: 40 });

test.each<readonly [form: string, write: (value: string) => string]>([
  ["as it is", (text) => text],
  ["in JSON", (text) => JSON.stringify({ a: [text] })],
  ["in JSON in JSON", (text) => JSON.stringify({ a: JSON.stringify(text) })],
  ["in a report", (text) => `name  ${quoted(text)} → (none)`],
  ["in XML", (text) => `<a b="${escaped(text)}"/>`],
  ["in a URL", (text) => `https://example.com/${encodeURIComponent(text)}`],
  ["in a query", (text) => `https://example.com/?${new URLSearchParams({ key: text })}`],
  ["encoded twice", (text) => encodeURIComponent(encodeURIComponent(text))],
  ["in base64 behind a name", (text) => Buffer.from(`me:${text}`).toString("base64")],
  ["in base64 within JSON", (text) => Buffer.from(JSON.stringify({ a: text })).toString("base64")],
  ["in base64url", (text) => Buffer.from(`a:${text}`).toString("base64url")],
  ["in hexadecimal", (text) => Buffer.from(text).toString("hex")],
  ["in large hexadecimal", (text) => Buffer.from(text).toString("hex").toUpperCase()],
])("no value is left %s", (_form, write) => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9 /+"<&%_-]{12,40}$/), (secret) => {
      const safe = masked(write(secret), [secret]);
      expect(safe).toContain(MASK);
      // In base64 a character on either side tells of what stands beside it as well.
      expect(safe.length).toBeLessThanOrEqual(write("").length + MASK.length + 6);
    }),
  );
});

test("a text is masked the same as a whole and in any pieces", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: fc.constantFrom("a", "b", "-", "\n"), minLength: 4, maxLength: 9 }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.array(fc.string({ unit: fc.constantFrom("a", "b", "-", "\n", "c"), maxLength: 12 }), { maxLength: 12 }),
      (secrets, pieces) => {
        let out = "";
        const stream = new Secrets(secrets).stream((text) => {
          out += text;
        });
        for (const piece of pieces) stream.write(piece);
        stream.end();
        expect(out).toBe(masked(pieces.join(""), secrets));
      },
    ),
    { numRuns: 1000 },
  );
});

test("text that cannot be the beginning of a secret is not held back", () => {
  const out: string[] = [];
  const stream = new Secrets(["token-1"]).stream((text) => out.push(text));
  for (const piece of ["going on …", "t", "oast\n", "tok", "en-1"]) stream.write(piece);
  expect(out).toEqual(["going on …", "toast\n", MASK]);
});

test("a JSON document stays valid, with the same shape, for any secrets", () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.array(fc.oneof(fc.constantFrom("true,null", "12345678", '":[",":["', "null,1e-10"), value), { maxLength: 4 }),
      (text, secrets) => {
        const document = `[${text},${JSON.stringify(secrets)},1234,true,null,1e-10]`;
        const safe = JSON.parse(masked(document, secrets));
        expect(safe).toHaveLength(6);
        expect(safe[3]).toBe(true);
        expect(safe[1]).toHaveLength(secrets.length);
        for (const one of safe[1]) expect(secrets.filter((secret) => one.includes(secret))).toEqual([]);
      },
    ),
  );
});

test("a short value is masked in text, and not in JSON, where it may be a slug", () => {
  expect(masked("at prod", ["prod"])).toBe(`at ${MASK}`);
  expect(masked('{"slug":"prod","n":true}', ["prod", "true"])).toBe('{"slug":"prod","n":true}');
});

test("a secret number in JSON is masked by a string", () => {
  expect(JSON.parse(masked('{"a":918273645,"b":[1,true]}', ["918273645"]))).toEqual({ a: MASK, b: [1, true] });
});

test("nothing of a secret stays beside a cut", () => {
  const secret = "https://hooks.example.com/services/T0123456789/B9876543210";
  expect(masked(`url ${secret.slice(0, 30)}… is wrong`, [secret])).toBe(`url ${MASK}… is wrong`);
  expect(masked(`… ${secret} …`, [secret])).toBe(`… ${MASK} …`);
  expect(masked(`a …${secret.slice(-20)} and …`, [secret])).toBe(`a …${MASK} and …`);
  expect(masked("https…", [secret])).toBe("https…");
});

test("secrets can be added between writes", () => {
  const secrets = new Secrets();
  expect(secrets.mask("token-1 token-2")).toBe("token-1 token-2");
  secrets.add(["token-1"]);
  secrets.add(["token-2"]);
  expect(secrets.mask("token-1 token-2")).toBe(`${MASK} ${MASK}`);
});
