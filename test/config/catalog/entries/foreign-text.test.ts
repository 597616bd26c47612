import { describe, expect, test } from "vitest";
import { linesOf } from "../../../../src/config/resources/configuration.ts";
import { overriddenValues } from "../../../../src/config/resources/origins.ts";
import { InvalidConfiguration } from "../../../../src/core/diagnostic.ts";
import { diagnosticsText } from "../../../../src/view/findings/text.ts";
import { brief, type Files, findings, inDirectory, loadDirectory } from "../../loading.ts";

const TOKEN = `ghp_${"a".repeat(36)}`;

/** A type with an attribute of a type, whose values come from an expression. */
function type(attribute: string, expression: string, files = "repo/*"): string {
  return `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Value, attribute_type: ${attribute} }]
    entries_from:
      files: ${files}
      slug: { jsonata: name }
      attributes: { value: { jsonata: '${expression}' } }
`;
}

/** The findings of a load as a person reads them. */
async function report(files: Files): Promise<string> {
  const style = { paint: (_tone: unknown, text: string) => text };
  return await inDirectory(files, async (directory) => {
    try {
      const configuration = await loadDirectory(directory);
      return diagnosticsText(configuration.warnings, style, (file) => linesOf(configuration, file));
    } catch (error) {
      if (!(error instanceof InvalidConfiguration)) throw error;
      return diagnosticsText(error.diagnostics, style, error.lines);
    }
  });
}

describe("A finding prints no token of a foreign file:", () => {
  const yaml = (more: string) => `name: a\n${more}`;
  test.each<[string, Files]>([
    [
      "beside a wrong value in a row",
      {
        "a.yaml": type("select, options: [x, y]", "value"),
        "repo/a.csv": `name,value,key\na,Nope,${TOKEN}\n`,
      },
    ],
    ["in a broken row", { "a.yaml": type("text", "value"), "repo/a.csv": `name,key\na,b,${TOKEN}\n` }],
    ["in a broken mapping", { "a.yaml": type("text", "value"), "repo/a.yaml": `{ name: a, key: ${TOKEN}, b: [ }\n` }],
    [
      "that an expression cannot convert",
      { "a.yaml": type("text", "$number(key)"), "repo/a.yaml": yaml(`key: ${TOKEN}`) },
    ],
    [
      "that an expression throws",
      { "a.yaml": type("text", '$error("x" & key & "x")'), "repo/a.yaml": yaml(`key: ${TOKEN}`) },
    ],
    [
      "that a condition gives",
      {
        "a.yaml": type("text", "name").replace("slug: { jsonata", "when: { jsonata: key }\n      slug: { jsonata"),
        "repo/a.yaml": yaml(`key: ${TOKEN}`),
      },
    ],
    ["beside a number that is none", { "a.yaml": type("number", "1/0"), "repo/a.yaml": yaml(`key: ${TOKEN}`) }],
    [
      "in the middle of a private key",
      {
        "a.yaml": type("text", "value"),
        "repo/a.yaml": "name: a\nkey: -----BEGIN PRIVATE KEY-----\n  ghp_secretbody\n  *: ghp_secretbody\n",
      },
    ],
  ])("%s", async (_what, files) => {
    const text = await report(files);
    expect(text).toMatch(/repo\/a\.(?:csv|yaml):\d/);
    expect(text).not.toMatch(/aaaaaa|ghp_|secretbody/);
  });

  test("the place of a wrong value stays", async () => {
    const text = await report({
      "a.yaml": type("select, options: [x, y]", "value"),
      "repo/a.csv": `name,key,value\na,${TOKEN},Nope\n`,
    });
    expect(text).toContain(`  2 | a,${"*".repeat(40)},Nope\n    | ${" ".repeat(43)}^^^^`);
  });
});

describe("A value that an expression makes", () => {
  test.each(["1/0", "-1/0", "[1, 1/0]", '{"a": 1/0}'])(
    "is refused if it is no number of JSON: %s",
    async (expression) => {
      for (const attribute of ["number", "text"]) {
        const [finding, ...others] = await findings({
          "a.yaml": type(attribute, expression),
          "repo/a.yaml": "name: a\npassword: hunter2\n",
        });
        expect(others).toEqual([]);
        expect(finding).toMatchObject({ code: "E_EXPRESSION", related: [{ at: { file: "a.yaml", line: 8 } }] });
        expect(finding?.message).toMatch(/it gives -?Infinity, which is no number of JSON$/);
      }
    },
  );

  test("that an entry of the configuration replaces is shown without the rest of its file", async () => {
    const files = {
      "a.yaml": `${type("text", "$uppercase(name)")}    entries: [{ slug: a, name: A, attributes: { value: own } }]\n`,
      "repo/a.yaml": "name: a\npassword: hunter2\n",
    };
    const covered = await inDirectory(files, async (directory) => {
      const { declared } = await loadDirectory(directory);
      const entry = declared.find(({ address }) => address === "catalog_types/app/entries/a");
      return entry && overriddenValues(entry.origins, "/attributes/value");
    });
    expect(covered?.map(({ written }) => written)).toEqual(["A"]);
  });
});

describe("Invisible characters", () => {
  const csv = (text: string) => `name,value\na,x${text}y\n`;

  test.each(["\u200b", "\u00ad", "\u202b"])(
    "are allowed in a description, as in one by hand: %j",
    async (character) => {
      const text = type("text", "value")
        .replace("name: Value", "name: Description")
        .replace("{ value:", "{ description:");
      expect(await findings({ "a.yaml": text, "repo/a.csv": csv(character) })).toEqual([]);
    },
  );

  test.each(["\u200b", "\u202b", "\u0001"])("are an error with a help in another value: %j", async (character) => {
    const all = await findings({ "a.yaml": type("text", "value"), "repo/a.csv": csv(character) });
    expect(all.map(brief)).toEqual([expect.stringMatching(/^repo\/a\.csv:2:3 E_(?:INVISIBLE|BIDI|CONTROL)$/)]);
    expect(all[0]?.help).toBe("Remove the character in the file, or with $replace in the expression.");
  });
});

describe("A value from the environment in a source of entries", () => {
  test.each([
    "$substring('${env:TOK}', 0, 9)",
    "$error($join($split('${env:TOK}', ''), '.'))",
    "$assert(false, $uppercase('${env:TOK}'))",
    "name & '${var:tok}'",
    "not ( an expression ${env:TOK}",
  ])("is refused, and the same is said whatever it is: %s", async (expression) => {
    const files = {
      "incidentctl.yaml": "vars: { tok: '${env:TOK}' }\n",
      "a.yaml": type("text", expression.replaceAll("'", "''")),
      "repo/a.yaml": "name: a\n",
    };
    const [one, other] = await Promise.all(
      ["a", "' \"</script>\u00e9"].map((TOK) => findings(files, { env: { TOK } })),
    );
    expect(one?.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "E_ENV a value from the environment cannot be used here",
    ]);
    expect(one?.[0]?.help).toContain("${var:NAME}");
    expect(other).toEqual(one);
  });

  test("is refused in the pattern of its files", async () => {
    const files = { "a.yaml": type("text", "name").replace("repo/", "repo/${env:TOK}"), "repo/a.yaml": "name: a\n" };
    const found = await findings(files, { env: { TOK: "*" } });
    expect(found.map(({ code }) => code)).toContain("E_ENV");
  });
});
