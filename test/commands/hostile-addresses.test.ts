import { afterAll, beforeAll, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { segment } from "../../src/core/route.ts";
import { openWorld, type World } from "./world.ts";

/** What a service may call an entry so that a request about it would be one about something else, to us or to a proxy. */
const leadingElsewhere = [
  "",
  ".",
  "..",
  "../api_keys/x",
  "a..b",
  "a/b",
  "a\\b",
  "%2e%2e",
  "..%2fapi_keys%2fx",
  "a%00b",
  "a?b",
  "a#b",
  "a\u0000b",
  "a\nb",
  "a\u001b[2Jb",
  "a\u0085b",
  "a\u2028b",
  "\ud800",
];

/** The name under which the emulator knows what the service calls something else. */
const MARKED = "marked_for_it";
const hook = { url: "https://hooks.example.com/", subscribed_events: ["incident.declared"] };

let world: World;
let called = "";
beforeAll(async () => {
  world = await openWorld({
    "incidentctl.yaml":
      "version: 1\nbase_url: http://localhost:4010\nremoval: { default: keep, webhooks: delete, catalog_types: delete }\n",
    "workspace.yaml": `webhooks:\n  - { name: a, ${JSON.stringify(hook).slice(1, -1)} }\ncatalog_types:\n  - { slug: shop, name: Shop }\n`,
  });
  await world.send("POST", "/api/v1/webhooks", { name: "b", ...hook });
  await world.send("POST", "/api/v1/catalog/types", { name: "Marked for it" });
  const { fetch } = world.io;
  Object.assign(world.io, {
    fetch: async (...request: Parameters<typeof fetch>) => {
      const answer = await fetch(...request);
      return new Response(spoken(await answer.text()), answer);
    },
  });
});
afterAll(() => world.close());

let spoken = (text: string): string => text;

/** Runs a command; its exit code, its words and what it sent. */
async function sentBy(command: typeof plan | typeof apply): Promise<{ exit: number; said: string; sent: string[] }> {
  const before = world.requests.length;
  const options = { paths: [], yes: true, allowDelete: true };
  const { exit, stdout, stderr } = await world.run(command as typeof apply, options);
  const sent = world.requests.slice(before).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  return { exit, said: stdout + stderr, sent };
}

test.each(leadingElsewhere)("%j is no segment of an address", (value) => {
  expect(() => segment(value)).toThrow(/cannot be part of a URL/);
});

test.each(["critical", "a.b", "a b", "1", "ff_8sUvdhC9", "É", "-", "a+b", "a:b@c"])("%j is one", (value) => {
  expect(decodeURIComponent(segment(value))).toBe(value);
});

const marks = [
  [
    "an id",
    (text: string) =>
      text.replace(
        /("name":"b"[^}]*?"id":|"id":)"[^"]+"(?=[^}]*"name":"b")/g,
        (_all, head) => `${head}${JSON.stringify(called)}`,
      ),
  ],
  ["a slug", (text: string) => text.replaceAll(`"${MARKED}"`, JSON.stringify(called))],
] as const;

test.each(marks)(
  "a resource with that key, by %s, is refused before anything about it is sent",
  async (_what, told) => {
    for (const value of leadingElsewhere.slice(2)) {
      called = value;
      spoken = told;
      for (const command of [plan, apply]) {
        const { exit, said, sent } = await sentBy(command);
        expect(exit, `${JSON.stringify(value)}: ${said}`).toBe(1);
        expect(said).toContain("cannot be part of a URL");
        expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
        expect(sent.filter((line) => line.includes("%") || line.includes(".."))).toEqual([]);
      }
    }
  },
);
