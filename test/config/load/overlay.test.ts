import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { load } from "../../../src/config/load/load.ts";
import { linesOf } from "../../../src/config/resources/configuration.ts";
import { locationOf, startOf } from "../../../src/config/resources/origins.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { brief, type Files, findings, inDirectory, loaded } from "../loading.ts";

const SETTINGS = `
vars: {channel: c1}
environments:
  staging: {overlays: [envs/staging.yaml], vars: {channel: c2}}
  load: {overlays: [envs/staging.yaml, envs/load.yaml]}
  bare: {}
`;

function project(base: string, staging: string, load = "severities: []\n"): Files {
  return {
    "incidentctl.yaml": SETTINGS,
    "config/a.yaml": base,
    "envs/staging.yaml": staging,
    "envs/load.yaml": load,
  };
}

const environment = "staging";

/** What staging declares: its addresses, with the fields of each. */
async function staged(base: string, staging: string): Promise<readonly (readonly [string, object])[]> {
  const { declared } = await loaded(project(base, staging), { environment });
  return declared.map(({ address, fields }) => [address, fields]);
}

describe("An overlay", () => {
  it("is no part of the configuration that it is laid over, for no environment", async () => {
    const files = project("severities: [{slug: a, name: A}]\n", "severities: [{slug: b, name: B}]\n");
    for (const chosen of [{}, { environment: "bare" }]) {
      const { declared, overlays } = await loaded(files, chosen);
      expect(declared.map(({ address }) => address)).toEqual(["severities/a"]);
      expect(overlays).toBeUndefined();
    }
  });

  it("is none if it is reached by a link, either", async () => {
    await inDirectory(project("severities: [{slug: a}]\n", "severities: [{slug: b}]\n"), async (directory) => {
      symlinkSync(join(directory, "envs"), join(directory, "config", "linked"));
      const { declared } = await load([], { kinds, env: {}, cwd: directory });
      expect(declared.map(({ address }) => address)).toEqual(["severities/a"]);
    });
  });

  it("matches resources by their identity, appends new ones, and leaves the others", async () => {
    expect(
      await staged(
        "severities: [{slug: a, name: A, description: first}, {slug: b, name: B}]\n",
        'severities: [{slug: c, name: C}, {slug: a, name: Alpha, color: "#000000"}]\n',
      ),
    ).toEqual([
      ["severities/a", { slug: "a", name: "Alpha", description: "first", color: "#000000" }],
      ["severities/b", { slug: "b", name: "B" }],
      ["severities/c", { slug: "c", name: "C" }],
    ]);
  });

  it("merges mappings, replaces lists, and removes marked fields", async () => {
    expect(
      await staged(
        "api_keys: [{name: bot, active: true, permissions: {incidents: [read, create], runbooks: [read], forms: [read]}}]\n",
        "api_keys: [{name: bot, active: {$remove: true}, permissions: {incidents: [read], forms: {$remove: true}}}]\n",
      ),
    ).toEqual([["api_keys/bot", { name: "bot", permissions: { incidents: ["read"], runbooks: ["read"] } }]]);
  });

  it("removes a resource, and names it", async () => {
    const files = project("severities: [{slug: a}, {slug: b}]\n", "severities: [{slug: a, $remove: true}]\n");
    const { declared, managed, overlays } = await loaded(files, { environment });
    expect(declared.map(({ address }) => address)).toEqual(["severities/b"]);
    expect(managed).toEqual([{ kind: "severities", scope: "" }]);
    expect(overlays).toEqual({
      files: ["envs/staging.yaml"],
      removals: [{ address: "severities/a", at: expect.objectContaining({ file: "envs/staging.yaml", line: 1 }) }],
    });
  });

  it("applies after earlier overlays, and may restore a resource that one of them removed", async () => {
    const files = project(
      "severities: [{slug: a, name: A}, {slug: b}]\n",
      "severities: [{slug: a, $remove: true}, {slug: b, name: B}]\n",
      "severities: [{slug: a, name: Again}, {slug: b, name: Beta}]\n",
    );
    const { declared, overlays } = await loaded(files, { environment: "load" });
    expect(declared.map(({ fields }) => fields)).toEqual([
      { slug: "b", name: "Beta" },
      { slug: "a", name: "Again" },
    ]);
    expect(overlays).toEqual({ files: ["envs/staging.yaml", "envs/load.yaml"], removals: [] });
  });

  it("places new resources, and moves others", async () => {
    const order = await staged(
      "severities: [{slug: a}, {slug: b}, {slug: c}]\n",
      "severities: [{slug: n, $before: b}, {slug: c, $before: a}, {slug: b, $after: n}]\n",
    );
    expect(order.map(([address]) => address)).toEqual(["severities/c", "severities/a", "severities/n", "severities/b"]);
  });

  it("changes resources in all files, and nested ones", async () => {
    const files = {
      ...project(
        "catalog_types: [{slug: team, name: Team, entries: [{slug: x, name: X, attributes: {a: 1, b: 2}}, {slug: y}]}]\nstatuses: [{slug: s}]\n",
        "catalog_types: [{slug: team, entries: [{slug: y, $remove: true}, {slug: x, attributes: {b: 3}}, {slug: z}]}]\nstatuses: [{slug: t, description: T}]\n",
      ),
      "config/b.yaml": "statuses: [{slug: t, name: Tee}]\n",
    };
    const { declared, overlays } = await loaded(files, { environment });
    expect(declared.map(({ address, fields }) => [address, fields])).toEqual([
      ["catalog_types/team", { slug: "team", name: "Team" }],
      ["catalog_types/team/entries/x", { slug: "x", name: "X", attributes: { a: 1, b: 3 } }],
      ["catalog_types/team/entries/z", { slug: "z" }],
      ["statuses/s", { slug: "s" }],
      ["statuses/t", { slug: "t", name: "Tee", description: "T" }],
    ]);
    expect(overlays?.removals.map(({ address }) => address)).toEqual(["catalog_types/team/entries/y"]);
  });

  it("declares lists that are not managed otherwise, nested ones as well", async () => {
    const files = project(
      "catalog_types: [{slug: team}]\n",
      "catalog_types: [{slug: team, entries: [{slug: x}]}]\nforms: {declare: [{system_field: summary}]}\n",
    );
    expect((await loaded(files, { environment })).managed).toEqual([
      { kind: "catalog_types", scope: "" },
      { kind: "catalog_entries", scope: "team" },
      { kind: "forms", scope: "declare" },
    ]);
  });

  it("replaces a list of rules whole, since a rule is its place", async () => {
    const rule = (action: string): string => `{outcome: {action: ${action}}}`;
    expect(
      await staged(
        `routing_rules: {workspace: [${rule("drop")}, ${rule("drop")}], sources: {S: [${rule("drop")}]}}\n`,
        `routing_rules: {workspace: [{outcome: {action: auto_create_incident}}]}\n`,
      ),
    ).toEqual(
      [
        ["routing_rules/S/1", { outcome: { action: "drop" } }],
        ["routing_rules/workspace/1", { outcome: { action: "auto_create_incident" } }],
      ].toSorted(([left], [right]) => (String(left) < String(right) ? 1 : -1)),
    );
  });

  it("selects a pinned resource by its pin if several share a name", async () => {
    const base =
      "webhooks: [{name: h, id: w1, url: 'https://a.example'}, {name: h, id: w2, url: 'https://b.example'}]\n";
    const files = project(base, "webhooks: [{name: h, id: w2, url: 'https://c.example'}]\n");
    const { declared } = await loaded(files, { environment });
    expect(declared.map(({ pin, fields }) => [pin, fields.url])).toEqual([
      ["w1", "https://a.example"],
      ["w2", "https://c.example"],
    ]);
  });

  it("has each value remember the file and the line that it came from", async () => {
    const files = project(
      "severities:\n  - slug: a\n    name: A\n    description: base\n",
      "severities:\n  - slug: a\n    description: over\n  - slug: n\n    name: N\n",
    );
    const configuration = await loaded(files, { environment });
    const [a, n] = configuration.declared;
    const places = ["", "/slug", "/name", "/description"].map((pointer) => a && locationOf(a.origins, pointer));
    expect(places.map((at) => `${at?.file}:${at?.line}:${at?.column}`)).toEqual([
      "config/a.yaml:2:5",
      "config/a.yaml:2:11",
      "config/a.yaml:3:11",
      "envs/staging.yaml:3:18",
    ]);
    expect(n && startOf(n)).toMatchObject({ file: "envs/staging.yaml", line: 4 });
    expect(linesOf(configuration, "envs/staging.yaml")?.[2]).toBe("    description: over");
  });

  it("has the variables of its environment and inserts files of its own, also with paths on the command line", async () => {
    const files = {
      ...project(
        `severities: [{slug: a, name: '\${var:channel}'}]\n`,
        `severities: [{slug: a, description: '\${file:text.md}'}, {slug: '\${var:channel}'}]\n`,
      ),
      "envs/text.md": "words",
    };
    await inDirectory(files, async (directory) => {
      for (const paths of [[], ["config"]]) {
        const { declared } = await load(paths, { kinds, env: {}, cwd: directory, environment });
        expect(declared.map(({ fields }) => fields)).toEqual([
          { slug: "a", name: "c2", description: "words" },
          { slug: "c2" },
        ]);
      }
    });
  });

  it("is held against the same rules, at its own places", async () => {
    const found = await findings(
      project(
        "severities: [{slug: a}]\nforms: {declare: []}\n",
        `severities:\n  - slug: a\n    colour: x\n    name: 7\nforms:\n  declare: [{system_field: summary, required: '\${var:none}'}]\n`,
      ),
      { environment },
    );
    expect(found.map(brief)).toEqual([
      "envs/staging.yaml:3:5 E_UNKNOWN_KEY",
      "envs/staging.yaml:4:11 E_TYPE",
      "envs/staging.yaml:6:47 E_VAR",
    ]);
  });

  it.each<readonly [string, string, readonly string[]]>([
    ["an entry to remove that is not there", "severities: [{slug: z, $remove: true}]", ["1:21 E_OVERLAY"]],
    ["a removal that is none", "severities: [{slug: a, $remove: yes}]", ["1:33 E_OVERLAY"]],
    ["a removal with fields", "severities: [{slug: a, $remove: true, name: A}]", ["1:39 E_OVERLAY"]],
    ["a field to remove that is not there", "severities: [{slug: a, color: {$remove: true}}]", ["1:24 E_OVERLAY"]],
    ["a neighbour that is not there", "severities: [{slug: b, $before: z}]", ["1:33 E_OVERLAY"]],
    ["an entry beside itself", "severities: [{slug: a, $after: a}]", ["1:32 E_OVERLAY"]],
    ["two neighbours", "severities: [{slug: n, $before: a, $after: b}]", ["1:44 E_OVERLAY"]],
    ["an entry twice", "severities: [{slug: a, name: A}, {slug: a, name: B}]", ["1:41 E_DUP_OBJECT"]],
    [
      "a mark on a rule",
      "routing_rules: {workspace: [{$remove: true}]}",
      ["1:29 E_REQUIRED", "1:30 E_OVERLAY", "1:30 E_UNKNOWN_KEY"],
    ],
    ["an unknown mark", "severities: [{slug: a, $first: true}]", ["1:24 E_UNKNOWN_KEY"]],
    ["a mark deep in a value", "severities: [{slug: a, $remove: {$remove: true}}]", ["1:33 E_OVERLAY"]],
    ["an entry without identity", "severities: [{name: A}]", ["1:14 E_REQUIRED"]],
    ["what is no entry", "severities: [a]", ["1:14 E_TYPE"]],
    ["what is no kind", "severity: []", ["1:1 E_UNKNOWN_KEY"]],
    ["a list without a value", "severities:", ["1:1 E_NULL"]],
    ["nothing", "", ["1:1 E_EMPTY"]],
  ])("is refused for %s", async (_title, text, expected) => {
    const found = await findings(project("severities: [{slug: a}, {slug: b}]\n", `${text}\n`), { environment });
    expect(found.map(brief)).toEqual(expected.map((at) => `envs/staging.yaml:${at}`));
  });

  it("is refused if it names one of several resources of a name without its pin", async () => {
    const base = "webhooks: [{name: h, id: w1}, {name: h, id: w2}]\n";
    const [finding] = await findings(project(base, "webhooks: [{name: h, enabled: false}]\n"), { environment });
    expect(finding).toMatchObject({ code: "E_OVERLAY", help: "Add its id." });
    expect(finding?.related).toHaveLength(2);
  });

  it("reports a lost reference with the position of the removed resource", async () => {
    const base =
      "severities: [{slug: a}, {slug: b}]\nrouting_rules: {workspace: [{outcome: {action: auto_create_incident, severity: a}}]}\n";
    const [finding] = await findings(project(base, "severities: [{slug: a, $remove: true}]\n"), { environment });
    expect(finding).toMatchObject({
      code: "E_REF",
      at: { file: "config/a.yaml", line: 2 },
      related: [{ message: "an overlay removes it", at: { file: "envs/staging.yaml", line: 1 } }],
    });
  });
});

describe("The marks of overlays", () => {
  it("say nothing in a configuration file", async () => {
    const found = await findings("severities: [{slug: a, $remove: true}]\n");
    expect(found).toMatchObject([{ code: "E_UNKNOWN_KEY", message: '"$remove" is not allowed here' }]);
  });
});

describe("The path of an overlay", () => {
  const refused: readonly (readonly [string, string, string])[] = [
    ["leads out of the configuration", "../x.yaml", "E_INCLUDE_ROOT"],
    ["leads out by a link", "out.yaml", "E_INCLUDE_ROOT"],
    ["is absolute", "/etc/passwd", "E_INCLUDE_ROOT"],
    ["is hidden", ".secret/x.yaml", "E_INCLUDE_ROOT"],
    ["is our own folder", ".incidentctl/x.yaml", "E_OVERLAP"],
    ["leads nowhere", "none.yaml", "E_FILE"],
    ["is a directory", "envs", "E_FILE"],
  ];
  it.each(refused)("is refused when it %s", async (_title, path, code) => {
    await inDirectory({ "w/a.yaml": "severities: []\n", "outside.yaml": "severities: []\n" }, async (directory) => {
      const home = join(directory, "w");
      for (const each of ["envs", ".secret"]) mkdirSync(join(home, each));
      writeFileSync(join(home, ".secret", "x.yaml"), "severities: []\n");
      symlinkSync(join(directory, "outside.yaml"), join(home, "out.yaml"));
      const overlays = JSON.stringify([path]);
      writeFileSync(join(home, "incidentctl.yaml"), `config: [a.yaml]\nenvironments: {s: {overlays: ${overlays}}}\n`);
      const error = await load([], { kinds, env: {}, cwd: home, environment: "s" }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ diagnostics: [{ code, at: { file: "incidentctl.yaml", line: 2 } }] });
    });
  });

  it("is refused as a file of the configuration", async () => {
    await inDirectory(project("severities: []\n", "severities: [{slug: a}]\n"), async (directory) => {
      const given = load(["envs/staging.yaml"], { kinds, env: {}, cwd: directory, environment });
      await expect(given).rejects.toMatchObject({ diagnostics: [{ code: "E_OVERLAY" }] });
    });
  });
});

describe("The digest of a configuration", () => {
  it("is another one for another environment, overlay or variable", async () => {
    const files = project(`severities: [{slug: a, name: '\${var:channel}'}]\n`, "severities: [{slug: a}]\n");
    const digest = async (options: object, more: Files = {}): Promise<string> =>
      (await loaded({ ...files, ...more }, options)).digest;
    const digests = [
      await digest({}),
      await digest({ environment }),
      await digest({ environment: "bare" }),
      await digest({ environment, vars: { channel: "x" } }),
      await digest({ environment }, { "envs/staging.yaml": "severities: [{slug: a}]\n\n" }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(await digest({ environment })).toBe(digests[1]);
    expect(await digest({}, { "envs/staging.yaml": "severities: []\n" })).toBe(digests[0]);
  });
});
