/** The container image: built by an engine that can get its base image, else its steps carried out by hand in folders. */

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canRun, newFolder, root, run, succeed } from "./support.ts";

const BASE = /^ARG BASE=(.+)$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8"))?.[1] ?? "";
const ENGINES = ["docker", "podman", "buildah"];
const engines = await Promise.all(ENGINES.map((engine) => canRun(engine, ["pull", BASE])));
const engine = ENGINES.find((_, at) => engines[at]);

const FILES = "severities:\n  - { slug: major, name: Outage, default: true }\n";

let folder: string;
beforeAll(() => {
  folder = newFolder();
  mkdirSync(join(folder, "user"));
  writeFileSync(join(folder, "user/severities.yaml"), FILES);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe.runIf(engine !== undefined)(`the image, built by ${engine}`, () => {
  test("validates a configuration as an unprivileged user", async () => {
    const build = engine === "buildah" ? ["bud"] : ["build"];
    await succeed(root, engine ?? "", [...build, "--tag", "incidentctl-test", "--build-arg", "VERSION=1.2.3", "."]);
    const volume = ["--volume", `${join(folder, "user")}:/work:ro`];
    if (engine === "buildah") {
      const container = (await succeed(root, engine, ["from", "incidentctl-test"])).trim();
      const words = ["run", ...volume, container, "--", "node", "/opt/incidentctl/dist/cli.cjs", "validate"];
      expect(await succeed(root, engine, words)).toContain("The configuration is valid");
    } else {
      const words = ["run", "--rm", ...volume, "incidentctl-test", "validate"];
      expect(await succeed(root, engine ?? "", words)).toContain("The configuration is valid");
    }
  });
});

describe.runIf(engine === undefined)(
  "the steps of the Dockerfile, by hand since there is no engine with its base image",
  () => {
    test("end in a program that validates, plans on the embedded service, and serves it to others", async () => {
      const image = await buildByHand();
      const [node = "", program = ""] = JSON.parse(image.entrypoint);
      const start = (...words: readonly string[]) =>
        run(join(folder, "user"), node, [join(image.root, program), ...words], image.environment);
      expect(await start("validate")).toMatchObject({ exit: 0, stdout: expect.stringContaining("is valid") });
      expect(await start("plan", "--emulator", "--detailed-exitcode")).toMatchObject({ exit: 2 });
      expect(await start(...JSON.parse(image.command))).toMatchObject({ exit: 0 });
      expect(existsSync(join(image.root, "opt/incidentctl/src"))).toBe(false);

      const environment = { ...process.env, ...image.environment };
      const words = [join(image.root, program), "emulator", "--host", "0.0.0.0"];
      const service = spawn(node, words, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "ignore"] });
      let text = "";
      for await (const piece of service.stdout) {
        text += String(piece);
        if (text.includes("INCIDENTCTL_ADMIN_TOKEN=")) break;
      }
      const { URL: url = "", TOKEN: token = "" } = Object.fromEntries(
        [...text.matchAll(/INCIDENTCTL_(URL|TOKEN)=(.+)/g)].map(([, name, value]) => [name, value]),
      );
      // Another host name, as another container uses it.
      const other = url.replace("127.0.0.1", "127.0.0.2");
      const response = await fetch(`${other}/api/v1/severities`, { headers: { authorization: `Bearer ${token}` } });
      service.kill();
      expect(response.status).toBe(200);
    });
  },
);

/** The last stage of the Dockerfile, as a folder. */
interface Image {
  readonly root: string;
  entrypoint: string;
  command: string;
  readonly environment: Record<string, string>;
}

/** Carries out the instructions that change files: each stage is a folder, and `RUN` runs on this machine. */
async function buildByHand(): Promise<Image> {
  const lines = readFileSync(join(root, "Dockerfile"), "utf8")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  const allowed = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
  const stages = new Map<string, string>();
  let image: Image = { root: "", entrypoint: "[]", command: "[]", environment: {} };
  let work = "/";
  for (const line of lines) {
    const [, word = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word === "FROM") {
      image = { root: join(folder, `stage-${stages.size}`), entrypoint: "[]", command: "[]", environment: {} };
      stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? "last", image.root);
      mkdirSync(image.root);
      work = "/";
    } else if (word === "WORKDIR") {
      work = rest;
      mkdirSync(join(image.root, work), { recursive: true });
    } else if (word === "ENV") {
      const [name = "", value = ""] = rest.split("=");
      image.environment[name] = value;
    } else if (word === "COPY") {
      copy(rest, image.root, work, stages, allowed);
    } else if (word === "RUN") {
      await succeed(realpathSync(join(image.root, work)), "sh", ["-c", rest], image.environment);
    } else if (word === "ENTRYPOINT") image.entrypoint = rest;
    else if (word === "CMD") image.command = rest;
  }
  return image;
}

function copy(
  text: string,
  image: string,
  work: string,
  stages: ReadonlyMap<string, string>,
  allowed: readonly string[],
): void {
  const words = text.split(" ");
  const stage = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const paths = words.filter((word) => !word.startsWith("--"));
  const [target = ""] = paths.slice(-1);
  const home = join(image, target.startsWith("/") ? "" : work, target);
  for (const path of paths.slice(0, -1)) {
    if (stage === undefined) expect(allowed).toContain(`!${path}`);
    const from = join(stage === undefined ? root : (stages.get(stage) ?? ""), path);
    const isInto = target.endsWith("/");
    mkdirSync(isInto ? home : dirname(home), { recursive: true });
    cpSync(from, isInto ? join(home, path.split("/").at(-1) ?? "") : home, { recursive: true, verbatimSymlinks: true });
  }
}
