/** The profile of a service: what `conformance` found out about it, in a file that the settings name. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { isFields, isList, type Json, parseJson } from "../../core/json.ts";
import { type FileBytes, fileName } from "../source/files.ts";
import type { Limits } from "../source/limits.ts";
import { utf8 } from "../source/text.ts";
import type { Project } from "./project.ts";

/** Facts about a service that its interface leaves open. */
export interface ServiceProfile {
  /** Scheme, host and port of the service that was checked. */
  readonly service: string;
  /** ISO 8601. */
  readonly checkedAt: string;
  /** The service's choices, by dialect; without those that are unknown. */
  readonly dialects: Readonly<Record<string, string>>;
  /** Ids of the rules of the interface that the service does not keep. */
  readonly broken: readonly string[];
}

/** The profile with the bytes of its file, which count as part of the configuration. */
export interface LoadedProfile {
  readonly profile: ServiceProfile;
  readonly file: FileBytes;
}

const FORMAT = 1;

/** The text of the file, with a final line feed. */
export function serviceProfileText({ service, checkedAt, dialects, broken }: ServiceProfile): string {
  return `${JSON.stringify({ format_version: FORMAT, service, checked_at: checkedAt, dialects, broken }, null, 2)}\n`;
}

/** Reads the file; undefined if it cannot be read or is no profile, which is an error at the place of its name in the settings. */
export function readServiceProfile(
  { path, at }: { readonly path: string; readonly at?: Location | undefined },
  { home, tree }: Pick<Project, "home" | "tree">,
  limits: Limits,
  findings: Findings,
): LoadedProfile | undefined {
  const name = fileName(home, path);
  const refuse = (code: string, why: string): undefined => {
    findings.error(code, `the profile "${name}" ${why}`, at, {
      help: "Make it with incidentctl conformance --url URL --out FILE, or remove service_profile from the settings.",
    });
    return undefined;
  };
  const bytes = tree.read(path, { root: home, maximum: limits.fileBytes, mayBeHidden: true });
  if ("code" in bytes) return refuse(bytes.code, `cannot be read: ${bytes.message}`);
  const profile = profileOf(parseJson(utf8(bytes) ?? ""));
  if (profile === undefined) return refuse("E_PROFILE", "is not a profile of this version of incidentctl");
  return { profile, file: { file: name, path, bytes } };
}

function profileOf(value: Json | undefined): ServiceProfile | undefined {
  if (!isFields(value) || value.format_version !== FORMAT) return undefined;
  const { service, checked_at: checkedAt, dialects, broken } = value;
  if (typeof service !== "string" || typeof checkedAt !== "string" || !isFields(dialects) || !isList(broken)) {
    return undefined;
  }
  const choices = Object.entries(dialects).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const ids = broken.filter((id) => typeof id === "string");
  if (choices.length < Object.keys(dialects).length || ids.length < broken.length) return undefined;
  return { service, checkedAt, dialects: Object.fromEntries(choices), broken: ids };
}
