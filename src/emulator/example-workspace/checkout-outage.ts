/**
 * The largest incident of the example workspace: resolved, with milestones of every kind, a long conversation and a
 * postmortem.
 */

import { randomUUID } from "node:crypto";
import type { IncidentRow } from "../modules/incident-record/incident.ts";
import { findPerson, memberActor } from "../modules/people.ts";
import { postmortems, postmortemVersions } from "../modules/postmortems/postmortems.ts";
import type { ServiceContext, TransactionContext } from "../service/service-context.ts";
import { IncidentScript } from "./incident-script.ts";

const resolvedAfterMinutes = 90;

const postmortemHtml = `<h2>Summary</h2>
<p>For 61 minutes, one checkout in three failed in the European region.</p>
<h2>Root cause</h2>
<p>A migration held a lock on the orders table; the connection pool of the checkout service ran dry behind it.</p>
<h2>What we change</h2>
<ul><li>Migrations get a lock timeout.</li><li>The pool reports its waiting time.</li></ul>`;

/** Creates the incident, which began three days ago. */
export function checkoutOutage(service: ServiceContext): IncidentRow {
  const script = new IncidentScript(service, 72);
  script
    .declare({
      name: "Checkout fails for European customers",
      summary: "About a third of checkouts answer with an error since the 14:05 release.",
      severity: "critical",
      type: "service_outage",
      status: "triaging",
      source: "chat",
      region: "Europe",
      by: "priya",
    })
    .at(1)
    .say("priya", "Support has twelve tickets in five minutes, all about paying. All from Europe as far as I see.")
    .noteMilestone("impact", "About a third of European checkouts fail; twelve tickets in five minutes.")
    .say("ada", "Here. Looking at the checkout dashboard.")
    .at(2)
    .assignLead("ada", "priya")
    .setStatus("investigating", "ada")
    .at(4)
    .say("grace", "Error rate of checkout in eu-west is 34 %, us-east is fine.")
    .say("linus", "The 14:05 release went to eu-west first. I suspect the new tax client.")
    .noteMilestone("hypothesis", "The new tax client of the 14:05 release breaks checkout.")
    .addActionItem("ada", "linus", "Compare the 14:05 release with the one before")
    .at(9)
    .say("linus", "Not the tax client: its calls all succeed, in 40 ms.")
    .say("grace", "Checkout waits for database connections: the pool has 50 of 50 in use.")
    .noteMilestone("finding", "The checkout service's connection pool is exhausted.")
    .at(12)
    .say("mei", "I can take the read replicas. Which login does the dashboard of the database take now?")
    .reply("linus", "user monitor, password: hunter2-eu-west until Friday")
    .reply("ada", "Please never in a channel, Linus. Rotating it.")
    .addActionItem("ada", "grace", "Rotate the monitoring password of the database")
    .at(15)
    .say("mei", "pg_locks: a migration has held ACCESS EXCLUSIVE on orders since 14:06.")
    .noteMilestone(
      "root_cause",
      "A migration holds a lock on the orders table since 14:06; everything queues behind it.",
    )
    .setStatus("identified", "ada")
    .at(17)
    .say("mei", "I cannot cancel it, my role on that cluster is read-only.")
    .noteMilestone("blocker", "Nobody in the call may cancel statements on the orders cluster.")
    .say("tomas", "I can. Shall I?")
    .at(18)
    .say("ada", "Yes: cancel the migration, we take it up again tonight.")
    .noteMilestone("decision", "Cancel the migration now and run it again tonight.")
    .addActionItem("ada", "tomas", "Cancel the migration on the orders cluster")
    .at(20)
    .say("tomas", "Canceled. The locks are gone.")
    .noteMilestone("mitigation", "The migration was canceled.")
    .setStatus("monitoring", "ada");
  addMonitoringHour(script);
  return script
    .at(resolvedAfterMinutes)
    .say("grace", "Error rate 0.1 % for half an hour now, the pool uses 9 of 50.")
    .noteMilestone("recovery", "Checkout is back to normal: error rate 0.1 % for half an hour.")
    .setStatus("resolved", "ada")
    .addActionItem("ada", "mei", "Give migrations a lock timeout", "in_progress")
    .at(26 * 60)
    .run((transaction, incident) => writePostmortem(transaction, incident)).incident;
}

/** Adds an hour of monitoring, which makes the conversation long. */
function addMonitoringHour(script: IncidentScript): void {
  const people = ["grace", "mei", "linus", "priya"] as const;
  for (let minute = 21; minute < resolvedAfterMinutes; minute += 1) {
    const errors = Math.max(0.1, 34 * 0.9 ** (minute - 20)).toFixed(1);
    const pool = Math.max(9, Math.round(50 * 0.96 ** (minute - 20)));
    const who = people[minute % people.length] ?? "grace";
    script
      .at(minute)
      .say(who, `${errors} % errors, pool ${pool} of 50, ${400 + ((minute * 37) % 90)} orders a minute.`);
    if (minute % 2 === 0) script.reply("ada", minute % 4 === 0 ? "Thank you." : "Keep watching, please.");
  }
}

function writePostmortem(transaction: TransactionContext, incident: IncidentRow): void {
  const written_by = memberActor(findPerson(transaction.database, "mei@example.com"));
  const id = randomUUID();
  const bodies = ["", "<p>To be written.</p>", postmortemHtml];
  transaction.database.insert(postmortems, {
    id,
    incident_id: incident.id,
    title: `Postmortem: ${incident.name}`,
    status: "in_review",
    html: postmortemHtml,
    version: bodies.length,
    generation_state: null,
    written_by,
    updated_at: transaction.timestamp,
  });
  const versions = bodies.map((html, index) => ({ id: randomUUID(), postmortem_id: id, version: index + 1, html }));
  transaction.database.insert(
    postmortemVersions,
    ...versions.map((version) => ({ ...version, written_by, written_at: transaction.timestamp })),
  );
}
