/** What a reviewer must see first: changes that destroy or need care, and what stops `apply`. */

import { sanitised } from "../../core/sanitise.ts";
import type { Blocked, Change, Plan } from "../../plan/plan.ts";
import { counted } from "../format/value.ts";
import { label, type Setting } from "./change-lines.ts";

/** Entries that are named before the rest is counted. */
const MOST = 20;

/** The block, destructive changes first; empty when everything is safe and nothing is blocked. */
export function attention(plan: Plan, { wording, style }: Setting): readonly string[] {
  if (!wording.asks) return [];
  const risky = [
    ...plan.changes.filter((change) => change.risk === "destructive"),
    ...plan.changes.filter((change) => change.risk === "attention"),
  ];
  const blocks = plan.blocked.map((blocked) => blockedLines(blocked));
  if (risky.length + blocks.length === 0) return [];
  const shown = style.verbose ? risky : risky.slice(0, MOST);
  const more = risky.length - shown.length;
  return [
    style.paint("alarm", "Needs attention"),
    ...shown.flatMap((change) => riskLines(change)),
    ...(more === 0 ? [] : [`  … and ${counted(more, "more change")}; --verbose names all`]),
    ...blocks.flat(),
  ];

  function riskLines(change: Change): readonly string[] {
    const word = wording.actions[change.action];
    const what = [label(change), word.note, sanitised(change.reason)]
      .filter((part) => part !== undefined && part !== "")
      .join(": ");
    const tone = change.risk === "destructive" ? "removed" : "changed";
    const cascades = (change.cascades ?? []).map((address) => `      with it goes ${sanitised(address)}`);
    const named = style.verbose ? cascades : cascades.slice(0, MOST);
    const rest = cascades.length - named.length;
    return [
      `  ${style.paint(tone, `${word.symbol} ${sanitised(change.address)}`)}  ${what}`,
      ...named,
      ...(rest === 0 ? [] : [`      … and ${counted(rest, "more entry", "more entries")}`]),
    ];
  }

  function blockedLines({ message, addresses, flag }: Blocked): readonly string[] {
    const named = style.verbose ? addresses : addresses.slice(0, MOST);
    const rest = addresses.length - named.length;
    const list = [
      ...named.map(sanitised),
      ...(rest === 0 ? [] : [`… and ${counted(rest, "more entry", "more entries")}`]),
    ];
    return [
      `  ${style.paint("alarm", "! blocked")}: ${sanitised(message)}`,
      ...(list.length === 0 ? [] : [`      ${list.join(", ")}`]),
      ...(flag === undefined ? [] : [`      to allow it: ${sanitised(flag)}`]),
    ];
  }
}
