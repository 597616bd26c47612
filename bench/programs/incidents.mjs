/**
 * Measures how much longer the built emulator takes with many incidents than with few: the processor time of requests to a workspace
 * with 100,000 incidents over that of the same requests to one with 1,000. Nine of ten incidents are resolved. Both are in this process
 * and measured in turns, so that the load of the machine changes both. Prints one line of JSON, the median ratio of each request.
 *
 *   node bench/programs/incidents.mjs [ROUNDS]
 */

import { randomUUID } from "node:crypto";
import { compileWebAssemblyFast } from "../../build/app/session/v8-flags.js";
import { createEmulator } from "../../build/emulator/emulator.js";

const sizes = [1_000, 100_000];
const requestsPerRound = 40;

/** A client of an emulator that throws for a refused request. */
function clientOf(emulator) {
  const headers = { authorization: `Bearer ${emulator.serviceToken}`, "content-type": "application/json" };
  return async (method, path, body) => {
    const parts = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await emulator.request(`http://emulator/api/v1${path}`, parts);
    let text = "";
    for await (const part of response.body ?? []) text += new TextDecoder().decode(part);
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}

/** The content of a workspace with an incident of every severity and status. */
async function smallContent() {
  const emulator = createEmulator({ requestsPerMinute: Number.MAX_SAFE_INTEGER });
  const send = clientOf(emulator);
  const { severities } = await send("GET", "/severities");
  const { statuses } = await send("GET", "/statuses");
  for (const { id: severity_id } of severities) {
    for (const { id: status_id, slug } of statuses) {
      await send("POST", "/incidents", { idempotency_key: randomUUID(), name: slug, severity_id, status_id });
    }
  }
  const content = emulator.seeds.dump();
  await emulator.close();
  return { content, severities, statuses };
}

/** The content with copies of its incidents and their events, as many as stated. */
function multiply({ content, statuses }, count) {
  const closed = statuses.find(({ lifecycle_stage }) => lifecycle_stage === "closed").id;
  const resolved = content.incidents.filter(({ status_id }) => status_id === closed);
  const incidents = [];
  const events = [];
  for (let number = 1; number <= count; number++) {
    const choices = number % 10 === 0 ? content.incidents : resolved;
    const original = choices[Math.floor(number / 10) % choices.length];
    const incident = { ...original, id: randomUUID(), number, idempotency_key: randomUUID() };
    incidents.push(incident);
    for (const event of content.incident_events.filter(({ incident_id }) => incident_id === original.id)) {
      events.push({ ...event, id: randomUUID(), incident_id: incident.id });
    }
  }
  return { ...content, incidents, incident_events: events };
}

/** The requests, each with a name. */
function requestsTo({ severities, statuses }) {
  const status = (stage) => statuses.find(({ lifecycle_stage }) => lifecycle_stage === stage).id;
  const [{ id: severity }] = severities;
  const list = (query) => (send) => send("GET", `/incidents${query}`);
  const declaration = () => ({ idempotency_key: randomUUID(), name: "Measured", severity_id: severity });
  return {
    "first page": list(""),
    "by severity": list(`?severity_id=${severity}`),
    "by status, few": list(`?status_id=${status("triage")}`),
    "by status, most": list(`?status_id=${status("closed")}`),
    "by stage, few": list("?lifecycle_stage=active"),
    "by stage, most": list("?lifecycle_stage=closed"),
    "by severity and stage": list(`?severity_id=${severity}&lifecycle_stage=active`),
    declare: (send) => send("POST", "/incidents", declaration()),
  };
}

/** Microseconds of processor time of one request. */
async function cost(request, send) {
  const before = process.cpuUsage();
  for (let at = 0; at < requestsPerRound; at++) await request(send);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requestsPerRound;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

// As in the program.
compileWebAssemblyFast();
const rounds = Number(process.argv[2] ?? 15);
const small = await smallContent();
const requests = requestsTo(small);
const emulators = sizes.map((size) =>
  createEmulator({ content: multiply(small, size), requestsPerMinute: Number.MAX_SAFE_INTEGER }),
);
const clients = emulators.map(clientOf);
const ratios = {};
for (const [name, request] of Object.entries(requests)) {
  for (const send of clients) await cost(request, send);
  const found = [];
  for (let round = 0; round < rounds; round++) {
    const [few, many] = [await cost(request, clients[0]), await cost(request, clients[1])];
    found.push(many / few);
  }
  ratios[name] = median(found);
}
for (const emulator of emulators) await emulator.close();
console.log(JSON.stringify(ratios));
