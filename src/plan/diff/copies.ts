/** Refuses options and items that the service would store beside live ones of the same name in another form. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isList, objectsIn } from "../../core/json.ts";
import { quoted, yamlWord } from "../../core/sanitise.ts";
import type { KeyedItems } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { isSameName, nameForms } from "../../kinds/values/sameness.ts";
import { copiedOptions } from "../../workspace/match/option-match.ts";
import { fieldProblem } from "./change.ts";

/** An error for each new option or item of a field that is a live one in another form. */
export function copies(declared: DeclaredResource, live: LiveResource, name: string): readonly Diagnostic[] {
  const { optionList, keyedItems } = declared.kind.fields?.[name] ?? {};
  if (keyedItems !== undefined) return itemCopies(declared, live, name, keyedItems);
  const [before, after] = [live.fields[name], declared.fields[name]];
  if (optionList !== true || !isList(before) || !isList(after)) return [];
  return copiedOptions(before.map(String), after).map(([label, other]) => {
    const help = `Write ${quoted(other, label)}, or add renamed_from: ${yamlWord(other, label)} to rename it.`;
    return copied(declared, `/${name}`, "option", [label, other], help);
  });
}

/** The errors for items of a keyed list, and for their options. */
function itemCopies(
  declared: DeclaredResource,
  live: LiveResource,
  name: string,
  { keyOf, names: [nameField = ""], options: optionField = "" }: KeyedItems,
): readonly Diagnostic[] {
  const [before, after] = [objectsIn(live.fields[name]), objectsIn(declared.fields[name])];
  const liveByKey = new Map(before.map((item) => [keyOf(item), item]));
  const listed = new Set(after.map(keyOf));
  const removed = before.flatMap((item) => (listed.has(keyOf(item)) ? [] : [String(item[nameField])]));
  return after.flatMap((item, index) => {
    const own = String(item[nameField]);
    const other = liveByKey.get(keyOf(item));
    if (other === undefined) {
      const former = removed.find((one) => isSameName(one, own));
      if (former === undefined) return [];
      const help = `Write ${nameField}: ${yamlWord(former, own)} to keep that one, or choose another ${nameField}.`;
      return [copied(declared, `/${name}/${index}/${nameField}`, name.replace(/s$/, ""), [own, former], help)];
    }
    const [labels, listedLabels] = [other[optionField], item[optionField]];
    if (!isList(labels) || !isList(listedLabels)) return [];
    return copiedOptions(labels.map(String), listedLabels).map(([label, former]) => {
      const help = `Write ${yamlWord(former, label)} to keep that one, or choose another option.`;
      const pointer = `/${name}/${index}/${optionField}`;
      return copied(declared, pointer, "option", [label, former], help, ` of ${quoted(own)}`);
    });
  });
}

function copied(
  declared: DeclaredResource,
  pointer: string,
  title: string,
  [own, live]: readonly [own: string, live: string],
  help: string,
  of: string = "",
): Diagnostic {
  const subject = `${declared.address}: the live ${title} ${quoted(live, own)}${of}`;
  const message = `${subject} is ${quoted(own, live)} ${nameForms(live, own)}, and creating that would make a second one`;
  return fieldProblem(declared, pointer, "E_OTHER_FORM", message, help);
}
