import { afterEach, beforeEach, expect, test } from "vitest";
import { allModules } from "../../../src/emulator/modules/all-modules.ts";
import { resourceModule } from "../../../src/emulator/resource/resource.ts";
import { tableOf } from "../../../src/emulator/resource/schemas.ts";
import { renderDocument } from "../../../src/emulator/web/markup.ts";
import type { PageContext } from "../../../src/emulator/web/page.ts";
import { configurationPages, pageResources, resourcesOf } from "../../../src/emulator/web/pages/configuration.tsx";
import { send } from "../client.ts";
import { openWebSite, signIn, type WebSite } from "./web-site.ts";

let site: WebSite;
beforeEach(async () => {
  site = await openWebSite();
});
afterEach(() => site.close());

const fields = {
  id: { value: { type: "string", format: "uuid" } },
  name: { value: { type: "string" }, input: "The name.", required: true },
  slug: { value: { type: "string" } },
  description: { value: { type: ["string", "null"] }, input: "Free text." },
  enabled: { value: { type: "boolean" }, initial: true },
  steps: { value: { type: "array", items: { type: "object" } }, initial: [] },
  secret: { value: { type: "string" }, hidden: true },
} as const;

const table = tableOf("duty_rotas", fields);

/** A resource that the service does not have. */
const dutyRotas = resourceModule({
  title: "DutyRota",
  path: "duty_rotas",
  ability: "handbook",
  fields,
  table,
  address: "slug",
  order: "name",
  summaries: { list: "Lists the rotas." },
});

/** The text of a page, with its markup. */
async function pageOf(path: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  const { emulator } = site;
  const { control } = emulator;
  if (control === undefined) throw new Error("the emulator has no control surface");
  const pages = configurationPages(resourcesOf([...allModules, dutyRotas]));
  const context: PageContext = {
    emulator,
    control,
    database: control.service.database,
    isWritable: true,
    path,
    query: new URLSearchParams(),
    form: new URLSearchParams(),
    formToken: "",
    param: (name) => parameters[name] ?? "",
  };
  const result = await pages.find((page) => page.path === path)?.view(context);
  if (result === undefined || "goTo" in result) throw new Error(`${path} has no content`);
  return renderDocument(result.body);
}

test("a new resource is on the pages without a line about it: its rows, and the properties of each but secret ones", async () => {
  const database = site.emulator.control?.service.database;
  database?.run(table.create);
  const rota = { description: "Answers at night", enabled: false, steps: [{ title: "Wake up" }], secret: "hidden" };
  database?.insert(table, { ...rota, id: "r2", name: "Payments", slug: "payments" });
  database?.insert(table, { ...rota, id: "r1", name: "Checkout", slug: "checkout" });
  const list = await pageOf("/configuration/:resource", { resource: "duty_rotas" });
  expect(list).toContain('<a href="/configuration/duty_rotas" aria-current="page">Duty rotas</a>');
  expect(list).toContain("<code>checkout</code>");
  expect(list).toContain("Answers at night");
  expect(list).toContain("disabled");
  expect(list.indexOf("/duty_rotas/r1")).toBeGreaterThan(0);
  expect(list.indexOf("/duty_rotas/r1")).toBeLessThan(list.indexOf("/duty_rotas/r2"));
  const detail = await pageOf("/configuration/:resource/:id", { resource: "duty_rotas", id: "r1" });
  expect(detail).toMatch(/<dt>slug<\/dt>\s*<dd class="text">checkout/);
  expect(detail).toMatch(/<h2>Steps<\/h2>.*Wake up/s);
  expect(detail).not.toContain("hidden");
});

/** Resources with pages of their own. */
const elsewhere: Readonly<Record<string, string>> = { incidents: "/incidents", grants: "/access" };

test("every list of resources in the interface has a page, which the overview leads to", async () => {
  const endpoints = allModules.flatMap((module) => module.endpoints);
  const created = new Set(endpoints.filter(({ method }) => method === "POST").map(({ path }) => path));
  const lists = endpoints.filter(({ method, path }) => method === "GET" && created.has(path) && !path.includes(":"));
  expect(lists.length).toBeGreaterThan(10);
  const client = await signIn(site);
  const { text: overview } = await client.get("/");
  for (const { path } of lists) {
    const name = path.slice(1).replaceAll("/", "_");
    const page = elsewhere[name] ?? `/configuration/${name}`;
    expect({ page, status: (await client.get(page)).status }).toEqual({ page, status: 200 });
    expect(overview).toContain(`<a href="${page}">`);
  }
});

test("a resource has one page, with a title that people read", () => {
  const titles = pageResources.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toContain("Catalog types");
});

test("the page of an agent names its grants, and the page about access leads to it", async () => {
  const { emulator } = site;
  const principal_id = String((await send(emulator, "POST", "/agents", { name: "Deploys" })).body.id);
  const grant = { principal_kind: "agent", principal_id, ability: "incidents.read" };
  expect((await send(emulator, "POST", "/grants", grant)).status).toBe(201);
  const client = await signIn(site);
  expect((await client.get("/access")).text).toContain(`<a href="/configuration/agents/${principal_id}">Deploys</a>`);
  expect((await client.get(`/configuration/agents/${principal_id}`)).text).toMatch(
    /grant of Deploys<\/a><\/td><td class="text">incidents\.read</,
  );
});
