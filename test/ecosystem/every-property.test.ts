/** Every property of every schema in the real yaml-language-server: completion lists it, hover explains it, and a wrong value is named. */

import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fields, isList } from "../../src/core/json.ts";
import { type Editor, startEditor } from "./language-server.ts";
import { alternativesOf, fileWith, type MappingPlace, mappingsOf } from "./schema-places.ts";
import { newFolder, root, succeed } from "./support.ts";

const SCHEMAS = { workspace: [], overlay: ["--overlay"], settings: ["--settings"], tests: ["routing_tests"] };
const WRONG_TEXT = "?!";

let folder: string;
let editor: Editor;
let files = 0;
const schemas = new Map<string, readonly MappingPlace[]>();

beforeAll(async () => {
  folder = newFolder();
  for (const [name, words] of Object.entries(SCHEMAS)) {
    const text = await succeed(folder, process.execPath, [join(root, "dist/cli.cjs"), "schema", ...words]);
    writeFileSync(join(folder, `${name}.json`), text);
    schemas.set(name, mappingsOf(JSON.parse(text)));
  }
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
  await rm(folder, { recursive: true });
});

/** Opens a file with these lines in a mapping. Lines of the result count from the first of them. */
async function open(schema: string, place: MappingPlace, lines: readonly string[]) {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  const { text, line, column } = fileWith(place, lines);
  const problems = await editor.open(file, `# yaml-language-server: $schema=${schema}.json\n${text}`);
  return {
    problems: problems.map((problem) => ({ ...problem, line: problem.line - line - 1 })),
    complete: () => editor.complete(file, line + 1, column),
    hover: (index: number) => editor.hover(file, line + 1 + index, column + 1),
  };
}

/** A text as it reads: without the escapes and line ends of Markdown. */
function plain(text: string): string {
  return text.replace(/\\(?=[^A-Za-z0-9\s])|&nbsp;/g, "").replace(/\s+/g, " ");
}

/** A value that a property refuses, and whether a message about it says what is allowed. */
interface WrongValue {
  readonly text: string;
  isExplainedBy(message: string): boolean;
}

/** Values that are none of a type. */
const OTHER_TYPES = { array: "[]", object: "{}", boolean: "true", number: "1" } as const;

/** A wrong value for a property with this schema; undefined if it takes any. */
function wrongValue(schema: Fields): WrongValue | undefined {
  const all = [schema, ...alternativesOf(schema)];
  const values = all.flatMap((one) => (isList(one.enum) ? one.enum.map(String) : []));
  if (values.length > 0) {
    return { text: `"${WRONG_TEXT}"`, isExplainedBy: (message) => values.every((value) => message.includes(value)) };
  }
  const sentences = all.flatMap(({ patternErrorMessage: sentence, pattern }) =>
    typeof sentence === "string" && typeof pattern === "string" && !new RegExp(pattern, "u").test(WRONG_TEXT)
      ? [sentence]
      : [],
  );
  if (sentences.length > 0) {
    return { text: `"${WRONG_TEXT}"`, isExplainedBy: (message) => sentences.some((one) => message.includes(one)) };
  }
  const types = all.flatMap(({ type }) => (type === undefined ? [] : [type].flat().map(String)));
  const names = [...types, ...all.flatMap(({ title }) => (typeof title === "string" ? [title] : []))];
  const isAllowed = (type: string): boolean => types.includes(type) || (type === "number" && types.includes("integer"));
  const [, text] = Object.entries(OTHER_TYPES).find(([type]) => !isAllowed(type)) ?? [];
  if (types.length === 0 || text === undefined) return undefined;
  return { text, isExplainedBy: (message) => names.some((name) => message.includes(name)) };
}

describe.each(Object.keys(SCHEMAS))("In a file of the schema %s", (name) => {
  const eachPlace = async (check: (place: MappingPlace, at: string) => Promise<void>): Promise<void> => {
    const places = schemas.get(name) ?? [];
    expect(places.length).toBeGreaterThan(1);
    // The server waits before it checks a file, so they are opened at once.
    await Promise.all(places.map((place) => check(place, place.steps.join("/"))));
  };

  test("completion offers every property", async () => {
    const missing: string[] = [];
    await eachPlace(async (place, at) => {
      const labels = await (await open(name, place, [""])).complete();
      missing.push(...[...place.properties.keys()].filter((key) => !labels.includes(key)).map((key) => `${at}/${key}`));
    });
    expect(missing).toEqual([]);
  });

  test("hovering over every property shows its description", async () => {
    const missing: string[] = [];
    await eachPlace(async (place, at) => {
      const keys = [...place.properties];
      const { hover } = await open(
        name,
        place,
        keys.map(([key]) => `${key}:`),
      );
      for (const [index, [key, { description }]] of keys.entries()) {
        const text = plain(await hover(index));
        if (typeof description !== "string" || !text.includes(plain(description)))
          missing.push(`${at}/${key}: ${text}`);
      }
    });
    expect(missing).toEqual([]);
  });

  test("a wrong value of every property gets a message with what is allowed", async () => {
    const missing: string[] = [];
    await eachPlace(async (place, at) => {
      const wrong = [...place.properties].flatMap(([key, schema]) => {
        const value = wrongValue(schema);
        return value === undefined ? [] : [{ key, value }];
      });
      const lines = wrong.map(({ key, value }) => `${key}: ${value.text}`);
      const { problems } = lines.length === 0 ? { problems: [] } : await open(name, place, lines);
      for (const [index, { key, value }] of wrong.entries()) {
        const message = problems.flatMap((problem) => (problem.line === index ? [problem.message] : [])).join(" ");
        if (!value.isExplainedBy(message)) missing.push(`${at}/${key}: ${value.text}: ${message}`);
      }
    });
    expect(missing).toEqual([]);
  });
});
