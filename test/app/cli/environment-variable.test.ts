import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/app/cli/commands.ts";
import { createEmulator } from "../../../src/emulator/emulator.ts";
import { command, type Ended } from "../../bad-input/run.ts";
import { type Files, inDirectory } from "../../config/loading.ts";

const FILES = {
  "incidentctl.yaml": `
version: 1
config: [config/]
vars: {word: Base}
environments:
  staging: {vars: {word: Staging}}
  production: {vars: {word: Production}}
`,
  "config/runbooks.yaml": `runbooks: [{slug: failover, name: "\${var:word} failover"}]\n`,
};

/** Arguments that a command needs besides the environment. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  explain: ["--origin", "runbooks/failover"],
  refs: ["runbooks/failover"],
  rotate: ["agents/bot"],
  "drift accept": ["runbooks/failover", "--until", "2026-12-31", "--because", "audit"],
  diff: ["-e", "production", "-e", "nowhere"],
};

/** Every command with `--env`, also those inside others. */
function commandsWithEnvironment(): readonly string[] {
  return COMMANDS.flatMap((outer) => {
    const inner = outer.commands.map((one) => ({ ...one, name: `${outer.name} ${one.name}` }));
    return [outer, ...inner].flatMap(({ name, flags = {} }) => ("-e, --env <name>" in flags ? name : []));
  });
}

async function typed(args: readonly string[], variable: string | undefined, files: Files = FILES): Promise<Ended> {
  const emulator = createEmulator();
  try {
    return await inDirectory(files, (folder) => command(args, folder, emulator, { INCIDENTCTL_ENVIRONMENT: variable }));
  } finally {
    emulator.close();
  }
}

describe("INCIDENTCTL_ENVIRONMENT", () => {
  it("is what every command with --env reads", () => {
    expect(commandsWithEnvironment().length).toBeGreaterThan(14);
  });

  it.each(commandsWithEnvironment())(
    "chooses the environment of %s, and an unknown one is a usage error",
    async (name) => {
      const args = [...name.split(" "), ...(ARGUMENTS[name] ?? [])];
      const { exit, stdout, stderr, requests } = await typed(args, "nowhere");
      expect({ exit, stdout, requests }, stderr).toEqual({ exit: 64, stdout: "", requests: [] });
      expect(stderr).toContain('there is no environment "nowhere"');
      expect(stderr).toContain("The environments are: staging, production.");
      if (name !== "diff") expect(stderr).toContain("The name is from INCIDENTCTL_ENVIRONMENT.");
    },
  );

  it("is overridden by --env, and an empty --env chooses none", async () => {
    const render = async (variable: string | undefined, ...flags: readonly string[]): Promise<string | undefined> => {
      const { stdout, stderr, exit } = await typed(["render", ...flags], variable);
      expect(exit, stderr).toBe(0);
      return /(\w+) failover/.exec(stdout)?.[1];
    };
    expect(await render("staging")).toBe("Staging");
    expect(await render("staging", "--env", "production")).toBe("Production");
    expect(await render("staging", "--env", "")).toBe("Base");
    expect(await render("staging", "--env=")).toBe("Base");
    expect(await render("staging", "-e", "")).toBe("Base");
    expect(await render("")).toBe("Base");
    expect(await render(undefined)).toBe("Base");
  });

  it("is written out in the command that applies a saved plan", async () => {
    const plan = (variable: string, ...flags: readonly string[]) =>
      typed(["plan", "--out", "a.plan", ...flags], variable);
    expect((await plan("staging")).stderr).toContain("incidentctl apply --plan a.plan --env staging\n");
    expect((await plan("staging", "-e", "")).stderr).toContain("incidentctl apply --plan a.plan --env ''\n");
    expect((await plan("")).stderr).toContain("incidentctl apply --plan a.plan\n");
  });

  it("does not disturb commands without an environment", async () => {
    expect((await typed(["explain", "severities.color"], "nowhere")).exit).toBe(0);
    expect((await typed(["fmt", "--check"], "nowhere")).exit).not.toBe(64);
    expect((await typed(["schema", "severities"], "nowhere")).exit).toBe(0);
  });

  it("that is unknown is the only error, since the files may need its variables", async () => {
    const files = { ...FILES, "config/runbooks.yaml": `runbooks: [{slug: failover, name: "\${var:missing}"}]\n` };
    const { exit, stderr } = await typed(["validate"], "stagin", files);
    expect(exit).toBe(64);
    expect(stderr).toContain('Did you mean "staging"?');
    expect(stderr).not.toContain("E_VAR");
  });

  it("of settings with errors is not judged", async () => {
    const settings = `${FILES["incidentctl.yaml"]}base_ulr: x\n`;
    const { exit, stderr } = await typed(["validate"], "nowhere", { ...FILES, "incidentctl.yaml": settings });
    expect({ exit, unknown: stderr.includes("E_ENVIRONMENT") }).toEqual({ exit: 1, unknown: false });
  });
});
