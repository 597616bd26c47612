/** The units of a repository: pairs of an environment and a directory, each with a plan of its own. */

const DEFAULT = '[{"name": "workspace", "directory": "."}]';

/** The units of `INCIDENTCTL_UNITS`, or the one named `INCIDENTCTL_UNIT`, each with its protected environment of the forge. */
export function listUnits({
  INCIDENTCTL_UNITS: text,
  INCIDENTCTL_UNIT: only,
  INCIDENTCTL_RUN: run,
  INCIDENTCTL_FINGERPRINT: hash,
}) {
  const units = JSON.parse(text || DEFAULT);
  for (const { name, environment = "", directory } of units) {
    const isValid = /^[\w.-]{1,60}$/.test(name) && /^[\w.-]*$/.test(environment) && /^[\w./ -]+$/.test(directory);
    if (!isValid || directory.startsWith("/") || directory.split("/").includes("..")) {
      throw new Error(`not a unit: ${JSON.stringify({ name, environment, directory })}`);
    }
  }
  if (new Set(units.map(({ name }) => name)).size !== units.length) throw new Error("two units have the same name");
  if (run && !only) throw new Error("a run proposes a plan for each unit: name one unit");
  if (run && !hash) throw new Error("to apply a proposal, name its fingerprint");
  const chosen = units.filter(({ name }) => !only || name === only);
  if (chosen.length === 0) throw new Error(`there is no unit ${only}`);
  return chosen.map(({ name, environment = "", directory }) => ({
    name,
    environment,
    directory,
    protection: [`incidentctl-${run ? "proposal" : "apply"}`, environment].filter((part) => part !== "").join("-"),
  }));
}
