/**
 * A value from the environment is refused where it would be compared: in names that identify, in references and in options. Anywhere
 * else it arrives as if it stood in the file. Tried at every text of the example workspace at once.
 */

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Scalar } from "yaml";
import { apply } from "../../src/app/apply/apply-command.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { type Ended, openTestWorld, type World } from "../commands/world.ts";
import { folder } from "../support/samples/example-workspace.ts";

/** A text of the files, by the variable that has its value. */
interface Place {
  readonly variable: string;
  readonly text: string;
  /** The keys that lead to it, with `*` for a position in a list. */
  readonly keys: string;
  readonly scalar: Scalar;
}

function scalarsIn(node: unknown, keys: string): readonly (readonly [keys: string, scalar: Scalar])[] {
  if (isScalar(node)) return [[keys, node]];
  if (isSeq(node)) return node.items.flatMap((item) => scalarsIn(item, `${keys}/*`));
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => scalarsIn(value, keys === "" ? String(key) : `${keys}/${String(key)}`));
}

/** The example workspace, in which every text comes from a variable. */
class Example {
  readonly world: World;
  readonly #files: ReadonlyMap<string, Document<Node>>;
  readonly #places: Place[] = [];

  constructor(world: World) {
    this.world = world;
    cpSync(folder, world.folder, { recursive: true });
    rmSync(join(world.folder, "routing.test.yaml"));
    const settings = readFileSync(join(world.folder, "incidentctl.yaml"), "utf8");
    writeFileSync(
      join(world.folder, "incidentctl.yaml"),
      settings.replace("https://incidents.example.com", "http://localhost:4010"),
    );
    const names = readdirSync(world.folder).filter((name) => name.endsWith(".yaml") && name !== "incidentctl.yaml");
    this.#files = new Map(names.map((name) => [name, parseDocument(readFileSync(join(world.folder, name), "utf8"))]));
    for (const { contents } of this.#files.values()) {
      for (const [keys, scalar] of scalarsIn(contents, "")) {
        const { value: text } = scalar;
        if (typeof text !== "string" || text === "" || text.includes("${")) continue;
        const variable = `VALUE_${this.#places.length}`;
        scalar.value = `\${env:${variable}}`;
        Object.assign(world.io.env, { [variable]: text });
        this.#places.push({ variable, text, keys, scalar });
      }
    }
    this.#write();
  }

  #write(): void {
    for (const [name, file] of this.#files)
      writeFileSync(join(this.world.folder, name), file.toString({ lineWidth: 0 }));
  }

  /** Writes out the texts at which a command refuses a variable, until it refuses none. Returns the keys that lead to them. */
  async refusedBy(command: (world: World) => Promise<Ended>): Promise<readonly string[]> {
    const refused = new Set<string>();
    for (;;) {
      const { stdout, stderr } = await command(this.world);
      const { diagnostics = [] } = JSON.parse(stdout) as { diagnostics?: readonly Finding[] };
      // The word for what is severe may be one of the values, and masked.
      const errors = diagnostics.filter(({ code }) => code.startsWith("E_"));
      if (errors.length === 0) return [...refused].sort();
      const places = errors.filter(({ code }) => code === "E_ENV").flatMap((error) => this.#at(error));
      expect(places.length, stderr).toBeGreaterThan(0);
      for (const place of places) {
        place.scalar.value = place.text;
        refused.add(place.keys);
      }
      this.#write();
    }
  }

  #at({ file, line, column }: Finding): readonly Place[] {
    const lines = new LineCounter();
    const text = readFileSync(join(this.world.folder, file), "utf8");
    parseDocument(text, { lineCounter: lines });
    const start = (lines.lineStarts[line - 1] ?? 0) + column - 1;
    const [, variable] = /^["']?\$\{env:(\w+)\}/.exec(text.slice(start)) ?? [];
    return this.#places.filter((place) => place.variable === variable);
  }
}

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const REFUSED: readonly string[] = [
  "agents/*/grants/*/ability",
  "agents/*/grants/*/environments/*",
  "agents/*/slug",
  "alert_sources/*/name",
  "api_keys/*/name",
  "catalog_entries/service/*/slug",
  "catalog_types/*/attributes/*/name",
  "catalog_types/*/attributes/*/options/*",
  "catalog_types/*/attributes/*/reference_type",
  "catalog_types/*/entries/*/attributes/carried_by",
  "catalog_types/*/entries/*/attributes/contract_owner",
  "catalog_types/*/entries/*/attributes/run_by",
  "catalog_types/*/entries/*/slug",
  "catalog_types/*/slug",
  "custom_fields/*/catalog_type",
  "custom_fields/*/options/*",
  "custom_fields/*/options/*/label",
  "custom_fields/*/options/*/renamed_from",
  "custom_fields/*/slug",
  "forms/cancel/*/system_field",
  "forms/declare/*/conditions/*/values/*",
  "forms/declare/*/custom_field",
  "forms/declare/*/system_field",
  "forms/resolve/*/conditions/*/custom_field",
  "forms/resolve/*/conditions/*/values/*",
  "forms/resolve/*/custom_field",
  "forms/resolve/*/system_field",
  "forms/update/*/conditions/*/values/*",
  "forms/update/*/custom_field",
  "forms/update/*/system_field",
  "incident_roles/*/slug",
  "incident_types/*/slug",
  "routing_rules/sources/Datadog/*/name",
  "routing_rules/sources/Datadog/*/outcome/invite/*/team",
  "routing_rules/sources/Datadog/*/outcome/severity",
  "routing_rules/sources/Grafana/*/name",
  "routing_rules/sources/Grafana/*/outcome/notify/team",
  "routing_rules/sources/Grafana/*/outcome/severity",
  "routing_rules/workspace/*/name",
  "runbooks/*/conditions/*/custom_field",
  "runbooks/*/conditions/*/values/*",
  "runbooks/*/slug",
  "severities/*/slug",
  "statuses/*/slug",
  "webhooks/*/name",
];

test("names, references and options refuse a value from the environment, and all other texts become it", {
  timeout: 60_000,
}, async () => {
  const example = new Example(await openTestWorld({}));
  const { world } = example;
  expect(await example.refusedBy((on) => on.run(validate, { paths: [], format: "json" }))).toEqual(REFUSED);
  // Only the service says what the attributes of a built-in type are.
  expect(await example.refusedBy((on) => on.run(plan, { paths: [], format: "json" }))).toEqual([
    "catalog_entries/service/*/attributes/owner_team",
    "catalog_types/*/entries/*/attributes/owner_team",
  ]);
  const approvals = { allowDelete: true, maxRemovals: { entries: 1000 }, secretsOut: "tokens", yes: true };
  const made = await world.run(apply, { paths: [], acceptRoutingWindow: true, ...approvals });
  expect(made.exit, made.stdout.slice(-4000) + made.stderr).toBe(0);
  const next = await world.run(plan, { paths: [], detailedExitcode: true });
  expect(next.exit, next.stdout).toBe(0);
});

test.each([
  ["of the service's", "tier", ""],
  ["that is declared", "plan", ", attributes: [{ name: Plan, attribute_type: select, options: [Free] }]"],
])("a value that is not an option of an attribute %s is refused and not shown", async (_of, name, attributes) => {
  const entry = `{ slug: one, name: One, attributes: { ${name}: "\${env:SHORT}" } }`;
  const type = `{ slug: service, entries: [${entry}]${attributes} }`;
  const world = await openTestWorld({ "catalog.yaml": `catalog_types: [${type}]\n` });
  Object.assign(world.io.env, { SHORT: "Жq" });
  const runs = [await world.run(validate, { paths: [] }), await world.run(plan, { paths: [] })];
  for (const [at, { exit, stdout, stderr }] of runs.entries()) {
    const isKnown = at === 1 || attributes !== "";
    expect(
      { exit, isTold: stderr.includes("error[E_ENV]: the value from the environment is not allowed here") },
      stderr,
    ).toEqual({ exit: isKnown ? 1 : 0, isTold: isKnown });
    expect(stdout + stderr).not.toContain("Ж");
  }
});
