import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../../src/core/json.ts";
import { milestoneKinds } from "../../../../src/emulator/rooms/incidents/event.ts";
import { errorOf } from "../../client.ts";
import { type Desk, itemsIn, openDesk, opening, timelineOf } from "../../test-emulator.ts";

let desk: Desk;
let incident: Fields;
beforeEach(async () => {
  desk = await openDesk();
  incident = await desk.declare();
});
afterEach(() => desk.close());

async function noted(kind: string, statement: string): Promise<Fields> {
  const said = { said_by: "grace@example.com", text: `${statement}, I think` };
  const message = await desk.control("POST", `/incidents/${incident.id}/messages`, said);
  const body = { message_id: message.body.id ?? null, kind, statement };
  return (await desk.control("POST", `/incidents/${incident.id}/notes`, body)).body;
}

test("Timeline event: what a person does has an actor, is not automated, and has no milestone", async () => {
  expect(await timelineOf(desk, incident)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type: "incident.created",
      description: "Ada Marsh declared INC-1: Incident 1",
      automated: false,
      occurred_at: opening,
      actor: { id: expect.any(String), type: "user", name: "Ada Marsh", email: "ada@example.com" },
      milestone: null,
    },
  ]);
});

test.each(milestoneKinds.map((kind) => [kind]))(
  "Milestone: a note of the kind %s is automated and shows who said what",
  async (kind) => {
    const note = await noted(kind, "The pool is empty");
    expect((await timelineOf(desk, incident)).at(-1)).toEqual(note);
    expect(note).toMatchObject({
      event_type: "milestone.noted",
      description: "The pool is empty",
      automated: true,
      actor: null,
      milestone: {
        kind,
        statement: "The pool is empty",
        said_by: "Grace Holm",
        said_at: opening,
        message_text: "The pool is empty, I think",
        permalink: expect.stringMatching(/^https:\/\//),
        dismissed_at: null,
      },
    });
  },
);

test("Timeline: it is in the order of time, and takes page and per_page", async () => {
  for (const summary of ["a", "b", "c"]) {
    desk.emulator.control?.clock.advance(1000);
    await desk.send("PATCH", `/incidents/${incident.id}`, { summary });
  }
  const whole = await timelineOf(desk, incident);
  const times = whole.map(({ occurred_at }) => String(occurred_at));
  expect(times).toEqual(times.toSorted());
  const page = await desk.send("GET", `/incidents/${incident.id}/timeline?page=2&per_page=3`);
  expect(itemsIn(page, "timeline")).toEqual(whole.slice(3));
  expect(page.body.pagination).toEqual({ page: 2, per_page: 3, total: 4, total_pages: 2 });
});

test("Timeline notes: a dismissed note is answered with dismissed_at and no longer in the timeline", async () => {
  const note = await noted("finding", "The pool is empty");
  const other = await noted("decision", "We wait");
  const answer = await desk.send("PATCH", `/incidents/${incident.id}/timeline/${note.id}/dismiss`);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ...note, milestone: { ...(note.milestone as Fields), dismissed_at: opening } });
  expect((await timelineOf(desk, incident)).map(({ id }) => id)).not.toContain(note.id);
  expect((await timelineOf(desk, incident)).at(-1)).toEqual(other);
  const { body } = await desk.send("GET", `/incidents/${incident.id}/timeline`);
  expect(body.pagination).toMatchObject({ total: 2 });
  const again = await desk.send("PATCH", `/incidents/${incident.id}/timeline/${note.id}/dismiss`);
  expect([again.status, again.body]).toEqual([200, answer.body]);
});

test("Timeline notes: what is not a note is refused with 422, a note of another incident is 404", async () => {
  const [event] = await timelineOf(desk, incident);
  const refused = await desk.send("PATCH", `/incidents/${incident.id}/timeline/${event?.id}/dismiss`);
  expect([refused.status, errorOf(refused).type]).toEqual([422, "validation_error"]);
  const note = await noted("finding", "The pool is empty");
  const other = await desk.declare();
  expect((await desk.send("PATCH", `/incidents/${other.id}/timeline/${note.id}/dismiss`)).status).toBe(404);
});
