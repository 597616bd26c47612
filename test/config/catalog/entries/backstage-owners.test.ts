/** Owners as files of Backstage name them, with the preset of `init --catalog backstage`. */

import { expect, test } from "vitest";
import { catalogText } from "../../../../src/app/init/starter-files.ts";
import { loaded } from "../../loading.ts";

const GROUPS = `kind: Group
metadata: { name: payments, title: Team Payments }
---
kind: Group
metadata: { name: mobile, namespace: emea }
---
kind: Group
metadata: { name: data, namespace: default }
`;

test.each([
  ["default", "payments", "payments"],
  ["default", "Team Payments", "payments"],
  ["default", "group:payments", "payments"],
  ["default", "Group:default/Payments", "payments"],
  ["default", "default/data", "data"],
  ["default", "data", "data"],
  ["default", "emea/mobile", "mobile"],
  ["default", "group:emea/mobile", "mobile"],
  ["emea", "mobile", "mobile"],
  ["emea", "group:mobile", "mobile"],
  ["emea", "default/payments", "payments"],
  ["emea", "group:default/payments", "payments"],
  [undefined, "payments", "payments"],
  [undefined, "Payments", "payments"],
  [undefined, "emea/mobile", "mobile"],
  // The same name in another namespace is another group.
  ["emea", "payments", "emea_payments"],
  [undefined, "group:emea/payments", "group_emea_payments"],
  ["emea", undefined, null],
  [undefined, undefined, null],
])("A component of the namespace %s with the owner %s has %s", async (namespace, owner, team) => {
  const component = { kind: "Component", metadata: { name: "web", namespace }, spec: { type: "service", owner } };
  const { declared } = await loaded({
    "config.yaml": catalogText("backstage"),
    "groups/catalog-info.yaml": GROUPS,
    "web/catalog-info.yaml": JSON.stringify(component),
  });
  const service = declared.find(({ key, scope }) => scope === "service" && key === "web");
  expect(service?.fields.attributes).toMatchObject({ owner_team: team });
});
