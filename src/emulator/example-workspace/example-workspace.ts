/** The believable workspace: people and a week of incidents in every stage, for whoever tries a client without a team at hand. */

import { randomUUID } from "node:crypto";
import { members } from "../rooms/access/principals.ts";
import type { IncidentRow } from "../rooms/incidents/incident.ts";
import { absorb } from "../rooms/incidents/links.ts";
import { findPerson, memberActor } from "../rooms/responders/people.ts";
import type { Service } from "../service-context.ts";
import { checkoutOutage } from "./checkout-outage.ts";
import { Story } from "./incident-script.ts";

/** The people besides the two of every workspace. */
const colleagues = [
  { name: "Linus Berg", email: "linus@example.com", chat_user_id: "U0003" },
  { name: "Mei Tanaka", email: "mei@example.com", chat_user_id: "U0004" },
  { name: "Priya Nair", email: "priya@example.com", chat_user_id: "U0005" },
  { name: "Tomás Ortiz", email: "tomas@example.com", chat_user_id: "U0006" },
] as const;

/**
 * Adds the people and the incidents of the believable workspace to a default one. Done twice, the incidents are there twice
 * and the people once. Throws when the workspace lacks the severities and statuses of a fresh one.
 */
export function seedBelievable(service: Service): void {
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

function slowReports(service: Service): void {
  new Story(service, 120)
    .declare({ name: "Reports take minutes", severity: "minor", type: "performance_degradation", by: "tomas" })
    .at(3)
    .leads("tomas", "tomas")
    .says("tomas", "The nightly aggregation still runs; it has four times the rows since Monday.")
    .noted("finding", "The nightly aggregation runs four times as long as last week.")
    .at(55)
    .says("tomas", "Done, reports answer in 2 s again.")
    .noted("recovery", "Reports answer in 2 s again.")
    .moves("resolved", "tomas");
}

function falseAlarm(service: Service): void {
  new Story(service, 96)
    .declare({
      name: "Disk almost full on build-7",
      severity: "minor",
      status: "triaging",
      source: "monitoring",
      by: "linus",
    })
    .at(6)
    .says("linus", "The alert reads the wrong mount since the image update. The disk is a third full.")
    .moves("canceled", "linus");
}

function duplicateOf(service: Service, outage: IncidentRow): void {
  new Story(service, 71.9)
    .declare({ name: "Card payments rejected", severity: "major", source: "support desk", by: "grace" })
    .at(4)
    .does((act, incident) => {
      absorb(act, incident, outage, memberActor(findPerson(act.database, "grace@example.com")));
    });
}

function openSearchIncident(service: Service): void {
  new Story(service, 2)
    .declare({
      name: "Search answers slowly",
      summary: "p95 of search is at 4 s since the index was rebuilt.",
      severity: "major",
      type: "performance_degradation",
      by: "mei",
    })
    .at(5)
    .leads("grace", "mei")
    .says("grace", "p95 is 4.1 s, p50 unchanged: only long queries are hit.")
    .noted("finding", "Only long queries are slow.")
    .at(20)
    .says("mei", "I think the new index lacks the trigram part.")
    .noted("hypothesis", "The rebuilt index lacks the trigram part.")
    .asks("grace", "mei", "Rebuild the trigram index on the second replica", "in_progress")
    .asks("grace", "linus", "Warn the customers with saved searches", "in_progress")
    .at(50)
    .says("mei", "Second replica is at 40 %.");
}

function privateSuspicion(service: Service): void {
  new Story(service, 1)
    .declare({
      name: "Unknown login to the billing console",
      severity: "critical",
      type: "security_incident",
      status: "triaging",
      visibility: "private",
      by: "ada",
    })
    .at(2)
    .says("ada", "One login from an address we do not know, 20 minutes ago. Session is ended.")
    .noted("impact", "One session of the billing console, ended.")
    .says("grace", "The log has it as session_token: 9f2c41d07b55e8aa, nothing was opened with it.");
}
