/**
 * Keeps one comment on a change and one issue about drift up to date, through the APIs of GitHub and GitLab.
 * It needs only Node, and the files beside it.
 *
 *   node forge.mjs comment FILE   writes or updates the comment of this change
 *   node forge.mjs issue FILE     opens the issue, or updates it if its fingerprint has changed
 *   node forge.mjs close FILE     closes the issue, if there is one
 *   node forge.mjs find           finds the reviewed plan: on GitHub its run, on GitLab the file itself
 *
 * The comment and the issue are found by their hidden first line, and only if the pipeline's own account has written them.
 */

import { readFileSync } from "node:fs";

/** A report, the line that identifies it, and its title. */
function report(file) {
  const body = readFileSync(file, "utf8");
  const [mark = ""] = body.split("\n", 1);
  if (!/^<!-- incidentctl .+ -->$/.test(mark)) throw new Error(`${file} is not a Markdown report of incidentctl`);
  return { body, mark, title: (/^## (.+)$/m.exec(body)?.[1] ?? "incidentctl").replaceAll("`", "") };
}

function fingerprint(body) {
  return /<!-- incidentctl:fingerprint (\w+) -->/.exec(body)?.[1];
}

function marked(items, mark) {
  return items.find(
    ({ body }) =>
      typeof body === "string" && (body === mark || body.startsWith(`${mark}\n`) || body.startsWith(`${mark}\r\n`)),
  );
}

async function main([command, file = ""]) {
  const { forge: connect } = await import(process.env.GITLAB_CI ? "./gitlab.mjs" : "./github.mjs");
  const forge = await connect(process.env);
  if (command === "find") return forge.find();
  const { body, mark, title } = report(file);
  if (command === "comment") {
    const there = marked(await forge.comments(), mark);
    await (there === undefined ? forge.comment(body) : forge.rewrite(there, body));
    return there === undefined ? "commented" : "comment updated";
  }
  const there = marked(await forge.issues(), mark);
  if (command === "issue") {
    if (there === undefined) {
      await forge.open(title, body);
      return "issue opened";
    }
    if (fingerprint(there.body) === fingerprint(body)) return "the issue is up to date";
    await forge.update(there, body);
    await forge.say(there, "The drift has changed. The description above is up to date.");
    return "issue updated";
  }
  if (command === "close") {
    if (there === undefined) return "there is no issue to close";
    await forge.say(there, "There is no more drift, except accepted drift.");
    await forge.close(there);
    return "issue closed";
  }
  throw new Error(`there is no command ${command}`);
}

try {
  process.stderr.write(`forge: ${await main(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`forge: ${String(error.message).replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")}\n`);
  process.exitCode = 1;
}
