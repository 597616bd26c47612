/** Mutants of reading files and of printing text. */

import type { Mutant } from "../mutant.ts";

/** Mutants of input from files and output to people. */
export const inputMutants: readonly Mutant[] = [
  {
    id: "use-broken-file",
    rule: "input.errors",
    does: "uses the tree of a file with errors",
    file: "src/config/source/yaml/read-yaml.ts",
    edits: [{ find: "return errors.count === 0 ? file : undefined;", replace: "return file;" }],
    redBy: ["test/config/source/yaml/read-yaml.test.ts"],
  },
  {
    id: "key-anywhere-in-its-line",
    rule: "input.leniency",
    does: "takes a key or an item behind another value in its line",
    file: "src/config/source/yaml/checked-tokens.ts",
    edits: [{ find: "this.#expect(cursor.isIndentedBy(this.#column));", replace: "" }],
    redBy: ["test/config/source/yaml/read-yaml.test.ts", "test/bad-input/catalogue.test.ts"],
  },
  {
    id: "prototype-in-a-file",
    rule: "input.prototype",
    does: "makes objects of a file's mappings that have a prototype",
    file: "src/config/source/yaml/node-reader.ts",
    edits: [
      {
        find: "{ fields: bare(), count: 0, index, merged: [] }",
        replace: "{ fields: {}, count: 0, index, merged: [] }",
      },
    ],
    redBy: ["test/bad-input/catalogue.test.ts"],
  },
  {
    id: "object-with-prototype",
    rule: "input.prototype",
    does: "makes objects with a prototype where a substitution is put in",
    file: "src/config/values/value.ts",
    edits: [
      {
        find: "const fields = bare();",
        replace: "const fields: Record<string, Json> = {};",
      },
    ],
    redBy: ["test/bad-input/catalogue.test.ts"],
  },
  {
    id: "null-is-absent",
    rule: "input.null",
    does: "omits what is declared as null",
    file: "src/config/source/yaml/node-reader.ts",
    edits: [{ find: "fields[key.name] = value;", replace: "if (value !== null) fields[key.name] = value;" }],
    redBy: ["test/bad-input/catalogue.test.ts", "test/config/load/load.test.ts"],
  },
  {
    id: "print-control-characters",
    rule: "output.escape",
    does: "prints control characters unchanged",
    file: "src/core/sanitise.ts",
    edits: [{ find: "PLAIN.test(text) ? text : text.replace(INVISIBLE, escapeCharacter)", replace: "text" }],
    redBy: ["test/core/sanitise.test.ts"],
  },
  {
    id: "print-ci-command",
    rule: "output.escape",
    does: "lets a name issue a command in a CI log",
    file: "src/core/sanitise.ts",
    edits: [{ find: 'visible.replace(COMMAND, "#\\\\u0023")', replace: "visible" }],
    redBy: ["test/core/sanitise.test.ts"],
  },
];
