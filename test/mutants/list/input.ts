/** Mutants of reading files and of printing text. */

import type { Mutant } from "../mutant.ts";

/** Mutants of input from files and output to people. */
export const inputMutants: readonly Mutant[] = [
  {
    id: "use-broken-file",
    rule: "input.errors",
    does: "uses what the YAML parser makes of a broken file",
    file: "src/config/source/yaml.ts",
    edits: [{ find: "[...errors, ...warnings]", replace: "[...warnings]" }],
    redBy: ["test/bad-input/catalogue.test.ts"],
  },
  {
    id: "ignore-warnings",
    rule: "input.warnings",
    does: "ignores the warnings of the YAML parser",
    file: "src/config/source/yaml.ts",
    edits: [{ find: "[...errors, ...warnings]", replace: "[...errors]" }],
    redBy: ["test/bad-input/catalogue.test.ts"],
  },
  {
    id: "object-with-prototype",
    rule: "input.prototype",
    does: "makes objects with a prototype from the keys of a file",
    file: "src/config/resolve/value.ts",
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
    file: "src/config/resolve/value.ts",
    edits: [
      {
        find: "for (const [key, member] of at.members) fields[key] = below(key, member.value, key);",
        replace:
          'for (const [key, member] of at.members) {\n          if (member.value.type === "scalar" && member.value.value === null) continue;\n          fields[key] = below(key, member.value, key);\n        }',
      },
    ],
    redBy: ["test/bad-input/catalogue.test.ts", "test/config/load/load.test.ts"],
  },
  {
    id: "print-control-characters",
    rule: "output.escape",
    does: "prints control characters unchanged",
    file: "src/core/sanitise.ts",
    edits: [{ find: "PLAIN.test(text) ? text : text.replace(INVISIBLE, written)", replace: "text" }],
    redBy: ["test/core/sanitise.test.ts"],
  },
  {
    id: "print-ci-command",
    rule: "output.escape",
    does: "lets a name issue a command in a CI log",
    file: "src/core/sanitise.ts",
    edits: [{ find: 'seen.replace(COMMAND, "#\\\\u0023")', replace: "seen" }],
    redBy: ["test/core/sanitise.test.ts"],
  },
];
