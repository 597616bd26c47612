/** `doctor`: checks what a plan or an apply relies on. It sends only GET requests. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { kinds } from "../../kinds/index.ts";
import { workspaceIdentity } from "../../plan/checks/seal.ts";
import { PREFIX_LENGTH } from "../../plan/model/token-paths.ts";
import { doctorJson, doctorText, type HealthCheck } from "../../view/workspace/doctor.ts";
import { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Console } from "../console/console.ts";
import { openRuns } from "../run/runs.ts";
import { openReading } from "../session/session.ts";
import {
  adminTokenCheck,
  clockCheck,
  configurationCheck,
  isAdminToken,
  limitsCheck,
  lockCheck,
  readEveryKind,
  runChecks,
  tokenCheck,
} from "./checks.ts";
import type { DoctorOptions } from "./doctor-definition.ts";

/** Runs the checks. Exits with 7 if there is a finding, and with 6 if the service does not accept the token. */
export async function doctor(options: DoctorOptions, io: Io, console: Console): Promise<number> {
  const isEmbedded = options.emulator !== undefined;
  const prefix = io.env.INCIDENTCTL_TOKEN?.slice(0, PREFIX_LENGTH);
  const hasAdminToken = (io.env.INCIDENTCTL_ADMIN_TOKEN ?? "") !== "" && !isEmbedded;
  const session = await openReading(options, io, console);
  try {
    const { configuration, reader, service } = session;
    const clock = await clockCheck(reader, () => io.now());
    const isAdmin = await isAdminToken(reader);
    const access = await readEveryKind(reader, configuration, session.parallelism);
    const workspace = workspaceIdentity(new ResolvedState(kinds, configuration, access.observation));
    const rows = access.observation.lists.flatMap((list) => list.rows);
    const checks: readonly HealthCheck[] = [
      configurationCheck(configuration),
      { subject: "service", status: "fine", message: `${service}, workspace ${workspace ?? "unknown"}` },
      isEmbedded
        ? { subject: "token", status: "fine", message: "the embedded service needs none" }
        : tokenCheck(prefix, isAdmin, rows),
      ...(hasAdminToken ? [adminTokenCheck(access.isAdminTokenUnknown)] : []),
      clock,
      limitsCheck(configuration),
      ...access.checks,
      await lockCheck(configuration),
      ...(await runChecks(openRuns(session, {}, io, console), session.words)),
    ];
    console.print(
      options.format === "json" ? doctorJson(service, workspace, checks) : doctorText(checks, console.outputStyle),
    );
    return checks.some(({ status }) => status === "finding") ? EXIT.findings : EXIT.success;
  } finally {
    session.close();
  }
}
