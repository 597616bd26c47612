/** Groups findings that one place makes again and again, such as an expression that is wrong for each of 500 documents. */

import type { Diagnostic } from "./diagnostic.ts";

/** So many findings of one place are shown one by one. */
const SINGLE = 3;

/** Places that a group names if all its findings say the same. */
const EXAMPLES = 3;

/** Different findings that a group names: each may need a correction of its own. */
const VARIANTS = 5;

/**
 * The findings, with one in place of all those of a code that the same template of a source has made. Its place is the template, and its
 * related places are examples in the foreign files.
 */
export function groupFindings<Finding extends Diagnostic>(findings: readonly Finding[]): readonly Finding[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.madeAt === undefined) continue;
    const name = JSON.stringify([finding.severity, finding.code, finding.madeAt]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [finding]);
    else group.push(finding);
  }
  const replaced = new Map<Finding, readonly Finding[]>();
  for (const group of groups.values()) {
    if (group.length <= SINGLE) continue;
    for (const [index, finding] of group.entries()) replaced.set(finding, index === 0 ? [combined(group)] : []);
  }
  return replaced.size === 0 ? findings : findings.flatMap((finding) => replaced.get(finding) ?? [finding]);
}

function combined<Finding extends Diagnostic>(group: readonly Finding[]): Finding {
  const variants = variantsOf(group);
  const [first] = variants[0] ?? group;
  if (first === undefined) throw new Error("a group has no finding");
  const isSame = variants.length === 1;
  const { madeAt, at: _at, address: _address, help: _help, correction: _correction, ...shared } = first;
  const help = sharedBy(group, (one) => one.help);
  const relatedOf = (one: Finding): Related => (one.related ?? []).filter(({ at }) => !isEqual(at, madeAt));
  const related = sharedBy(group, relatedOf);
  const examples = isSame
    ? group.slice(0, EXAMPLES).map((one) => ({ one, text: "for example" }))
    : variants.slice(0, VARIANTS).flatMap(([one, ...rest]) => {
        if (one === undefined) return [];
        const times = rest.length === 0 ? "" : ` (${rest.length + 1} times)`;
        const ownHelp = help === undefined && one.help !== undefined ? `. ${one.help}` : "";
        return [{ one, text: `${messageOf(one)}${times}${ownHelp}` }];
      });
  const places = examples.flatMap(({ one, text }) => [
    ...(one.at === undefined ? [] : [{ message: text, at: one.at }]),
    ...(related === undefined ? relatedOf(one) : []),
  ]);
  return {
    ...(shared as Finding),
    message: `${messageOf(first)} ${isSame ? `(${group.length} times)` : `(and ${group.length - 1} similar ones)`}`,
    ...(madeAt === undefined ? {} : { at: madeAt }),
    related: [...places, ...(related ?? [])],
    ...(help === undefined ? {} : { help }),
  };
}

type Related = NonNullable<Diagnostic["related"]>;

/** A part that all findings have; undefined if they differ in it. */
function sharedBy<Finding, Part>(group: readonly Finding[], partOf: (finding: Finding) => Part): Part | undefined {
  const [first, ...others] = group.map(partOf);
  return others.every((other) => isEqual(other, first)) ? first : undefined;
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The findings by what they say, the most frequent first. */
function variantsOf<Finding extends Diagnostic>(group: readonly Finding[]): readonly (readonly Finding[])[] {
  const variants = new Map<string, Finding[]>();
  for (const finding of group) {
    const message = messageOf(finding);
    const variant = variants.get(message);
    if (variant === undefined) variants.set(message, [finding]);
    else variant.push(finding);
  }
  return [...variants.values()].toSorted((left, right) => right.length - left.length);
}

/** The message without the address at its beginning. */
function messageOf({ message, address }: Diagnostic): string {
  return address !== undefined && message.startsWith(`${address}: `) ? message.slice(address.length + 2) : message;
}
