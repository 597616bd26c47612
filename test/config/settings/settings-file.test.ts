import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { load } from "../../../src/config/load/load.ts";
import { fileOf } from "../../../src/config/resources/origins.ts";
import { InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { brief, type Files, findings, inDirectory, loaded } from "../loading.ts";

const SEVERITIES = "severities: [{slug: a}]\n";

/** Settings that are refused: what is wrong, the text, every finding, and the environment that is chosen. */
type Refused = readonly [title: string, settings: string, expected: readonly string[], environment?: string];

describe("Settings", () => {
  it("have defaults when there is no file", async () => {
    await inDirectory({ "a.yaml": SEVERITIES }, async (directory) => {
      const { settings } = await load([], { kinds, env: {}, cwd: directory });
      expect(settings).toEqual({
        config: [directory],
        removal: { default: "disable_or_delete", kinds: {} },
        requestsPerMinute: 900,
        maxIncidentsRead: 1000,
        environments: [],
        protected: [],
        vars: {},
        home: directory,
      });
    });
  });

  it("are read whole", async () => {
    const { settings } = await loaded({
      "config/a.yaml": SEVERITIES,
      "incidentctl.yaml": `
version: 1
base_url: https://incidents.example.com/
config: [config/]
removal: {default: keep, webhooks: delete, catalog_entries: disable}
limits: {max_removals: 30%, requests_per_minute: 100, max_incidents_read: 5000}
protected: [severities/critical, alert_sources/*]
vars: {channel: C123, level: 3, on: true}
routing: {holding_outcome: {action: drop}}
environments:
  staging: {base_url: "http://127.0.0.1:8080", vars: {channel: C456}}
`,
    });
    expect(settings).toMatchObject({
      baseUrl: "https://incidents.example.com",
      removal: { default: "keep", kinds: { webhooks: "delete", catalog_entries: "disable" } },
      maxRemovals: { percent: 30 },
      requestsPerMinute: 100,
      maxIncidentsRead: 5000,
      protected: ["severities/critical", "alert_sources/*"],
      holdingOutcome: { action: "drop" },
      vars: { channel: "C123", level: 3, on: true },
    });
  });

  it("are overlaid by the environment that is chosen", async () => {
    const files = {
      "a.yaml": SEVERITIES,
      "incidentctl.yaml":
        "base_url: https://a.example\nlimits: {max_removals: 5}\nenvironments: {staging: {base_url: 'http://localhost:80'}}\n",
    };
    expect((await loaded(files)).settings.baseUrl).toBe("https://a.example");
    expect((await loaded(files, { environment: "staging" })).settings).toMatchObject({
      baseUrl: "http://localhost:80",
      maxRemovals: { entries: 5 },
    });
  });

  const refused: readonly Refused[] = [
    ["an unknown key", "base_ulr: x\n", ["incidentctl.yaml:1:1 E_UNKNOWN_KEY"]],
    ["another version", "version: 2\n", ["incidentctl.yaml:1:10 E_VALUE"]],
    ["a policy that is none", "removal: {webhooks: drop}\n", ["incidentctl.yaml:1:21 E_ENUM"]],
    ["a policy for no kind", "removal: {webhook: delete}\n", ["incidentctl.yaml:1:11 E_UNKNOWN_KEY"]],
    ["a share of more than all", "limits: {max_removals: 130%}\n", ["incidentctl.yaml:1:24 E_RANGE"]],
    [
      "more requests than the service takes",
      "limits: {requests_per_minute: 2000}\n",
      ["incidentctl.yaml:1:31 E_RANGE"],
    ],
    ["a protected address without a name", "protected: [severities]\n", ["incidentctl.yaml:1:13 E_ADDRESS"]],
    ["an outcome that is none", "routing: {holding_outcome: {action: wait}}\n", ["incidentctl.yaml:1:37 E_ENUM"]],
    ["an empty file", "", ["incidentctl.yaml:1:1 E_EMPTY"]],
    ["a substitution outside vars", `base_url: 'https://\${env:HOST}'\n`, ["incidentctl.yaml:1:11 E_SUBSTITUTION"]],
    [
      "an environment that is not declared",
      "environments: {staging: {}}\n",
      ["incidentctl.yaml:1:15 E_ENVIRONMENT"],
      "stagin",
    ],
    [
      "overlays that name a file twice",
      "environments: {staging: {overlays: [b.yaml, b.yaml]}}\n",
      ["incidentctl.yaml:1:45 E_DUP"],
      "staging",
    ],
    ...[
      "http://incidents.example.com",
      "https://api@evil.example",
      "https://a.example/path",
      "https://a.example?x=1",
      "https://a.example#x",
      "https://a.example.",
      "http://127.1",
      "http://0x7f.1",
      "https://ex\u00e4mple.com",
      "https://a.example:0",
      "file:///etc/passwd",
      "incidents.example.com",
    ].map((url): Refused => [`the base URL ${url}`, `base_url: "${url}"\n`, ["incidentctl.yaml:1:11 E_BASE_URL"]]),
  ];
  const cases = refused.map(([title, text, expected, environment]) => ({ title, text, expected, environment }));
  it.each(cases)("refuse $title", async ({ text, expected, environment }) => {
    const files = { "a.yaml": SEVERITIES, "incidentctl.yaml": text };
    const found = await findings(files, environment === undefined ? {} : { environment });
    expect(found.map(brief)).toEqual(expected);
  });

  it("say their errors together with those of the configuration", async () => {
    const found = await findings({ "a.yaml": "severites: []\n", "incidentctl.yaml": "verison: 1\n" });
    expect(found.map(brief)).toEqual(["a.yaml:1:1 E_UNKNOWN_KEY", "incidentctl.yaml:1:1 E_UNKNOWN_KEY"]);
  });
});

describe("The project", () => {
  const files: Files = {
    "repo/incidentctl.yaml": "base_url: https://a.example\nconfig: [config, more.yaml]\n",
    "repo/config/a.yaml": SEVERITIES,
    "repo/config/deep/b.yaml": "statuses: [{slug: b}]\n",
    "repo/more.yaml": "webhooks: [{name: c}]\n",
    "repo/other/d.yaml": "agents: [{slug: d}]\n",
  };
  const addresses = async (paths: readonly string[], cwd: string): Promise<unknown> => {
    const { declared, settings } = await load(paths, { kinds, env: {}, cwd });
    return [settings.baseUrl, ...declared.map((resource) => `${fileOf(resource)} ${resource.address}`)];
  };

  it.each([
    [
      "without a path is what the settings name",
      [],
      "repo",
      ["config/a.yaml severities/a", "config/deep/b.yaml statuses/b", "more.yaml webhooks/c"],
    ],
    [
      "is found from below",
      [],
      "repo/config/deep",
      ["config/a.yaml severities/a", "config/deep/b.yaml statuses/b", "more.yaml webhooks/c"],
    ],
    ["is a directory that is given instead", ["other"], "repo", ["other/d.yaml agents/d"]],
    [
      "is whole when a file of it is given",
      ["repo/config/a.yaml"],
      ".",
      ["config/a.yaml severities/a", "config/deep/b.yaml statuses/b", "more.yaml webhooks/c"],
    ],
    [
      "is more than the settings name where a path outside is given too",
      ["repo/other", "repo/config", "repo/more.yaml"],
      ".",
      [
        ...["config/a.yaml severities/a", "config/deep/b.yaml statuses/b", "more.yaml webhooks/c"],
        "other/d.yaml agents/d",
      ],
    ],
  ])("%s", async (_title, paths, cwd, expected) => {
    await inDirectory(files, async (directory) => {
      expect(await addresses(paths, join(directory, cwd))).toEqual(["https://a.example", ...expected]);
    });
  });

  it("does not look for settings past the root of a repository", async () => {
    await inDirectory({ ...files, "incidentctl.yaml": "config: [repo]\n" }, async (directory) => {
      mkdirSync(join(directory, "repo/other/.git"));
      const { settings } = await load(["repo/other"], { kinds, env: {}, cwd: directory });
      expect(settings).toMatchObject({ home: join(directory, "repo/other") });
      expect(settings.baseUrl).toBeUndefined();
    });
  });

  it("cannot have paths with different settings, or paths that do not exist", async () => {
    await inDirectory({ ...files, "b/incidentctl.yaml": "version: 1\n", "b/x.yaml": SEVERITIES }, async (directory) => {
      const codes = async (paths: readonly string[]): Promise<unknown> =>
        await load(paths, { kinds, env: {}, cwd: directory }).catch((error: InvalidConfiguration) =>
          error.diagnostics.map(({ code }) => code),
        );
      expect(await codes(["repo", "b"])).toEqual(["E_SETTINGS"]);
      expect(await codes(["nowhere"])).toEqual(["E_FILE"]);
      await expect(load(["nowhere"], { kinds, env: {}, cwd: directory })).rejects.toBeInstanceOf(InvalidConfiguration);
    });
  });
});
