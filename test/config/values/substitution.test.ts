import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { substitute, toType } from "../../../src/config/values/substitution.ts";
import { brief, findings, inDirectory, loadDirectory, loaded } from "../loading.ts";

const severity = (fields: string): string => `severities: [{slug: a, ${fields}}]\n`;

describe("A substitution", () => {
  it.each([
    ["of the whole value is its value", `\${env:A}`, "one"],
    ["inside a text is put into it", `x \${env:A} y \${var:b}`, "x one y two"],
    ["that is escaped stays", `$\${env:A} costs 5$`, `\${env:A} costs 5$`],
    ["that is put in is not read again", `\${env:NESTED}`, `\${env:A}`],
  ])("%s", (_title, text, expected) => {
    const values: Record<string, string> = { "env:A": "one", "var:b": "two", "env:NESTED": `\${env:A}` };
    const result = substitute(text, (kind, name) => ({ value: values[`${kind}:${name}`] ?? "" }));
    expect(result).toMatchObject({ value: expected, errors: [] });
  });

  it.each([
    [`\${HOME}`, "is not a substitution"],
    [`\${env:}`, "is not a substitution"],
    [`\${exec:date}`, "is not a substitution"],
    [`a \${env:A`, "a substitution is not closed"],
  ])("%s is refused", (text, message) => {
    const { errors } = substitute(text, () => ({ value: "" }));
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(message);
  });

  it.each([
    ["true", ["boolean"], true],
    ["false", ["boolean"], false],
    ["yes", ["boolean"], "yes"],
    ["12", ["integer"], 12],
    ["-1.5", ["number"], -1.5],
    ["1e3", ["number"], "1e3"],
    ["12", ["string"], "12"],
    ["12", ["string", "number"], "12"],
    [12, ["string"], "12"],
    [true, [], true],
    ["12", [], "12"],
  ] as const)("%j where %j is due becomes %j", (value, types, expected) => {
    expect(toType(value, types)).toBe(expected);
  });
});

describe("Values from the environment", () => {
  it("have the type of the schema, and are listed as secrets with their positions", async () => {
    const { declared, environmentValues } = await loaded(severity(`name: "on \${env:HOST}", enabled: "\${env:ON}"`), {
      env: { HOST: "host-1", ON: "false" },
    });
    expect(declared[0]?.fields).toEqual({ slug: "a", name: "on host-1", enabled: false });
    expect(declared[0]?.secrets).toEqual(["/name", "/enabled"]);
    expect([...environmentValues.values()]).toEqual(["host-1", "false"]);
  });

  it("cannot be our own tokens", async () => {
    for (const name of ["INCIDENTCTL_TOKEN", "INCIDENTCTL_ADMIN_TOKEN"]) {
      const found = await findings(severity(`name: "\${env:${name}}"`), { env: { [name]: "ff_secret" } });
      expect(found.map(brief)).toEqual(["a.yaml:1:30 E_ENV"]);
      expect(JSON.stringify(found)).not.toContain("ff_secret");
    }
  });

  it.each(["GITHUB_TOKEN", "CI_JOB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "RUNNER_TEMP", "NODE_AUTH_TOKEN", "npm_config_x"])(
    "cannot be those of a forge, unless the settings list them: %s",
    async (name) => {
      const files = { "a.yaml": severity(`name: "\${env:${name}}"`) };
      const env = { [name]: "ff_secret" };
      const found = await findings(files, { env });
      expect(found.map(brief)).toEqual(["a.yaml:1:30 E_ENV"]);
      expect(JSON.stringify(found)).not.toContain("ff_secret");
      const listed = { ...files, "incidentctl.yaml": `environment_variables: [${name}]\n` };
      expect(await findings(listed, { env })).toEqual([]);
    },
  );

  it("can only be those that the settings list, in the files, the overlays and the settings", async () => {
    const files = {
      "incidentctl.yaml": "environment_variables: [A]\nvars: {one: '${env:A}'}\n",
      "a.yaml": severity(`name: "\${env:A}", description: "\${env:B}"`),
    };
    const found = await findings(files, { env: { A: "hidden", B: "hidden" } });
    expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'E_ENV the environment variable "B" is not listed in environment_variables',
    ]);
    const settings = "vars: {one: '${env:A}', two: '${env:B}'}\nenvironment_variables: [A]\n";
    const inSettings = await findings(
      { ...files, "incidentctl.yaml": settings },
      { env: { A: "hidden", B: "hidden" } },
    );
    expect(inSettings.map(brief)).toContain("incidentctl.yaml:1:30 E_ENV");
    const none = await findings({ ...files, "incidentctl.yaml": "environment_variables: [INCIDENTCTL_TOKEN]\n" });
    expect(none.map(brief)).toContain("incidentctl.yaml:1:25 E_VALUE");
  });

  it.each([
    ["that is not set", `name: '\${env:NOWHERE}'`, "E_ENV"],
    ["that every object has", `name: '\${env:constructor}'`, "E_ENV"],
    ["that holds a control character", `name: '\${env:ESC}'`, "E_ENV"],
    ["of the wrong type", `enabled: '\${env:WORD}'`, "E_ENV"],
  ])("are refused for a variable %s, without telling them", async (_title, fields, code) => {
    const found = await findings(severity(fields), { env: { ESC: "hidden\u001b[0m", WORD: "hidden" } });
    expect(found.map((finding) => finding.code)).toEqual([code]);
    expect(JSON.stringify(found)).not.toContain("hidden");
  });

  it.each([
    ["a slug", 'severities: [{slug: "a${V}", name: A}]'],
    ["a former name", "webhooks: [{name: a, renamed_from: '${V}', url: 'https://h.example.com'}]"],
    ["a name that identifies", "webhooks: [{name: '${V}', url: 'https://h.example.com'}]"],
    ["the name of an alert source", "alert_sources: [{name: '${V}', provider: datadog}]"],
    ["the name of a key", "api_keys: [{name: '${V}', permissions: {incidents: [read]}}]"],
    ["a pin", "webhooks: [{name: a, id: '${V}', url: 'https://h.example.com'}]"],
    ["the name of a rule", "routing_rules: {workspace: [{name: '${V}', outcome: {action: drop}}]}"],
    ["an option", "custom_fields: [{slug: a, name: A, field_type: single_select, options: [x, '${V}']}]"],
    ["a label", "custom_fields: [{slug: a, name: A, field_type: single_select, options: [{label: '${V}'}]}]"],
    ["an attribute", "catalog_types: [{slug: a, name: A, attributes: [{name: '${V}', attribute_type: text}]}]"],
    [
      "an attribute's option",
      "catalog_types: [{slug: a, name: A, attributes: [{name: b, attribute_type: select, options: ['${V}']}]}]",
    ],
    ["an entry's slug", "catalog_types: [{slug: a, name: A, entries: [{slug: '${V}', name: B}]}]"],
    ["an entry's alias", "catalog_types: [{slug: a, name: A, entries: [{slug: b, name: B, aliases: ['${V}']}]}]"],
    ["an entry apart", "catalog_types: [{slug: a, name: A}]\ncatalog_entries: {a: [{slug: '${V}', name: B}]}"],
    ["a grant", "agents: [{slug: a, name: A, grants: [{ability: '${V}'}]}]"],
    ["a field of a form", "forms: {declare: [{system_field: '${V}'}]}"],
  ])("are refused in %s, and the same is said whatever they are", async (_title, text) => {
    for (const reference of ["${env:X}", "${var:x}"]) {
      const files = { "incidentctl.yaml": "vars: {x: '${env:X}'}\n", "a.yaml": text.replace("${V}", reference) };
      const [one, other, unset] = await Promise.all(
        ["k", "' \"</script>\u00e9", undefined].map((X) => findings(files, { env: { X } })),
      );
      expect(one?.map(({ code, message }) => `${code} ${message}`)).toEqual([
        "E_ENV a value from the environment cannot be used here",
      ]);
      expect(one?.[0]?.help).toContain("${var:NAME}");
      expect(other).toEqual(one);
      if (reference === "${env:X}") expect(unset).toContainEqual(one?.[0]);
    }
  });

  it.each([
    ["the severity of an outcome", "routing_rules: {workspace: [{outcome: {action: drop, severity: '${V}'}}]}"],
    [
      "the team of a target",
      "routing_rules: {workspace: [{outcome: {action: notify_only, notify: {type: team, team: '${V}'}}}]}",
    ],
    [
      "the catalog type of a field",
      "custom_fields: [{slug: a, name: A, field_type: single_select, option_source: catalog, catalog_type: '${V}'}]",
    ],
    [
      "a severity in a condition",
      "forms: {declare: [{system_field: summary, conditions: [{condition_field: severity, operator: one_of, values: ['${V}']}]}]}",
    ],
    [
      "a field in a condition",
      "forms: {declare: [{system_field: summary, conditions: [{condition_field: custom_field, custom_field: '${V}', operator: one_of, values: [x]}]}]}",
    ],
    [
      "an entry that an entry references",
      "catalog_types: [{slug: a, name: A, attributes: [{name: Up, attribute_type: reference, reference_type: a}], entries: [{slug: x, name: X, attributes: {up: '${V}'}}]}]",
    ],
  ])(
    "are refused in what references a resource, as %s, and the same is said whatever they are",
    async (_title, text) => {
      for (const reference of ["${env:X}", "${var:x}"]) {
        const files = { "incidentctl.yaml": "vars: {x: '${env:X}'}\n", "a.yaml": text.replace("${V}", reference) };
        const [one, other] = await Promise.all(["major", "x"].map((X) => findings(files, { env: { X } })));
        expect(one?.map(({ code, help }) => [code, help?.includes("${var:NAME}")])).toEqual([["E_ENV", true]]);
        expect(other).toEqual(one);
      }
    },
  );

  it("are refused in the key of a resource in an overlay", async () => {
    const files = {
      "incidentctl.yaml": "environments: {staging: {overlays: [over.yaml]}}\n",
      "a.yaml": "severities: [{slug: a, name: A}]\n",
      "over.yaml": "severities: [{slug: '${env:X}', name: B, $after: '${env:X}'}]\n",
    };
    const [one, other] = await Promise.all(
      ["a", "zz"].map((X) => findings(files, { env: { X }, environment: "staging" })),
    );
    expect(one?.map(({ code }) => code)).toContain("E_ENV");
    expect(other).toEqual(one);
  });

  it("never become structure", async () => {
    const { declared } = await loaded(severity(`name: '\${env:YAML}'`), { env: { YAML: "x, color: red" } });
    expect(declared[0]?.fields).toEqual({ slug: "a", name: "x, color: red" });
  });
});

describe("Variables", () => {
  const settings = `vars: {name: Team, on: false, level: 3, hidden: '\${env:HIDDEN}'}\n`;

  it("keep the type that the settings give them unless a text is due", async () => {
    const files = {
      "incidentctl.yaml": settings,
      "a.yaml": severity(`name: '\${var:level}', enabled: '\${var:on}', extra: {x: '\${var:level}'}`),
    };
    const { declared } = await loaded(files, { env: { HIDDEN: "h" } });
    expect(declared[0]?.fields).toEqual({ slug: "a", name: "3", enabled: false, x: 3 });
  });

  it("of the command line win, those of an environment come second", async () => {
    const files = {
      "incidentctl.yaml": "vars: {a: base, b: base, c: base}\nenvironments: {staging: {vars: {a: env, b: env}}}\n",
      "a.yaml": severity(`name: '\${var:a} \${var:b} \${var:c}'`),
    };
    const { declared, settings: read } = await loaded(files, { environment: "staging", vars: { a: "flag" } });
    expect(declared[0]?.fields.name).toBe("flag env base");
    expect(read.vars).toEqual({ a: "flag", b: "env", c: "base" });
  });

  it("that hold a value of the environment are secrets too", async () => {
    const files = { "incidentctl.yaml": settings, "a.yaml": severity(`name: '\${var:hidden}'`) };
    const { declared, secrets } = await loaded(files, { env: { HIDDEN: "classified-0123456789" } });
    expect(secrets).toEqual(["classified-0123456789"]);
    expect(declared[0]?.secrets).toEqual(["/name"]);
  });

  it("of the command line that nothing uses are reported, with a guess", async () => {
    const files = { "incidentctl.yaml": "vars: {channel: C}\n", "a.yaml": severity(`name: '\${var:channel}'`) };
    const found = await findings(files, { vars: { chanel: "D", other: "E" } });
    expect(found).toMatchObject([
      {
        code: "W_VAR",
        message: 'the variable "chanel" is set but not used',
        help: 'Did you mean "channel"?',
      },
      { code: "W_VAR", message: 'the variable "other" is set but not used' },
    ]);
    expect(await findings(files, { vars: { channel: "D" } })).toEqual([]);
  });

  it("that are not declared are refused with a guess", async () => {
    const [found] = await findings({
      "incidentctl.yaml": "vars: {channel: C}\n",
      "a.yaml": severity(`name: '\${var:chanel}'`),
    });
    expect(found).toMatchObject({ code: "E_VAR", help: 'Did you mean "channel"?' });
  });
});

describe("Files put into texts", () => {
  const runbook = (name: string): string => `runbooks: [{slug: a, content: '\${file:${name}}'}]\n`;

  it("are found beside the file that names them, or else at the root", async () => {
    const files = {
      "kinds/a.yaml": `runbooks: [{slug: a, content: '\${file:a.md}', summary: '\${file:texts/b.md}'}]\n`,
      "kinds/a.md": "beside\n",
      "texts/b.md": "at the root",
    };
    const { declared } = await loaded(files);
    expect(declared[0]?.fields).toMatchObject({ content: "beside\n", summary: "at the root" });
    expect(declared[0]?.secrets).toEqual([]);
  });

  it.each([
    ["above the root", "../outside.md", "E_INCLUDE_ROOT"],
    ["by an absolute path", "/etc/hostname", "E_INCLUDE_ROOT"],
    ["in a home directory", "~/a.md", "E_INCLUDE_ROOT"],
    ["by an address", "file:///etc/hostname", "E_INCLUDE_ROOT"],
    ["through a link that leaves the root", "link.md", "E_INCLUDE_ROOT"],
    ["through a linked directory", "linked/outside.md", "E_INCLUDE_ROOT"],
    ["that is a directory", "inside", "E_FILE"],
    ["that does not exist", "missing.md", "E_FILE"],
  ])("are refused %s", async (_title, name, code) => {
    await inDirectory({ "root/a.yaml": runbook(name), "outside.md": "outside" }, async (directory) => {
      const root = join(directory, "root");
      mkdirSync(join(root, "inside"));
      symlinkSync(join(directory, "outside.md"), join(root, "link.md"));
      symlinkSync(directory, join(root, "linked.d"));
      symlinkSync("linked.d", join(root, "linked"));
      const loading = loadDirectory(root);
      await expect(loading).rejects.toMatchObject({ name: "InvalidConfiguration" });
      const codes = await loading.catch((error: { diagnostics: { code: string; at?: { line: number } }[] }) =>
        error.diagnostics.map((finding) => finding.code),
      );
      expect(codes).toContain(code);
    });
  });

  it("must be UTF-8", async () => {
    const found = await findings({ "a.yaml": runbook("a.md"), "a.md": new Uint8Array([0xff]) });
    expect(found.map(brief)).toEqual(["a.yaml:1:31 E_UTF8"]);
  });

  it("are never YAML files of the configuration", async () => {
    await inDirectory({ "a.yaml": "severities: []\n" }, async (directory) => {
      writeFileSync(join(directory, "notes.md"), "- not: [yaml");
      expect((await loadDirectory(directory)).declared).toEqual([]);
    });
  });
});
