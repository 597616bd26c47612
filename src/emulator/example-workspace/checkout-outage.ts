/** The believable workspace's great incident: resolved, with notes of every kind, a long conversation and a postmortem. */

import { randomUUID } from "node:crypto";
import type { IncidentRow } from "../rooms/incidents/incident.ts";
import { postmortems, postmortemVersions } from "../rooms/postmortems/postmortems.ts";
import { findPerson, memberActor } from "../rooms/responders/people.ts";
import type { Service } from "../service-context.ts";
import type { Act } from "../transaction.ts";
import { Story } from "./incident-script.ts";

const watchMinutes = 90;

const postmortemHtml = `<h2>Summary</h2>
<p>For 61 minutes, one checkout in three failed in the European region.</p>
<h2>Root cause</h2>
<p>A migration held a lock on the orders table; the connection pool of the checkout service ran dry behind it.</p>
<h2>What we change</h2>
<ul><li>Migrations get a lock timeout.</li><li>The pool reports its waiting time.</li></ul>`;

/** Tells the incident, which began three days ago, and returns it. */
export function checkoutOutage(service: Service): IncidentRow {
  const story = new Story(service, 72);
  story
    .declare({
      name: "Checkout fails for European customers",
      summary: "About a third of checkouts answer with an error since the 14:05 release.",
      severity: "critical",
      type: "service_outage",
      status: "triaging",
      source: "chat",
      by: "priya",
    })
    .at(1)
    .says("priya", "Support has twelve tickets in five minutes, all about paying. All from Europe as far as I see.")
    .noted("impact", "About a third of European checkouts fail; twelve tickets in five minutes.")
    .says("ada", "Here. Looking at the checkout dashboard.")
    .at(2)
    .leads("ada", "priya")
    .moves("investigating", "ada")
    .at(4)
    .says("grace", "Error rate of checkout in eu-west is 34 %, us-east is fine.")
    .says("linus", "The 14:05 release went to eu-west first. I suspect the new tax client.")
    .noted("hypothesis", "The new tax client of the 14:05 release breaks checkout.")
    .asks("ada", "linus", "Compare the 14:05 release with the one before")
    .at(9)
    .says("linus", "Not the tax client: its calls all succeed, in 40 ms.")
    .says("grace", "Checkout waits for database connections: the pool has 50 of 50 in use.")
    .noted("finding", "The checkout service's connection pool is exhausted.")
    .at(12)
    .says("mei", "I can take the read replicas. Which login does the dashboard of the database take now?")
    .replies("linus", "user monitor, password: hunter2-eu-west until Friday")
    .replies("ada", "Please never in a channel, Linus. Rotating it.")
    .asks("ada", "grace", "Rotate the monitoring password of the database")
    .at(15)
    .says("mei", "pg_locks: a migration has held ACCESS EXCLUSIVE on orders since 14:06.")
    .noted("root_cause", "A migration holds a lock on the orders table since 14:06; everything queues behind it.")
    .moves("identified", "ada")
    .at(17)
    .says("mei", "I cannot cancel it, my role on that cluster is read-only.")
    .noted("blocker", "Nobody in the call may cancel statements on the orders cluster.")
    .says("tomas", "I can. Shall I?")
    .at(18)
    .says("ada", "Yes: cancel the migration, we take it up again tonight.")
    .noted("decision", "Cancel the migration now and run it again tonight.")
    .asks("ada", "tomas", "Cancel the migration on the orders cluster")
    .at(20)
    .says("tomas", "Canceled. The locks are gone.")
    .noted("mitigation", "The migration was canceled.")
    .moves("monitoring", "ada");
  watch(story);
  return story
    .at(watchMinutes)
    .says("grace", "Error rate 0.1 % for half an hour now, the pool uses 9 of 50.")
    .noted("recovery", "Checkout is back to normal: error rate 0.1 % for half an hour.")
    .moves("resolved", "ada")
    .asks("ada", "mei", "Give migrations a lock timeout", "in_progress")
    .at(26 * 60)
    .does((act, incident) => writePostmortem(act, incident)).incident;
}

/** The hour in which people only watch: what makes a conversation long. */
function watch(story: Story): void {
  const watchers = ["grace", "mei", "linus", "priya"] as const;
  for (let minute = 21; minute < watchMinutes; minute += 1) {
    const errors = Math.max(0.1, 34 * 0.9 ** (minute - 20)).toFixed(1);
    const pool = Math.max(9, Math.round(50 * 0.96 ** (minute - 20)));
    const who = watchers[minute % watchers.length] ?? "grace";
    story
      .at(minute)
      .says(who, `${errors} % errors, pool ${pool} of 50, ${400 + ((minute * 37) % 90)} orders a minute.`);
    if (minute % 2 === 0) story.replies("ada", minute % 4 === 0 ? "Thank you." : "Keep watching, please.");
  }
}

function writePostmortem(act: Act, incident: IncidentRow): void {
  const written_by = memberActor(findPerson(act.database, "mei@example.com"));
  const id = randomUUID();
  const bodies = ["", "<p>To be written.</p>", postmortemHtml];
  act.database.insert(postmortems, {
    id,
    incident_id: incident.id,
    title: `Postmortem: ${incident.name}`,
    status: "in_review",
    html: postmortemHtml,
    version: bodies.length,
    generation_state: null,
    written_by,
    updated_at: act.timestamp,
  });
  const versions = bodies.map((html, index) => ({ id: randomUUID(), postmortem_id: id, version: index + 1, html }));
  act.database.insert(
    postmortemVersions,
    ...versions.map((version) => ({ ...version, written_by, written_at: act.timestamp })),
  );
}
