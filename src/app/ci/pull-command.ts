/** `ci pull`: writes what people changed by hand into the files, and keeps one request of the unit with them. */

import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { requestText } from "../../view/pipeline/request.ts";
import type { Console } from "../console/console.ts";
import { BranchWriter } from "./branch.ts";
import type { CiPullOptions } from "./ci-definition.ts";
import type { ForgeRequests } from "./forge/forge.ts";
import { inJob, type PipelineJob } from "./job.ts";

/** Pulls. Exits with the code of `pull`: 7 if some values were not pulled; the request has the others. */
export function pull(options: CiPullOptions, io: Io, console: Console): Promise<number> {
  return inJob("pull", options, io, console, async (job) => {
    const code = await job.run("pull", ["pull", ...job.flags]);
    if (code !== EXIT.success && code !== EXIT.findings) return code;
    const { requests } = job.forge;
    if (requests === undefined)
      console.note("there is no forge that the program knows, or no token for it: no request");
    else console.note(await keepRequest(job, requests));
    return code;
  });
}

/** Commits the pulled files to the branch of the unit, and opens, updates or closes its request. */
async function keepRequest({ unit, reports, forge, io }: PipelineJob, requests: ForgeRequests): Promise<string> {
  const branch = `incidentctl/pull-${unit.name}`;
  const writer = new BranchWriter(unit.directory, requests, io);
  const request = await requests.find(branch);
  if (!writer.stage()) {
    if (request === undefined) return "the files match the workspace";
    await requests.close(request);
    return "the files match the workspace again: request closed";
  }
  const title = `Pull changes made by hand: ${unit.name}`;
  if (!writer.push(branch, title)) {
    throw new Stop(
      EXIT.error,
      `the branch ${branch} has commits of somebody else, so it is not overwritten. Merge or delete it`,
    );
  }
  const body = requestText(title, reports.read("pull.log"), requests.note, forge.run);
  if (request === undefined) await requests.open(branch, title, body);
  else await requests.update(request, body);
  return request === undefined ? "request opened" : "request updated";
}
