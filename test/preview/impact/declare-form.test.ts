import { expect, test } from "vitest";
import { readDeclareForm } from "../../../src/preview/impact/declare-form.ts";
import type { Reader } from "../../../src/service/requests/connection.ts";
import type { Observation } from "../../../src/workspace/match/observation.ts";
import { configured } from "../../support/plans/configuration.ts";
import { planned } from "../../support/plans/make-plan.ts";

test("a list that the plan has read is read again only to verify that it is empty", async () => {
  const asks: string[] = [];
  const reader: Reader = {
    host: "http://localhost",
    get: async ({ path, query }) => {
      asks.push([path, ...Object.keys(query ?? {})].join(" "));
      return { status: 200, body: { incident_types: [] } };
    },
  };
  const whole = { scope: "", rows: [] };
  const known: Observation = {
    lists: [
      { ...whole, kind: "severities", rows: [{ id: "1", slug: "major", name: "Major", enabled: true }] },
      { ...whole, kind: "incident_types", open: { pages: false } },
      { ...whole, kind: "custom_fields" },
      { ...whole, kind: "forms", scope: "declare" },
    ],
    unread: [],
  };
  const { before } = await readDeclareForm(reader, configured({}), planned({}, { live: {} }), 4, known);
  expect([...before.severities]).toEqual(["major"]);
  expect(asks).toEqual(["/api/v1/incident_types"]);
});
