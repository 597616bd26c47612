/** The responses of an emulator about its incidents and people, as one text in which ids are numbered. */

import type { Fields } from "../../../src/core/json.ts";
import { listOf, type TestEmulator } from "../test-emulator.ts";

/** All responses, in a fixed order. */
export async function answersOf(service: TestEmulator): Promise<Fields> {
  const incidents = listOf(await service.send("GET", "/incidents?per_page=100"), "incidents");
  const parts = [
    "timeline?per_page=100",
    "transcript?limit=500",
    "action_items?per_page=100",
    "postmortem",
    "runbooks",
  ];
  const answers: Record<string, Fields> = {
    workspace: (await service.control("GET", "/workspace")).body,
    people: (await service.control("GET", "/people")).body,
    incidents: { incidents },
  };
  for (const incident of incidents) {
    for (const part of parts) {
      const { status, body } = await service.send("GET", `/incidents/${incident.id}/${part}`);
      answers[`${incident.identifier} ${part}`] = status === 200 ? body : { status };
    }
    const path = `/incidents/${incident.id}`;
    answers[`${path} escalations`] = (await service.control("GET", `${path}/escalations`)).body;
  }
  return answers;
}

/** The same with ids numbered in the order of their first occurrence. */
export function withNumberedIds(answers: Fields): Fields {
  const numbers = new Map<string, string>();
  const text = JSON.stringify(answers).replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    const number = numbers.get(id) ?? `id ${numbers.size + 1}`;
    numbers.set(id, number);
    return number;
  });
  return JSON.parse(text);
}
