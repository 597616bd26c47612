import { expect, test } from "vitest";
import type { Caught, Refusal } from "./refusal.ts";
import { REFUSALS } from "./table.ts";

const INTRODUCTION = `# Checks before an apply

An apply that stops half-way because the service refuses a request leaves a workspace that is neither as it was nor as declared. So what the
service would refuse, and the program can know, is found before anything is sent. This page lists every rule by which the interface
refuses to write configuration, and where you see it:

- **validate**: in the files alone. \`incidentctl validate\` needs no network and exits with 1; so do \`plan\` and \`apply\`.
- **plan**: the rule depends on what the workspace has. \`incidentctl plan\` exits with 1 and names the file and the line, or shows the
  line as blocked.
- **left out**: no plan has such a request. The program writes it in another way, or preserves what has to stay and says why.
- **apply**: only the service knows. The apply stops and says what was refused and where it is declared. Or it preserves a resource that
  the service does not let go, and goes on.

What the interface leaves open, such as permissions or events that it does not list, is a warning. Permissions of your own token are not in
the table: [doctor](doctor.md) checks them.

This page is generated from the tests that make each of these refusals happen; to update it, run
\`npm run documents\`.
`;

const PLACES: Readonly<Record<Caught, string>> = {
  validate: "validate",
  plan: "plan",
  "left out": "left out",
  service: "apply",
  preserved: "apply, which preserves it",
};

function line({ rule, caught, code, warning, why }: Refusal): string {
  const codes = [code, warning].filter((one) => one !== undefined).map((one) => `\`${one}\``);
  return `| ${rule}${why === undefined ? "" : ` ${why}`} | ${PLACES[caught]} | ${codes.join(", ")} |`;
}

test("docs/checks.md lists every rule of the table, and where it is caught", async () => {
  const sections = Object.entries(REFUSALS).map(
    ([title, rows]) => `## ${title}\n\n| Rule | Found by | Code |\n|---|---|---|\n${rows.map(line).join("\n")}\n`,
  );
  await expect([INTRODUCTION, ...sections].join("\n")).toMatchFileSnapshot("../../docs/checks.md");
});
