/** A006: a reference to something that cannot be selected. */

import { isList } from "../../core/json.ts";
import type { Reference } from "../../kinds/lookup.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { labelOf, placeOf, relatedPlace } from "../field-values.ts";
import { isEnabled, type Subject, type View } from "../view.ts";

export const unusableReference: Analyzer = {
  id: "A006",
  name: "unusable-reference",
  severity: "warning",
  title: "A condition or a rule references a disabled resource, or a resource or option that does not exist.",
  why: "No new incident can have the value, so the condition no longer works as intended, and the service refuses it when it is sent again.",
  fix: "Reference an enabled resource, or enable this one.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { subjects } of view.lists) {
    for (const subject of subjects) {
      const { declared, kind, scope } = subject;
      if (declared === undefined) continue;
      for (const reference of kind.references?.of?.(view, scope)(declared.fields) ?? []) {
        // The parent of a resource is not a reference to report.
        if (reference.at === "") continue;
        const hit = check(reference, subject, view);
        if (hit !== undefined) yield hit;
      }
    }
  }
}

function check(reference: Reference, subject: Subject, view: View): Hit | undefined {
  const { kind, key, scope, option } = reference;
  const place = () => placeOf(subject, reference.at);
  const target = view.subject(kind, key, scope);
  if (target === undefined) {
    if (!isMissing(reference, view)) return undefined;
    return { message: `${subject.address} references ${kind}/${key}, which does not exist`, ...place() };
  }
  if (!isEnabled(target)) {
    const related = relatedPlace(target, "disabled here", `/${target.kind.lifecycle.disable}`);
    return { message: `${subject.address} references ${target.address}, which is disabled`, ...place(), ...related };
  }
  if (option === undefined) return undefined;
  const { options } = target.fields;
  if (!isList(options) || options.map(labelOf).includes(option)) return undefined;
  const related = relatedPlace(target, "its options are listed here", "/options");
  return { message: `${target.address} has no option "${option}"`, ...place(), ...related };
}

/** Whether the resource certainly does not exist: the configuration manages its list, or the list was read. */
function isMissing({ kind, key, scope }: Reference, view: View): boolean {
  if (!view.manages(kind, scope) && !view.sees(kind, scope)) return false;
  return !view.isBuiltin(kind, key);
}
