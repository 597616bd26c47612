import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import type { Fetch } from "../../../src/core/fetch.ts";
import type { Fields } from "../../../src/core/json.ts";
import { unresolvedIntents } from "../../../src/run/journal/journal-status.ts";
import { readJournal } from "../../../src/run/journal/read.ts";
import { openWorld, type World } from "../../commands/world.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";

const slugs = Array.from({ length: 24 }, (_, at) => `r${String(at).padStart(2, "0")}`);
const entries = slugs.map((slug) => `      - { slug: ${slug}, name: ${slug} }\n`).join("");

let world: World;
beforeEach(async () => {
  world = await openWorld({
    "catalog.yaml": `catalog_types:\n  - slug: rack\n    name: Rack\n    entries:\n${entries}`,
  });
});
afterEach(() => world.close());

const options: ApplyFlags = { paths: [], yes: true };

/** Slugs of the entries that the service holds. */
async function live(): Promise<readonly unknown[]> {
  const body = (await world.send("GET", "/api/v1/catalog/types/rack/entries?per_page=100")) as { entries: Fields[] };
  return body.entries.map(({ slug }) => slug).toSorted();
}

/** The journal that is left, and how many requests stand open in it. */
async function open(): Promise<number> {
  const folder = join(world.folder, ".incidentctl");
  const [name] = (await readdir(folder, { recursive: true })).filter((one) => one.endsWith(".unfinished"));
  if (name === undefined) return 0;
  const contents = readJournal(name, await readFile(join(folder, name)));
  return contents === undefined ? 0 : unresolvedIntents(contents).length;
}

/** From the tenth write on nothing is answered, every other one is carried out all the same, and somebody interrupts the run. */
function silent(interrupt: () => void): Fetch {
  let writes = 0;
  return async (input, init) => {
    if (init.method === "GET" || ++writes < 10) return world.io.fetch(input, init);
    if (writes % 2 === 0) await world.io.fetch(input, init);
    if (writes === 17) interrupt();
    return new Promise(() => {});
  };
}

test.each([
  ["apply", apply],
  ["resume", resume],
] as const)(
  "of a run that ended with eight requests unanswered, %s finds out each, and every entry is made once",
  async (_name, command) => {
    const interruption = new AbortController();
    const io = {
      ...world.io,
      clock: new VirtualClock(),
      fetch: silent(() => interruption.abort()),
      interruption: () => interruption.signal,
    };
    const stopped = await world.run<ApplyFlags>((given, _io, console) => apply(given, io, console), options);
    expect(stopped.exit, stopped.stdout + stopped.stderr).toBe(130);
    expect(stopped.stdout.match(/^ +unknown +op-/gm)).toHaveLength(8);
    expect(await open()).toBe(8);
    const later = { ...world.io, clock: new VirtualClock() };
    const ended = await world.run<ApplyFlags>((given, _io, console) => command(given, later, console), options);
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(await live()).toEqual(slugs);
    expect(await open()).toBe(0);
  },
);
