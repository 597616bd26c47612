/** A service that stores, and answers, other forms of what it is sent: the embedded one, with bodies that are changed on their way. */

import type { Fetch, HttpResponse } from "../../../src/core/fetch.ts";
import { type Fields, isFields, isList, type Json, parseJson } from "../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { connect } from "../../../src/service/http/client.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { ANSWERED_FORMS, STORED_FORMS } from "./forms.ts";

/** What a service stores otherwise, by the name of a member the form of its values, and in which forms it answers. */
export interface Altering {
  readonly stored: ReadonlyMap<string, string>;
  readonly answered: readonly string[];
  /** The requests to which it answers so. Default: all. */
  readonly to?: "reads" | "writes" | undefined;
}

/** Members that name resources and options: under other names, a service may refuse them. */
const REFERENCES = /^(slug|options|values?|severity|team|of|environments|ability|operator|condition_field|type)$/;

/** One embedded service for many cases. */
export class AlteringService {
  readonly #emulator: Emulator = createEmulator({ requestsPerMinute: Number.MAX_SAFE_INTEGER, control: true });
  readonly #numbers = new Map<string, number>();

  /** A connection to a new workspace whose service alters. */
  begin(altering: Altering): Writer {
    const token = this.#emulator.adminToken;
    const requestsPerMinute = Number.MAX_SAFE_INTEGER;
    const fetch = this.open(altering);
    return connect({ baseUrl: "http://127.0.0.1:1", token, fetch, requestsPerMinute, timeoutSeconds: 30 });
  }

  /** The tokens of the service. */
  get tokens(): { readonly serviceToken: string; readonly adminToken: string } {
    const { serviceToken, adminToken } = this.#emulator;
    return { serviceToken, adminToken };
  }

  /** The network before a new workspace whose service alters. */
  open(altering: Altering): Fetch {
    this.#emulator.control?.reset();
    this.#numbers.clear();
    return async (url, { method, headers, body }) => {
      const sent = this.#withIds(body);
      const answer = await this.#send(this.#withIds(url), { method, headers }, sent, altering);
      const isOther = altering.to !== undefined && (altering.to === "reads") !== (method === "GET");
      const forms = isOther ? [] : altering.answered;
      return answered(answer, (value) => this.#withNumbers(answeredAs(value, forms), altering));
    };
  }

  close(): Promise<void> {
    return this.#emulator.close();
  }

  /** Sends what is stored instead; where the service refuses that, less of it is altered. */
  async #send(
    url: string,
    parts: { readonly method: string; readonly headers: Readonly<Record<string, string>> },
    body: string | undefined,
    { stored }: Altering,
  ): Promise<HttpResponse> {
    const value = body === undefined ? undefined : parseJson(body);
    const few = new Map([...stored].filter(([name]) => !REFERENCES.test(name)));
    const tried = value === undefined ? [] : [stored, few].map((forms) => JSON.stringify(storedAs(value, forms)));
    for (const text of tried) {
      const answer = await this.#emulator.request(url, { ...parts, body: text });
      if (answer.status < 400 || text === body) return answer;
    }
    return this.#emulator.request(url, { ...parts, ...(body === undefined ? {} : { body }) });
  }

  #withNumbers(value: Json | undefined, { answered: forms }: Altering): Json | undefined {
    if (value === undefined || !forms.includes("answers numbers for ids")) return value;
    return parseJson(
      JSON.stringify(value).replace(/"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"/g, (_whole, id: string) => {
        const number = this.#numbers.get(id) ?? 1_000_001 + this.#numbers.size;
        this.#numbers.set(id, number);
        return String(number);
      }),
    );
  }

  /** A text with the ids for which numbers were answered. */
  #withIds<Text extends string | undefined>(text: Text): Text {
    const ids = new Map([...this.#numbers].map(([id, number]) => [String(number), id]));
    return text?.replace(/"?\b1\d{6}\b"?/g, (number) => {
      const id = ids.get(number.replaceAll('"', ""));
      return id === undefined ? number : text.startsWith("http") ? id : JSON.stringify(id);
    }) as Text;
  }
}

async function answered(answer: HttpResponse, form: (value: Json) => Json | undefined): Promise<HttpResponse> {
  if (answer.body === null || answer.status >= 400) return answer;
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  const value = parseJson(Buffer.concat(chunks).toString());
  const bytes = value === undefined ? chunks : [Buffer.from(JSON.stringify(form(value)))];
  const body = (async function* () {
    yield* bytes;
  })();
  return { ...answer, body: Object.assign(body, { cancel: async () => {} }) };
}

function storedAs(value: Json, stored: Altering["stored"], name = ""): Json | undefined {
  const form = STORED_FORMS[stored.get(name) ?? ""] ?? ((one: Json) => one);
  if (isList(value)) return form(value.flatMap((item) => storedAs(item, stored, name) ?? []));
  return form(isFields(value) ? withMembers(value, (one, member) => storedAs(one, stored, member)) : value);
}

function answeredAs(value: Json, answered: readonly string[], name = ""): Json | undefined {
  const inner = isList(value)
    ? value.flatMap((item) => answeredAs(item, answered, name) ?? [])
    : isFields(value)
      ? withMembers(value, (one, member) => answeredAs(one, answered, member))
      : value;
  return answered.reduce<Json | undefined>(
    (one, form) => (one === undefined ? one : ANSWERED_FORMS[form]?.(one, name)),
    inner,
  );
}

function withMembers(fields: Fields, to: (value: Json, name: string) => Json | undefined): Fields {
  const members = Object.entries(fields).map(([name, value]) => [name, to(value, name)] as const);
  return Object.fromEntries(members.filter((pair): pair is readonly [string, Json] => pair[1] !== undefined));
}
