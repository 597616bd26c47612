/** The service of a case: an emulator in this process, asked over its public interface only. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { type Dialects, standardDialects } from "../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { webhookTable } from "../../src/emulator/modules/webhooks/webhooks.ts";
import { OPTION_LISTS } from "../support/option-lists.ts";
import { text } from "./judge/texts.ts";

/** The lists of a workspace but for option lists, as its GET requests return them. */
const OTHER_LISTS = [
  "custom_fields",
  "form_fields",
  "runbooks",
  "catalog_types",
  "entries",
  "alert_sources",
  "rules",
  "webhooks",
  "api_keys",
  "agents",
  "grants",
  "incidents",
  "routes",
] as const;

export type ListName = (typeof OPTION_LISTS)[number] | (typeof OTHER_LISTS)[number];

/** All lists. */
export const LISTS: readonly ListName[] = [...OPTION_LISTS, ...OTHER_LISTS];

/** The rows of every list at one time. */
export type Snapshot = Readonly<Record<ListName, readonly Fields[]>>;

/** The forms, of which exactly four exist. */
export const FORMS = ["declare", "update", "resolve", "cancel"] as const;

/** The switch of each list whose resources can be disabled. */
export const SWITCHES: Readonly<Partial<Record<ListName, string>>> = {
  ...Object.fromEntries(OPTION_LISTS.map((list) => [list, "enabled"])),
  alert_sources: "enabled",
  webhooks: "enabled",
  api_keys: "active",
  agents: "enabled",
};

/** The base URL in this process. */
const ORIGIN = "http://127.0.0.1:1";

/** One emulator for many cases: its own, or one that has a control surface. */
export class DifferentialService {
  readonly emulator: Emulator;
  #dialects: Partial<Dialects>;
  readonly #rows = new Map<ListName, readonly Fields[]>();

  constructor(emulator?: Emulator) {
    const send = () => Promise.reject(new Error("nothing leaves this process"));
    this.emulator = emulator ?? createEmulator({ requestsPerMinute: Number.MAX_SAFE_INTEGER, control: true, send });
    this.#dialects = this.emulator.dialects;
  }

  /** Starts a case: a default workspace that speaks these dialects. */
  begin(dialects: Partial<Dialects>): void {
    this.#control.reset();
    this.#dialects = dialects;
    this.#control.switchDialects(dialects);
    this.forget();
  }

  /** Forgets the lists that were read. */
  forget(): void {
    this.#rows.clear();
  }

  /** The rows of a list, read once between two writes of a person. */
  async list(name: ListName): Promise<readonly Fields[]> {
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    this.#control.switchDialects({ ...standardDialects, condition_values: "id" });
    const rows = await this.#read(name);
    this.#control.switchDialects({ ...standardDialects, ...this.#dialects });
    this.#rows.set(name, rows);
    return rows;
  }

  /** All lists, read anew. */
  async snapshot(): Promise<Snapshot> {
    this.forget();
    const lists: [string, readonly Fields[]][] = [];
    for (const name of LISTS) lists.push([name, await this.list(name)]);
    return Object.fromEntries(lists) as Snapshot;
  }

  /** A write by a person, and the status of its response: the service may refuse it. */
  async write(method: string, path: string, body?: Json): Promise<number> {
    this.forget();
    const { status } = await this.#send(method, path, body);
    if (status >= 500) throw new Error(`${method} ${path}: ${status}`);
    return status;
  }

  async close(): Promise<void> {
    await this.emulator.close();
  }

  get #control() {
    const { control } = this.emulator;
    if (control === undefined) throw new Error("the emulator was made without its control surface");
    return control;
  }

  async #read(name: ListName): Promise<readonly Fields[]> {
    switch (name) {
      case "form_fields":
        return this.#each(FORMS, (form) => this.#get(`/forms/${form}`, "fields"), "form");
      case "catalog_types":
        return this.#get("/catalog/types", "types");
      case "entries": {
        const types = (await this.list("catalog_types")).map(({ slug }) => String(slug));
        return this.#each(types, (type) => this.#get(`/catalog/types/${type}/entries?per_page=100`, "entries"), "type");
      }
      case "rules": {
        const sources = (await this.list("alert_sources")).map(({ name: source }) => String(source));
        const query = (source: string) => (source === "" ? "" : `?source=${encodeURIComponent(source)}`);
        return this.#each(
          ["", ...sources],
          (source) => this.#get(`/routing_rules${query(source)}`, "routing_rules"),
          "source",
        );
      }
      case "grants":
        // Those of a service key are its permissions.
        return (await this.#get("/grants", "grants")).filter(
          ({ principal }) => isFields(principal) && principal.kind === "agent",
        );
      case "routes":
        return this.#routes();
      case "incidents":
        return this.#get("/incidents?per_page=100", "incidents");
      case "webhooks": {
        // Their secrets are in no response.
        const secrets = new Map(
          this.#control.service.database.list(webhookTable, {}).map((row) => [row.id, row.secret]),
        );
        const rows = await this.#get("/webhooks?include_disabled=true", "webhooks");
        return rows.map((row): Fields => ({ ...row, secret: secrets.get(String(row.id)) ?? null }));
      }
      case "runbooks": {
        const rows = await this.#get("/runbooks", "runbooks");
        const members: Fields[] = [];
        for (const { slug } of rows) {
          const body = await this.#body(`/runbooks/${String(slug)}`);
          members.push(isFields(body.runbook) ? body.runbook : body);
        }
        return members;
      }
      default:
        return this.#get(`/${name}?include_disabled=true`, name);
    }
  }

  /** Each source without rules of its own, and whether an alert from it meets the rules of the workspace. */
  async #routes(): Promise<readonly Fields[]> {
    const answer = async (source?: Json): Promise<Fields> => {
      const fields = { title: "Down", service: "billing" };
      const response = await this.#send("POST", "/routing/evaluate", {
        fields,
        ...(source === undefined ? {} : { source }),
      });
      const { matched = null, matched_rule_priority: rule = null } = (await response.json()) as Fields;
      return { status: response.status, matched, rule };
    };
    const rules = await this.list("rules");
    const workspace = text(await answer());
    const routes: Fields[] = [];
    for (const { name = null } of await this.list("alert_sources")) {
      if (rules.some(({ source }) => source === name)) continue;
      routes.push({ source: name, falls_back: text(await answer(name)) === workspace });
    }
    return routes;
  }

  /** The rows of several lists, each with the name of its list. */
  async #each(
    names: readonly string[],
    read: (name: string) => Promise<readonly Fields[]>,
    member: string,
  ): Promise<readonly Fields[]> {
    const all: Fields[] = [];
    for (const name of names) all.push(...(await read(name)).map((row) => ({ ...row, [member]: name })));
    return all;
  }

  async #get(path: string, key: string): Promise<readonly Fields[]> {
    const rows = (await this.#body(path))[key];
    if (!isList(rows)) throw new Error(`GET ${path}: there is no ${key}`);
    return rows.filter(isFields);
  }

  async #body(path: string): Promise<Fields> {
    const response = await this.#send("GET", path);
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
    return (await response.json()) as Fields;
  }

  #send(method: string, path: string, body?: Json): Promise<Response> {
    const headers = { authorization: `Bearer ${this.emulator.adminToken}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.emulator.fetch(new Request(`${ORIGIN}/api/v1${path}`, { method, headers, ...sent }));
  }
}
