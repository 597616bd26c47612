import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/emulator.ts";
import { withFiles } from "../../support/files.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

/** Makes standard error a terminal for the program. */
const TERMINAL = `--import=data:text/javascript,${encodeURIComponent("process.stderr.isTTY = true")}`;

test("Ctrl-C while the service is read ends the progress line, so that the prompt has a line of its own", async () => {
  const emulator = createEmulator();
  let requests = 0;
  // Slow enough that progress is drawn, and without an end after ten responses.
  const service = createServer(async (request, response) => {
    requests += 1;
    if (requests > 10) return;
    const { authorization = "" } = request.headers;
    const url = `http://127.0.0.1${request.url}`;
    const answer = await emulator.fetch(new Request(url, { headers: { authorization } }));
    const body = await answer.text();
    setTimeout(() => {
      response.writeHead(answer.status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    }, 100);
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const address = service.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const kinds = ["severities", "statuses", "incident_types", "incident_roles", "custom_fields", "runbooks", "webhooks"];
  const files = { "all.yaml": kinds.map((kind) => `${kind}: []\n`).join("") };
  await withFiles(files, async (folder) => {
    const { PATH = "" } = process.env;
    const env = {
      PATH,
      NODE_OPTIONS: TERMINAL,
      INCIDENTCTL_URL: `http://127.0.0.1:${port}`,
      INCIDENTCTL_TOKEN: emulator.serviceToken,
    };
    const child = spawn(process.execPath, [program, "plan", "--parallelism", "1"], { cwd: folder, env });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      if (stderr.includes("Reading: ")) child.kill("SIGINT");
    });
    const [exit] = await once(child, "close");
    expect({ exit, isDrawn: stderr.includes("Reading: ") }, stderr).toEqual({ exit: 130, isDrawn: true });
    expect(stderr.endsWith("\n"), JSON.stringify(stderr)).toBe(true);
  });
  service.closeAllConnections();
  service.close();
  await emulator.close();
});
