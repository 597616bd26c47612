/** The block for reviewers at the top of a plan: risky changes, and the reasons why `apply` refuses it. */

import { sanitised } from "../../core/sanitise.ts";
import type { Blocked, Change, Plan } from "../../plan/plan.ts";
import { counted } from "../format/value.ts";
import { quotedLabel, type ReportContext } from "./change-lines.ts";
import { approvalAdvice } from "./verdict.ts";

/** Changes or addresses to list before the rest is counted. */
const MAX_ITEMS = 20;

/** The block, destructive changes first; empty if every change is safe and none is blocked. */
export function attention(plan: Plan, { wording, style }: ReportContext): readonly string[] {
  if (!wording.isPlan) return [];
  const risky = [
    ...plan.changes.filter((change) => change.risk === "destructive"),
    ...plan.changes.filter((change) => change.risk === "attention"),
  ];
  const blocks = plan.blocked.map((blocked) => blockedLines(blocked));
  if (risky.length + blocks.length === 0) return [];
  const visible = style.verbose ? risky : risky.slice(0, MAX_ITEMS);
  const more = risky.length - visible.length;
  return [
    style.paint("alarm", "Needs attention"),
    ...visible.flatMap((change) => riskLines(change)),
    ...(more === 0 ? [] : [`  … and ${counted(more, "more change")}; --verbose shows all`]),
    ...blocks.flat(),
    ...(plan.blocked.length > 1 ? [`  ${approvalAdvice(plan.blocked)}`] : []),
  ];

  function riskLines(change: Change): readonly string[] {
    const word = wording.actions[change.action];
    const details = [quotedLabel(change), word.note, sanitised(change.reason)]
      .filter((part) => part !== undefined && part !== "")
      .join(": ");
    const tone = change.risk === "destructive" ? "removed" : "changed";
    const cascades = (change.cascades ?? []).map((address) => `      also deletes ${sanitised(address)}`);
    const shownAddresses = style.verbose ? cascades : cascades.slice(0, MAX_ITEMS);
    const rest = cascades.length - shownAddresses.length;
    return [
      `  ${style.paint(tone, `${word.symbol} ${sanitised(change.address)}`)}  ${details}`,
      ...shownAddresses,
      ...(rest === 0 ? [] : [`      … and ${counted(rest, "more resource")}`]),
    ];
  }

  function blockedLines({ message, addresses, flag }: Blocked): readonly string[] {
    const shownAddresses = style.verbose ? addresses : addresses.slice(0, MAX_ITEMS);
    const rest = addresses.length - shownAddresses.length;
    const list = [...shownAddresses.map(sanitised), ...(rest === 0 ? [] : [`… and ${counted(rest, "more resource")}`])];
    return [
      `  ${style.paint("alarm", "! blocked")}: ${sanitised(message)}`,
      ...(list.length === 0 ? [] : [`      ${list.join(", ")}`]),
      ...(flag === undefined ? [] : [`      requires ${sanitised(flag)}`]),
    ];
  }
}
