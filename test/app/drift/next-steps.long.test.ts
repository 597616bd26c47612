import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { serve } from "../../../src/emulator/serve.ts";
import { withFiles } from "../../support/files.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
const run = promisify(execFile);

/** Two resources that the workspace has otherwise, one with a space in its name, and one that the files do not have. */
const CONFIG = `severities:
  - { slug: critical, name: Critical }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
webhooks:
  - { name: deploy bot, url: "https://a.example.com", subscribed_events: [] }
`;

/** A configuration with an environment, its served workspace after an edit by hand, and command lines in a shell. */
async function withDrift(
  work: (stage: {
    folder: string;
    emulator: Emulator;
    shell: (line: string) => Promise<[number, string]>;
  }) => Promise<void>,
): Promise<void> {
  const emulator = createEmulator();
  const server = await serve(emulator, { port: 0 });
  const settings = `version: 1\nconfig: [config]\nenvironments: { staging: { base_url: "${server.url}" } }\n`;
  await withFiles({ "incidentctl.yaml": settings, "config/all.yaml": CONFIG }, async (folder) => {
    const env = { PATH: process.env.PATH, INCIDENTCTL_TOKEN: emulator.adminToken };
    const shell = async (line: string): Promise<[number, string]> => {
      const script = `incidentctl() { "${process.execPath}" "${program}" "$@"; }\n${line}`;
      const ended = await run("sh", ["-c", script], { cwd: folder, env }).catch((error) => error);
      return [ended.code ?? 0, `${ended.stdout}${ended.stderr}`];
    };
    const made = await shell("incidentctl apply --env staging --yes");
    expect(made[0], made[1]).toBe(0);
    const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
    const hand = async (method: string, path: string, body: object): Promise<void> => {
      const sent = await fetch(`${server.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
      expect(sent.ok, await sent.text()).toBe(true);
    };
    await hand("PATCH", "/severities/critical", { name: "Outage" });
    await hand("POST", "/webhooks", {
      name: "other",
      url: "https://b.example.com",
      subscribed_events: ["incident.created"],
    });
    await work({ folder, emulator, shell });
  }).finally(() => server.close());
}

const commandsIn = (text: string) =>
  [...text.matchAll(/^ {2}to [a-z ]+: +(incidentctl .*)$/gm)].map(([, line]) => line);

test("drift says what is in the files and what is in the workspace, and each of its three commands works, the last with a reason", async () => {
  await withDrift(async ({ shell }) => {
    const [exit, text] = await shell("incidentctl drift --env staging");
    expect(exit).toBe(2);
    expect(text).toContain('severities/critical  name in the files: "Critical"; in the workspace: "Outage"\n');
    expect(text).not.toContain("→");
    const commands = commandsIn(text);
    expect(commands.slice(0, 2)).toEqual([
      "incidentctl apply --allow-delete --env staging",
      "incidentctl pull --env staging",
    ]);
    // Nobody is at the terminal to say yes.
    const applied = await shell(`${commands[0]} --yes`);
    expect(applied[0], applied[1]).toBe(0);
    expect((await shell("incidentctl drift --env staging"))[0]).toBe(0);
  });
  await withDrift(async ({ shell, folder }) => {
    const [, pull = ""] = commandsIn((await shell("incidentctl drift --env staging"))[1]);
    const pulled = await shell(pull);
    expect(pulled[0], pulled[1]).toBe(0);
    expect(readFileSync(join(folder, "config/all.yaml"), "utf8")).toContain("name: Outage");
    expect((await shell("incidentctl drift --env staging"))[0]).toBe(0);
  });
  await withDrift(async ({ shell }) => {
    // One after another, since the command is for the first difference.
    for (const rest of ["1 accepted", "2 accepted"]) {
      const [, , accept = ""] = commandsIn((await shell("incidentctl drift --env staging"))[1]);
      const unread = await shell(accept);
      expect(unread).toEqual([64, expect.stringContaining("--because takes the reason in place of REASON")]);
      const accepted = await shell(accept.replace("REASON", "for the audit"));
      expect(accepted[0], accepted[1]).toBe(0);
      expect((await shell("incidentctl drift --env staging"))[1]).toContain(rest);
    }
    const [exit, text] = await shell("incidentctl drift --env staging");
    expect(exit, text).toBe(0);
    expect(commandsIn(text)).toEqual([]);
  });
}, 120_000);

test("the commands are for the same part of the configuration", async () => {
  await withDrift(async ({ shell }) => {
    const options = "--env staging --target severities/critical --exclude 'webhooks/deploy bot' --var x=y config";
    const [apply = "", pull = "", accept = ""] = commandsIn((await shell(`incidentctl drift ${options}`))[1]);
    expect(apply).toBe(
      "incidentctl apply --target severities/critical --exclude 'webhooks/deploy bot' --env staging --var x=y config",
    );
    for (const line of [`${apply} --yes`, `${pull} --dry-run`]) {
      const [exit, text] = await shell(line);
      expect(exit, text).toBe(0);
    }
    expect(pull).toBe(apply.replace("apply", "pull"));
    expect(accept).toMatch(
      /^incidentctl drift accept severities\/critical --until \d{4}-\d\d-\d\d --because "REASON" /,
    );
  });
}, 120_000);

test("what drift accept says leads to a command for the same environment", async () => {
  await withDrift(async ({ shell }) => {
    const [exit, text] = await shell(
      "incidentctl drift accept severities/nowhere --until 30d --because audit --env staging",
    );
    expect(exit).toBe(1);
    const [, command = ""] = text.match(/; run (incidentctl drift .*) to list the differences/) ?? [];
    expect(command).toBe("incidentctl drift --env staging");
    expect((await shell(command))[0]).toBe(2);
    const [usage, lacking] = await shell("incidentctl drift accept severities/critical --env staging");
    expect([usage, lacking]).toEqual([
      64,
      "error: required option '--until <date>' not specified\n" +
        '    for example: incidentctl drift accept severities/critical --until 2026-12-31 --because "renamed for the audit"\n',
    ]);
  });
});
