import { expect, test } from "vitest";
import { withTextIds } from "../../../src/service/requests/response.ts";

test("ids that are numbers become texts, at any depth of a body whose resources have such ids", () => {
  const row = { id: 7, severity_id: 8, team_ids: [9], position: 1, outcome: { notify: { member_id: 10 } } };
  const asText = { id: "7", severity_id: "8", team_ids: ["9"], position: 1, outcome: { notify: { member_id: "10" } } };
  expect(withTextIds({ rules: [row], total: 1 })).toEqual({ rules: [asText], total: 1 });
  expect(withTextIds({ rule: row })).toEqual({ rule: asText });
  expect(withTextIds([row])).toEqual([asText]);
});

test("a body whose resources have texts for ids stays as it is", () => {
  const body = { runbooks: [{ id: "7", steps: [{ arguments: { id: 7, user_id: 8 } }] }] };
  expect(withTextIds(body)).toBe(body);
});
