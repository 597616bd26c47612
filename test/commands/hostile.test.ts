import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import { refs } from "../../src/app/files/refs-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { show } from "../../src/app/plan/show-command.ts";
import { rehearse } from "../../src/app/rehearse/rehearse-command.ts";
import { commandsIn, hostileTexts } from "../support/samples/hostile-texts.ts";
import { type Ended, openWorld, type World } from "./world.ts";

const paths: readonly string[] = [];
const slug = (at: number): string => `hostile_${at}_text`;

/** One severity for each hostile text: the service has it in the name, the files want another name. */
let world: World;
/** What every change is answered with, while a test wants it. */
let refusal: (() => Response) | undefined;

beforeAll(async () => {
  const declared = hostileTexts.map((_, at) => `  - { slug: ${slug(at)}, name: New ${at} }`);
  world = await openWorld({
    "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\nremoval: { default: keep }\n",
    "severities.yaml": `severities:\n${declared.join("\n")}\n`,
  });
  for (const at of hostileTexts.keys()) {
    await world.send("POST", "/api/v1/severities", { name: `Hostile ${at} text`, description: `Hostile ${at} text` });
  }
  const { fetch } = world.io;
  Object.assign(world.io, {
    fetch: async (...request: Parameters<typeof fetch>) => {
      if (refusal !== undefined && request[1].method !== "GET") return refusal();
      const response = await fetch(...request);
      return new Response(spoken(await response.text()), response);
    },
  });
});
afterAll(() => world.close());

/** What the service says, with the hostile texts where their names stand. */
function spoken(text: string): string {
  return text.replace(/Hostile (\d+) text/g, (name, at: string) => {
    return JSON.stringify(hostileTexts[Number(at)]?.[1] ?? name).slice(1, -1);
  });
}

function expectHarmless({ stdout, stderr }: Ended, what: string): void {
  expect(commandsIn(stdout), `${what}, stdout`).toEqual([]);
  expect(commandsIn(stderr), `${what}, stderr`).toEqual([]);
}

test("no command obeys a text of the service, and none hides it", async () => {
  const planned = await world.run(plan, { paths, verbose: true });
  expect(planned.exit, planned.stderr).toBe(0);
  expect(planned.stdout).toContain(`${hostileTexts.length} to update`);
  expectHarmless(planned, "plan");
  const saved = await world.run(plan, { paths, format: "json", out: "a.plan" });
  expectHarmless(saved, "plan --format json");
  const { changes } = JSON.parse(saved.stdout);
  const names: unknown[] = changes.map(({ fields }: { fields: { before: unknown }[] }) => fields[0]?.before);
  for (const [, text] of hostileTexts) expect(names).toContain(text);
  expect(commandsIn(await readFile(join(world.folder, "a.plan"), "utf8"))).toEqual([]);
  expectHarmless(await world.run(show, { planfile: "a.plan", verbose: true }), "show");
  expectHarmless(await world.run(drift, { paths }), "drift");
  expectHarmless(await world.run(refs, { paths, address: `severities/${slug(0)}` }), "refs");
});

test("a rehearsal of them is harmless as well", async () => {
  const report = { format: "html", path: "rehearsal.html" } as const;
  expectHarmless(await world.run(rehearse, { paths, report: [report] }), "rehearse");
  const page = await readFile(join(world.folder, "rehearsal.html"), "utf8");
  expect(commandsIn(page)).toEqual([]);
  expect(page).not.toMatch(/<(?:script|img|details)/);
});

test("an apply with refusals in such texts is harmless, in text or JSON", async () => {
  const texts = hostileTexts.map(([, text]) => text);
  const errors = texts.map((text) => ({ field: text, message: text }));
  for (const at of texts.keys()) {
    if (at % 30 !== 0) continue;
    const error = { type: texts[at], message: texts.slice(at).join(" "), request_id: texts[at], errors };
    refusal = () => Response.json({ error }, { status: 422 });
    expectHarmless(await world.run(apply, { paths, yes: true, keepGoing: false }), "apply");
    refusal = () =>
      Response.json({ error: { ...error, type: "approval_required" }, approval_id: texts[at] }, { status: 202 });
    const ended = await world.run(apply, { paths, yes: true, format: "json" });
    expect(ended.exit).toBe(4);
    expectHarmless(ended, "apply --format json");
    JSON.parse(ended.stdout);
  }
  refusal = () => new Response(texts.join("\n"), { status: 502, headers: { "content-type": "text/html" } });
  expectHarmless(await world.run(apply, { paths, yes: true }), "apply");
  refusal = undefined;
});
