/** Every kind, by the example of it: a file that goes is named as no longer managed, with the line that removes what it declared. */

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { addressPrefix } from "../../../src/kinds/model/resource.ts";
import { folder, loadExamples, modules } from "../../support/samples/example-workspace.ts";
import { openWorld, type World } from "../world.ts";
import { commitAll, gitIn, initRepository, planOf } from "./repository.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld({});
  cpSync(folder, world.folder, { recursive: true });
  const settings = join(world.folder, "incidentctl.yaml");
  writeFileSync(
    settings,
    readFileSync(settings, "utf8").replace("https://incidents.example.com", "http://localhost:4010"),
  );
  const flags = { yes: true, allowDelete: true, acceptRoutingWindow: true, secretsOut: "tokens.jsonl" } as const;
  const applied = await world.run(apply, { paths: [], ...flags, maxRemovals: { percent: 100 }, base: "none" });
  expect(applied).toMatchObject({ exit: 0 });
  await world.write({ ".gitignore": "tokens.jsonl\n.incidentctl\n" });
  initRepository(world);
}, 60_000);
afterAll(() => world.close());

test.each(modules)("%s", async (module) => {
  rmSync(join(world.folder, `${module}.yaml`));
  const { plan } = await planOf(world);
  expect(plan.changes).toEqual([]);
  const configuration = await loadExamples([module]);
  const owned = new Set(kinds.filter((kind) => kind.module === module).map(({ name }) => name));
  const lists = configuration.managed.flatMap(({ kind: name, scope }) => {
    const kind = kinds.find((one) => one.name === name);
    // A list in a resource goes with the list of that.
    return kind === undefined || !owned.has(name) || kind.parent !== undefined
      ? []
      : [addressPrefix(kind, scope).slice(0, -1)];
  });
  const released = plan.released ?? [];
  expect(lists.length).toBeGreaterThan(0);
  expect(released.map(({ address }) => address)).toEqual(expect.arrayContaining(lists));
  for (const { because, edit, file } of released) {
    expect({ because, file }).toEqual({ because: `${module}.yaml is gone`, file: `${module}.yaml` });
    expect(edit).toBeTypeOf("string");
  }
  // Each line does what it says, beside no other file, which might refer to what goes.
  for (const other of readdirSync(world.folder).filter(
    (name) => name.endsWith(".yaml") && name !== "incidentctl.yaml",
  )) {
    rmSync(join(world.folder, other));
  }
  for (const { address, edit } of released) {
    writeFileSync(join(world.folder, `${module}.yaml`), `${edit}\n`);
    const { plan: emptied } = await planOf(world);
    const others = emptied.changes.filter((change) => change.origin !== "files" || !change.address.startsWith(address));
    expect(others).toEqual([]);
    expect(emptied.released?.map((one) => one.address)).not.toContain(address);
  }
  gitIn(world.folder, "checkout", "--quiet", ".");
  commitAll(world.folder);
});
