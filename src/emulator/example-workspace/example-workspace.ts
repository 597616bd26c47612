/** The people of the example workspace, and a week of incidents in every stage. */

import { randomUUID } from "node:crypto";
import type { IncidentRow } from "../modules/incident-record/incident.ts";
import { markDuplicate } from "../modules/incidents/links.ts";
import { findPerson, memberActor, members } from "../modules/people.ts";
import type { ServiceContext } from "../service/service-context.ts";
import { checkoutOutage } from "./checkout-outage.ts";
import { IncidentScript } from "./incident-script.ts";

/** The people in addition to the two of every workspace. */
const colleagues = [
  { name: "Linus Berg", email: "linus@example.com", chat_user_id: "U0003" },
  { name: "Mei Tanaka", email: "mei@example.com", chat_user_id: "U0004" },
  { name: "Priya Nair", email: "priya@example.com", chat_user_id: "U0005" },
  { name: "Tomás Ortiz", email: "tomas@example.com", chat_user_id: "U0006" },
] as const;

/**
 * Adds the people and the incidents of the example workspace to a default one. A second call adds the incidents again,
 * but not the people. Throws if the default severities or statuses are missing.
 */
export function seedExampleWorkspace(service: ServiceContext): void {
  const { database } = service;
  for (const person of colleagues) {
    if (database.find(members, { email: person.email }) !== undefined) continue;
    database.insert(members, { ...person, id: randomUUID(), role: "member" });
  }
  slowReports(service);
  falseAlarm(service);
  duplicateOf(service, checkoutOutage(service));
  openSearchIncident(service);
  privateSuspicion(service);
}

function slowReports(service: ServiceContext): void {
  new IncidentScript(service, 120)
    .declare({ name: "Reports take minutes", severity: "minor", type: "performance_degradation", by: "tomas" })
    .at(3)
    .assignLead("tomas", "tomas")
    .say("tomas", "The nightly aggregation still runs; it has four times the rows since Monday.")
    .noteMilestone("finding", "The nightly aggregation runs four times as long as last week.")
    .at(55)
    .say("tomas", "Done, reports answer in 2 s again.")
    .noteMilestone("recovery", "Reports answer in 2 s again.")
    .setStatus("resolved", "tomas");
}

function falseAlarm(service: ServiceContext): void {
  new IncidentScript(service, 96)
    .declare({
      name: "Disk almost full on build-7",
      severity: "minor",
      status: "triaging",
      source: "monitoring",
      by: "linus",
    })
    .at(6)
    .say("linus", "The alert reads the wrong mount since the image update. The disk is a third full.")
    .setStatus("canceled", "linus");
}

function duplicateOf(service: ServiceContext, outage: IncidentRow): void {
  new IncidentScript(service, 71.9)
    .declare({ name: "Card payments rejected", severity: "major", source: "support desk", by: "grace" })
    .at(4)
    .run((transaction, incident) => {
      markDuplicate(transaction, incident, outage, memberActor(findPerson(transaction.database, "grace@example.com")));
    });
}

function openSearchIncident(service: ServiceContext): void {
  new IncidentScript(service, 2)
    .declare({
      name: "Search answers slowly",
      summary: "p95 of search is at 4 s since the index was rebuilt.",
      severity: "major",
      type: "performance_degradation",
      by: "mei",
    })
    .at(5)
    .assignLead("grace", "mei")
    .say("grace", "p95 is 4.1 s, p50 unchanged: only long queries are hit.")
    .noteMilestone("finding", "Only long queries are slow.")
    .at(20)
    .say("mei", "I think the new index lacks the trigram part.")
    .noteMilestone("hypothesis", "The rebuilt index lacks the trigram part.")
    .addActionItem("grace", "mei", "Rebuild the trigram index on the second replica", "in_progress")
    .addActionItem("grace", "linus", "Warn the customers with saved searches", "in_progress")
    .at(50)
    .say("mei", "Second replica is at 40 %.");
}

function privateSuspicion(service: ServiceContext): void {
  new IncidentScript(service, 1)
    .declare({
      name: "Unknown login to the billing console",
      severity: "critical",
      type: "security_incident",
      status: "triaging",
      visibility: "private",
      by: "ada",
    })
    .at(2)
    .say("ada", "One login from an address we do not know, 20 minutes ago. Session is ended.")
    .noteMilestone("impact", "One session of the billing console, ended.")
    .say("grace", "The log has it as session_token: 9f2c41d07b55e8aa, nothing was opened with it.");
}
