/**
 * The recipes of docs/catalog-sources.md that fetch a catalog in a step of a pipeline, run by a shell against stand-ins of GitHub and
 * Backstage here: what they fetch makes the entries of the page's sources, and a failure fails the step.
 */

import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadDirectory } from "../config/loading.ts";
import { isBlock, partsOf } from "./page.ts";

/** `gh api --paginate PATH --jq FILTER` as the program of GitHub does it: each page, with the token, until no other follows. */
const GH = `#!/usr/bin/env bash
set -euo pipefail
[ "$1 $2 $4" = "api --paginate --jq" ]
url="$GITHUB_STAND_IN$3"
while [ -n "$url" ]; do
  curl --fail --silent --show-error --dump-header headers --header "Authorization: token $GH_TOKEN" "$url" | jq --compact-output "$5"
  url="$(sed -n 's/^[Ll]ink: <\\(.*\\)>; rel="next".*/\\1/p' headers)"
done
`;

const REPOSITORIES = Array.from({ length: 250 }, (_, at) => ({
  id: 7000 + at,
  name: `app-${at}`,
  full_name: `acme/app-${at}`,
  topics: at % 2 === 0 ? ["service"] : [],
  archived: at % 10 === 0,
}));

const COMPONENTS = ["checkout", "search"].map((name) => ({
  kind: "Component",
  metadata: { name, uid: `uid-of-${name}` },
  spec: { type: "service" },
}));

let folder: string;
let server: Server;
let environment: Readonly<Record<string, string>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-fetched-"));
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/gh"), GH);
  await chmod(join(folder, "bin/gh"), 0o755);
  server = createServer(({ url = "", headers: { authorization } }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const size = Number(searchParams.get("per_page"));
    const page = Number(searchParams.get("page") ?? 1);
    const isGitHub = pathname === "/orgs/acme/repos" && authorization === "token of-github" && size > 0;
    const isBackstage =
      pathname === "/api/catalog/entities" &&
      authorization === "Bearer of-backstage" &&
      searchParams.get("filter") === "kind=component";
    if (isGitHub && page * size < REPOSITORIES.length) {
      response.setHeader("link", `<http://${host()}${pathname}?per_page=${size}&page=${page + 1}>; rel="next"`);
    }
    response.statusCode = isGitHub || isBackstage ? 200 : 401;
    const list = isGitHub ? REPOSITORIES.slice((page - 1) * size, page * size) : isBackstage ? COMPONENTS : [];
    response.end(JSON.stringify(list));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  environment = {
    PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}`,
    GITHUB_STAND_IN: `http://${host()}`,
    GH_TOKEN: "of-github",
    BACKSTAGE_URL: `http://${host()}`,
    BACKSTAGE_TOKEN: "of-backstage",
  };
});
afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

function host(): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The blocks of the page below a heading: the scripts, and what the configuration says. */
async function recipes(): Promise<{ readonly scripts: readonly string[]; readonly sources: string }> {
  const page = await readFile("docs/catalog-sources.md", "utf8");
  const [, section = ""] = page.split("## From anywhere else\n");
  const blocks = partsOf(section.split("\n## ")[0] ?? "").filter(isBlock);
  const [sources = ""] = blocks.flatMap(({ language, text }) => (language === "yaml" ? [text] : []));
  return { scripts: blocks.flatMap(({ language, text }) => (language === "sh" ? [text] : [])), sources };
}

function run(script: string, variables: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve) => {
    const child = execFile("bash", ["-c", script], { cwd: folder, env: variables });
    child.on("close", (code) => resolve(code ?? -1));
  });
}

test("What the recipes fetch makes the entries of the page's sources, by ids that stay", async () => {
  const { scripts, sources } = await recipes();
  expect(scripts).toHaveLength(2);
  for (const script of scripts) expect(await run(script, environment)).toBe(0);
  await mkdir(join(folder, "config"));
  await writeFile(join(folder, "incidentctl.yaml"), "version: 1\nconfig: [config]\n");
  await writeFile(join(folder, "config/catalog.yaml"), `catalog_types:\n  - slug: service\n${sources}`);
  const { declared } = await loadDirectory(join(folder, "config"));
  const made = declared.flatMap(({ kind, fields }) =>
    kind.name === "catalog_entries" ? [[fields.external_id, fields.name, fields.attributes]] : [],
  );
  const wanted = REPOSITORIES.filter(({ archived, topics }) => !archived && topics.length > 0);
  expect(made).toEqual([
    ...wanted.map(({ id, name, full_name }) => [String(id), name, { repository: full_name }]),
    ...COMPONENTS.map(({ metadata: { uid, name } }) => [uid, name, undefined]),
  ]);
});

test("A refused token fails the step", async () => {
  for (const script of (await recipes()).scripts) {
    expect(await run(script, { ...environment, GH_TOKEN: "other", BACKSTAGE_TOKEN: "other" })).not.toBe(0);
  }
});
