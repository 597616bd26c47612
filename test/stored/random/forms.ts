/** Forms of values that services were seen to store, or to answer, instead of those that they were sent. */

import { canonical, isFields, isList, type Json } from "../../../src/core/json.ts";

/** Returns the form of a value: itself, where it has no other, and undefined where the service takes no notice of it. */
export type Form = (value: Json) => Json | undefined;

const text =
  (form: (text: string) => Json): Form =>
  (value) =>
    typeof value === "string" ? form(value) : value;
const list =
  (form: (list: readonly Json[]) => Json): Form =>
  (value) =>
    isList(value) ? form(value) : value;
const address = (form: (address: string) => string): Form =>
  text((value) => (/^https?:\/\//.test(value) ? form(value) : value));
const moment = (form: (moment: Date) => string): Form =>
  text((value) => (/^\d{4}-\d\d-\d\dT/.test(value) ? form(new Date(value)) : value));
const isEmpty = (value: Json): boolean =>
  value === "" || (isList(value) && value.length === 0) || (isFields(value) && Object.keys(value).length === 0);

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What a service makes of the values that it stores. */
export const STORED_FORMS: Readonly<Record<string, Form>> = {
  trims: text((value) => value.trim()),
  "trims the end": text((value) => value.trimEnd()),
  "collapses white space": text((value) => value.replace(/\s+/g, " ")),
  "ends the last line": text((value) => (value.endsWith("\n") ? value : `${value}\n`)),
  "breaks lines as Windows does": text((value) => value.replace(/\r?\n/g, "\r\n")),
  "composes characters": text((value) => value.normalize("NFC")),
  "decomposes characters": text((value) => value.normalize("NFD")),
  "folds compatible characters": text((value) => value.normalize("NFKC")),
  "writes lower case": text((value) => value.toLowerCase()),
  "writes upper case": text((value) => value.toUpperCase()),
  capitalizes: text((value) => value.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())),
  "drops accents": text((value) => value.normalize("NFD").replace(/\p{M}/gu, "")),
  "adds an end": text((value) => (value.endsWith(" (see wiki)") ? value : `${value} (see wiki)`)),
  "adds a beginning": text((value) => (value.startsWith("acme ") ? value : `acme ${value}`)),
  "cuts at 8": text((value) => value.slice(0, 8)),
  "cuts at 20": text((value) => value.slice(0, 20)),
  "escapes HTML": text((value) => value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)),
  "removes tags": text((value) => value.replace(/<[^>]*>/g, "")),
  "removes Markdown": text((value) => value.replace(/[*_`#]/g, "")),
  "writes emoji as words": text((value) => value.replaceAll("🚀", ":rocket:")),
  "removes what is not ASCII": text((value) => value.replace(/[^\x20-\x7e\n]/g, "")),
  "writes tabs as spaces": text((value) => value.replaceAll("\t", "    ")),
  "ends long texts with dots": text((value) => (value.length > 12 ? `${value.slice(0, 11)}…` : value)),
  "reads HTML": text((value) => value.replaceAll("&amp;", "&").replaceAll("&lt;", "<")),
  "writes slugs": text((value) => value.toLowerCase().replace(/[^a-z0-9]+/g, "-")),
  "turns texts around": text((value) => [...value].toReversed().join("")),
  "writes stars": text((value) => "*".repeat(value.length)),
  "writes a number for texts": text(
    (value) => `#${[...value].reduce((sum, one) => sum + (one.codePointAt(0) ?? 0), 7)}`,
  ),
  "writes null for texts": text(() => null),
  "curls quotes": text((value) => value.replaceAll("'", "’").replaceAll('"', "”")),
  "turns underscores into hyphens": text((value) => value.replaceAll("_", "-")),
  "ends addresses with a slash": address((value) => (/\/$|[?#]/.test(value) ? value : `${value}/`)),
  "ends addresses without a slash": address((value) => value.replace(/\/$/, "")),
  "normalizes addresses": address((value) => new URL(value).href),
  "writes addresses in punycode": address((value) =>
    value.replace(/\/\/[^/?#]+/, (host) => new URL(`http:${host}`).host.replace(/^/, "//")),
  ),
  "drops tracking queries": address((value) => value.replace(/[?#].*$/, "")),
  "upgrades addresses": address((value) => value.replace(/^http:/, "https:")),
  "writes moments with milliseconds": moment((value) => value.toISOString()),
  "writes moments with an offset": moment((value) => value.toISOString().replace(/\.\d+Z$/, "+00:00")),
  "writes moments to the day": moment((value) => `${value.toISOString().slice(0, 10)}T00:00:00Z`),
  "writes moments in another zone": moment((value) =>
    new Date(value.getTime() + 7_200_000).toISOString().replace(/\.\d+Z$/, "+02:00"),
  ),
  "writes moments without a zone": moment((value) =>
    value
      .toISOString()
      .replace(/\.\d+Z$/, "")
      .replace("T", " "),
  ),
  "shortens colors": text((value) => value.replace(/^#(.)\1(.)\2(.)\3$/, "#$1$2$3")),
  "drops the sign of colors": text((value) => value.replace(/^#(?=[\da-f]{6}$)/i, "")),
  "writes lists as text": list((items) => (items.every((item) => typeof item === "string") ? items.join(", ") : items)),
  "writes one item for its list": list((items) => (items.length === 1 ? (items[0] ?? null) : items)),
  "sorts lists": list((items) => items.toSorted((left, right) => (canonical(left) < canonical(right) ? -1 : 1))),
  "reverses lists": list((items) => items.toReversed()),
  "keeps each item once": list((items) => [...new Map(items.map((item) => [canonical(item), item])).values()]),
  "keeps two items": list((items) => items.slice(0, 2)),
  "adds an item": list((items) => (items.some((item) => typeof item === "string") ? [...items, "more"] : items)),
  "writes numbers as texts": (value) => (typeof value === "number" ? String(value) : value),
  "writes texts as numbers": text((value) => (/^\d+$/.test(value) ? Number(value) : value)),
  "rounds numbers": (value) => (typeof value === "number" ? Math.round(value / 10) * 10 : value),
  "writes booleans as texts": (value) => (typeof value === "boolean" ? String(value) : value),
  "writes booleans as numbers": (value) => (typeof value === "boolean" ? Number(value) : value),
  "writes null for empty": (value) => (isEmpty(value) ? null : value),
  "writes true for booleans": (value) => (typeof value === "boolean" ? true : value),
  "writes false for booleans": (value) => (typeof value === "boolean" ? false : value),
  "counts from one more": (value) => (typeof value === "number" ? value + 1 : value),
  "limits numbers": (value) => (typeof value === "number" ? Math.min(value, 10) : value),
  "writes objects as text": (value) => (isFields(value) ? JSON.stringify(value) : value),
  "keeps one item": list((items) => items.slice(0, 1)),
  "keeps no items": list(() => []),
  "repeats an item": list((items) => (items.length > 1 ? [...items, items[0] ?? null] : items)),
  "wraps texts in HTML": text((value) => (value.startsWith("<p>") ? value : `<p>${value}</p>`)),
  "encodes spaces": text((value) => value.replaceAll(" ", "%20")),
  "keeps no blank lines": text((value) => value.replace(/\n{2,}/g, "\n")),
  "keeps one line": text((value) => value.split("\n", 1)[0] ?? ""),
  "ends texts with a space that nobody sees": text((value) => (value.endsWith("\u200b") ? value : `${value}\u200b`)),
  "takes no notice": () => undefined,
};

/** Lists of rows, and numbers of pages, which are no values. */
const ROWS = /^(severities|statuses|incident_types|incident_roles|custom_fields|fields|form_fields|runbooks|types)$/;
const ROWS_ALSO =
  /^(catalog_types|entries|webhooks|alert_sources|routing_rules|rules|api_keys|agents|grants|incidents|members)$/;
const PAGES = /^(total|page|per_page|total_pages|next_page|count)$/;
const isRows = (name: string): boolean => ROWS.test(name) || ROWS_ALSO.test(name);
/** Lists whose order means something. */
const ORDERED =
  /^(regions|steps|options|attributes|attribute_definitions|inputs|conditions|watch|severities|statuses|fields)$/;

/** Objects in resources that no request names. */
const PARTS = /^(conditions|outcome|notify|invite|watch|steps|inputs)$/;

/** Members by which requests name what was answered. */
const NAMES = /^(name|label|slug|id|.*_id|.*_path|prefix)$/;

/** Members that a service may answer nowhere. */
const LEFT_OUT =
  "description color is_default conditions summary content external_url aliases inputs watch steps options subscribed_events url permissions environments enabled active expires_at provider icon attributes position created_at updated_at tokens locked visible required";

/** Members with one of a few values, with texts that people write, and with lists whose order means nothing. */
const CONSTANTS =
  /^(provider|field_type|option_source|attribute_type|role|lifecycle_stage|operator|action|type|kind|condition_field|system_field|ability|subscribed_events|incidents)$/;
const TEXTS = /^(description|summary|content|instruction|question|expect|notes)$/;
const SETS = /^(aliases|subscribed_events)$/;

/** Returns another answer for the value of a member. */
type Answer = (value: Json, name: string) => Json | undefined;

/** What a service answers instead of the values that it has stored. */
export const ANSWERED_FORMS: Readonly<Record<string, Answer>> = {
  "has members that nobody knows": (value, name) =>
    isFields(value) && name !== "permissions"
      ? { ...value, urgency: "high", links: [{ self: "x", more: { by: [1] } }], "@type": "Thing" }
      : value,
  "has permissions that nobody knows": (value, name) =>
    isFields(value) && name === "permissions" ? { ...value, holidays: ["read"] } : value,
  "has ids below the top level": (value, name) =>
    isFields(value) && PARTS.test(name) ? { id: "7", name: "seven", position: 7, ...value } : value,
  "answers null for empty lists": (value, name) =>
    isList(value) && value.length === 0 && !isRows(name) ? null : value,
  "leaves empty lists out": (value, name) =>
    isList(value) && value.length === 0 && !isRows(name) && name !== "conditions" ? undefined : value,
  "answers null for empty texts": (value) => (value === "" ? null : value),
  "answers empty texts for null": (value, name) =>
    value === null && !PAGES.test(name) && !/_at$/.test(name) ? "" : value,
  "leaves null out": (value, name) => (value === null && !PAGES.test(name) ? undefined : value),
  "answers numbers as texts": (value, name) => (typeof value === "number" && !PAGES.test(name) ? String(value) : value),
  "answers booleans as texts": (value) => (typeof value === "boolean" ? String(value) : value),
  "answers booleans as numbers": (value) => (typeof value === "boolean" ? Number(value) : value),
  "answers rows in another order": (value, name) =>
    isList(value) && isRows(name) && !ORDERED.test(name) ? value.toReversed() : value,
  "answers lists in another order": (value, name) =>
    isList(value) && !isRows(name) && !ORDERED.test(name) ? value.toReversed() : value,
  "answers moments with an offset": (value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? value.replace(/(\.\d+)?Z$/, "+00:00") : value,
  /** The service does that, since requests name the ids. */
  "answers numbers for ids": (value) => value,
  "answers decomposed characters": (value, name) =>
    !NAMES.test(name) && typeof value === "string" ? value.normalize("NFD") : value,
  "answers HTML": (value, name) =>
    !NAMES.test(name) && typeof value === "string"
      ? value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
      : value,
  "answers names of values in upper case": (value, name) =>
    CONSTANTS.test(name) && typeof value === "string" ? value.toUpperCase() : value,
  "answers names of values with hyphens and spaces": (value, name) =>
    CONSTANTS.test(name) && typeof value === "string" ? ` ${value.replaceAll("_", "-")} ` : value,
  "answers words for null": (value, name) => (value === null && TEXTS.test(name) ? "No value" : value),
  "answers upper case": (value, name) => (TEXTS.test(name) && typeof value === "string" ? value.toUpperCase() : value),
  "answers an end": (value, name) => (TEXTS.test(name) && typeof value === "string" ? `${value} (edited)` : value),
  "answers a last item": (value, name) =>
    SETS.test(name) && isList(value) && value.length > 0 ? [...value, "more"] : value,
  "answers lists of texts as one": (value, name) =>
    SETS.test(name) && isList(value) && value.every((item) => typeof item === "string") ? value.join(", ") : value,
  "answers one item for its list": (value, name) =>
    SETS.test(name) && isList(value) && value.length === 1 ? (value[0] ?? null) : value,
  "answers texts without outer space": (value, name) =>
    TEXTS.test(name) && typeof value === "string" ? value.trim() : value,
  "answers moments with microseconds": (value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? value.replace(/(\.\d+)?Z$/, ".000000Z") : value,
  "answers colors in lower case": (value, name) =>
    name === "color" && typeof value === "string" ? value.toLowerCase() : value,
  "answers addresses with a slash": (value, name) =>
    /url$/.test(name) && typeof value === "string" && !/[/?#]$|\?/.test(value) ? `${value}/` : value,
  "leaves false out": (value) => (value === false ? undefined : value),
  "leaves what is empty out": (value, name) =>
    (value === false || value === 0 || isEmpty(value)) && !isRows(name) && !PAGES.test(name) ? undefined : value,
  "answers null for false": (value) => (value === false ? null : value),
  "answers booleans as words": (value) => (typeof value === "boolean" ? (value ? "on" : "off") : value),
  "answers numbers as decimals": (value, name) =>
    typeof value === "number" && value > 1 && !PAGES.test(name) && !/^(position|priority)$/.test(name)
      ? value.toFixed(2)
      : value,
  "answers arguments as text": (value, name) =>
    name === "arguments" && isFields(value) ? JSON.stringify(value) : value,
  "answers texts in HTML": (value, name) => (TEXTS.test(name) && typeof value === "string" ? `<p>${value}</p>` : value),
  "answers the beginning of texts": (value, name) =>
    TEXTS.test(name) && typeof value === "string" ? value.slice(0, 8) : value,
  "answers stars for addresses": (value, name) =>
    /url$/.test(name) && typeof value === "string" ? value.replace(/\/\/.*/, "//***") : value,
  "answers conditions in another order": (value, name) =>
    name === "conditions" && isList(value) ? value.toReversed() : value,
  "answers moments to the day": (value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? value.slice(0, 10) : value,
  ...Object.fromEntries(
    LEFT_OUT.split(" ").map((member): readonly [string, Answer] => [
      `answers no ${member}`,
      (value, name) => (name === member && !(isRows(name) && isList(value)) ? undefined : value),
    ]),
  ),
};
