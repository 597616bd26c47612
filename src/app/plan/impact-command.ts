/** `impact`: shows which recent incidents could no longer be declared after the plan. Sends only GET requests; prints only counts. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { rankChanges, readDeclareForm } from "../../preview/impact/declare-form.ts";
import { pastIncident } from "../../preview/impact/past-incident.ts";
import { replay } from "../../preview/impact/replay.ts";
import { type ImpactReport, impactJson, impactText } from "../../view/workspace/impact.ts";
import { recentIncidents } from "../../workspace/read/incidents.ts";
import type { Console } from "../console/console.ts";
import { openReading, type ReadingSession } from "../session/session.ts";
import type { ImpactOptions } from "./impact-definition.ts";

/** Default number of incidents to replay. */
const LAST = 100;

/** Prints the impact. Exits with 7 if `failOnRefusals` is set and an incident would be refused. */
export async function impact(options: ImpactOptions, io: Io, console: Console): Promise<number> {
  const session = await openReading(options, io, console);
  try {
    const report = await find(session, options);
    console.print(
      options.format === "json" ? impactJson(report) : impactText(report, console.outputStyle, session.words),
    );
    return options.failOnRefusals === true && report.impact.refused > 0 ? EXIT.findings : EXIT.success;
  } finally {
    session.close();
  }
}

async function find(session: ReadingSession, options: ImpactOptions): Promise<ImpactReport> {
  const { configuration, reader, parallelism } = session;
  const { last = LAST } = options;
  const { plan, observation } = await session.prepare({ identify: false });
  const { state, before, after, ranks } = await readDeclareForm(reader, configuration, plan, parallelism, observation);
  const rows = await recentIncidents(reader, last);
  const incidents = rows.map((row) => pastIncident(row, state));
  return {
    last,
    impact: replay(incidents, before, after),
    ranks: rankChanges(ranks, incidents),
    routing: plan.changes.some(({ kind }) => kind === "routing_rules"),
  };
}
