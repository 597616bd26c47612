import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { canonical, type Fields, type Json } from "../../../src/core/json.ts";
import { planHash } from "../../../src/plan/checks/seal.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

const levels: readonly Fields[] = [
  { id: "s1", slug: "critical", name: "Critical", color: "#f00" },
  { id: "s2", slug: "major", name: "Major", last_used: "yesterday" },
];
const document = { severities: [{ slug: "critical", name: "Very critical" }, { slug: "major" }] };
const spare: Fields = { slug: "spare", enabled: false };
const given: PlanInput = { live: { severities: [...levels, spare] } };
const seal = (wanted: Fields, more: PlanInput) => planned(wanted, more).seal;

describe("the seal of a plan", () => {
  test("is valid for its plan, and after saving", () => {
    const plan = planned(document, given);
    expect(planHash(plan)).toBe(plan.seal.hash);
    expect(planHash(JSON.parse(JSON.stringify(plan)))).toBe(plan.seal.hash);
    expect(plan.seal.created_at).toBe("1970-01-01T00:00:00.000Z");
  });

  test("is the same in any order of its digests, and as data", () => {
    const [one, other] = [planned(document, given).seal, planned(document, given).seal];
    const backwards = { hash: one.hash, live: one.live };
    expect({ live: other.live, hash: other.hash }).toEqual(backwards);
    expect(JSON.parse(JSON.stringify(planned(document, given).seal))).toEqual({ ...one });
  });

  test("covers the canonical text of the whole plan, built in parts", () => {
    const renamed = [document.severities[0] ?? {}, { slug: "major", name: "Minor" }];
    const { seal: own, ...rest } = planned({ severities: renamed }, given);
    const whole = JSON.parse(JSON.stringify({ ...rest, configuration: own.configuration, live: own.live })) as Json;
    expect(own.hash).toBe(createHash("sha256").update(canonical(whole)).digest("hex"));
    const { target, changes: made, operations } = rest;
    const held = { host: target.host, partial: [], configuration: own.configuration, changes: made, operations };
    const text = canonical(JSON.parse(JSON.stringify(held)) as Json);
    expect(own.fingerprint).toBe(createHash("sha256").update(text).digest("hex").slice(0, 32));
  });

  test("is invalid if any value of the plan changes", () => {
    const plan = planned(document, given);
    const { seal: own, ...rest } = JSON.parse(JSON.stringify(plan)) as typeof plan;
    for (const changed of changes(rest as unknown as Json)) {
      expect(planHash({ ...(changed as unknown as typeof rest), seal: own }), JSON.stringify(changed)).not.toBe(
        own.hash,
      );
    }
    expect(planHash({ ...plan, seal: { ...own, live: "another" } })).not.toBe(own.hash);
    expect(planHash({ ...plan, seal: { ...own, configuration: "another" } })).not.toBe(own.hash);
    expect(planHash({ ...plan, seal: { ...own, variables: ["ANOTHER"] } })).not.toBe(own.hash);
  });

  test("has a fingerprint of the files, changes and requests, and of nothing else", () => {
    const fingerprint = (wanted: Fields, more: PlanInput) => seal(wanted, more).fingerprint;
    const own = fingerprint(document, given);
    expect(own).toMatch(/^[0-9a-f]{32}$/);
    const [critical = {}, major = {}] = levels;
    const lives = [
      { severities: [critical, { ...major, name: "Renamed by hand" }, spare] },
      { severities: [...levels, spare], webhooks: [{ name: "chat" }] },
    ];
    for (const live of lives) expect(fingerprint(document, { live })).toBe(own);
    expect(fingerprint(document, { live: { severities: [{ ...critical, id: "s9" }, major, spare] } })).not.toBe(own);
    expect(fingerprint(document, { live: { severities: [{ ...critical, name: "Bad" }, major, spare] } })).not.toBe(own);
    const [entry] = document.severities;
    expect(fingerprint({ severities: [{ ...entry, name: "Worse" }, { slug: "major" }] }, given)).not.toBe(own);
  });

  test("differs for other files", () => {
    const other = {
      severities: [
        { slug: "critical", name: "Very critical" },
        { slug: "major", name: "Major" },
      ],
    };
    expect(seal(other, given).configuration).not.toBe(seal(document, given).configuration);
  });

  test.each([
    ["another name", { severities: [{ ...levels[0], name: "Burning" }, levels[1] ?? {}] }],
    ["another place", { severities: [...levels].reverse() }],
    ["another id", { severities: [{ ...levels[0], id: "s9" }, levels[1] ?? {}] }],
    ["a switch turned", { severities: [{ ...levels[0], enabled: false }, levels[1] ?? {}] }],
    ["an entry more", { severities: [...levels, { slug: "new", name: "New" }] }],
    ["an entry less", { severities: levels.slice(0, 2) }],
    ["an entry of another kind", { severities: levels, webhooks: [{ name: "chat" }] }],
  ] as const)("is another one for another workspace: %s", (_what, live) => {
    expect(seal(document, { live }).live).not.toBe(seal(document, given).live);
  });

  test("differs if more incidents use a resource", () => {
    expect(seal(document, { ...given, held: { s1: 1 } }).live).not.toBe(seal(document, given).live);
    expect(seal(document, { ...given, uncounted: ["s1"] }).live).not.toBe(seal(document, given).live);
  });

  test("is the same if only irrelevant values change", () => {
    const used = { severities: [levels[0] ?? {}, { ...levels[1], last_used: "today" }, spare] };
    expect(seal(document, { live: used })).toEqual(seal(document, given));
  });

  test("and the whole plan are the same for any order of a set", () => {
    const turned = (list: readonly string[], other: readonly string[]): PlanInput => ({
      live: {
        api_keys: [{ name: "bot", prefix: "ff_111111111", permissions: { incidents: list, runbooks: other } }],
        webhooks: [{ id: "w1", name: "chat", url: "https://a.example.com", subscribed_events: other }],
      },
    });
    const wanted = { api_keys: [{ name: "bot", active: false }], webhooks: [] };
    const plan = planned(wanted, turned(["read", "create", "update"], ["read", "update"]));
    expect(plan.operations).toHaveLength(2);
    expect(planned(wanted, turned(["update", "read", "create"], ["update", "read"]))).toEqual(plan);
    expect(planned(wanted, turned(["update", "read"], ["update", "read"]))).not.toEqual(plan);
  });

  test("is the same for any order of object keys and lists", () => {
    const told = (notes: Fields): PlanInput => ({ live: { severities: [{ slug: "critical", notes }] } });
    const of = (notes: Fields) => seal({ severities: [{ slug: "critical", notes: null }] }, told(notes)).live;
    const one = of({ incidents: ["read", "update"], runbooks: ["read"] });
    expect(of({ runbooks: ["read"], incidents: ["read", "update"] })).toBe(one);
    expect(of({ runbooks: ["read"], incidents: ["update", "read"] })).toBe(one);
    expect(of({ incidents: ["read"], runbooks: ["read", "update"] })).not.toBe(one);
    expect(of({ b: "1", a: "2" })).toBe(of({ a: "2", b: "1" }));
    expect(of({ b: "1", a: "2" })).not.toBe(of({ a: "1", b: "2" }));
    expect(of({ a: [{ y: 1, x: 2 }, "b"] })).toBe(of({ a: [{ x: 2, y: 1 }, "b"] }));
    expect(of({ a: [{ y: 1 }, { x: 2 }] })).not.toBe(of({ a: [{ x: 2 }, { y: 1 }] }));
  });

  test("differs if a declared field changes that the kind does not know", () => {
    const keys = (last_used: string): PlanInput => ({ live: { severities: [{ slug: "critical", last_used }] } });
    const stated = { severities: [{ slug: "critical", extra: { last_used: "now" } }] };
    expect(seal(stated, keys("today")).live).not.toBe(seal(stated, keys("yesterday")).live);
  });
});

describe("the identity of a workspace", () => {
  const identity = (more: PlanInput) => planned({ webhooks: [] }, more).target.workspace;

  test("is the ids of the resources that incidents use, in any order", () => {
    const live = (...ids: readonly string[]) => ({
      live: { severities: ids.map((id) => ({ id, slug: id })), statuses: [{ id: "t1", slug: "open" }] },
    });
    expect(identity(live("a", "b"))).toMatch(/^[0-9a-f]{16}$/);
    expect(identity(live("b", "a"))).toBe(identity(live("a", "b")));
    expect(identity(live("a", "c"))).not.toBe(identity(live("a", "b")));
  });

  test("is unknown if one of them was not read", () => {
    expect(identity({ unread: ["statuses"] })).toBeNull();
  });
});

/** The value with each of its texts, numbers and switches changed in turn, and each list cut. */
function changes(value: Json): readonly Json[] {
  if (typeof value === "string") return [`${value}x`];
  if (typeof value === "number") return [value + 1];
  if (typeof value === "boolean") return [!value];
  if (value === null) return ["x"];
  if (Array.isArray(value)) {
    const cut = value.length > 0 ? [value.slice(1)] : [];
    return [...cut, ...value.flatMap((item, index) => changes(item).map((one) => value.with(index, one)))];
  }
  return Object.entries(value).flatMap(([name, member]) => changes(member).map((one) => ({ ...value, [name]: one })));
}
