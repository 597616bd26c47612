import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { milestoneKinds } from "../../../../src/emulator/modules/incident-record/event.ts";
import { openTestEmulator, readTimeline, startTime, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
let incident: Fields;
beforeEach(async () => {
  service = await openTestEmulator();
  incident = await service.declare();
});
afterEach(() => service.close());

async function noted(kind: string, statement: string): Promise<Fields> {
  const text = { said_by: "grace@example.com", text: `${statement}, I think` };
  const message = await service.control("POST", `/incidents/${incident.id}/messages`, text);
  const body = { message_id: message.body.id ?? null, kind, statement };
  return (await service.control("POST", `/incidents/${incident.id}/notes`, body)).body;
}

test("Timeline event: an event of a person has an actor, is not automated, and has no milestone", async () => {
  expect(await readTimeline(service, incident)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type: "incident.created",
      description: "Ada Marsh declared INC-1: Incident 1",
      automated: false,
      occurred_at: startTime,
      actor: { id: expect.any(String), type: "user", name: "Ada Marsh", email: "ada@example.com" },
      milestone: null,
    },
  ]);
});

test.each(milestoneKinds.map((kind) => [kind]))(
  "Milestone: a note of the kind %s is automated and contains speaker and text",
  async (kind) => {
    const note = await noted(kind, "The pool is empty");
    expect((await readTimeline(service, incident)).at(-1)).toEqual(note);
    expect(note).toMatchObject({
      event_type: "milestone.noted",
      description: "The pool is empty",
      automated: true,
      actor: null,
      milestone: {
        kind,
        statement: "The pool is empty",
        said_by: "Grace Holm",
        said_at: startTime,
        message_text: "The pool is empty, I think",
        permalink: expect.stringMatching(/^https:\/\//),
        dismissed_at: null,
      },
    });
  },
);

test("Timeline notes: a dismissed note has dismissed_at in the response and is no longer in the timeline", async () => {
  const note = await noted("finding", "The pool is empty");
  const other = await noted("decision", "We wait");
  const response = await service.send("PATCH", `/incidents/${incident.id}/timeline/${note.id}/dismiss`);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ ...note, milestone: { ...(note.milestone as Fields), dismissed_at: startTime } });
  expect((await readTimeline(service, incident)).map(({ id }) => id)).not.toContain(note.id);
  expect((await readTimeline(service, incident)).at(-1)).toEqual(other);
  const { body } = await service.send("GET", `/incidents/${incident.id}/timeline`);
  expect(body.pagination).toMatchObject({ total: 2 });
  const again = await service.send("PATCH", `/incidents/${incident.id}/timeline/${note.id}/dismiss`);
  expect([again.status, again.body]).toEqual([200, response.body]);
});
