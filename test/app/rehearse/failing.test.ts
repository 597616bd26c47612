import { expect, test } from "vitest";
import type { ApplyPlan } from "../../../src/app/rehearse/run.ts";
import { serviceFor } from "../../support/service/test-service.ts";
import { carryOut, rehearsed } from "./stage.ts";

test("an operation that fails on the replica is a finding that names it", async () => {
  const service = serviceFor();
  const refusing: ApplyPlan = async function* (plan, writer, props) {
    const broken = plan.operations.map((operation) => ({ ...operation, body: { ...operation.body, name: 7 } }));
    return yield* carryOut({ ...plan, operations: broken }, writer, props);
  };
  try {
    const document = { incident_types: [{ slug: "other_type", name: "Other type" }] };
    const { rehearsal } = await rehearsed(service, document, { carryOut: refusing });
    expect(rehearsal.findings).toMatchObject([{ subject: "operations", address: "incident_types/other_type" }]);
    expect(rehearsal.looks.find(({ subject }) => subject === "operations")?.held).toBe(false);
  } finally {
    await service.emulator.close();
  }
});
