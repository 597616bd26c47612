/** Commands for a grant whose time is over, which a service drops. */

import { expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { openTestWorld, type World } from "../commands/world.ts";

let world: World;

const agents = (expires: string): string => `agents:
  - slug: bot
    name: Bot
    grants:
      - { ability: incidents.read }
      - { ability: incidents.update, expires_at: ${expires} }
`;

async function opened(expires: string): Promise<void> {
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/agents.yaml": agents(expires),
  });
}

const applied = () => world.run(apply, { paths: [], yes: true, secretsOut: "tokens.jsonl" });
const planned = (options = {}) => world.run(plan, { paths: [], detailedExitcode: true, ...options });

test("a grant that has ended is done, and the plan says that its line can go", async () => {
  await opened("2026-11-20T00:00:00Z");
  const first = await applied();
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  expect(first.stdout).toContain("2 of 2 operations done");
  const { exit, stdout } = await planned();
  expect(exit, stdout).toBe(0);
  expect(stdout).toContain(
    "agents/bot/grants/incidents.update has expired on 2026-11-20: delete its line, or write a later time [A012] (config/agents.yaml:6:50)",
  );
});

test("a grant that the service has dropped stops no other change", async () => {
  await opened("2026-11-20T00:00:00Z");
  await world.write({ "config/runbooks.yaml": "runbooks:\n  - { slug: one, name: One }\n" });
  const first = await applied();
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  expect(first.stdout).toContain("+ runbooks/one");
});

test("a live grant is still not moved to an end in the past", async () => {
  await opened("2099-01-01T00:00:00Z");
  expect((await applied()).exit).toBe(0);
  await world.write({ "config/agents.yaml": agents("2026-11-20T00:00:00Z") });
  const { exit, stderr } = await planned();
  expect(exit).toBe(1);
  expect(stderr).toContain("error[E_DATE]");
});
