/**
 * The report of a plan, of drift or of a run as a plain value: the verdict, the changes by kind and those to look at first, and the places
 * that are left alone. Text, Markdown, page and JUnit only write it in their format.
 */

import { mergeRepeats, type Repeated, statementOf } from "../../core/findings.ts";
import { groupBy } from "../../core/lists.ts";
import { programLine, type RunWords, sanitised } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { counted, placeText, valueText } from "../../core/value-text.ts";
import type { Drift } from "../../plan/drift/drift.ts";
import {
  type Blocked,
  type Change,
  ONLY_CHANGED,
  type Operation,
  type Plan,
  type PossibleRename,
  type RankedTransition,
  type Unreadable,
  type Warning,
} from "../../plan/model/plan.ts";
import type { Tone } from "../format/ansi.ts";
import {
  ALREADY_DIFFERENT,
  baseTitle,
  type ChangeSection,
  type ChangesOfKind,
  changeSections,
  releasedSections,
  tellsOrigins,
} from "./base-view.ts";
import { driftSections, leftAloneSections, type PlaceSection } from "./left-alone.ts";
import { recordedSections } from "./recorded-view.ts";
import { unmanagedSections } from "./unmanaged-view.ts";
import { type ApplyWords, countsText, environmentWords, type Verdict, verdictOf } from "./verdict.ts";
import { type ActionWording, DRIFT, PLAN, type Wording } from "./wording.ts";

/** A report. Its texts are sanitised, except those of the plan. */
export interface PlanView {
  readonly plan: Plan;
  readonly wording: Wording;
  /** The service, and its environment: `https://incidents.example.com, environment staging`. */
  readonly target: string;
  /** The base that the plan was compared with: `HEAD (a1b2c3d4e5)`; empty if there is none. */
  readonly base: string;
  readonly verdict: Verdict;
  /** The reasons why `apply` refuses the plan; only of a plan. */
  readonly blocked: readonly Blocked[];
  /** The changes in the order of the plan. */
  readonly changes: readonly ChangeView[];
  /** Changes that cannot be undone, and then those that need attention; only of a plan that is not applied. */
  readonly review: readonly ChangeView[];
  /** Creations that may be removals under a new name; only of a plan that is not applied, and of drift. */
  readonly renames: readonly RenameView[];
  /** The same by kind. */
  readonly kinds: readonly KindView[];
  /** The same by origin and then by kind. */
  readonly sections: readonly ChangeSection<ChangeView>[];
  /** The places that are no longer managed; only of a plan that has a base. */
  readonly released: readonly PlaceSection[];
  /** Recorded alerts before and after the plan; empty if none were given. */
  readonly recorded: readonly PlaceSection[];
  /** The warnings; those that say the same of several resources are together. */
  readonly warnings: readonly Repeated<WarningView>[];
  /** The fields that could not be compared; those of one path and reason are together. */
  readonly unreadable: readonly Repeated<Unreadable>[];
  /** The side effects of a plan; drift has none. */
  readonly derived: Plan["derived"];
  /** The places that a plan leaves alone. */
  readonly leftAlone: readonly PlaceSection[];
  /** The sentence about files that look like configuration and are not read; empty if there are none. */
  readonly unread: string;
  /** Accepted, expired and resolved differences; only of drift. */
  readonly accepted: readonly PlaceSection[];
  /** The commands to run next; only of drift. */
  readonly next: readonly NextStep[];
  /** The fingerprint of drift; null if nothing is new. Absent in other reports. */
  readonly fingerprint?: string | null;
}

/** A command to run next, and its purpose. */
export interface NextStep {
  readonly purpose: string;
  readonly command: string;
}

export type KindView = ChangesOfKind<ChangeView>;

/** A possible rename: its sentence, and what to do. The texts are sanitised. */
export interface RenameView {
  readonly sentence: string;
  /** The place and the text of the line that keeps what exists. */
  readonly at: string;
  readonly line: string;
  /** The way out if the name changed in the workspace; empty if it cannot. */
  readonly orPull: string;
}

/** A change, and what reports say about it; a text is empty if there is nothing to say. */
export interface ChangeView {
  readonly change: Change;
  /** A report that is not verbose may cut or leave out the fields: the resource is new, and is no rule of a ranked list. */
  readonly isShortenable: boolean;
  /** A deletion in `review`: a report shows it there with its values, and not again by kind. */
  readonly standsFirst: boolean;
  /** The symbol and the words of its action. */
  readonly word: ActionWording;
  /** The name in the configuration, in quotes. */
  readonly label: string;
  /** Its position in an ordered list: the planned one, or in a drift report the declared one. */
  readonly position: string;
  /** Why there is a change, and why a reviewer should look at it. */
  readonly reason: string;
  readonly reviewReason: string;
  /** The rules from which a changed rule takes alerts. */
  readonly takeover: string;
  /** The note on a blocked change: the flags that it requires. */
  readonly blocked: string;
  /** The note on a change that was there before, beside others that were not. */
  readonly origin: string;
  /** The change is only that a resource is enabled or disabled, which its action says. */
  readonly isSwitch: boolean;
  /** The outcomes of its operations that did not end as planned; only of a run. */
  readonly open: readonly OpenOutcome[];
}

/** The outcome of an operation that did not end as planned, and its reasons. */
export interface OpenOutcome {
  readonly operation: Operation;
  readonly word: string;
  readonly tone: Tone;
  /** Sanitised lines. */
  readonly reasons: readonly string[];
}

/** A warning. Its name is the address, or empty; its subject is the same, or empty if the message begins with it. */
export interface WarningView extends Pick<Warning, "code" | "message" | "source"> {
  readonly subject: string;
  readonly name: string;
}

/** The values of a report that are not those of a plan. */
export interface ViewOptions extends ApplyWords {
  /** Default: the words of a plan. */
  readonly wording?: Wording;
  readonly drift?: Drift | undefined;
  readonly verdict?: Verdict;
  /** Words for the same service, files and environment, for the commands in messages. Default: the plan's environment. */
  readonly words?: RunWords;
  /** Files that look like configuration and are not read. */
  readonly unread?: readonly string[];
  readonly next?: readonly NextStep[];
  /** Operations of a run that did not end as planned. */
  readonly open?: readonly OpenOutcome[];
}

/** Files that a sentence names. */
const MAX_FILES = 3;

/** The view of drift. The accepted differences in `drift` are not in the plan. */
export function driftView(
  plan: Plan,
  drift?: Drift,
  rest: Pick<ViewOptions, "unread" | "next" | "words"> = {},
): PlanView {
  return planView(plan, { ...rest, wording: DRIFT, drift });
}

export function planView(
  plan: Plan,
  {
    wording = PLAN,
    drift,
    open = [],
    unread = [],
    next = [],
    words = environmentWords(plan),
    ...options
  }: ViewOptions = {},
): PlanView {
  const { host, environment } = plan.target;
  const blocked = wording.isPlan ? plan.blocked.map((one) => withWords(one, words)) : [];
  const hasReview = wording.isPlan && !wording.isPast;
  const notes = blockedNotes(blocked);
  const outcomes = new Map(open.map((outcome) => [outcome.operation.id, outcome]));
  const hasOrigins = tellsOrigins(plan, wording);
  const rankedLists = (plan.transitions ?? []).map(({ address }) => `${address}/`);
  const changes = plan.changes.map((change) => {
    const { action, address } = change;
    const view = changeView(change, wording, notes.get(address), outcomes);
    return {
      ...view,
      origin: hasOrigins && change.origin === "workspace" ? ALREADY_DIFFERENT : "",
      isShortenable: view.isShortenable && !rankedLists.some((list) => address.startsWith(list)),
      standsFirst: hasReview && action === "delete" && needsReview(change),
    };
  });
  const isDestructive = ({ change }: ChangeView): boolean => change.risk === "destructive";
  const others = changes.filter((view) => !isDestructive(view) && needsReview(view.change));
  const transitions = wording.isPlan ? (plan.transitions ?? []) : [];
  return {
    plan,
    wording,
    target: sanitised(environment === undefined ? host : `${host}, environment ${environment}`),
    base: baseTitle(plan, wording),
    verdict: options.verdict ?? verdictOf(plan, wording, drift, options),
    blocked,
    changes,
    review: hasReview ? [...changes.filter(isDestructive), ...others] : [],
    renames: wording.isPast ? [] : (plan.renames ?? []).map((rename) => renameView(rename, words)),
    kinds: changeSections(changes, transitions, false).flatMap(({ kinds }) => kinds),
    sections: changeSections(changes, transitions, hasOrigins),
    released: releasedSections(plan, wording),
    recorded: wording.isPlan ? recordedSections(plan) : [],
    warnings: mergeRepeats(
      plan.warnings.map((warning) => warningView(withWords(warning, words))),
      ({ code, message, name }) => [code, statementOf(message, name)],
      // Several of one resource are named by their places.
      ({ name, source }, first) => (name === first.name && source !== undefined ? placeText(source) : name),
    ),
    unreadable: mergeRepeats(
      plan.unreadable,
      ({ path, reason }) => [path, reason],
      ({ address }) => address,
    ),
    derived: wording.isPlan ? plan.derived : [],
    leftAlone: [...leftAloneSections(plan, wording), ...(wording.isPast ? [] : unmanagedSections(plan))],
    unread: unreadSentence(unread),
    next,
    accepted: drift === undefined ? [] : driftSections(drift),
    ...(drift === undefined ? {} : { fingerprint: drift.fingerprint }),
  };
}

function unreadSentence(files: readonly string[]): string {
  if (files.length === 0) return "";
  const names = files.slice(0, MAX_FILES).map(sanitised);
  const rest = files.length - names.length;
  const all = joinWords(rest === 0 ? names : [...names, `${rest} more`]);
  return `${counted(files.length, "file was", "files were")} not read: ${all} (W_UNREAD_FILE).`;
}

/** A change without the rest of its plan. */
export function changeView(
  change: Change,
  wording: Wording,
  blocked = "",
  outcomes: ReadonlyMap<string, OpenOutcome> = new Map(),
): ChangeView {
  const { action, label, reason, attention, operations } = change;
  const open = operations.flatMap((id) => outcomes.get(id) ?? []);
  return {
    change,
    isShortenable: action === "create",
    standsFirst: false,
    word: (open.length > 0 ? PLAN : wording).actions[action],
    label: label === undefined ? "" : valueText(label),
    position: positionText(change, wording),
    reason: sanitised(reason),
    reviewReason: [sanitised(attention ?? reason), cutOffText(change)].filter((part) => part !== "").join("; "),
    takeover: wording.isPlan ? takeoverText(change) : "",
    blocked,
    origin: "",
    isSwitch: (action === "enable" || action === "disable") && change.fields.every(({ path }) => path === "/enabled"),
    open,
  };
}

function renameView({ from, to, because, edit, pull }: PossibleRename, words: RunWords): RenameView {
  return {
    sentence: sanitised(`${to} is possibly a rename of ${from} (${because})`),
    at: sanitised(`${edit.file}:${edit.line}`),
    line: sanitised(edit.text),
    orPull:
      pull === true
        ? sanitised(
            `if it was renamed in the workspace, ${programLine("pull", words)} takes the new name into the files`,
          )
        : "",
  };
}

/** The message with complete commands. */
function withWords<Told extends Pick<Warning, "message" | "commands">>(told: Told, words: RunWords): Told {
  const { commands = [], message } = told;
  const complete = commands.reduce(
    (text, command) => text.replace(command, () => programLine(command.slice(command.indexOf(" ") + 1), words)),
    message,
  );
  return { ...told, message: complete };
}

function needsReview({ risk, attention }: Change): boolean {
  return risk === "destructive" || attention !== undefined;
}

/** A warning; the same in annotations. */
export function warningView({ address = "", ...warning }: Warning): WarningView {
  return { ...warning, name: address, subject: warning.message.startsWith(address) ? "" : address };
}

/** Lines about what the summary does not cover: fields that could not be compared, the flags that narrowed the plan, and files. */
export function reservationLines({ plan, wording, unread }: PlanView, where: "above" | "below"): readonly string[] {
  const { unreadable, partial = [] } = plan;
  const flags = narrowingFlags(plan);
  const fields = `${counted(unreadable.length, "field")} could not be compared (listed ${where}).`;
  return [
    ...(unreadable.length === 0 ? [] : [fields]),
    ...(flags === "" ? [] : [`This ${wording.noun} is partial: ${flags}.`]),
    ...(!partial.includes(ONLY_CHANGED)
      ? []
      : ["Only resources whose declaration differs from the base are planned. Other differences are left alone."]),
    // A text says it in its last line.
    ...(unread === "" || where === "above" ? [] : [unread]),
  ];
}

/** The paths, kinds and addresses that narrow a plan, as they are typed. */
export function narrowingFlags({ partial = [] }: Plan): string {
  return partial
    .filter((flag) => flag !== ONLY_CHANGED)
    .map(sanitised)
    .join(" ");
}

/** The changes of a ranked list and its writes; a second sentence says what a routing gap affects. */
export function transitionSentences(transition: RankedTransition): readonly string[] {
  const { address, edited, moved, added, removed, writes, window, exposed, unmatched_after } = transition;
  const counts = countsText([
    [edited, "edited"],
    [moved, "moved"],
    [added, "added"],
    [removed, "removed"],
  ]);
  const opening = `${sanitised(address)}: ${counts} in ${counted(writes, "write")}; `;
  if (window === 0 && unmatched_after !== undefined) return [opening + UNMATCHED_AFTER[unmatched_after]];
  if (window === 0) return [`${opening}no routing gap: the old or the new rules apply throughout`];
  const rules = exposed.length > 1 ? `${exposed[0]} to ${exposed.at(-1)}` : exposed.join();
  return [
    `${opening}routing gap: during ${counted(window, "write")} some alerts get neither their old nor their new outcome`,
    `affected: ${sanitised(rules)}; requires --accept-routing-window`,
    ...(unmatched_after === undefined ? [] : [UNMATCHED_AFTER[unmatched_after]]),
  ];
}

const UNMATCHED_AFTER: Readonly<Record<NonNullable<RankedTransition["unmatched_after"]>, string>> = {
  certain: "then no rule matches its alerts: this service does not fall back to the workspace rules",
  unless_fallback: "then the workspace rules apply, or no rule matches its alerts if the service does not fall back",
};

/** The flags that a blocked change requires, by its address. */
function blockedNotes(blocked: readonly Blocked[]): ReadonlyMap<string, string> {
  const pairs = blocked.flatMap(({ addresses, flag = "" }) => addresses.map((address) => [address, flag] as const));
  const notes = [...groupBy(pairs, ([address]) => address)].map(([address, own]) => {
    const flags = own.flatMap(([, flag]) => (flag === "" ? [] : [sanitised(flag)]));
    return [address, flags.length === 0 ? "blocked" : `requires ${flags.join(" ")}`] as const;
  });
  return new Map(notes);
}

function positionText({ neighbours = {} }: Change, { isPlan }: Wording): string {
  const [before, after] = [sanitised(neighbours.before ?? ""), sanitised(neighbours.after ?? "")];
  if (before + after === "") return "";
  const between = before === "" ? `first, before ${after}` : `between ${before} and ${after}`;
  return `${isPlan ? "" : "should be "}${after === "" ? `last, after ${before}` : between}`;
}

/** The cut-offs of a removal: `cuts off endpoint_path a1b2, token inc_1234 (last used 2026-11-01T08:00:00Z)`. */
function cutOffText({ cuts_off: cutOff = [] }: Change): string {
  const parts = cutOff.map(({ what, value, last_used_at: lastUsed }) => {
    const use = lastUsed === undefined ? "" : lastUsed === null ? " (never used)" : ` (last used ${lastUsed})`;
    return sanitised(`${what.replaceAll("_", " ")} ${value}${use}`);
  });
  return parts.length === 0 ? "" : `cuts off ${joinWords(parts)}`;
}

function takeoverText({ takes_over: takeover }: Change): string {
  if (takeover === undefined) return "";
  const { rules, more = 0, unmatched = false } = takeover;
  // An address stands for a rule without a name.
  const names = rules.map((name) => (/^[a-z_]+\//.test(name) ? sanitised(name) : valueText(name)));
  const all = [...names, ...(more === 0 ? [] : [`${more} more`])];
  if (all.length === 0) return unmatched ? "takes alerts that no rule matched" : "";
  return `takes alerts from ${joinWords(all)}${unmatched ? ", and those that no rule matched" : ""}`;
}
