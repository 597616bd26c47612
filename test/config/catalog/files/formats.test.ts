/** What a file of each format is read as, and what is an error in it. */

import { describe, expect, test } from "vitest";
import {
  errorsOf,
  onlyDocument,
  partAt,
  readIn,
  readText,
  textOfPart,
  textsOf,
  valuesOf,
  withFiles,
} from "./reading.ts";

describe("YAML", () => {
  test.each([
    [
      "several documents, without the empty ones",
      "---\na: 1\n---\n# nothing\n---\n...\n---\nb: 2\n",
      [{ a: 1 }, { b: 2 }],
    ],
    ["no document", "# only a comment\n", []],
    ["directives", "%YAML 1.2\n%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\n", [{ a: "1" }]],
    [
      "tags of the core schema",
      "a: !!str 1\nb: !!int '2'\nc: !!map {}\nd: !!seq []\ne: ! 3\nf: !!null ''",
      [{ a: "1", b: 2, c: {}, d: [], e: "3", f: null }],
    ],
    ["anchors and aliases", "a: &x [1, 2]\nb: *x\n&k key: {*k : v}\n", [{ a: [1, 2], b: [1, 2], key: { key: "v" } }]],
    [
      "merge keys: written keys win, then those merged first",
      "a: &a {x: 1, y: 1}\nb: &b {x: 2, z: 2}\nc:\n  y: 0\n  <<: [*a, *b]\nd:\n  <<: *b\n  x: 3\ne: { '<<': 1 }\n",
      [{ a: { x: 1, y: 1 }, b: { x: 2, z: 2 }, c: { y: 0, x: 1, z: 2 }, d: { x: 3, z: 2 }, e: { "<<": 1 } }],
    ],
    [
      "a merge of a merge",
      "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}",
      [{ a: { x: 1 }, b: { y: 2, x: 1 }, c: { y: 2, x: 1 } }],
    ],
    [
      "keys that are no texts, as they are written",
      "1: a\ntrue: b\n~: c\n1.50: d\n'': e\n",
      [{ 1: "a", true: "b", "~": "c", "1.50": "d", "": "e" }],
    ],
    ["blocks of text", "a: |\n  one\n   two\nb: >-\n  one\n  two\n", [{ a: "one\n two\n", b: "one two" }]],
    ["words of YAML 1.1 as texts", "a: yes\nb: 2024-01-31\nc: 12:30\n", [{ a: "yes", b: "2024-01-31", c: "12:30" }]],
    ["numbers", "a: 0x10\nb: -1.5e3\nc: 010\nd: -0", [{ a: 16, b: -1500, c: 10, d: 0 }]],
    [
      "numbers that JSON cannot hold, as texts",
      "a: 12345678901234567890\nb: .inf\nc: .nan\nd: 1e999",
      [{ a: "12345678901234567890", b: ".inf", c: ".nan", d: "1e999" }],
    ],
    ["CRLF and a byte order mark", "\ufeffa: 1\r\nb: |\r\n  x\r\n", [{ a: 1, b: "x\n" }]],
    ["a list, or a single value", "- 1\n- [{a: b, c}]\n--- text\n", [[1, [{ a: "b", c: null }]], "text"]],
    ["a bracket in the column of its key", "a: [\n  1\n]\nb: {\n x:\t1\n}\n", [{ a: [1], b: { x: 1 } }]],
    [
      "substitutions and expressions as texts",
      "a: $\x7benv:HOME}\nb: $\x7b{ values.name }}\n",
      [{ a: "$\x7benv:HOME}", b: "$\x7b{ values.name }}" }],
    ],
    [
      "__proto__ and constructor as keys",
      "__proto__: {a: 1}\nconstructor: 2",
      [JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}')],
    ],
    ["marks of direction in a text", "a: \u202babc\u202c", [{ a: "\u202babc\u202c" }]],
  ])("has %s", async (_, text, expected) => {
    expect(await valuesOf("a.yaml", text)).toEqual(expected);
  });

  test.each([
    ["a tag of another program", "a: 1\nb: !Ref x", ["2:4 E_TAG the tag !Ref has no value that can be read here"]],
    [
      "a tag that does not fit",
      "a: !!int x\nb: !!map []",
      [
        "1:4 E_TAG the tag !!int has no value that can be read here",
        "2:4 E_TAG the tag !!map has no value that can be read here",
      ],
    ],
    [
      "a tag of YAML 1.1",
      "a: !!timestamp 2024-01-01",
      ["1:4 E_TAG the tag !!timestamp has no value that can be read here"],
    ],
    ["a key twice", "a: 1\nb:\n  c: 1\n  'c': 2\n---\na: 1\n", ['4:3 E_DUP_KEY the mapping has the key "c" twice']],
    ["a list as a key", "? [a]\n: 1\nb: 2", ["1:3 E_KEY_TYPE a key is a list or a mapping"]],
    ["a template", "name: {{ name }}", ["1:8 E_KEY_TYPE a key is a list or a mapping"]],
    ["an unknown alias", "a: *x", ['1:4 E_ALIAS there is no anchor "&x" above this alias']],
    ["an alias of another document", "a: &x 1\n---\na: *x", ['3:4 E_ALIAS there is no anchor "&x" above this alias']],
    ["a value in itself", "a: &x [*x]", ['1:8 E_CYCLE the alias "*x" is inside the value that it refers to']],
    ["a merge of a text", "a:\n  <<: text", ["2:3 E_MERGE_KEY the merge key << has a value that is not a mapping"]],
    [
      "a bracket that is not closed",
      "a: [1,\nb: 2",
      ["1:4 E_SYNTAX the [ is not closed, or its next line is not indented"],
    ],
    ["a second document with an error", "a: 1\n---\nb: 'x\n", ["3:4 E_SYNTAX a quoted text is not closed"]],
    ["lines that end with CR", "a: 1\rb: 2\r", ["1:5 E_EOL the lines end with a carriage return alone"]],
  ])("with %s is an error", async (_, text, errors) => {
    expect(await errorsOf("a.yml", text)).toEqual(errors);
  });

  test("has the places of all values", async () => {
    const text = "a: 'it''s'\nb: [x , {y: \"z\", w} ] # ]\nc: |-\n    block\n\nd:\n- &n 12\n- *n\n- !!str 1.0\ne:\n";
    const document = await onlyDocument("a.yaml", text);
    expect(textsOf(document.node)).toEqual({
      "/a": "'it''s'",
      "/b/0": "x",
      "/b/1/w": "",
      "/b/1/y": '"z"',
      "/c": "block",
      "/d/0": "12",
      "/d/1": "12",
      "/d/2": "1.0",
      "/e": "",
    });
    expect(textOfPart(document, "/b")).toBe('[x , {y: "z", w} ]');
    expect(textOfPart(document, "/b/1")).toBe('{y: "z", w}');
    expect(document.nodeOf([])).toBeUndefined();
    expect(document.source.location(document.nodeOf(partAt(document, "/b"))?.start ?? 0)).toEqual({
      file: "../a.yaml",
      line: 2,
      column: 4,
    });
  });

  test("has members of a merged mapping at the place where they are written", async () => {
    const document = await onlyDocument("a.yaml", "a: &a {x: {y: 1}}\nb:\n  <<: *a\n");
    expect(textOfPart(document, "/b/x")).toBe("{y: 1}");
    expect(textOfPart(document, "/b")).toBe("<<: *a");
  });
});

describe("JSON", () => {
  test.each([
    ["one document, a list too", "[1, {}]", [[1, {}]]],
    ["a byte order mark", '\ufeff{"a": "b"}', [{ a: "b" }]],
    ["tabs and CRLF", '{\r\n\t"a": [\r\n\t1,\t2\r\n\t]\r\n}\r\n', [{ a: [1, 2] }]],
    ["escapes", '{"a\\u0041": "\\n\\"\\ud83d\\ude00"}', [{ aA: '\n"😀' }]],
    ["a long key", `{"${"k".repeat(3000)}": 1}`, [{ ["k".repeat(3000)]: 1 }]],
    [
      "numbers that JSON cannot hold exactly, as texts",
      '{"a": 12345678901234567890, "b": 1e999}',
      [{ a: "12345678901234567890", b: "1e999" }],
    ],
    ["__proto__ as a key", '{"__proto__": 1}', [JSON.parse('{"__proto__": 1}')]],
  ])("has %s", async (_, text, expected) => {
    expect(await valuesOf("a.JSON", text)).toEqual(expected);
  });

  test.each([
    ["nothing", "", ["1:1 E_SYNTAX a value is expected here"]],
    ["a trailing comma", "[1,\n 2,\n]", ["2:3 E_SYNTAX a comma stands before the ]"]],
    ["a missing comma", '{"a": 1\n "b": 2}', ["2:2 E_SYNTAX a comma or } is expected here"]],
    ["a comment", '{\n  // x\n  "a": 1}', ["2:3 E_SYNTAX JSON has no comments"]],
    ["a key without quotes", "{a: 1}", ["1:2 E_SYNTAX a key in double quotes is expected here"]],
    ["a text without quotes", '{"a": b}', ["1:7 E_SYNTAX a text has no quotes"]],
    ["a missing colon", '{"a" 1}', ["1:6 E_SYNTAX a colon is missing behind the key"]],
    ["an open text", '{"a": "b}\n', ["1:7 E_SYNTAX a text is not closed"]],
    ["an unknown escape", '["\\x41"]', ["1:2 E_SYNTAX a text has an escape or a character that JSON does not have"]],
    ["two values", "{}\n{}", ["2:1 E_SYNTAX a JSON file has one value"]],
    ["a key twice", '{"a": 1,\n "\\u0061": 2}', ['2:2 E_DUP_KEY the object has the key "a" twice']],
    ["an end too early", '{"a": [', ["1:8 E_SYNTAX a value is expected here"]],
  ])("with %s is an error", async (_, text, errors) => {
    expect(await errorsOf("a.json", text)).toEqual(errors);
  });
});

describe("CSV", () => {
  test.each([
    [
      "a byte order mark and CRLF",
      "a.csv",
      "\ufeffname,tier\r\nApi,1\r\nWeb,2\r\n",
      [
        { name: "Api", tier: "1" },
        { name: "Web", tier: "2" },
      ],
    ],
    ["semicolons", "a.csv", "name;text\nApi;a,b,c\n", [{ name: "Api", text: "a,b,c" }]],
    ["bars", "a.csv", "name|text\nApi|a,b\n", [{ name: "Api", text: "a,b" }]],
    ["tabs", "a.csv", "name\ttext\nApi\ta, b\n", [{ name: "Api", text: "a, b" }]],
    ["tabs in .tsv, whatever the header has", "a.tsv", "a,b,c\td\n1\t2", [{ "a,b,c": "1", d: "2" }]],
    ["a delimiter that Excel states", "a.csv", "sep=;\r\na,b;c\r\n1;2\r\n", [{ "a,b": "1", c: "2" }]],
    ["one column", "a.csv", "name\nApi\n\nWeb", [{ name: "Api" }, { name: "Web" }]],
    [
      "quotes, with delimiters, quotes and line ends in them",
      "a.csv",
      'name,"a, b"\n"Api ""x""","one\r\n\n two"\n',
      [{ name: 'Api "x"', "a, b": "one\n\n two" }],
    ],
    [
      "blanks around headers and cells, which quotes keep",
      "a.csv",
      ' name , tier \n Api ," 1 "\n',
      [{ name: "Api", tier: " 1 " }],
    ],
    ["a quote within a cell", "a.csv", 'name,size\nPipe,5" wide\n', [{ name: "Pipe", size: '5" wide' }]],
    ["empty cells, which are absent", "a.csv", 'a,b,c\n1,,\n,"",3\n', [{ a: "1" }, { c: "3" }]],
    [
      "blank lines and rows",
      "a.csv",
      "\n\na,b\n\n1,2\n  \n,\n3,4\n\n",
      [
        { a: "1", b: "2" },
        { a: "3", b: "4" },
      ],
    ],
    ["only a header", "a.csv", "a,b\r\n", []],
    ["nothing", "a.csv", "", []],
    ["__proto__ as a column", "a.csv", "__proto__,b\n1,2", [JSON.parse('{"__proto__": "1", "b": "2"}')]],
  ])("has %s", async (_, name, text, expected) => {
    expect(await valuesOf(name, text)).toEqual(expected);
  });

  test.each([
    [
      "too few and too many cells",
      'a,b\n"1\n",2\n3\n4,5,6\n',
      ["4:1 E_CSV the row has 1 cell, but the header has 2", "5:1 E_CSV the row has 3 cells, but the header has 2"],
    ],
    ["a column without a name", "a,,c\n1,2,3", ["1:3 E_CSV column 2 has no name"]],
    ["a column twice", "a,b, a\n1,2,3", ['1:6 E_CSV column 3 has the name "a" of column 1']],
    ["an open quote", 'a,b\n1,"2\n3,4\n', ["2:3 E_CSV a cell in quotes is not closed"]],
    ["a text behind a quote", 'a,b\n1,"2"x\n', ["2:6 E_CSV a text follows the quote that ends the cell"]],
    ["lines that end with CR", "a,b\r1,2\r", ["1:4 E_EOL the lines end with a carriage return alone"]],
  ])("with %s is an error", async (_, text, errors) => {
    expect(await errorsOf("a.csv", text)).toEqual(errors);
  });

  test("has the places of its cells, and each key at the name of its column", async () => {
    const { documents } = await readText("a.csv", 'name, text\nApi,"a ""b"""\n  Web ,c\n');
    expect(documents.map(({ node }) => textsOf(node))).toEqual([
      { "/name": "Api", "/text": '"a ""b"""' },
      { "/name": "Web", "/text": "c" },
    ]);
    const [, second] = documents;
    expect(second?.source.location(second.start)).toMatchObject({ line: 3, column: 3 });
    const member = second?.node.type === "map" ? second.node.members.get("text") : undefined;
    expect(second?.source.location(member?.start ?? 0)).toMatchObject({ line: 1, column: 7 });
  });
});

describe("TOML", () => {
  test("has tables, lists of tables, dotted keys, dates and large numbers", async () => {
    const text = `
title = "Services"
owner.team = 'core'
owner."a.b" = 1
[limits]
max = 9_223_372_036_854_775_807
low = -1.5
none = nan
since = 1979-05-27T07:32:00Z
day = 1979-05-27
[[service]]
name = "api"
tags = ["a", { x = 1, y.z = true }]
[service.meta]
tier = 0x10
[[service]]
name = """
two
lines"""
[__proto__]
a = 1
`;
    expect(await valuesOf("a.toml", text)).toEqual([
      JSON.parse(`{
        "title": "Services",
        "owner": { "team": "core", "a.b": 1 },
        "limits": { "max": "9223372036854775807", "low": -1.5, "none": "nan", "since": "1979-05-27T07:32:00Z", "day": "1979-05-27" },
        "service": [
          { "name": "api", "tags": ["a", { "x": 1, "y": { "z": true } }], "meta": { "tier": 16 } },
          { "name": "two\\nlines" }
        ],
        "__proto__": { "a": 1 }
      }`),
    ]);
  });

  test("without keys has no document", async () => {
    expect(await valuesOf("a.toml", "# nothing\r\n")).toEqual([]);
  });

  test("has the places of its values", async () => {
    const document = await onlyDocument("a.toml", '\ufeffa = "x"\r\n[[s]]\r\nb.c = [1, 0x2]\r\n[s.t]\r\nd = true\r\n');
    expect(textsOf(document.node)).toEqual({
      "/a": '"x"',
      "/s/0/b/c/0": "1",
      "/s/0/b/c/1": "0x2",
      "/s/0/t/d": "true",
    });
    expect(textOfPart(document, "/s/0")).toBe("[[s]]\r\nb.c = [1, 0x2]\r\n[s.t]\r\nd = true");
  });

  test.each([
    [
      "a key twice",
      "a = 1\r\nb = 2\r\na = 3",
      ["3:1 E_SYNTAX this is not TOML: defining a key multiple times is invalid"],
    ],
    ["an open text", 'a = 1\nb = "x\n', ["2:7 E_SYNTAX this is not TOML: unterminated string constant"]],
    ["a text without quotes", "a = b\n", ["1:5 E_SYNTAX this is not TOML: unexpected character"]],
  ])("with %s is an error", async (_, text, errors) => {
    expect(await errorsOf("a.toml", text)).toEqual(errors);
  });
});

describe("JSON lines", () => {
  test.each(["a.jsonl", "a.ndjson"])("are a document each in %s, without the empty ones", async (file) => {
    expect(await valuesIn(file, '{"a": 1}\n\n[2]\r\n"x"\n')).toEqual([{ a: 1 }, [2], "x"]);
    expect(await valuesIn(file, "")).toEqual([]);
  });

  test("have one value each", async () => {
    expect(await errorsIn("a.jsonl", '{"a": 1} {"b": 2}\n')).toEqual(["../a.jsonl:1:10 a line has one value"]);
    expect(await errorsIn("a.jsonl", '{"a": 1}\n{"a" 2}\n')).toEqual([
      "../a.jsonl:2:6 a colon is missing behind the key",
    ]);
  });
});

async function valuesIn(file: string, text: string) {
  return withFiles({ [file]: text }, async (root) => (await readIn(root, [file])).documents.map(({ value }) => value));
}

async function errorsIn(file: string, text: string) {
  const { errors } = await withFiles({ [file]: text }, (root) => readIn(root, [file]));
  return errors.map(({ at, message }) => `${at?.file}:${at?.line}:${at?.column} ${message}`);
}
