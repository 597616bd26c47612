/**
 * `ci drift`: keeps one issue while a unit has drift, one while its drift check fails and one while acceptances are about to end, and tells
 * a chat what is new in them.
 */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { fieldsIn, objectsIn } from "../../core/json.ts";
import { sanitised } from "../../core/sanitise.ts";
import {
  alarmSubject,
  alarmText,
  driftSubject,
  driftText,
  endingSubject,
  endingText,
  type IssueSubject,
  isSameFinding,
} from "../../view/pipeline/issue.ts";
import type { Console } from "../console/console.ts";
import { tellChat } from "./chat.ts";
import type { CiDriftOptions } from "./ci-definition.ts";
import type { ForgeIssues } from "./forge/forge.ts";
import { inJob, type PipelineJob } from "./job.ts";
import { jsonReport } from "./reports.ts";

/** Checks. Exits with 0 if an issue tells of the drift, and otherwise with the code of `drift`. */
export function drift(options: CiDriftOptions, io: Io, console: Console): Promise<number> {
  return inJob("drift", options, io, console, async (job) => {
    const { run, report, flags, forge, unit } = job;
    const code = await run("drift", [
      ...["drift", ...flags, report("markdown", "drift.md"), report("junit", "drift.xml")],
      report("json", "drift.json"),
    ]);
    const told = await tell(job, code, forge.issues);
    if (told.news.length > 0) {
      const text = told.news.join("\n");
      job.reports.write("news", `${text}\n`);
      const failure = await tellChat(text, io, console);
      if (failure !== undefined) {
        forge.annotate("error", failure, `incidentctl drift (${unit.name})`);
        return told.code === EXIT.success ? EXIT.error : told.code;
      }
    }
    return told.code;
  });
}

async function tell(
  job: PipelineJob,
  code: number,
  issues: ForgeIssues | undefined,
): Promise<{ readonly news: readonly string[]; readonly code: number }> {
  const { unit, forge, console } = job;
  const plain = code === EXIT.success ? [] : [`The drift check of ${unit.name} ended with exit code ${code}.`];
  if (issues === undefined) return { news: plain, code };
  try {
    const news = await keepIssues(job, code, issues);
    console.note(sanitised(news.join("; ") || "nothing is new"));
    return { news, code: code === EXIT.changes ? EXIT.success : code };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    forge.annotate("warning", `the issue could not be written: ${reason}`);
    return { news: plain, code: code === EXIT.success ? EXIT.error : code };
  }
}

/** Opens, updates or closes the issues of the unit, and returns what is new. */
async function keepIssues({ reports, forge }: PipelineJob, code: number, issues: ForgeIssues): Promise<string[]> {
  const open = await issues.open();
  const news: string[] = [];
  const find = ({ mark }: IssueSubject) => open.find(({ body }) => body.split(/\r?\n/, 1)[0] === mark);

  async function keep(subject: IssueSubject, body: string, change: string): Promise<void> {
    const issue = find(subject);
    if (issue === undefined) {
      news.push(`${subject.title} ${(await issues.create(subject.title, body)).page}`);
    } else if (!isSameFinding(issue.body, body)) {
      await issues.update(issue, body);
      await issues.say(issue, `${change} The description above is up to date.`);
      news.push(`${subject.title}. ${change} ${issue.page}`);
    }
  }

  async function close(subject: IssueSubject, reason: string): Promise<void> {
    const issue = find(subject);
    if (issue === undefined) return;
    await issues.say(issue, reason);
    await issues.close(issue);
    news.push(`${subject.title}. ${reason} ${issue.page}`);
  }

  const [difference, alarm] = [driftSubject(reports.name), alarmSubject(reports.name)];
  if (code === EXIT.success) await close(difference, "There is no more drift, except accepted drift.");
  else if (code === EXIT.changes) await keep(difference, driftText(reports), "The drift has changed.");
  else await keep(alarm, alarmText(reports, forge.run), "The drift check fails for another reason.");
  if (code !== EXIT.success && code !== EXIT.changes) return news;
  await close(alarm, "The drift check works again.");
  const { drift } = jsonReport(reports, "drift.json") ?? {};
  const ending = objectsIn(fieldsIn(drift).known).filter((one) => one.ending === true);
  const subject = endingSubject(reports.name);
  if (ending.length === 0) await close(subject, "No acceptance ends soon.");
  else await keep(subject, endingText(reports.name, ending), "Other acceptances end soon.");
  return news;
}
