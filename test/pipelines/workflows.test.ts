import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/app/cli/commands.ts";
import { gitlabPipeline, gitlabText, read, root, type Step, workflows, yaml } from "./workflow.ts";

const { bin } = JSON.parse(read("package.json"));
const steps: readonly (readonly [string, Step])[] = workflows.flatMap(([file, { jobs }]) =>
  Object.values(jobs).flatMap((job) => job.steps.map((step): readonly [string, Step] => [file, step])),
);
const commands = COMMANDS.find(({ name }) => name === "ci")?.commands.map(({ name }) => name) ?? [];

describe("the workflows", () => {
  test("are five", () => {
    expect(workflows.map(([file]) => file)).toEqual([
      "incidentctl-apply.yml",
      "incidentctl-drift.yml",
      "incidentctl-proposal.yml",
      "incidentctl-pull.yml",
      "incidentctl-review.yml",
    ]);
  });

  test.each(workflows)("%s has at most 40 lines, comments aside, of at most 200 characters", (file) => {
    const lines = read(`templates/github/workflows/${file}`).split("\n");
    expect(lines.filter((line) => !/^\s*(?:#.*)?$/.test(line)).length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 200)).toEqual([]);
  });

  test("run commands of the program, and keep no environment's history of deployments", () => {
    const runs = steps.flatMap(([, { run = "" }]) =>
      [...run.matchAll(/incidentctl ci (\w+)/g)].map(([, name]) => name),
    );
    expect(new Set(runs)).toEqual(new Set(commands));
    for (const { environment } of workflows.flatMap(([, { jobs }]) => Object.values(jobs))) {
      if (environment !== undefined) expect(environment.deployment).toBe(false);
    }
  });

  test.each(workflows)("%s has only the permissions that a job declares, and timeouts", (file, flow) => {
    expect(
      Object.keys(flow)
        .filter((key) => key !== "concurrency")
        .sort(),
    ).toEqual(["jobs", "name", "on", "permissions"]);
    expect(flow.permissions).toEqual({});
    expect(flow.on).not.toHaveProperty("pull_request_target");
    expect(flow.on).not.toHaveProperty("workflow_run");
    for (const job of Object.values(flow.jobs)) {
      expect(job["runs-on"]).toMatch(/^\$\{\{ vars\.INCIDENTCTL_RUNNER \|\| 'ubuntu-\d\d\.\d\d' \}\}$/);
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
      for (const [scope, access] of Object.entries(job.permissions)) {
        expect(["contents", "actions", "issues", "pull-requests"]).toContain(scope);
        // What writes to the repository itself is no business of theirs.
        const isPushed = file === "incidentctl-pull.yml" && scope === "contents";
        if (scope === "contents" || scope === "actions") expect(access).toBe(isPushed ? "write" : "read");
      }
    }
  });

  test("the job that has a token of the service can write nothing on GitHub, and the job that writes checks out no change", () => {
    const jobs = workflows.filter(([file]) => !/drift|pull/.test(file)).flatMap(([, flow]) => Object.values(flow.jobs));
    expect(jobs).toHaveLength(5);
    for (const job of jobs) {
      const text = JSON.stringify(job);
      expect(text.includes("secrets.") && Object.values(job.permissions).includes("write")).toBe(false);
    }
    const [review, apply] = ["review", "apply"].map((name) =>
      jobs.find((job) => JSON.stringify(job).includes(`notify ${name}`)),
    );
    expect(review?.steps[0]?.with).toMatchObject({ ref: "${{ github.event.pull_request.base.sha }}" });
    expect(apply?.steps[0]?.with).toEqual({ "persist-credentials": false });
  });

  test("a run that writes is never cancelled, and the runs of a unit follow each other", () => {
    const groups = workflows.flatMap(([, flow]) =>
      [flow, ...Object.values(flow.jobs)].flatMap((one) => one.concurrency ?? []),
    );
    const named = (text: string) => text.replace(/\$\{\{ (\S+) \}\}/, "<$1>");
    expect(groups.map(({ group, "cancel-in-progress": isCancelled }) => [named(group), isCancelled])).toEqual([
      ["incidentctl-apply-<matrix.name>", false],
      ["incidentctl-drift-<matrix.name>", false],
      ["incidentctl-apply-<inputs.unit>", false],
      ["incidentctl-pull-<matrix.name>", false],
      ["incidentctl-review-<github.ref>", true],
    ]);
  });

  test("each step runs a script or an action pinned to a commit, with its version as a comment", () => {
    for (const [file, step] of steps) {
      expect(Object.keys(step).filter((key) => key === "uses" || key === "run")).toHaveLength(1);
      if (step.uses === undefined) continue;
      expect(step.uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
      expect(read(`templates/github/workflows/${file}`)).toMatch(
        new RegExp(`uses: ${step.uses}\\b.* # v\\d+\\.\\d+\\.\\d+$`, "m"),
      );
      if (step.uses.startsWith("actions/checkout@")) expect(step.with).toMatchObject({ "persist-credentials": false });
    }
  });

  test("no script contains an expression, whose value would become code", () => {
    expect(steps.filter(([, { run }]) => run?.includes("${{"))).toEqual([]);
  });

  test("secrets reach only the step that needs them", () => {
    for (const [, step] of steps.filter(([, one]) => JSON.stringify(one).includes("secrets."))) {
      const isKeyOfApp = step.uses?.startsWith("actions/create-github-app-token@") === true;
      if (isKeyOfApp) continue;
      expect(step.run).toMatch(/^incidentctl ci (?:review|apply|drift|pull)$/);
      expect(JSON.stringify({ ...step, env: {} })).not.toContain("secrets.");
    }
  });

  test("a step uses outputs of earlier steps only", () => {
    for (const [file, { jobs }] of workflows) {
      for (const { steps: own } of Object.values(jobs)) {
        own.forEach((step, at) => {
          const known = own.slice(0, at).map(({ id }) => id);
          const wanted = [...JSON.stringify(step).matchAll(/steps\.(\w+)\.outputs\.(\w+)/g)].map(([, id]) => id);
          expect(wanted.filter((id) => !known.includes(id), `${file}, step ${at}`)).toEqual([]);
        });
      }
    }
  });

  test("they install the packed program from the repository, and nothing by name from a registry", () => {
    const install = "npm install --global --ignore-scripts ./ci/incidentctl.tgz";
    const lines = steps.flatMap(([, { run }]) => (run?.includes("npm install") === true ? [run] : []));
    const ofTarget = install.replace("./ci/incidentctl.tgz", '"$RUNNER_TEMP/incidentctl.tgz"');
    expect(new Set(lines)).toEqual(new Set([install, ofTarget, `${install} && incidentctl ci notify apply`]));
    const gitlab = gitlabPipeline<Readonly<Record<string, { readonly before_script: readonly string[] }>>>();
    expect(gitlab[".incidentctl"]?.before_script.at(-1)).toContain(
      'npm install --global --prefix "$program" --ignore-scripts "$program/incidentctl.tgz" ',
    );
  });
});

describe("the pipeline of GitLab", () => {
  const { stages, ...jobs } = gitlabPipeline<{
    readonly stages: readonly string[];
    readonly [job: string]: unknown;
  }>();
  interface GitLabJob {
    readonly stage: string;
    readonly extends: string | readonly string[];
    readonly script: readonly string[];
    readonly needs?: readonly (string | { readonly job: string })[];
    readonly environment: { readonly name: string };
    readonly rules: readonly { readonly if: string; readonly when?: string }[];
    readonly resource_group?: string;
    readonly allow_failure?: { readonly exit_codes: readonly number[] };
  }
  const own = Object.entries(jobs).filter(([name]) => !name.startsWith(".")) as [string, GitLabJob][];

  test("has at most 70 lines, comments aside, and runs the commands of the program, each for its type of pipeline", () => {
    const lines = gitlabText.split("\n");
    expect(lines.filter((line) => !/^\s*(?:#.*)?$/.test(line)).length).toBeLessThanOrEqual(70);
    expect(own.map(([name]) => name)).toHaveLength(7);
    for (const [, job] of own) {
      expect(stages).toContain(job.stage);
      expect(Object.keys(jobs)).toEqual(expect.arrayContaining([job.extends].flat()));
      expect(job.rules).toHaveLength(1);
      for (const need of job.needs ?? [])
        expect(Object.keys(jobs)).toContain(typeof need === "string" ? need : need.job);
      for (const line of job.script) expect(commands).toContain(/\bincidentctl ci (\w+)/.exec(line)?.[1]);
    }
  });

  test("is the component with the default of each input, which has no lines and no global variables of its own", () => {
    const component = read("templates/gitlab/template.yml");
    expect(component).toMatch(/^#.*\nspec:\n {2}inputs:\n(?: {4}\w+: \{.*\}\n){3}---\n/);
    expect(gitlabText).not.toMatch(/\$\[\[|^spec:|^---$|^variables:/m);
    expect(component.split("\n").length - gitlabText.split("\n").length).toBe(7);
    const names = [...component.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(["image", "list", "units"]);
  });

  test("has an environment for each kind of job and unit, so that each gets no other token", () => {
    const names = own.map(([, { environment }]) => environment.name.replace("/$INCIDENTCTL_UNIT", "/*"));
    expect([...new Set(names)]).toEqual([
      "incidentctl-review/*",
      "incidentctl-comment",
      "incidentctl-apply/*",
      "incidentctl-proposal/*",
      "incidentctl-drift/*",
    ]);
  });

  test("names the units of the matrix in the variable for comments", () => {
    const { INCIDENTCTL_UNITS: text = "" } = (
      jobs[".incidentctl"] as { readonly variables: Readonly<Record<string, string>> }
    ).variables;
    const { parallel } = jobs[".units"] as { readonly parallel: { readonly matrix: readonly object[] } };
    expect(parallel.matrix).toEqual([{ INCIDENTCTL_UNIT: JSON.parse(text).map(({ name }: { name: string }) => name) }]);
  });

  test("writes one run of a unit at a time, and applies an unreviewed plan only manually", () => {
    const writing = own.filter(([, { script }]) => script.some((line) => line.includes("incidentctl ci apply")));
    const groups = writing.map(([, { resource_group: group }]) => group);
    expect(groups).toEqual(Array(2).fill("incidentctl-apply-$INCIDENTCTL_UNIT"));
    const proposal = writing.find(([, { script }]) => script.some((line) => line.includes("--fingerprint")));
    expect(proposal?.[1].rules[0]?.when).toBe("manual");
    // An empty fingerprint is a usage error, and not an ordinary apply.
    expect(proposal?.[1].script).toEqual(['incidentctl ci apply --fingerprint "$INCIDENTCTL_FINGERPRINT"']);
    expect(writing.map(([, job]) => job.allow_failure)).toContainEqual({ exit_codes: [5] });
  });
});

describe("the action", () => {
  const action = yaml<{
    readonly inputs: Readonly<Record<string, { readonly required?: true; readonly default?: string }>>;
    readonly outputs: Readonly<Record<string, { readonly value: string }>>;
    readonly runs: { readonly using: string; readonly steps: readonly Step[] };
  }>("action.yml");

  test("is composite, uses exactly its inputs, and none within a script", () => {
    expect(action.runs.using).toBe("composite");
    const text = JSON.stringify(action.runs.steps);
    const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name = ""]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
    for (const input of Object.values(action.inputs)) expect(input.required ?? input.default).toBeDefined();
    for (const { run, shell } of action.runs.steps) {
      expect(shell).toBe("sh");
      expect(run).not.toContain("${{");
    }
    const ids = action.runs.steps.map(({ id }) => id);
    for (const { value } of Object.values(action.outputs)) {
      expect(ids).toContain(/steps\.(\w+)\.outputs/.exec(value)?.[1]);
    }
  });
});

test("the pre-commit hooks run existing commands", () => {
  const hooks = yaml<readonly Readonly<Record<string, unknown>>[]>(".pre-commit-hooks.yaml");
  const names = COMMANDS.map(({ name }) => name);
  for (const { id, name, description, entry, language, files, pass_filenames: named } of hooks) {
    expect([id, name, description].every((text) => typeof text === "string" && text !== "")).toBe(true);
    expect({ language, named }).toEqual({ language: "node", named: false });
    expect(new RegExp(String(files)).test("config/severities.yaml")).toBe(true);
    const [program_, command] = String(entry).split(" ");
    expect(Object.keys(bin)).toContain(program_);
    expect(names).toContain(command);
  }
});

describe("the image", () => {
  const lines = read("Dockerfile")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line): readonly [string, string] => [line.split(" ")[0] ?? "", line.slice(line.indexOf(" ") + 1)]);
  const of = (word: string) => lines.filter(([name]) => name === word).map(([, rest]) => rest);

  test("is a valid Dockerfile with base images of exact versions", () => {
    const known = ["ARG", "FROM", "WORKDIR", "COPY", "RUN", "LABEL", "ENV", "USER", "ENTRYPOINT", "CMD"];
    expect(lines.filter(([word]) => !known.includes(word))).toEqual([]);
    expect(of("ARG")[0]).toMatch(/^BASE=node:\d+-alpine$/);
    for (const base of of("FROM")) expect(base).toMatch(/^\$BASE(?: AS \w+)?$/);
    for (const list of [...of("ENTRYPOINT"), ...of("CMD")]) expect(Array.isArray(JSON.parse(list))).toBe(true);
  });

  test("has labels of what it is, and where it comes from", () => {
    const labels = [
      ...of("LABEL")
        .join(" ")
        .matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g),
    ];
    expect(Object.fromEntries(labels.map(([, name, value]) => [name, value]))).toEqual({
      title: "incidentctl",
      description: expect.any(String),
      licenses: JSON.parse(read("package.json")).license,
      version: "$VERSION",
      revision: "$REVISION",
      source: "$SOURCE",
    });
  });

  test("copies existing files that .dockerignore allows, and runs the program as an unprivileged user", () => {
    const stages = of("FROM").flatMap((base) => / AS (\w+)$/.exec(base)?.[1] ?? []);
    const let_in = read(".dockerignore").split("\n");
    expect(let_in[0]).toBe("*");
    for (const copy of of("COPY")) {
      const from = /--from=(\w+)/.exec(copy)?.[1];
      const sources = copy
        .split(" ")
        .filter((word) => !word.startsWith("--"))
        .slice(0, -1);
      if (from !== undefined) expect(stages).toContain(from);
      else {
        expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
        expect(sources.filter((source) => !let_in.includes(`!${source}`))).toEqual([]);
      }
    }
    const [user] =
      lines
        .filter(([word]) => word === "USER")
        .at(-1)
        ?.slice(1) ?? [];
    expect(user).toBe("node");
    const [, program] = JSON.parse(of("ENTRYPOINT")[0] ?? "[]");
    expect(program).toBe(`/opt/incidentctl/${bin.incidentctl}`);
  });
});
