/** The block for reviewers at the top of a plan: the changes to look at first, and the reasons why `apply` refuses it. */

import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Blocked, Change, Plan, RankedTransition } from "../../plan/model/plan.ts";
import { markOf, noteOf, quotedLabel, type ReportContext } from "./change-lines.ts";
import { transitionSentences } from "./transitions.ts";
import { approvalCommand, changesToReview, reviewReason } from "./verdict.ts";

/** Changes or addresses to list before the rest is counted. */
const MAX_ITEMS = 20;
/** Changed rules of one list to show by themselves; of more, the list is shown. */
const MAX_RULES = 3;

/** The block; empty if no change needs attention and none is blocked. */
export function attention(plan: Plan, { wording, style }: ReportContext): readonly string[] {
  if (!wording.isPlan) return [];
  const changes = changesToReview(plan).filter((change) => !isTokenInBlocked(change, plan));
  const lists = (plan.transitions ?? []).filter(({ edited, moved, added }) => edited + moved + added > MAX_RULES);
  const listOf = ({ action, address }: Change): RankedTransition | undefined =>
    action === "delete" ? undefined : lists.find((list) => address.startsWith(`${list.address}/`));
  const changedLists = new Set(changes.flatMap((change) => listOf(change) ?? []));
  const items = [
    ...changes.filter((change) => listOf(change) === undefined).map(changeItem),
    ...[...changedLists].map((list) => [
      `  ${style.words === true ? "change" : style.paint("changed", "~")} ${transitionSentences(list)[0]}`,
    ]),
  ];
  const blocks = plan.blocked.map(blockedLines);
  if (items.length + blocks.length === 0) return [];
  const visible = style.verbose ? items : items.slice(0, MAX_ITEMS);
  const more = items.length - visible.length;
  const command = approvalCommand(plan);
  return [
    style.paint("alarm", "Needs attention"),
    ...visible.flat(),
    ...(more === 0 ? [] : [`  … and ${counted(more, "more change")}; --verbose shows all`]),
    ...blocks.flat(),
    ...(command === undefined ? [] : [`  To approve: ${command}`]),
  ];

  function changeItem(change: Change): readonly string[] {
    const word = wording.actions[change.action];
    const details = [quotedLabel(change), noteOf(word, style), sanitised(reviewReason(change))]
      .filter((part) => part !== undefined && part !== "")
      .join(": ");
    const tone = change.risk === "destructive" ? "removed" : word.tone;
    const cascades = (change.cascades ?? []).map((address) => `      also deletes ${sanitised(address)}`);
    const shownAddresses = style.verbose ? cascades : cascades.slice(0, MAX_ITEMS);
    const rest = cascades.length - shownAddresses.length;
    return [
      `  ${style.paint(tone, `${markOf(word, style)} ${sanitised(change.address)}`)}  ${details}`,
      ...shownAddresses,
      ...(rest === 0 ? [] : [`      … and ${counted(rest, "more resource")}`]),
    ];
  }

  function blockedLines({ message, addresses, flag }: Blocked): readonly string[] {
    const shownAddresses = style.verbose ? addresses : addresses.slice(0, MAX_ITEMS);
    const rest = addresses.length - shownAddresses.length;
    const list = [...shownAddresses.map(sanitised), ...(rest === 0 ? [] : [`… and ${counted(rest, "more resource")}`])];
    return [
      `  ${style.paint("alarm", style.words === true ? "blocked" : "! blocked")}: ${sanitised(message)}`,
      ...(list.length === 0 ? [] : [`      ${list.join(", ")}`]),
      ...(flag === undefined ? [] : [`      requires ${sanitised(flag)}`]),
    ];
  }
}

/** Whether a creation with a token is listed among the blocked ones, which say the same of it. */
function isTokenInBlocked({ action, address }: Change, { blocked }: Plan): boolean {
  return action === "create" && blocked.some(({ addresses }) => addresses.includes(address));
}
