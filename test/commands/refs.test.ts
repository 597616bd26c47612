import { afterEach, describe, expect, test } from "vitest";
import { refs } from "../../src/app/files/refs-command.ts";
import type { RefsOptions } from "../../src/app/files/refs-definition.ts";
import { openWorld, type World } from "./world.ts";

const FILES = {
  "config.yaml": `severities:
  - { slug: critical, name: Critical }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }
runbooks:
  - slug: failover
    name: Failover
    conditions:
      - { condition_field: severity, operator: one_of, values: [major] }
      - { condition_field: custom_field, custom_field: region, operator: one_of, values: [EU] }
`,
};

let world: World;
afterEach(() => world.close());

async function asked(address: string, options: Partial<RefsOptions> = {}) {
  return world.run(refs, { paths: ["."], address, ...options });
}

describe("refs", () => {
  test("lists references in the files with their positions, live ones, and incidents", async () => {
    world = await openWorld(FILES);
    const list = (await world.send("GET", "/api/v1/severities")) as { severities: { id: string; slug: string }[] };
    const major = list.severities.find(({ slug }) => slug === "major")?.id;
    await world.send("POST", "/api/v1/incidents", { idempotency_key: "one", name: "One", severity_id: major });
    await world.send("POST", "/api/v1/runbooks", {
      name: "By hand",
      conditions: [{ condition_field: "severity", operator: "one_of", values: ["major"] }],
    });
    const { exit, stdout } = await asked("severities/major");
    expect(exit).toBe(0);
    expect(stdout).toBe(`severities/major (declared and live)

Referenced in the configuration:
  runbooks/failover/conditions/0/values/0  (config.yaml:11:65)

Referenced in the workspace:
  runbooks/by_hand/conditions/0/values/0

Used by 1 incident.
`);
    expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("needs no files: it lists what the workspace has", async () => {
    world = await openWorld({});
    const { exit, stdout, stderr } = await asked("severities/minor");
    expect({ exit, stdout, stderr }).toEqual({
      exit: 0,
      stdout: "severities/minor (live, not in the configuration)\n\nUsed by 0 incidents.\n\nNothing references it.\n",
      stderr: "",
    });
  });

  test("names the referenced option", async () => {
    world = await openWorld(FILES);
    const { stdout } = await asked("custom_fields/region", { format: "json" });
    const { pointers, live } = JSON.parse(stdout);
    expect(live).toBe(false);
    expect(pointers).toMatchObject([
      { address: "runbooks/failover", path: "/conditions/1/custom_field" },
      { address: "runbooks/failover", path: "/conditions/1/values/0", choice: "EU" },
    ]);
  });

  test("reports that nothing refers to it", async () => {
    world = await openWorld(FILES);
    expect((await asked("incident_types/data_issue")).stdout).toContain("Nothing references it.");
    expect((await asked("incident_roles/incident_lead")).stdout).toContain("could not be read: incidents.");
  });

  test("finds the incidents of a type in their pages, and says when there are more", async () => {
    world = await openWorld({ ...FILES, "incidentctl.yaml": "version: 1\nlimits: { max_incidents_read: 100 }\n" });
    const rows = async (path: string, list: string) =>
      ((await world.send("GET", `/api/v1/${path}`)) as Record<string, { id: string; slug: string }[]>)[list] ?? [];
    const [severity] = await rows("severities", "severities");
    const types = await rows("incident_types", "incident_types");
    const outage = types.find(({ slug }) => slug === "service_outage")?.id;
    for (let number = 1; number <= 101; number++) {
      const type = number === 101 ? { incident_type_id: outage } : {};
      await world.send("POST", "/api/v1/incidents", {
        idempotency_key: String(number),
        name: `Incident ${number}`,
        severity_id: severity?.id,
        ...type,
      });
    }
    expect((await asked("incident_types/service_outage")).stdout).toContain("Used by 1 or more incidents.");
    const other = (await asked("incident_types/data_issue")).stdout;
    expect(other).toContain("Not used by the 100 incidents that were read, of more (limits.max_incidents_read).");
    expect(other).not.toContain("Nothing references it.");
    const json = JSON.parse((await asked("incident_types/data_issue", { format: "json" })).stdout);
    expect(json).toMatchObject({ incidents: 0, incidents_read: 100, unread: [] });
    await world.write({ "incidentctl.yaml": "version: 1\n" });
    expect((await asked("incident_types/service_outage")).stdout).toContain("Used by 1 incident.");
    expect((await asked("incident_types/data_issue")).stdout).toContain("Nothing references it.");
  });

  test("an unknown address exits with 1, an invalid one with 64", async () => {
    world = await openWorld(FILES);
    expect((await asked("severities/nobody")).exit).toBe(1);
    expect((await asked("severities/criticl")).stderr).toContain('; did you mean "severities/critical"?');
    expect((await asked("nonsense")).exit).toBe(64);
  });
});
