import { expect, test } from "vitest";
import { otherProgramsHint } from "../../../src/app/cli/other-programs.ts";

test.each([
  ["error: unknown option '--auto-approve'", "--yes answers the prompt; --allow-delete approves deletions"],
  [
    "error: unknown option '--var-file=prod.tfvars'",
    "variables of an environment are in incidentctl.yaml; select it with --env",
  ],
  ["error: unknown command 'import'", "use pull"],
  ["error: unknown option '--frob'", undefined],
  ["error: unknown command 'constructor'", undefined],
  ["error: missing required argument 'file'", undefined],
])("%s", (message, hint) => {
  expect(otherProgramsHint(message)).toBe(hint);
});
