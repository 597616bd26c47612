/** `rehearse`: carries the plan out on a replica of the live workspace, in process. Its connection cannot write to the service. */

import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { counted } from "../../core/value-text.ts";
import { rehearsalMarkdown } from "../../view/rehearsal/markdown.ts";
import { rehearsalHtml } from "../../view/rehearsal/page.ts";
import { hasPassed, type Rehearsal, rehearsalJson, rehearsalText } from "../../view/rehearsal/rehearsal.ts";
import type { Console } from "../console/console.ts";
import type { RehearsalFormat } from "../console/formats.ts";
import { present, type ReportTexts } from "../console/present.ts";
import { dialectFlags } from "../serve/serving.ts";
import { openReading } from "../session/session.ts";
import type { InspectReplica } from "./rehearse.ts";
import type { RehearseOptions } from "./rehearse-definition.ts";
import { rehearsePlan } from "./session.ts";

/** Rehearses the plan. Exits with 7 if a check failed. With `--open` it ends when it is interrupted. */
export async function rehearse(options: RehearseOptions, io: Io, console: Console): Promise<number> {
  const dialects = dialectFlags(options.dialect);
  if (options.open === true && (options.format ?? "text") !== "text") {
    throw misuse("--open serves the replica until it is interrupted, for a person: use --report with it, not --format");
  }
  const session = await openReading(options, io, console, {
    approvals: { allowDelete: options.allowDelete === true, acceptRoutingWindow: false },
  });
  let isOpen = true;
  const closeSession = (): void => {
    if (isOpen) session.close();
    isOpen = false;
  };
  try {
    const plan = await session.plan({ identify: false });
    const inspect: InspectReplica = async (result, replica) => {
      await present(textsOf(result), options, io, console);
      if (options.open !== true) return;
      // Other commands may use the service while the replica is served.
      closeSession();
      const { serveReplica } = await import("../serve/replica-pages.ts");
      await serveReplica(replica, noticeOf(result), io, console, session.configuration.environmentValues);
    };
    const rehearsal = await rehearsePlan({ plan, session, options, dialects, inspect }, io, console);
    return hasPassed(rehearsal) ? EXIT.success : EXIT.findings;
  } finally {
    closeSession();
  }
}

/** The sentences at the top of the replica's pages. */
function noticeOf({ plan, findings, assumptions }: Rehearsal): string {
  const result =
    findings.length === 0
      ? "with the plan applied"
      : `as far as the plan could be applied: the rehearsal has ${counted(findings.length, "finding")}`;
  const unread = assumptions.some(({ about }) => about === "unread")
    ? " Kinds that the token cannot read are missing."
    : "";
  return `A replica of ${plan.target.host}, ${result}. Nothing here reaches the service. People and incidents are invented.${unread}`;
}

function textsOf(rehearsal: Rehearsal): ReportTexts<RehearsalFormat> {
  return {
    text: (style) => rehearsalText(rehearsal, style),
    json: () => rehearsalJson(rehearsal),
    markdown: () => rehearsalMarkdown(rehearsal),
    html: () => rehearsalHtml(rehearsal),
  };
}
