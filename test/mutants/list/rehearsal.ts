/** Mutants of the rehearsal: what it must report. */

import type { Mutant } from "../mutant.ts";

/** Mutants that hide a finding of a rehearsal. */
export const rehearsalMutants: readonly Mutant[] = [
  {
    id: "ignore-failures",
    rule: "rehearsal.finishes",
    does: "ignores an operation that fails on the replica",
    file: "src/app/rehearse/rehearse.ts",
    edits: [
      {
        find: "const findings = [...same, ...failed, ...(next ?? []), ...routed];",
        replace: "const findings = [...same, ...(next ?? []), ...routed];",
      },
    ],
    redBy: ["test/app/rehearse/failing.test.ts"],
  },
  {
    id: "ignore-rest",
    rule: "rehearsal.empty",
    does: "ignores that the next plan is not empty",
    file: "src/app/rehearse/rehearse.ts",
    edits: [
      {
        find: "const findings = [...same, ...failed, ...(next ?? []), ...routed];",
        replace: "const findings = [...same, ...failed, ...routed];",
      },
    ],
    redBy: ["test/app/rehearse/rehearse.test.ts"],
  },
  {
    id: "ignore-third-result",
    rule: "rehearsal.routing",
    does: "ignores a third routing result of a sample",
    file: "src/app/rehearse/rehearse.ts",
    edits: [
      {
        find: ".filter(({ others, exposed }) => others.length > 0 && !exposed)",
        replace: ".filter(({ others, exposed }) => others.length > 99 && !exposed)",
      },
    ],
    redBy: ["test/app/rehearse/samples.test.ts", "test/app/rehearse/rehearse.test.ts"],
  },
  {
    id: "ignore-faults",
    rule: "rehearsal.faults",
    does: "ignores the findings of disturbed runs",
    file: "src/app/rehearse/rehearse.ts",
    edits: [
      {
        find: "findings: [...findings, ...more] };",
        replace: "findings };",
      },
    ],
    redBy: ["test/app/rehearse/rehearse.test.ts"],
  },
];
