import { describe, expect, it } from "vitest";
import type { Endpoint, Kind } from "../../../src/kinds/model/kind.ts";
import { connect } from "../../../src/service/http/client.ts";
import { CannotRead, IncompleteList } from "../../../src/service/lists/cannot-read.ts";
import { ServiceError } from "../../../src/service/requests/service-error.ts";
import { UnexpectedResponse } from "../../../src/service/requests/unexpected-response.ts";
import { countIncidents } from "../../../src/workspace/read/incidents.ts";
import { observe, type ReadTarget } from "../../../src/workspace/read/observe.ts";
import { paged, refusal, serviceOf } from "../../service/service.ts";

/** A kind of which only what reading needs is said. */
function kindOf(name: string, path: string, facts: Partial<Kind> = {}, endpoint: Partial<Endpoint> = {}): Kind {
  return {
    name,
    title: "x",
    module: "x",
    identity: { keys: ["slug"], idFields: ["slug"] },
    lifecycle: {},
    ...facts,
    endpoint: {
      list: { path },
      member: { path: `/${name}/{id}` },
      envelope: { list: name, item: "item" },
      ...endpoint,
    },
  };
}

const levels = kindOf("levels", "/levels", { lifecycle: { disable: "enabled" } });
const sources = kindOf("sources", "/sources", { identity: { keys: ["name"], idFields: ["slug"] } });
const rules = kindOf(
  "rules",
  "/rules",
  {
    identity: { keys: [], idFields: ["priority"] },
    scopes: { patterns: ["/workspace", "/sources/*"], kind: "sources" },
  },
  {
    list: { path: "/rules", query: { source: "{scope}" } },
    member: { path: "/rules/{id}", query: { source: "{scope}" } },
  },
);
const forms = kindOf(
  "forms",
  "/forms/{scope}",
  { scopes: { patterns: ["/*"], names: ["declare", "resolve"] } },
  { member: { path: "/forms/{scope}" }, envelope: { list: "fields", item: "item" }, keyInBody: true },
);
const books = kindOf("books", "/books", {}, { detail: true });
const types = kindOf("types", "/types");
const entries = kindOf(
  "entries",
  "/types/{scope}/entries",
  { identity: { keys: ["slug"], idFields: ["id"] }, parent: { kind: "types", field: "entries" } },
  { paginated: true },
);
const robots = kindOf("robots", "/robots", { fields: { slug: { wireNames: ["handle", "slug"] } } }, { admin: true });
const grants = kindOf(
  "grants",
  "/grants",
  { parent: { kind: "robots", field: "grants" } },
  { list: { path: "/grants", query: { principal_id: "{parent}" } }, admin: true },
);
const all = [levels, types, entries, forms, books, sources, rules, robots, grants];

function every(...names: readonly string[]): readonly ReadTarget[] {
  return names.map((kind) => ({ kind, every: true }));
}

const parallelism = 4;

describe("observing", () => {
  it("reads a list with its disabled resources", async () => {
    const rows = [
      { slug: "major", enabled: false },
      { slug: "minor", enabled: true },
    ];
    const { reader, asked } = serviceOf({ "/levels": { levels: rows } });
    const { lists: collections } = await observe(reader, all, [{ kind: "levels", scope: "" }], {
      parallelism,
    });
    expect(collections).toEqual([{ kind: "levels", scope: "", rows }]);
    expect(asked).toEqual(["/levels?include_disabled=true"]);
  });

  it.each([[[]], [[{ slug: "major", enabled: false }]]])(
    "looks again where no entry is enabled, and never believes that there is none where there is one: %j",
    async (disabled) => {
      let enabled: { slug: string; enabled: boolean }[] = [];
      const { reader, asked } = serviceOf({
        "/levels": (query) => ({ levels: query.has("include_disabled") ? disabled : enabled }),
      });
      const read = () => observe(reader, all, [{ kind: "levels", scope: "" }], { parallelism });
      expect((await read()).lists).toEqual([{ kind: "levels", scope: "", rows: disabled }]);
      expect(asked).toEqual(["/levels?include_disabled=true", "/levels"]);
      enabled = [{ slug: "minor", enabled: true }];
      await expect(read()).rejects.toThrow("it omits the enabled resources");
    },
  );

  it("reads each collection once, however often it is wanted, and in the order of the registry", async () => {
    const { reader, asked } = serviceOf({
      "/levels": { levels: [] },
      "/books": { books: [] },
      "/types": { types: [] },
    });
    const wanted: readonly ReadTarget[] = [
      ...every("books", "levels"),
      { kind: "levels", scope: "" },
      ...every("types", "entries"),
    ];
    const { lists: collections } = await observe(reader, all, wanted, { parallelism });
    expect(collections.map(({ kind }) => kind)).toEqual(["levels", "types", "books"]);
    // The empty one, which could be without its enabled entries only, is looked at in the other way too.
    expect(asked).toHaveLength(3 + 1);
    expect(new Set(asked).size).toBe(4);
  });

  it("reads the fixed scopes of a kind", async () => {
    const { reader, asked } = serviceOf({
      "/forms/declare": {
        fields: [
          { slug: "severity", source: "system" },
          { slug: "severity", source: "custom" },
        ],
      },
      "/forms/resolve": { form: "resolve", fields: [] },
    });
    const { lists: collections } = await observe(reader, all, every("forms"), { parallelism });
    expect(collections.map(({ scope, rows }) => [scope, rows.length])).toEqual([
      ["declare", 2],
      ["resolve", 0],
    ]);
    expect(asked).toEqual(["/forms/declare", "/forms/resolve"]);
  });

  it("reads the list of the workspace and of each live resource that is a scope", async () => {
    const { reader, asked } = serviceOf({
      "/sources": {
        sources: [
          { id: "1", name: "Data dog" },
          { id: "2", name: "Grafana" },
        ],
      },
      "/rules": (query) => ({ rules: [{ id: `r ${query.get("source")}`, priority: 1 }] }),
    });
    const { lists: collections } = await observe(reader, all, every("rules"), { parallelism });
    expect(collections.map(({ kind, scope }) => `${kind} ${scope}`)).toEqual([
      "sources ",
      "rules ",
      "rules Data dog",
      "rules Grafana",
    ]);
    expect(asked).toEqual(["/sources", "/rules", "/rules?source=Data+dog", "/rules?source=Grafana"]);
  });

  it("reads no parents for a scope that needs none", async () => {
    const { reader, asked } = serviceOf({ "/rules": { rules: [] } });
    await observe(reader, all, [{ kind: "rules", scope: "" }], { parallelism });
    expect(asked).toEqual(["/rules"]);
  });

  it("takes a scope whose parent does not exist as empty, without asking for it", async () => {
    const { reader, asked } = serviceOf({
      "/sources": { sources: [] },
      "/types": { types: [{ id: "1", slug: "team" }] },
    });
    const wanted = [
      { kind: "rules", scope: "Datadog" },
      { kind: "entries", scope: "service" },
    ];
    const { lists: collections } = await observe(reader, all, wanted, { parallelism });
    expect(collections.filter(({ kind }) => kind === "rules" || kind === "entries")).toEqual([
      { kind: "entries", scope: "service", rows: [] },
      { kind: "rules", scope: "Datadog", rows: [] },
    ]);
    expect(asked.sort()).toEqual(["/sources", "/types"]);
  });

  it("reads nested resources page by page, by the parent's key and id", async () => {
    const many = Array.from({ length: 130 }, (_, index) => ({ id: `e${index}` }));
    const { reader, asked } = serviceOf({
      "/types": { types: [{ id: "1", slug: "team" }] },
      "/types/team/entries": (query) => paged("entries", many, query),
      "/robots": { robots: [{ id: "b1", handle: "responder", slug: "x" }] },
      "/grants": { grants: [{ id: "g1" }] },
    });
    const { lists: collections } = await observe(reader, all, every("entries", "grants"), { parallelism });
    expect(collections.map(({ kind, scope, rows }) => [kind, scope, rows.length])).toEqual([
      ["types", "", 1],
      ["entries", "team", 130],
      ["robots", "", 1],
      ["grants", "responder", 1],
    ]);
    expect(asked).toContain("/robots as admin");
    expect(asked).toContain("/grants?principal_id=b1 as admin");
    expect(asked).toContain("/types/team/entries?page=2&per_page=100");
  });

  it("does not read all grants for a robot that has no id", async () => {
    const { reader, asked } = serviceOf({
      "/robots": { robots: [{ handle: "responder" }] },
      "/grants": { grants: [] },
    });
    await expect(observe(reader, all, every("grants"), { parallelism })).rejects.toThrow(
      "no value for the placeholder {parent}",
    );
    expect(asked).toEqual(["/robots as admin"]);
  });

  it("reads the selected resources singly, if the kind allows it", async () => {
    const { reader, asked } = serviceOf({
      "/levels": { levels: [{ slug: "major" }] },
      "/books": { books: [{ slug: "a", summary: "A" }, { slug: "b" }] },
      "/books/a": { item: { slug: "a", content: "Read me" } },
    });
    const { lists: collections } = await observe(reader, all, every("levels", "books"), {
      parallelism,
      detail: (_kind, row) => row.slug !== "b",
    });
    expect(collections[1]?.rows).toEqual([{ slug: "a", summary: "A", content: "Read me" }, { slug: "b" }]);
    expect(asked.filter((path) => path.startsWith("/books/"))).toEqual(["/books/a"]);
  });

  it.each([404, 405])("takes the list's word where a member's own GET is answered with %i", async (status) => {
    const { reader } = serviceOf({
      "/books": { books: [{ slug: "a", summary: "A" }] },
      "/books/a": refusal(status, "no"),
    });
    const { lists: collections } = await observe(reader, all, every("books"), { parallelism, detail: () => true });
    expect(collections[0]?.rows).toEqual([{ slug: "a", summary: "A" }]);
  });

  it("reads no single resource unless it is selected", async () => {
    const { reader, asked } = serviceOf({ "/books": { books: [{ slug: "a" }] } });
    await observe(reader, all, every("books"), { parallelism });
    expect(asked).toEqual(["/books"]);
  });

  it("adds to earlier readings without repeating them", async () => {
    const { reader, asked } = serviceOf({ "/sources": { sources: [{ id: "1", name: "A" }] }, "/rules": { rules: [] } });
    const first = await observe(reader, all, every("sources"), { parallelism });
    const second = await observe(reader, all, every("sources", "rules"), { parallelism, earlier: first });
    expect(second.lists.map(({ kind, scope }) => `${kind} ${scope}`)).toEqual(["sources ", "rules ", "rules A"]);
    expect(asked).toEqual(["/sources", "/rules", "/rules?source=A"]);
  });

  it("knows only the kinds that it is given", async () => {
    const { reader } = serviceOf({});
    await expect(observe(reader, all, every("unheard"), { parallelism })).rejects.toThrow('there is no kind "unheard"');
  });

  it("has no more requests in flight than it may", async () => {
    let inFlight = 0;
    let most = 0;
    const reader = connect({
      baseUrl: "https://incidents.example.com",
      token: undefined,
      requestsPerMinute: 900,
      timeoutSeconds: 5,
      fetch: async (input) => {
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inFlight--;
        const { pathname, searchParams } = new URL(input);
        const rows = pathname.endsWith("types")
          ? [{ id: "1", slug: "team" }]
          : Array.from({ length: 950 }, (_, id) => ({ id }));
        const body = pathname.endsWith("types") ? { types: rows } : paged("entries", rows, searchParams);
        return Response.json(body);
      },
    });
    await observe(reader, all, every("entries"), { parallelism: 3 });
    expect(most).toBe(3);
  });
});

describe("a list that cannot be read", () => {
  it.each([401, 403, 404])(
    "is an error with status %i that names the kind, found out by one request",
    async (status) => {
      const { reader, asked } = serviceOf({ "/levels": refusal(status, "No."), "/books": { books: [] } });
      const error = await observe(reader, all, every("levels", "books", "types"), { parallelism }).catch(
        (reason) => reason,
      );
      expect(error).toBeInstanceOf(CannotRead);
      expect(error).toMatchObject({ kind: "levels", scope: "", refusal: { status } });
      const help = status === 401 ? "; set INCIDENTCTL_TOKEN to a token of this service" : "";
      expect(error.message).toBe(`levels cannot be read: ${status} No. (request 6f1c)${help}`);
      expect(asked).toHaveLength(1);
    },
  );

  it("names the variable that helps with the administrator's kinds", async () => {
    const { reader } = serviceOf({ "/robots": refusal(403, "No.") });
    await expect(observe(reader, all, every("robots"), { parallelism })).rejects.toThrow(
      "set INCIDENTCTL_ADMIN_TOKEN to",
    );
  });

  it("names no request id if the service gives none", async () => {
    const { reader } = serviceOf({ "/levels": new Response("<html>", { status: 404 }) });
    await expect(observe(reader, all, every("levels"), { parallelism })).rejects.toThrow(
      /^levels cannot be read: 404 no error object, but .*<html>$/,
    );
  });

  it("names the scope", async () => {
    const { reader } = serviceOf({ "/types": { types: [{ id: "1", slug: "team" }] } });
    await expect(observe(reader, all, every("entries"), { parallelism })).rejects.toThrow(
      'entries of "team" cannot be read: 404',
    );
  });

  it("may also be refused for another reason, malformed or incomplete", async () => {
    const { reader } = serviceOf({
      "/levels": refusal(422, "No."),
      "/books": { data: [] },
      "/types": { types: [{ id: "1" }, { id: "1" }] },
    });
    await expect(observe(reader, all, every("levels"), { parallelism })).rejects.toThrow(ServiceError);
    await expect(observe(reader, all, every("books"), { parallelism })).rejects.toThrow(UnexpectedResponse);
    await expect(observe(reader, all, every("types"), { parallelism })).rejects.toThrow(IncompleteList);
  });
});

describe("counting the incidents that use a resource", () => {
  it("reads the total of the incident list", async () => {
    const { reader, asked } = serviceOf({ "/incidents": { incidents: [{}], pagination: { per_page: 1, total: 42 } } });
    expect(await countIncidents(reader, "severity_id", "s 1")).toBe(42);
    expect(asked).toEqual(["/incidents?severity_id=s+1&per_page=1"]);
  });

  it("never takes a missing total for none", async () => {
    const { reader } = serviceOf({ "/incidents": { incidents: [] } });
    await expect(countIncidents(reader, "severity_id", "s1")).rejects.toThrow(UnexpectedResponse);
  });
});
