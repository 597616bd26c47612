/** The units of a repository: pairs of an environment and a directory, each with a plan of its own. */

import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { fieldsIn, isList, type Json } from "../../core/json.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";

/** A unit. */
export interface Unit {
  /** It stands in comments, in names of artifacts and of folders as it is. */
  readonly name: string;
  /** An environment of the settings; empty for none. */
  readonly environment: string;
  /** The absolute path of its directory. */
  readonly directory: string;
}

const NAME = /^[\w.-]{1,60}$/;
const ENVIRONMENT = /^[\w.-]*$/;
const DIRECTORY = /^[\w./ -]+$/;

/** The names of the units of `INCIDENTCTL_UNITS`; that of `INCIDENTCTL_UNIT` without it. */
export function unitNames(env: Io["env"]): readonly string[] {
  return listedUnits(env)?.map(({ name }) => name) ?? [checkedName(env.INCIDENTCTL_UNIT || "workspace")];
}

/**
 * The unit of a run: the one of `INCIDENTCTL_UNITS` that `chosen` or `INCIDENTCTL_UNIT` names, in the checkout. Without the list, it is the
 * current directory, with the environment of `INCIDENTCTL_ENVIRONMENT`.
 */
export function unitOf(chosen: string | undefined, checkout: string, { env, cwd }: Io): Unit {
  const name = chosen || env.INCIDENTCTL_UNIT || undefined;
  const units = listedUnits(env);
  if (units === undefined) {
    const { INCIDENTCTL_ENVIRONMENT: environment = "" } = env;
    return { name: checkedName(name ?? "workspace"), environment, directory: cwd };
  }
  const [only, ...others] = units;
  const unit = name === undefined && others.length === 0 ? only : units.find((one) => one.name === name);
  if (unit === undefined) {
    const names = units.map((one) => one.name).join(", ");
    throw misuse(
      name === undefined ? `name one unit with --unit: ${names}` : `there is no unit ${quoted(name)}, only ${names}`,
    );
  }
  const { INCIDENTCTL_ENVIRONMENT: environment = unit.environment } = env;
  if (environment !== unit.environment) {
    throw misuse(
      `INCIDENTCTL_ENVIRONMENT is ${quoted(environment)}, and the environment of the unit ${unit.name} is ${quoted(unit.environment)}`,
    );
  }
  return { ...unit, directory: directoryIn(checkout, unit.directory) };
}

function listedUnits({ INCIDENTCTL_UNITS: text }: Io["env"]): readonly Unit[] | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const units = parsedList(text).map((json) => {
    const { name, environment = "", directory = "." } = fieldsIn(json);
    return {
      name: member("name", name, (text) => NAME.test(text), "has 1 to 60 letters, digits, and . _ -"),
      environment: member(
        "environment",
        environment,
        (text) => ENVIRONMENT.test(text),
        "has letters, digits, and . _ -",
      ),
      directory: member(
        "directory",
        directory,
        isInside,
        "is a path within the repository, of a to z, digits, blanks and . _ - /",
      ),
    };
  });
  if (units.length === 0) throw misuse("INCIDENTCTL_UNITS has no unit");
  if (new Set(units.map(({ name }) => name)).size !== units.length) {
    throw misuse("two units of INCIDENTCTL_UNITS have the same name");
  }
  return units;
}

/** The value of a member of a unit. `rule` says what it has to be. */
function member(name: string, value: Json | undefined, isRight: (text: string) => boolean, rule: string): string {
  if (typeof value === "string" && isRight(value)) return value;
  const found =
    value === undefined
      ? "is missing"
      : `is ${typeof value === "string" ? quoted(value) : sanitised(JSON.stringify(value))}`;
  throw misuse(`INCIDENTCTL_UNITS: the ${name} of a unit ${found}. It ${rule}`);
}

function isInside(path: string): boolean {
  return DIRECTORY.test(path) && !path.startsWith("/") && !path.split("/").includes("..");
}

function parsedList(text: string): readonly Json[] {
  try {
    const list: Json = JSON.parse(text);
    if (isList(list)) return list;
  } catch {
    // The message is the same for what is no JSON and for what is no list.
  }
  throw misuse('INCIDENTCTL_UNITS is a list of units in JSON, like [{"name": "workspace", "directory": "."}]');
}

function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw misuse(`${quoted(name)} is no name of a unit: it has 1 to 60 letters, digits, and . _ -`);
}

/** The directory of a unit. One that is a link, or below one, would be another than the list names. */
function directoryIn(checkout: string, directory: string): string {
  const path = resolve(checkout, directory);
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    throw misuse(`the directory ${quoted(directory)} of INCIDENTCTL_UNITS does not exist`);
  }
  if (real !== resolve(realpathSync(checkout), directory)) {
    throw misuse(`the directory ${quoted(directory)} of INCIDENTCTL_UNITS is a link, or below one`);
  }
  return real;
}
