import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Configuration } from "../../src/config/resources/configuration.ts";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { type Dialects, dialectChoices } from "../../src/emulator/dialects.ts";
import type { Plan } from "../../src/plan/model/plan.ts";
import { plain } from "../../src/view/format/ansi.ts";
import { planView } from "../../src/view/plan/plan-view.ts";
import { planText } from "../../src/view/plan/text.ts";
import { inDirectory, loadDirectory } from "../config/loading.ts";
import { someOf } from "../support/samples/sample-size.ts";
import { type SeenRequest, serviceFor, type TestService } from "../support/service/test-service.ts";
import { withoutKinds } from "../support/without-kinds.ts";

const root = fileURLToPath(new URL("../scenarios", import.meta.url));

/** A request that a person makes before a step; `{kind/key}` stands for what the service calls that entry. */
interface HandEdit {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
}

/** Every switch thrown alone, and all of them at once. */
const SWITCHES: readonly Partial<Dialects>[] = (() => {
  const alone = dialectChoices().map(([name, [, other]]): Partial<Dialects> => ({ [name]: other }));
  return [...alone, Object.assign({}, ...alone)];
})();

/** Stories that a service refuses to go along with: it removes an option that an incident holds instead of renaming it. */
const REFUSED: Readonly<Record<string, Partial<Dialects>>> = {
  "rename-add-and-remove-options": { options: "replace" },
};

/**
 * A story is a folder: `1.yaml`, `2.yaml`, … are applied one after another, and at last `1.yaml` again. For each step the
 * folder holds the plan as it is shown and the writes as the service saw them; `hand.json` says what people do before a
 * step, by its name. `npm test` tells each to a service with one switch thrown, the larger sample with each of them.
 */
describe.each(readdirSync(root).map((story, number) => ({ story, number })))("$story", ({ story, number }) => {
  const folder = join(root, story);

  test("has the recorded plans and requests, and can be reverted", async () => {
    await tell(folder, {}, async (step, plan, writes) => {
      const text = withoutKinds(withoutRandom(planText(planView(plan), { paint: plain, verbose: false })));
      await expect(text).toMatchFileSnapshot(join(folder, `plan-${step}.txt`));
      await expect(writes).toMatchFileSnapshot(join(folder, `writes-${step}.txt`));
    });
  });

  test.each(someOf(SWITCHES, number))("reaches the same state on a service with %o", async (dialects) => {
    const told = tell(folder, dialects, async () => {});
    if (isRefused(story, dialects)) await expect(told).rejects.toThrow(/in use/);
    else await told;
  });
});

/** Plays a story; each step ends in sync. `look` is given the plan of each step and what was written. */
async function tell(
  folder: string,
  dialects: Partial<Dialects>,
  look: (step: string, plan: Plan, writes: string) => Promise<void>,
): Promise<void> {
  const steps = readdirSync(folder).flatMap((file) => /^(\d+)\.yaml$/.exec(file)?.[1] ?? []);
  const service = serviceFor({ dialects });
  try {
    for (const step of [...steps, "return"]) {
      for (const edit of handEdits(folder, step)) await byHand(service, edit);
      const configuration = await loaded(folder, step === "return" ? "1" : step);
      const plan = await service.planFor(configuration);
      service.forget();
      await service.carryOut(plan);
      await look(step, plan, written(service.seen));
      await expectInSync(service, configuration);
    }
  } finally {
    service.emulator.close();
  }
}

function isRefused(story: string, dialects: Partial<Dialects>): boolean {
  return Object.entries(REFUSED[story] ?? {}).some(([name, value]) => dialects[name as keyof Dialects] === value);
}

/** A step with the settings of its story; the other steps are no part of its configuration. */
async function loaded(folder: string, step: string): Promise<Configuration> {
  const files = ["incidentctl.yaml", `${step}.yaml`].filter((file) => existsSync(join(folder, file)));
  const copies = files.map((file) => [file, readFileSync(join(folder, file))] as const);
  return inDirectory(Object.fromEntries(copies), (directory) => loadDirectory(directory));
}

async function expectInSync(service: TestService, configuration: Configuration): Promise<void> {
  const again: Plan = await service.planFor(configuration);
  expect({ changes: again.changes, operations: again.operations }).toEqual({ changes: [], operations: [] });
}

function handEdits(folder: string, step: string): readonly HandEdit[] {
  const file = join(folder, "hand.json");
  if (!existsSync(file)) return [];
  const edits: Readonly<Record<string, readonly HandEdit[]>> = JSON.parse(readFileSync(file, "utf8"));
  return edits[step] ?? [];
}

async function byHand(service: TestService, { method, path, body }: HandEdit): Promise<void> {
  const text = await filled(service, JSON.stringify([path, body ?? null]));
  const [target, sent]: readonly [string, Json] = JSON.parse(text);
  await service.hand(method, target, sent ?? undefined);
}

async function filled(service: TestService, text: string): Promise<string> {
  let done = text;
  for (const [hole, kind = "", key = ""] of text.matchAll(/\{(\w+)\/([^}"]+)\}/g)) {
    const answer = await service.hand("GET", `/${kind}?include_disabled=true`);
    const rows = isFields(answer) && isList(answer[kind]) ? answer[kind].filter(isFields) : [];
    const row: Fields = rows.find(({ slug, name }) => slug === key || name === key) ?? {};
    done = done.replace(hole, String(row.prefix ?? row.id));
  }
  return done;
}

/** What the service makes up: ids, endpoint paths and prefixes. */
const MADE_UP = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=\/alert_sources\/)[\w-]+|ff_\w{9}/g;

/** The writes, one a line, without what is different in every run. */
function written(seen: readonly SeenRequest[]): string {
  const lines = seen
    .filter(({ method }) => method !== "GET")
    .map(({ method, url, body }) => `${method} ${url}${body === null ? "" : ` ${JSON.stringify(body)}`}\n`);
  return lines.join("").replaceAll(MADE_UP, "<id>");
}

/** A text with fixed words for what the service draws at random: paths of endpoints, and beginnings of tokens. */
function withoutRandom(text: string): string {
  return text.replace(/(endpoint path) [\w-]{20,}/g, "$1 RANDOM").replace(/(token) ff_\w+/g, "$1 ff_RANDOM");
}
