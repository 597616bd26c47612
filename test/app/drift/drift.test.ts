import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { Acceptance } from "../../../src/plan/drift/acceptance.ts";
import { type DriftDifference, type DriftSides, judgeDrift, withoutAccepted } from "../../../src/plan/drift/drift.ts";
import { exemptAccepted } from "../../../src/plan/drift/exempt-accepted.ts";
import { type Change, fingerprint, type Plan } from "../../../src/plan/model/plan.ts";
import { driftJson } from "../../../src/view/plan/json.ts";
import { driftSchema } from "../../../src/view/plan/schema.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";
import { compiled } from "../../support/schemas/compiled-schema.ts";
import { closed } from "../../support/schemas/plan-schema.ts";

const HOST = "http://127.0.0.1:1";
const TODAY = "2026-06-15";

/** Two fields of one resource differ, a list has another order, one resource is to be created and one to be deleted. */
const document: Fields = {
  severities: [
    { slug: "minor", name: "Minor" },
    { slug: "major", name: "Major", description: "Bad." },
    { slug: "new", name: "New" },
    { slug: "back", name: "Back" },
  ],
  webhooks: [],
  alert_sources: [{ name: "Probe", provider: "http", filter: "on" }],
};
const live: NonNullable<PlanInput["live"]> = {
  severities: [
    { slug: "major", name: "Mayor", description: "Worse.", is_default: false, color: null },
    { slug: "minor", name: "Minor", description: null, is_default: false, color: null },
    { slug: "back", name: "Back", description: null, is_default: false, color: null, enabled: false },
    { slug: "old", name: "Old", description: null, is_default: false, color: null },
  ],
  webhooks: [{ name: "chat", url: "https://chat.example.com", subscribed_events: [] }],
};

// An incident holds it, so that it is disabled.
const given: PlanInput = { live, held: { "severity-old": 1 } };
const plan = planned(document, given);
const held = ({ address }: Pick<Change, "address">): Fields | undefined =>
  address === "webhooks/chat" ? { url: "https://chat.example.com", hidden: 1 } : undefined;
/** Sides in which a file can hold all live fields, and in which these resources are declared. */
const sidesWith = (live: (change: Change) => Fields | undefined): DriftSides => ({
  live: (change) => {
    const fields = live(change);
    return fields === undefined ? undefined : { all: fields, declarable: fields };
  },
  inOneOrder: (_change, _field, value) => value,
  isDeclared: (address) => !["webhooks/chat", "severities/old"].includes(address),
  inversions: () => ["severities/major"],
  order: () => ["severities/minor", "severities/major"],
});
const judged = (accepted: readonly Acceptance[] = [], of: Plan = plan, today = TODAY) =>
  judgeDrift(of, sidesWith(held), accepted, today);
const places = (list: readonly { readonly address: string; readonly path: string }[]) =>
  list.map(({ address, path }) => `${address}${path}`);

/** The acceptance of the difference at a place. */
function accepted(at: string, more: Partial<Acceptance> = {}): Acceptance {
  const found = judged().new.find(({ address, path }) => `${address}${path}` === at);
  if (found === undefined) throw new Error(`nothing differs at ${at}`);
  const { address, path, fingerprint: told } = found;
  return { host: HOST, address, path, fingerprint: told, until: "2026-12-31", because: "for now", ...more };
}

describe("a difference", () => {
  test("is a field, or a whole resource that is missing, not declared, or only moved", () => {
    const { new: found, known, expired, resolved } = judged();
    expect(found.map(({ action, address, path }) => `${action} ${address}${path}`).sort()).toEqual([
      "create alert_sources/Probe",
      "create severities/new",
      "delete webhooks/chat",
      "disable severities/old",
      "enable severities/back/enabled",
      "move severities/minor/position",
      "update severities/major/description",
      "update severities/major/name",
    ]);
    expect([known, expired, resolved]).toEqual([[], [], []]);
  });

  test("has a fingerprint of the service, the place and both sides, and all of them have one together", () => {
    const { new: found, fingerprint: all } = judged();
    const of = (at: string) => found.find(({ address, path }) => `${address}${path}` === at)?.fingerprint;
    const host = HOST;
    expect(of("severities/major/name")).toBe(
      fingerprint({ host, address: "severities/major", path: "/name", before: "Mayor", after: "Major" }),
    );
    const fields = [
      ["/slug", null, "new"],
      ["/name", null, "New"],
    ];
    expect(of("severities/new")).toBe(
      fingerprint({ host, address: "severities/new", action: "create", fields, held: null }),
    );
    expect(all).toBe(fingerprint(found.map((one) => one.fingerprint).sort()));
    expect(judged([], planned({ webhooks: [] })).fingerprint).toBeNull();
  });

  test("of an undeclared resource includes all its fields", () => {
    const at = ({ new: found }: { readonly new: readonly DriftDifference[] }) =>
      found.find(({ address }) => address === "webhooks/chat")?.fingerprint;
    expect(at(judged())).not.toBe(
      at(
        judgeDrift(
          plan,
          sidesWith(() => ({ url: "https://chat.example.com" })),
          [],
          TODAY,
        ),
      ),
    );
    expect(at(judged())).toBe(
      at(
        judgeDrift(
          plan,
          sidesWith(() => ({ hidden: 1, url: "https://chat.example.com" })),
          [],
          TODAY,
        ),
      ),
    );
  });

  test("of a missing resource does not include its position", () => {
    const made = (position: number): Plan => ({
      ...plan,
      changes: plan.changes
        .filter(({ address }) => address === "severities/new")
        .map((change) => ({
          ...change,
          fields: [...change.fields, { path: "/position", before: null, after: position }],
        })),
    });
    expect(judged([], made(1))).toEqual(judged([], made(2)));
  });
});

describe("the JSON of a drift", () => {
  const validate = compiled(closed(driftSchema()));

  test.each([
    ["nothing accepted", judged()],
    [
      "known, expired, changed and resolved differences",
      judged([
        accepted("severities/major/name"),
        accepted("severities/new", { until: "2026-06-14" }),
        accepted("webhooks/chat", { fingerprint: "0123456789abcdef" }),
        accepted("severities/back/enabled", { path: "/color" }),
      ]),
    ],
  ])("with %s holds what its schema describes, and nothing else", (_what, found) => {
    expect(validate(JSON.parse(driftJson(plan, found))), JSON.stringify(validate.errors?.[0])).toBe(true);
  });
});

describe("an accepted difference", () => {
  test("is known until its last day, and expired on the next", () => {
    const one = accepted("severities/major/name", { until: TODAY });
    const known = judged([one]);
    expect(places(known.known)).toEqual(["severities/major/name"]);
    expect(known.known[0]?.accepted).toEqual({ until: TODAY, because: "for now" });
    expect(known.expired).toEqual([]);
    expect(known.new.length).toBe(7);
    expect(known.fingerprint).toBe(fingerprint(known.new.map((left) => left.fingerprint).sort()));
    const late = judged([one], plan, "2026-06-16");
    expect(places(late.expired)).toEqual(["severities/major/name"]);
    expect(late.expired[0]?.accepted).toEqual({ until: TODAY, because: "for now" });
    expect([late.known, late.new.length]).toEqual([[], 7]);
    expect(late.fingerprint).toBe(judged().fingerprint);
  });

  test("is ending in its last seven days, and a plan warns of that", () => {
    for (const [until, isEnding] of [
      [TODAY, true],
      ["2026-06-22", true],
      ["2026-06-23", false],
    ] as const) {
      const valid = [accepted("severities/major/name", { until })];
      const found = judged(valid);
      expect(found.known.map(({ ending }) => ending)).toEqual([isEnding ? true : undefined]);
      const { warnings } = exemptAccepted(plan, found, valid);
      expect(warnings.map(({ message }) => message)).toEqual(
        isEnding
          ? [expect.stringContaining(`severities/major name is accepted until ${until}; from the next day on`)]
          : [],
      );
    }
  });

  test("is new again when either side has changed, with its acceptance", () => {
    const found = judged([accepted("severities/major/name", { fingerprint: "0123456789abcdef" })]);
    expect(found.known).toEqual([]);
    expect(found.new.find(({ path }) => path === "/name")?.accepted).toEqual({
      until: "2026-12-31",
      because: "for now",
    });
    expect(found.new.find(({ path }) => path === "/description")).not.toHaveProperty("accepted");
  });

  test("counts only at its own place", () => {
    const other = accepted("severities/major/name", { path: "/description" });
    expect(judged([other]).known).toEqual([]);
    expect(places(judged([accepted("severities/new"), accepted("webhooks/chat")]).known).sort()).toEqual([
      "severities/new",
      "webhooks/chat",
    ]);
  });

  test("for another service neither counts nor is resolved", () => {
    const elsewhere = accepted("severities/major/name", { host: "https://other.example.com" });
    const gone = { ...elsewhere, address: "severities/old" };
    expect(judged([elsewhere, gone])).toEqual(judged());
  });

  test("is resolved when it no longer differs, in a full comparison", () => {
    const gone = accepted("severities/major/name", { address: "severities/old" });
    expect(judged([gone, accepted("severities/new")]).resolved).toEqual([gone]);
    const part: Plan = {
      ...plan,
      partial: ["--target"],
    };
    expect(judged([gone], part).resolved).toEqual([]);
  });

  test("is never secret", () => {
    const secret = planned(
      { webhooks: [{ name: "chat", url: "https://chat.example.com/secret", subscribed_events: [] }] },
      { live, secrets: { "webhooks/chat": ["/url"] } },
    );
    const [found] = judged([], secret).new;
    expect(found).toMatchObject({ address: "webhooks/chat", path: "/url", secret: true });
    const one = { ...accepted("webhooks/chat"), path: "/url", fingerprint: found?.fingerprint ?? "" };
    expect(judged([one], secret).known).toEqual([]);
    expect(places(judged([one], secret).new)).toEqual(["webhooks/chat/url"]);
    expect(judged().new.every((difference) => !("secret" in difference))).toBe(true);
  });
});

describe("the plan without accepted differences", () => {
  const left = (...at: readonly string[]) => withoutAccepted(plan, judged(at.map((place) => accepted(place))));

  test("is the plan itself if nothing is known", () => {
    expect(left()).toEqual(plan);
  });

  test("has no known fields and resources, and counts the rest", () => {
    const { changes, summary, operations } = left("severities/major/name", "severities/new");
    const major = changes.find(({ address }) => address === "severities/major");
    expect(major?.fields.map(({ path }) => path)).toEqual(["/description"]);
    expect(changes.map(({ address }) => address)).not.toContain("severities/new");
    expect(summary).toEqual({ ...plan.summary, create: plan.summary.create - 1 });
    expect(operations).toBe(plan.operations);
  });

  test("has no resource of which every field is known", () => {
    const { changes, summary } = left("severities/major/name", "severities/major/description");
    expect(changes.map(({ address }) => address)).not.toContain("severities/major");
    expect(changes.length).toBe(plan.changes.length - 1);
    expect(summary.update).toBe(0);
    expect(plan.summary.update).toBe(1);
  });

  test("does nothing where everything is known", () => {
    const all = places(judged().new);
    const { changes, summary, operations } = left(...all);
    expect([changes, operations]).toEqual([[], []]);
    expect(summary).toMatchObject({ create: 0, update: 0, move: 0, enable: 0, disable: 0, delete: 0 });
  });

  test.each([
    ["severities/new", "create"],
    ["severities/back/enabled", "enable"],
    ["severities/minor/position", "move"],
    ["severities/old", "disable"],
    ["webhooks/chat", "delete"],
  ] as const)("counts one less where %s is known", (place, action) => {
    expect(plan.summary).toMatchObject({ create: 2, update: 1, move: 1, enable: 1, disable: 1, delete: 1 });
    expect(left(place).summary).toEqual({ ...plan.summary, [action]: plan.summary[action] - 1 });
  });
});
