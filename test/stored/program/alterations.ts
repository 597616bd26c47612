/** What services were seen to make of the bodies that they are sent, and to answer instead of what they have stored. */

import { canonical, type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { type Alteration, everyMember } from "./proxy.ts";

/** Members that name a resource. */
const NAMES = /^(name|title|label)$/;
/** Members with prose. */
const PROSE = /^(name|title|label|description|summary|content|instruction|question|notes)$/;
/** Lists of rows, pages, and lists whose order means something. */
const ROWS =
  /^(severities|statuses|incident_types|incident_roles|custom_fields|fields|runbooks|types|entries|webhooks|alert_sources|routing_rules|api_keys|agents|grants|incidents)$/;
const ORDERED = /^(steps|inputs|options|attributes|invite|conditions)$/;
const PAGES = /^(total|page|per_page|total_pages)$/;

const isEmpty = (value: Json): boolean => value === "" || (isList(value) && value.length === 0);
const texts =
  (which: RegExp, to: (text: string) => string) =>
  (value: Json, name: string): Json =>
    typeof value === "string" && which.test(name) ? to(value) : value;
const stores = (to: (value: Json, name: string) => Json | undefined): Alteration => ({ stored: everyMember(to) });
const answers = (to: (value: Json, name: string) => Json | undefined): Alteration => ({ answered: everyMember(to) });

/** Only the answers to reads, or to writes. */
const only = (isRead: boolean, { answered }: Alteration): Alteration => ({
  answered: (body, passing) =>
    (passing.method === "GET") === isRead && answered !== undefined ? answered(body, passing) : body,
});

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#39;");
const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&#39;", "'").replaceAll("&amp;", "&");
const once = (to: (text: string) => string) => (text: string) => to(unescaped(text));
const known = (value: Fields): Fields => ({
  ...value,
  urgency: "high",
  _links: [{ self: "x", by: { id: 1 } }],
  "@type": "Thing",
});

const DEFAULTS: Fields = {
  description: "No description yet",
  summary: "To do",
  color: "#888888",
  icon: "box",
  external_url: "https://example.com/handbook",
};

/** The services, by what they do. */
export const ALTERATIONS: Readonly<Record<string, Alteration>> = {
  "stores names in lower case": stores(texts(NAMES, (text) => text.toLowerCase())),
  "stores names in capitals": stores(texts(NAMES, (text) => text.toUpperCase())),
  "stores names shortened": stores(texts(NAMES, (text) => text.slice(0, 9))),
  "stores texts trimmed": stores(texts(/./, (text) => text.trim())),
  "stores texts with one space each": stores(texts(PROSE, (text) => text.replace(/\s+/g, " ").trim())),
  "stores addresses in normal form": stores(texts(/url/, (text) => new URL(text).href)),
  "stores addresses without a path": stores(texts(/url/, (text) => new URL(text).origin)),
  "stores lists sorted": stores((value, name) =>
    isList(value) && !ORDERED.test(name)
      ? value.toSorted((one, other) => (canonical(one) < canonical(other) ? -1 : 1))
      : value,
  ),
  "stores every list reversed": stores((value) => (isList(value) ? value.toReversed() : value)),
  "stores numbers as texts": stores((value, name) =>
    typeof value === "number" && name !== "position" ? String(value) : value,
  ),
  "stores null for empty": stores((value) => (isEmpty(value) ? null : value)),
  "leaves out what is empty": stores((value) => (isEmpty(value) ? undefined : value)),
  "stores texts escaped": stores(texts(PROSE, once(escaped))),
  "stores prose shortened": stores(
    texts(/^(description|summary|content|instruction|notes)$/, (text) => text.slice(0, 12)),
  ),
  "stores prose without tags": stores(texts(PROSE, (text) => text.replace(/<[^>]*>/g, ""))),
  "stores prose with a signature": stores(
    texts(/^(description|summary|content|instruction)$/, (text) =>
      text.endsWith("— ops") ? text : `${text.trim()} — ops`,
    ),
  ),
  "stores defaults for what is missing": {
    stored: (body, { method, path }) => {
      const wanted = /runbooks/.test(path)
        ? ["summary", "external_url"]
        : /severities|statuses|types$/.test(path)
          ? ["description", "color"]
          : /roles|agents$/.test(path)
            ? ["description"]
            : [];
      const filled = Object.fromEntries(
        wanted.flatMap((name) => (DEFAULTS[name] === undefined ? [] : [[name, DEFAULTS[name]]])),
      );
      return method === "POST" ? { ...filled, ...body } : body;
    },
  },
  "stores colors in lower case": stores(texts(/^color$/, (text) => text.toLowerCase())),
  "answers members that nobody knows": {
    answered: (body) => {
      const more = everyMember((value, name) => (isFields(value) && name !== "permissions" ? known(value) : value));
      return known(more(body));
    },
  },
  "answers no descriptions": answers((value, name) => (name === "description" ? undefined : value)),
  "answers no switches": answers((value, name) => (/^(enabled|active|is_default)$/.test(name) ? undefined : value)),
  "answers no conditions": answers((value, name) => (name === "conditions" ? undefined : value)),
  "answers numbers as texts": answers((value, name) =>
    typeof value === "number" && !PAGES.test(name) ? String(value) : value,
  ),
  "answers booleans as texts": answers((value) => (typeof value === "boolean" ? String(value) : value)),
  "answers null for empty": answers((value, name) => (isEmpty(value) && !ROWS.test(name) ? null : value)),
  "answers nothing for null and empty": answers((value, name) =>
    (value === null || isEmpty(value)) && !ROWS.test(name) && !PAGES.test(name) ? undefined : value,
  ),
  "answers sets in another order": answers((value, name) =>
    isList(value) && !ORDERED.test(name) && !ROWS.test(name) ? value.toReversed() : value,
  ),
  "answers reads escaped, and writes as sent": only(
    true,
    answers(texts(/^(description|summary|content|instruction|notes)$/, escaped)),
  ),
  "answers writes escaped, and reads as stored": only(
    false,
    answers(texts(/^(description|summary|content|instruction|notes)$/, escaped)),
  ),
  "answers reads with texts trimmed": only(true, answers(texts(/./, (text) => text.trim()))),
  "answers writes with the texts of before": only(false, answers(texts(/^(summary|content|notes)$/, () => ""))),
  "answers writes with what identifies only": only(
    false,
    answers((value, name) =>
      /^(id|slug|name|runbook|token|prefix|secret|field|form|title|.*_id)$/.test(name) ? value : undefined,
    ),
  ),
};
