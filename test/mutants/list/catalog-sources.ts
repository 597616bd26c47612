/** Mistakes in entries of the catalog that other files make. */

import type { Mutant } from "../mutant.ts";

const EXPAND = "src/config/catalog/entries/expand.ts";
const LIMITS = "src/plan/checks/removal-limits.ts";
const COMMANDS = ["test/commands/catalog/shared-entries.test.ts", "test/commands/catalog/entries-from.test.ts"];
const CONFIGURATION = "test/config/catalog/entries/entries-from.test.ts";

export const catalogSourceMutants: readonly Mutant[] = [
  {
    id: "remove-entries-of-others",
    rule: "catalog.shared",
    does: "removes entries that people or other systems made",
    file: "src/workspace/match/match.ts",
    edits: [
      {
        find: "if (systems === undefined) return true;",
        replace: "if (systems === undefined || row !== undefined) return true;",
      },
    ],
    redBy: COMMANDS,
  },
  {
    id: "believe-unknown-origins",
    rule: "catalog.unknown-origin",
    does: "removes entries of which the service does not tell who made them",
    file: "src/workspace/match/match.ts",
    edits: [
      {
        find: 'return typeof system === "string" && systems.includes(system);',
        replace: 'return typeof system !== "string" || systems.includes(system);',
      },
    ],
    redBy: COMMANDS,
  },
  {
    id: "create-without-origin",
    rule: "catalog.origin",
    does: "creates declared entries of a shared type without their origin",
    file: "src/config/catalog/entries/complete.ts",
    edits: [
      {
        find: "return { ...resource, fields: { ...fields, [system]: list.source, [id]: key } };",
        replace: "return { ...resource, fields: { ...fields } };",
      },
    ],
    redBy: COMMANDS,
  },
  {
    id: "empty-the-type",
    rule: "catalog.emptied",
    does: "removes the last entries of a source that makes none any more",
    file: LIMITS,
    edits: [
      { find: "isEmptied && limitOf(input) === undefined ? 0 :", replace: "isEmptied && kind === undefined ? 0 :" },
    ],
    redBy: COMMANDS,
  },
  {
    id: "empty-one-source",
    rule: "catalog.emptied",
    does: "counts a source that makes nothing only if all sources of the type make nothing",
    file: LIMITS,
    edits: [
      {
        find: "empty.length === sourced.sources.length || removals.some(isOfEmpty)",
        replace: "empty.length === sourced.sources.length",
      },
    ],
    redBy: COMMANDS,
  },
  {
    id: "limit-for-the-kind-alone",
    rule: "catalog.limit",
    does: "lets a source lose most of its entries if the workspace has many others",
    file: LIMITS,
    edits: [{ find: "return [...exceededKinds, ...exceededLists].map(", replace: "return [...exceededKinds].map(" }],
    redBy: COMMANDS,
  },
  {
    id: "documents-win",
    rule: "catalog.by-hand",
    does: "sends the value of a document in place of the one written by hand",
    file: EXPAND,
    edits: [{ find: "return mergeOver(node, over, file);", replace: "return node;" }],
    redBy: [CONFIGURATION, ...COMMANDS],
  },
  {
    id: "keep-taken-away",
    rule: "catalog.by-hand",
    does: "sends a value that a null takes away",
    file: EXPAND,
    edits: [{ find: "removes: value.end > value.start", replace: "removes: value.end < value.start" }],
    redBy: [CONFIGURATION, "test/config/catalog/entries/files-and-values.test.ts"],
  },
  {
    id: "last-document-wins",
    rule: "catalog.twins",
    does: "keeps one of two different entries with the same slug and says nothing",
    file: EXPAND,
    edits: [
      {
        find: "return known.texts.add(textOf(entry)).size > size;",
        replace: "return known.texts.add(textOf(entry)).size < size;",
      },
    ],
    redBy: [CONFIGURATION, "test/config/catalog/entries/equal-documents.test.ts"],
  },
  {
    id: "first-alias-wins",
    rule: "catalog.alias",
    does: "takes an alias of two entries for the first of them",
    file: "src/config/catalog/entries/other-names.ts",
    edits: [
      {
        find: "if (other === undefined || other.key === key) continue;",
        replace: "if (other === undefined || alias !== '') continue;",
      },
    ],
    redBy: [CONFIGURATION, "test/config/catalog/entries/backstage-owners.test.ts"],
  },
  {
    id: "guess-the-owner",
    rule: "catalog.alias",
    does: "takes one of the entries that a reference may mean",
    file: "src/config/catalog/entries/other-names.ts",
    edits: [{ find: "if (meant.length > 1) {", replace: "if (meant.length > 1e9) {" }],
    redBy: [CONFIGURATION, "test/config/catalog/entries/backstage-owners.test.ts"],
  },
  {
    id: "any-namespace",
    rule: "catalog.namespace",
    does: "takes an entity of another namespace for that of the default one",
    file: "src/config/catalog/entries/other-names.ts",
    edits: [{ find: "(?:default\\/)?([^:/]+)$/i", replace: "(?:[^/]+\\/)?([^:/]+)$/i" }],
    redBy: ["test/config/catalog/entries/backstage-owners.test.ts", CONFIGURATION],
  },
  {
    id: "read-hidden-files",
    rule: "catalog.inside",
    does: "reads hidden files, which may have secrets",
    file: "src/config/catalog/files/read-files.ts",
    edits: [
      {
        find: "readVisible(path, place.root, limits.fileBytes)",
        replace: "readInside(path, place.root, limits.fileBytes)",
      },
      { find: "import { fileName, readVisible }", replace: "import { fileName, readInside }" },
    ],
    redBy: ["test/config/catalog/files/read-files.test.ts"],
  },
  {
    id: "leave-the-repository",
    rule: "catalog.inside",
    does: "reads files above the root of the repository",
    file: "src/config/catalog/files/find-files.ts",
    edits: [
      { find: "if (isAbsolute(start) || /^\\.\\.(?:[\\\\/]|$)/.test(start)) {", replace: "if (isAbsolute(start)) {" },
    ],
    redBy: ["test/config/catalog/files/find-files.test.ts"],
  },
  {
    id: "unreadable-is-empty",
    rule: "catalog.complete",
    does: "takes a directory that cannot be listed for an empty one",
    file: "src/config/catalog/files/find-files.ts",
    edits: [{ find: 'else if (code !== "ENOENT" && code !== "ENOTDIR") {', replace: 'else if (code === "E_NEVER") {' }],
    redBy: ["test/config/catalog/files/find-files.test.ts"],
  },
  {
    id: "read-the-configuration",
    rule: "catalog.configuration",
    does: "takes a file with resources for one of a source, and forgets its resources",
    file: "src/config/catalog/entries/sources.ts",
    edits: [{ find: "|| hasResources(file);\n    if (hasResources(file)) {", replace: ";\n    if (path === '') {" }],
    redBy: [CONFIGURATION, "test/config/catalog/entries/files-and-values.test.ts", ...COMMANDS],
  },
  {
    id: "same-digest",
    rule: "catalog.digest",
    does: "applies a saved plan though a source has changed since",
    file: EXPAND,
    edits: [{ find: ".update(JSON.stringify(made.map(", replace: ".update(JSON.stringify([].map(" }],
    redBy: COMMANDS,
  },
];
