/** Mutants of the order of requests, of the seal and of the rehearsal: planning, sections 7 to 9. */

import type { Mutant } from "../mutant.ts";

/** Mutants of what runs when, and of what a plan can be trusted for. */
export const sequenceMutants: readonly Mutant[] = [
  {
    id: "delete-before-create",
    rule: "sequence.late",
    does: "takes away before it adds",
    file: "src/plan/order/sequence.ts",
    edits: [{ find: "settle([...steps.filter(({ late }) => !late), ", replace: "settle([" }],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "parents-go-first",
    rule: "sequence.late",
    does: "takes away in the order of creation",
    file: "src/plan/order/sequence.ts",
    edits: [{ find: "...steps.toReversed()]", replace: "...steps]" }],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "mention-before-its-target",
    rule: "sequence.mentioned",
    does: "forgets that a mention waits for what it mentions",
    file: "src/plan/order/sequence.ts",
    edits: [{ find: "user.needs.push(", replace: "[].push(" }],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "kinds-in-any-order",
    rule: "sequence.mentioned",
    does: "makes kinds in the order of the registry",
    file: "src/plan/order/sequence.ts",
    edits: [
      {
        find: "kind.references?.dependsOn?.includes(other.name) === true) visit(other);",
        replace: "kind.references?.dependsOn === undefined) visit(other);",
      },
    ],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "gone-before-released",
    rule: "sequence.released",
    does: "takes an entry away while others still mention it",
    file: "src/plan/order/sequence.ts",
    edits: [{ find: "...(released.get(change.address) ?? []), ...(promoting", replace: "...(promoting" }],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "circle-not-broken",
    rule: "sequence.circle",
    does: "creates with a mention of what is not there yet",
    file: "src/plan/order/sequence.ts",
    edits: [
      {
        find: "deferred.set(pair.declared.address, places.add(reference.at));",
        replace: "places.clear();",
      },
    ],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "circle-not-closed",
    rule: "sequence.circle",
    does: "forgets the mention that closes a circle",
    file: "src/plan/diff/create.ts",
    edits: [
      {
        find: "if (Object.keys(then).length > 0) {",
        replace: "if (Object.keys(then).length > 0 && deferred.size === 0) {",
      },
    ],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "old-default-goes-first",
    rule: "sequence.default",
    does: "takes the old default away before another one is named",
    file: "src/plan/order/sequence.ts",
    edits: [
      { find: ", ...(promoting.get(kind) ?? [])]", replace: "]" },
      { find: "settle([...steps.filter(({ late }) => !late), ", replace: "settle([" },
    ],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "old-status-goes-first",
    rule: "sequence.stage",
    does: "disables the old status of a stage before the new one is there",
    file: "src/plan/diff/update.ts",
    edits: [{ find: "late: enabling === false,", replace: "late: false," }],
    redBy: ["test/plan/order/sequence.test.ts"],
  },
  {
    id: "conditions-with-the-field",
    rule: "sequence.form",
    does: "sets a form's conditions while it puts the field on the form",
    file: "src/plan/order/sequence.ts",
    edits: [
      {
        find: "if (open.has(other) ||",
        replace: "if ((open.has(other) && pair.declared.kind.permanent !== true) ||",
      },
    ],
    redBy: ["test/plan/diff/forms.test.ts"],
  },
  {
    id: "seal-of-nothing",
    rule: "seal.plan",
    does: "seals the plan without its operations",
    file: "src/plan/checks/seal.ts",
    edits: [{ find: "digestOf({ ...rest, configuration", replace: "digestOf({ configuration" }],
    redBy: ["test/plan/checks/seal.test.ts"],
  },
  {
    id: "seal-without-live",
    rule: "seal.live",
    does: "applies a plan to a workspace that has changed since",
    file: "src/plan/checks/seal.ts",
    edits: [{ find: "live ??= digestOfLive(configuration, state);", replace: 'live ??= "";' }],
    redBy: ["test/plan/checks/seal.test.ts"],
  },
  {
    id: "seal-without-incidents",
    rule: "seal.live",
    does: "does not seal how many incidents hold an entry",
    file: "src/plan/checks/seal.ts",
    edits: [{ find: "[key, held ?? null]", replace: "[key, null]" }],
    redBy: ["test/plan/checks/seal.test.ts"],
  },
  {
    id: "seal-without-files",
    rule: "seal.files",
    does: "applies a plan of another configuration",
    file: "src/plan/checks/seal.ts",
    edits: [{ find: "    configuration: configuration.digest,", replace: '    configuration: "",' }],
    redBy: ["test/plan/checks/seal.test.ts"],
  },
  {
    id: "seal-without-workspace",
    rule: "seal.workspace",
    does: "takes every workspace for the one that was planned",
    file: "src/plan/checks/seal.ts",
    edits: [{ find: "        .map(({ id }) => id ?? null)", replace: "        .map(() => null)" }],
    redBy: ["test/plan/checks/seal.test.ts"],
  },
  {
    id: "changed-plan-is-applied",
    rule: "seal.plan",
    does: "applies what is in the file without holding it against the plan made again",
    file: "src/run/saved-plan.ts",
    edits: [{ find: "if (!isSame(saved, fresh, safe)) throw stale", replace: "if (fresh === undefined) throw stale" }],
    redBy: ["test/commands/apply.test.ts"],
  },
  {
    id: "rehearsal-forgives-failures",
    rule: "rehearsal.finishes",
    does: "does not mind an operation that fails on the replica",
    file: "src/rehearse/rehearse.ts",
    edits: [
      {
        find: "const findings = [...same, ...failed, ...(next ?? []), ...routed];",
        replace: "const findings = [...same, ...(next ?? []), ...routed];",
      },
    ],
    redBy: ["test/rehearse/failing.test.ts"],
  },
  {
    id: "rehearsal-forgives-rests",
    rule: "rehearsal.empty",
    does: "does not mind that something is still to do",
    file: "src/rehearse/rehearse.ts",
    edits: [
      {
        find: "const findings = [...same, ...failed, ...(next ?? []), ...routed];",
        replace: "const findings = [...same, ...failed, ...routed];",
      },
    ],
    redBy: ["test/rehearse/rehearse.test.ts"],
  },
  {
    id: "rehearsal-forgives-routing",
    rule: "rehearsal.routing",
    does: "does not mind a third answer to a sample",
    file: "src/rehearse/rehearse.ts",
    edits: [
      {
        find: ".filter(({ others, exposed }) => others.length > 0 && !exposed)",
        replace: ".filter(({ others, exposed }) => others.length > 99 && !exposed)",
      },
    ],
    redBy: ["test/rehearse/samples.test.ts", "test/rehearse/rehearse.test.ts"],
  },
  {
    id: "rehearsal-without-faults",
    rule: "rehearsal.faults",
    does: "lets every disturbed run off",
    file: "src/rehearse/rehearse.ts",
    edits: [
      {
        find: "findings: [...findings, ...more], faults };",
        replace: "findings, faults };",
      },
    ],
    redBy: ["test/rehearse/rehearse.test.ts"],
  },
];
