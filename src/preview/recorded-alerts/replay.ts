/** Replays recorded alerts through the rules before and after, offline. */

import type { RecordedAlert } from "../../config/resources/recorded-alerts.ts";
import { canonical, type Fields, fieldsIn, textIn } from "../../core/json.ts";
import { addTo, groupBy } from "../../core/lists.ts";
import { quoted } from "../../core/sanitise.ts";
import { suggest } from "../../core/suggest.ts";
import { counted } from "../../core/value-text.ts";
import { type AlertContext, buildContext, type FieldText } from "../../kinds/routing/context.ts";
import { evaluate } from "../../kinds/routing/evaluate.ts";
import { comparableOutcome } from "../../kinds/routing/expectation.ts";
import { type SearchTimes, searchTogether, searchWithin } from "../../kinds/routing/regular-expression.ts";
import { effectiveRules, type RoutingRule } from "../../kinds/routing/rules.ts";
import type { AlertChange, AlertRoute, RecordedAlerts } from "../../plan/model/recorded-alerts.ts";
import { shownOutcome } from "../routing-tests/secret-parts.ts";
import type { RoutingSide, RoutingSides } from "./sides.ts";

/** The alerts of a change, for a report of its own. */
export interface ReplayedChange extends AlertChange {
  /** The lines of all alerts. */
  readonly lines: readonly number[];
  /** The first of them. */
  readonly examples: readonly RecordedAlert[];
}

/** The result of a replay. */
export interface Replay extends RecordedAlerts {
  readonly changes: readonly ReplayedChange[];
}

/** Alerts to show of each change. */
const EXAMPLES = 3;

/** Where alerts go on one side. */
interface Route {
  readonly shown: AlertRoute;
  /** Equal for routes with the same outcome. */
  readonly outcome: string;
  /** The outcome in a few words, as it is counted. */
  readonly name: string;
  readonly label?: string | undefined;
  /** Equal for rules that match the same alerts with the same outcome. */
  readonly content?: string;
}

interface Group {
  readonly before: Route;
  readonly after: Route;
  readonly effect: AlertChange["effect"] | "none";
  readonly lines: number[];
  readonly examples: RecordedAlert[];
  alerts: number;
}

/** An alert on one side: its route and, if that is undecided, the rules that may match. */
interface Routed {
  readonly route: Route;
  readonly possible?: string;
}

/** Replays the alerts of a file, part by part. */
export async function replayAlerts(
  parts: AsyncIterable<readonly RecordedAlert[]>,
  { before, after, renamed, positions, isFromFiles }: RoutingSides,
  about: Pick<RecordedAlerts, "file" | "before">,
): Promise<Replay> {
  const sides = { before: before && new SideRoutes(before), after: new SideRoutes(after) };
  const seen = new Map<string, { alerts: number; readonly line: number }>();
  const groups = new Map<Route, Map<Route, Map<AlertChange["effect"] | "none", Group>>>();
  const route = (alert: RecordedAlert) => {
    const { source } = alert;
    const now = source === undefined ? alert : { ...alert, source: renamed.get(source) ?? source };
    const routed = sides.after.routeOf(now);
    return { alert, before: sides.before?.routeOf(alert) ?? routed, after: routed };
  };
  let alerts = 0;
  const times: SearchTimes = new Map();
  for await (const part of parts) {
    alerts += part.length;
    for (const routed of searchWithin(times, () => inParts(part, route))) {
      const { source, line } = routed.alert;
      if (source !== undefined) {
        const known = seen.get(source);
        if (known === undefined) seen.set(source, { alerts: 1, line });
        else known.alerts += 1;
      }
      addAlert(groups, routed, positions);
    }
  }
  const all = [...groups.values()].flatMap((byAfter) => [...byAfter.values()].flatMap((some) => [...some.values()]));
  const count = (effect: Group["effect"]) =>
    all.filter((group) => group.effect === effect).reduce((sum, group) => sum + group.alerts, 0);
  return {
    ...about,
    alerts,
    changed: count("changed"),
    rerouted: count("rerouted"),
    undecided: count("undecided"),
    outcomes: outcomesOf(all, before !== undefined),
    changes: all.flatMap(changeOf).sort((left, right) => right.alerts - left.alerts || lineOf(left) - lineOf(right)),
    notes: notesOn(seen, { before, after, renamed, isFromFiles }),
  };
}

/** The results for a part. If its searches take too long together, those for its halves, and in the end for each alert by itself. */
function inParts<Result>(part: readonly RecordedAlert[], work: (alert: RecordedAlert) => Result): readonly Result[] {
  if (part.length <= 1) return part.map(work);
  const done = searchTogether(() => part.map(work));
  if (done !== undefined) return done.result;
  const middle = part.length >> 1;
  return [...inParts(part.slice(0, middle), work), ...inParts(part.slice(middle), work)];
}

function addAlert(
  groups: Map<Route, Map<Route, Map<Group["effect"], Group>>>,
  { alert, before, after }: { readonly alert: RecordedAlert; readonly before: Routed; readonly after: Routed },
  positions: RoutingSides["positions"],
): void {
  const effect = effectOf(before, after, positions);
  const byAfter = groups.get(before.route) ?? new Map<Route, Map<Group["effect"], Group>>();
  groups.set(before.route, byAfter);
  const byEffect = byAfter.get(after.route) ?? new Map<Group["effect"], Group>();
  byAfter.set(after.route, byEffect);
  const group = byEffect.get(effect) ?? {
    before: before.route,
    after: after.route,
    effect,
    lines: [],
    examples: [],
    alerts: 0,
  };
  byEffect.set(effect, group);
  group.alerts += 1;
  if (effect === "none") return;
  group.lines.push(alert.line);
  if (group.examples.length < EXAMPLES) group.examples.push(alert);
}

/** The effect on an alert. Where the same rules may match it for the same unknown reason, nothing does. */
function effectOf(before: Routed, after: Routed, positions: RoutingSides["positions"]): Group["effect"] {
  if (before.possible !== undefined || after.possible !== undefined) {
    return before.possible === after.possible ? "none" : "undecided";
  }
  if (before.route.outcome !== after.route.outcome) return "changed";
  const { label, content } = after.route;
  const isSameRule =
    before.route.content === content ||
    (label !== undefined && before.route.label === label) ||
    isPaired(before.route.shown, after.route.shown, positions);
  return isSameRule ? "none" : "rerouted";
}

/** Whether the plan makes the second rule out of the first one. */
function isPaired(before: AlertRoute, after: AlertRoute, positions: RoutingSides["positions"]): boolean {
  if (before.place === undefined || (before.scope === null) !== (after.scope === null)) return false;
  return positions?.get(after.scope ?? "workspace")?.get(before.place) === after.place;
}

function changeOf({ effect, before, after, ...group }: Group): readonly ReplayedChange[] {
  return effect === "none" ? [] : [{ effect, before: before.shown, after: after.shown, ...group }];
}

function lineOf({ lines }: ReplayedChange): number {
  return lines[0] ?? 0;
}

function outcomesOf(groups: readonly Group[], hasBefore: boolean): RecordedAlerts["outcomes"] {
  const sum = (some: readonly Group[] = []) => some.reduce((all, { alerts }) => all + alerts, 0);
  const before = groupBy(groups, (group) => group.before.name);
  const after = groupBy(groups, (group) => group.after.name);
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((outcome) => ({
    outcome,
    ...(hasBefore ? { before: sum(before.get(outcome)) } : {}),
    after: sum(after.get(outcome)),
  }));
}

const LOST: Route = { shown: { result: "lost" }, outcome: "lost", name: "lost" };
const NO_RULE: Route = { shown: { result: "no_rule" }, outcome: "no rule", name: "no rule matches" };

/** The routes on one side. What can be prepared is prepared once for all alerts. */
class SideRoutes {
  readonly #side: RoutingSide;
  /** The fields that come from catalog entries that are not known: their name, and that of the field that names the entry. */
  readonly #unknownFields: readonly { readonly name: string; readonly of: string; readonly type: string }[];
  readonly #rules = new Map<RoutingRule, Route>();
  readonly #undecided = new Map<string, Route>();
  readonly #contents = new WeakMap<RoutingRule, string>();

  constructor(side: RoutingSide) {
    this.#side = side;
    const lists = [side.sets.workspace ?? [], ...side.sets.sources.values()];
    const names = new Set(lists.flat().flatMap(({ conditions }) => conditions.map(({ field }) => field)));
    this.#unknownFields = [...names].flatMap((name) =>
      [...side.unknownTypes].flatMap((type) => {
        if (name.startsWith(`${type}.`)) return [{ name, of: type, type }];
        return name === "team" && (type === "service" || type === "team") ? [{ name, of: "service", type }] : [];
      }),
    );
  }

  routeOf({ source, fields }: RecordedAlert): Routed {
    const { sources, sets, doubts } = this.#side;
    if (source !== undefined && sources !== undefined && sources.get(source) !== true) return { route: LOST };
    const doubt = source === undefined ? undefined : doubts.get(source);
    if (doubt !== undefined) return this.#undecidedFor(doubt, `${doubt} ${source}`);
    const { rules, scope } = effectiveRules(sets, source);
    if (rules === undefined) return this.#undecidedFor(RULES_UNKNOWN, RULES_UNKNOWN);
    const context = this.#contextOf(fields);
    const { rule, why, possible } = evaluate(rules, context);
    if (why === undefined) return { route: rule === undefined ? NO_RULE : this.#routeBy(rule, rules, scope) };
    const open = possible();
    const read = new Set(open.flatMap(({ conditions }) => conditions.map(({ field }) => field)));
    const texts = [...read].map((field) => context.get(field)?.text ?? null);
    return this.#undecidedFor(why, JSON.stringify([...open.map((one) => this.#contentOf(one)), texts]));
  }

  #contextOf(fields: RecordedAlert["fields"]): AlertContext {
    const context = buildContext(fields, this.#side.catalog);
    if (this.#unknownFields.length === 0) return context;
    const missing = this.#unknownFields.filter(({ name, of }) => !Object.hasOwn(fields, name) && context.has(of));
    if (missing.length === 0) return context;
    const why = (type: string) => `the catalog entries of the type ${type} are not known`;
    const more = missing.map(({ name, type }): readonly [string, FieldText] => [
      name,
      { text: "", from: "catalog", unknown: why(type) },
    ]);
    return new Map([...context, ...more]);
  }

  #undecidedFor(why: string, possible: string): Routed {
    const route = this.#undecided.get(why) ?? {
      shown: { result: "undecided", why },
      outcome: why,
      name: "undecided",
    };
    this.#undecided.set(why, route);
    return { route, possible };
  }

  #routeBy(rule: RoutingRule, rules: readonly RoutingRule[], scope: string): Route {
    const known = this.#rules.get(rule);
    if (known !== undefined) return known;
    const outcome = fieldsIn(shownOutcome(rule.outcome, this.#side.secrets));
    const route: Route = {
      shown: {
        result: "rule",
        scope: scope === "" ? null : scope,
        place: rules.indexOf(rule) + 1,
        rule: rule.label ?? null,
        outcome,
      },
      outcome: `rule ${comparableOutcome(rule.outcome)}`,
      name: outcomeName(outcome),
      label: rule.label,
      content: this.#contentOf(rule),
    };
    this.#rules.set(rule, route);
    return route;
  }

  #contentOf(rule: RoutingRule): string {
    const known = this.#contents.get(rule);
    if (known !== undefined) return known;
    const { enabled, conditions, outcome } = rule;
    const made = canonical([
      enabled,
      conditions.map(({ field, operator, value }) => [field, operator, value]),
      outcome,
    ]);
    this.#contents.set(rule, made);
    return made;
  }
}

const RULES_UNKNOWN = "the rules of the workspace are not known";

function outcomeName({ action, severity }: Fields): string {
  return [
    textIn(action) ?? "no action",
    ...(severity === undefined ? [] : [`severity ${textIn(severity) ?? ""}`]),
  ].join(", ");
}

/** Sources that no side has, and those that were taken to have no rules of their own. */
function notesOn(
  seen: ReadonlyMap<string, { readonly alerts: number; readonly line: number }>,
  { before, after, renamed, isFromFiles }: RoutingSides,
): readonly string[] {
  const notes: string[] = [];
  const assumed = new Map<"", string[]>();
  for (const [source, { alerts, line }] of seen) {
    const sides = [before, after].flatMap((side) => side ?? []);
    const name = renamed.get(source) ?? source;
    const has = ({ sources, sets }: RoutingSide) =>
      sources?.has(source) === true ||
      sources?.has(name) === true ||
      sets.sources.has(source) ||
      sets.sources.has(name);
    const isUnknown = sides.every((side) => side.sources !== undefined) && !sides.some(has);
    const hasRules = ({ sets }: RoutingSide) => (sets.sources.get(source) ?? sets.sources.get(name)) !== undefined;
    const isTaken = ({ sources }: RoutingSide) =>
      sources === undefined || sources.get(source) === true || sources.get(name) === true;
    const share = `${quoted(source)} (${counted(alerts, "alert")}, the first at line ${line})`;
    if (isUnknown) {
      const names = sides.flatMap((side) => [...(side.sources?.keys() ?? [])]);
      const guess = suggest(source, names);
      notes.push(`there is no alert source ${share}${guess === undefined ? "" : `; did you mean ${quoted(guess)}?`}`);
    } else if (isFromFiles && !sides.some(hasRules) && sides.some(isTaken)) addTo(assumed, "", share);
  }
  const sources = assumed.get("") ?? [];
  if (sources.length === 0) return notes;
  return [
    ...notes,
    `no service was read, so these sources are taken to have no rules of their own: ${sources.join(", ")}`,
  ];
}
