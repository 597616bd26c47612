/** A006: a mention of something that cannot be chosen. */

import { isList } from "../../core/json.ts";
import type { Reference } from "../../kinds/lookup.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { about, beside, labelOf } from "../reading.ts";
import { isEnabled, type Subject, type View } from "../view.ts";

export const unusableMention: Analyzer = {
  id: "A006",
  name: "unusable-mention",
  severity: "warning",
  title: "A condition or a rule mentions an entry that is disabled, or an entry or option that does not exist.",
  why: "No incident will ever have the value again, so the condition stops meaning what it says, and the service refuses it when it is sent anew.",
  fix: "Mention an entry that is enabled, or enable this one.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { subjects } of view.lists) {
    for (const subject of subjects) {
      const { declared, kind, scope } = subject;
      if (declared === undefined) continue;
      for (const reference of kind.references?.of?.(declared.fields, view, scope) ?? []) {
        // The scope that an entry lies in is not a mention.
        if (reference.at === "") continue;
        const hit = judged(reference, subject, view);
        if (hit !== undefined) yield hit;
      }
    }
  }
}

function judged(reference: Reference, subject: Subject, view: View): Hit | undefined {
  const { kind, key, scope, option: choice } = reference;
  const place = () => about(subject, reference.at);
  const target = view.subject(kind, key, scope);
  if (target === undefined) {
    if (!isMissing(reference, view)) return undefined;
    return { message: `${subject.address} mentions ${kind}/${key}, which does not exist`, ...place() };
  }
  if (!isEnabled(target)) {
    const related = beside(target, "disabled here", `/${target.kind.lifecycle.disable}`);
    return { message: `${subject.address} mentions ${target.address}, which is disabled`, ...place(), ...related };
  }
  if (choice === undefined) return undefined;
  const { options } = target.fields;
  if (!isList(options) || options.map(labelOf).includes(choice)) return undefined;
  const related = beside(target, "its options are listed here", "/options");
  return { message: `${target.address} has no option "${choice}"`, ...place(), ...related };
}

/** What is not declared exists unless somebody knows that it does not: the files own the list, or it was read. */
function isMissing({ kind, key, scope }: Reference, view: View): boolean {
  if (!view.manages(kind, scope) && !view.sees(kind, scope)) return false;
  return !view.isBuiltin(kind, key);
}
