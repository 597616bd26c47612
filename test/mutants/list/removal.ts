/** Mutants of removals and of the guards: planning, section 6. */

import type { Mutant } from "../mutant.ts";

/** Mutants of what becomes of entries that the files no longer list. */
export const removalMutants: readonly Mutant[] = [
  {
    id: "mentions-in-files-ignored",
    rule: "removal.files",
    does: "deletes what a declared entry mentions",
    file: "src/plan/make.ts",
    edits: [
      {
        find: "const fields: Fields = { ...live.fields, ...wanted };",
        replace: "const fields: Fields = declared === undefined ? live.fields : {};",
      },
    ],
    redBy: ["test/plan/removal/decide.test.ts"],
  },
  {
    id: "mentions-in-workspace-ignored",
    rule: "removal.workspace",
    does: "deletes what a live entry that nobody manages mentions",
    file: "src/plan/make.ts",
    edits: [
      {
        find: "      const declared = former.get(live);\n",
        replace: "      const declared = former.get(live);\n      if (declared === undefined) continue;\n",
      },
    ],
    redBy: ["test/plan/removal/decide.test.ts"],
  },
  {
    id: "held-by-incidents-ignored",
    rule: "removal.incidents",
    does: "deletes what incidents hold",
    file: "src/plan/removal/decide.ts",
    edits: [
      {
        find: "return holders(live).length === 0 && incidents === 0 &&",
        replace: "return holders(live).length === 0 && incidents >= 0 &&",
      },
    ],
    redBy: ["test/plan/removal/decide.test.ts"],
  },
  {
    id: "no-fallback",
    rule: "removal.refusal",
    does: "does not plan to disable what the service refuses to delete",
    file: "src/plan/removal/draft.ts",
    edits: [{ find: "if (disabling !== undefined) return", replace: 'if (kind.name === "") return' }],
    redBy: ["test/plan/removal/draft.test.ts"],
  },
  {
    id: "fallback-not-taken",
    rule: "removal.refusal",
    does: "fails where a deletion is refused",
    file: "src/apply/execute/perform.ts",
    edits: [
      { find: "if (fallback !== undefined) return fallBack(", replace: "if (fallback === null) return fallBack(" },
    ],
    redBy: ["test/apply/execute/apply.test.ts"],
  },
  {
    id: "unread-is-nothing",
    rule: "removal.unread",
    does: "takes what could not be read for pointing nowhere",
    file: "src/plan/removal/decide.ts",
    edits: [
      { find: "incidents === 0 && unknown(state, live, leave.untold).length === 0;", replace: "incidents === 0;" },
    ],
    redBy: ["test/plan/removal/decide.test.ts"],
  },
  {
    id: "uncounted-is-none",
    rule: "removal.unread",
    does: "takes incidents that could not be counted for none",
    file: "src/plan/removal/decide.ts",
    edits: [{ find: '...(uncounted ? ["incidents"] : [])', replace: "" }],
    redBy: ["test/plan/removal/decide.test.ts"],
  },
  {
    id: "retired-again",
    rule: "removal.retired",
    does: "deletes what somebody has disabled",
    file: "src/plan/removal/decide.ts",
    edits: [{ find: "&& !(disable !== undefined && live.fields[disable] === false)", replace: "" }],
    redBy: ["test/plan/removal/decide.test.ts"],
  },
  {
    id: "built-in-removed",
    rule: "removal.retired",
    does: "takes away what every workspace has",
    file: "src/plan/removal/decide.ts",
    edits: [{ find: "&& builtin?.(live.row) !== true", replace: "" }],
    redBy: ["test/plan/removal/decide.test.ts"],
  },
  {
    id: "dangling-mention",
    rule: "removal.references",
    does: "does not mind a mention of nothing",
    file: "src/match/missing-references.ts",
    edits: [{ find: "if (!exists(state, reference))", replace: "if (state.kinds.size < 0)" }],
    redBy: ["test/match/missing-references.test.ts"],
  },
  {
    id: "dangling-option",
    rule: "removal.references",
    does: "does not mind a mention of an option that there is not",
    file: "src/match/missing-references.ts",
    edits: [{ find: "if (choice === undefined) return", replace: 'if (choice !== "") return' }],
    redBy: ["test/match/missing-references.test.ts"],
  },
  {
    id: "protected-in-settings-ignored",
    rule: "guard.protected",
    does: "removes what the settings protect",
    file: "src/plan/checks/policy-checks.ts",
    edits: [{ find: "settings.protected.some((pattern) => matches(pattern, change.address))", replace: "false" }],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "protected-entry-ignored",
    rule: "guard.protected",
    does: "disables an entry that says it is protected",
    file: "src/plan/checks/policy-checks.ts",
    edits: [{ find: "declared?.protected === true ||", replace: "" }],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "own-key-removed",
    rule: "guard.own-key",
    does: "locks itself out",
    file: "src/plan/checks/policy-checks.ts",
    edits: [{ find: "ownPrefixes.includes(live.id)", replace: 'ownPrefixes.includes("")' }],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "default-removed",
    rule: "guard.default",
    does: "takes the default away",
    file: "src/plan/checks/policy-checks.ts",
    edits: [{ find: "live?.fields.default !== true", replace: "live?.fields.default === true" }],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "last-of-a-stage-removed",
    rule: "guard.last-one",
    does: "takes the last enabled status of a stage away",
    file: "src/plan/checks/policy-checks.ts",
    edits: [
      {
        find: "if (joins || members.some((member) => !gone.has(member))) return [];",
        replace: "if (members.length > 0) return [];",
      },
    ],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "disabled-one-keeps-the-stage",
    rule: "guard.last-one",
    does: "counts a disabled status as one that the stage keeps",
    file: "src/plan/checks/policy-checks.ts",
    edits: [
      {
        find: "      if (kind.lifecycle.disable !== undefined && live.fields[kind.lifecycle.disable] === false) continue;\n",
        replace: "",
      },
    ],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "delete-without-consent",
    rule: "guard.delete",
    does: "deletes without asking",
    file: "src/plan/checks/policy-checks.ts",
    edits: [{ find: "if (consent.allowDelete) return [];", replace: "if (!consent.allowDelete) return [];" }],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "no-ceiling",
    rule: "guard.ceiling",
    does: "removes any number of entries",
    file: "src/plan/checks/policy-checks.ts",
    edits: [{ find: "if (total.size <= limit) return [];", replace: "if (total.size >= 0) return [];" }],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "disabling-does-not-count",
    rule: "guard.ceiling",
    does: "disables any number of entries",
    file: "src/plan/checks/policy-checks.ts",
    edits: [
      {
        find: 'return action === "delete" || action === "disable";',
        replace: 'return action === "delete";',
      },
    ],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "share-of-few",
    rule: "guard.small",
    does: "applies the share where there are fewer than ten",
    file: "src/plan/removal/removal-policy.ts",
    edits: [
      {
        find: "if (ceiling === undefined) return enabled >= 10 ?",
        replace: "if (ceiling === undefined) return enabled >= 5 ?",
      },
    ],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "cascades-do-not-count",
    rule: "guard.cascades",
    does: "deletes any number of entries along with others",
    file: "src/plan/checks/policy-checks.ts",
    edits: [{ find: "new Set([...addresses(hit), ...cascades])", replace: "new Set(addresses(hit))" }],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "cascades-not-told",
    rule: "guard.cascades",
    does: "does not say what goes along",
    file: "src/plan/removal/draft.ts",
    edits: [{ find: "...(removal.cascades.length > 0 ? { cascades: removal.cascades } : {}),", replace: "" }],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
];
