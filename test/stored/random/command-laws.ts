/** The laws of the commands on a service that stores, and answers, other forms of what it is sent. */

import { apply } from "../../../src/app/apply/apply-command.ts";
import { drift } from "../../../src/app/drift/drift-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { type Ended, openWorld, type World } from "../../commands/world.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import type { AlteringService } from "./altered.ts";
import type { Case } from "./laws.ts";

const DOUBTS = /\[E_OTHER_(FORM|SLUG)\]/;
/** Codes of a plan that stops until a person has enabled, or written otherwise, what the service stores as something else. */
const STOPS = /\[E_(OTHER_FORM|OTHER_SLUG|REF)\]/g;
/** Reasons for which an operation may fail. A person can act on each. */
const REASONS = /, but left .* unchanged|was created, but the service chose the slug|the service responded to /;

/** The reasons for which operations of an apply failed. */
function failuresIn({ stdout }: Ended): readonly string[] {
  const lines = stdout.split("\n");
  return lines.flatMap((line, at) => (/^ +(failed|unknown) /.test(line) ? [lines[at + 1] ?? ""] : []));
}

/** Whether an apply has ended well, or failed for reasons alone on which a person can act. */
function isExplained(ended: Ended): boolean {
  const failures = failuresIn(ended);
  return ended.exit === (failures.length === 0 ? 0 : 4) && failures.every((line) => REASONS.test(line));
}

/** The resources that an apply has created. */
function createdBy({ stderr }: Ended): readonly string[] {
  return [...stderr.matchAll(/\] (.*) \(create .*: done$/gm)].map(([, address = ""]) => address);
}

/** Whether a plan has stopped for reasons alone that a person has to settle. */
function isStopped({ exit, stderr }: Ended): boolean {
  const errors = [...stderr.matchAll(/error\[E_/g)];
  return exit === 1 && errors.length > 0 && errors.length === [...stderr.matchAll(STOPS)].length;
}

/** A folder with the files of a case, its service, and the applies there. */
interface Workspace {
  readonly world: World;
  readonly rights: Parameters<typeof apply>[0];
  /** Writes the files anew, and applies them. */
  applied(document?: Fields): Promise<Ended>;
}

async function opened(one: Case, service: AlteringService): Promise<Workspace> {
  const [document = {}] = one.documents;
  const files = (content: Fields) => ({ "config/all.yaml": JSON.stringify(content, null, 2) });
  const world = await openWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", ...files(document) });
  Object.assign(world.emulator, service.tokens);
  Object.assign(world.io, { fetch: service.open(one), clock: new VirtualClock() });
  const rights = {
    ...{ paths: [], yes: true, allowDelete: true, acceptRoutingWindow: true, secretsOut: "tokens.jsonl" },
    maxRemovals: { entries: 100 },
  };
  const applied = async (content?: Fields): Promise<Ended> => {
    if (content !== undefined) await world.write(files(content));
    return world.run(apply, rights);
  };
  return { world, rights, applied };
}

function told(title: string, { exit, stdout, stderr }: Ended): string {
  return `${title}: exit ${exit}\n${stdout}\n${stderr}`;
}

/** What breaks the laws where files are changed, applied and undone; undefined if nothing does, or a person has to look at something first. */
export async function brokenByHistory(one: Case, service: AlteringService): Promise<string | undefined> {
  const [document = {}, next] = one.documents;
  if (next === undefined) return undefined;
  const { world, rights, applied } = await opened(one, service);
  const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
  try {
    const first = await applied();
    if (first.exit !== 0 || (await planned()).exit !== 0) return undefined;
    const changed = await applied(next);
    if (changed.exit !== 0) return isExplained(changed) || isStopped(changed) ? undefined : told("apply", changed);
    const second = await planned();
    if (second.exit !== 0) return DOUBTS.test(second.stderr) ? undefined : told("plan", second);
    const undone = await world.run(undo, { paths: [], out: "undo.plan" });
    if (undone.exit !== 0 || /somebody/.test(undone.stdout)) return told("undo", undone);
    const back = await world.run(apply, { ...rights, plan: "undo.plan" });
    if (back.exit !== 0) return isExplained(back) ? undefined : told("undo applied", back);
    const former = await applied(document);
    // An undo sends what reads showed: where only reads have that form, nothing shows that the files have changed it again.
    if (one.to === "reads" && former.exit === 4 && former.stdout.includes("Not verified:")) return undefined;
    if (!isExplained(former)) return told("former files applied", former);
    const third = await planned();
    return former.exit === 0 && third.exit !== 0 ? told("plan of the former files", third) : undefined;
  } finally {
    await world.close();
  }
}

/** What breaks the laws of the commands in a case; undefined if nothing does. */
export async function brokenByCommands(one: Case, service: AlteringService): Promise<string | undefined> {
  const { world, rights, applied } = await opened(one, service);
  try {
    const first = await applied();
    if (!isExplained(first)) return told("apply", first);
    const second = await world.run(plan, { paths: [], detailedExitcode: true });
    if (first.exit === 4) {
      // What has failed is a person's, and what was made is not made again.
      if (second.exit !== 0 && second.exit !== 2 && !isStopped(second))
        return told("apply", first) + told("plan", second);
      const again = await applied();
      const twice = createdBy(again).some((address) => createdBy(first).includes(address));
      return twice || ![0, 1, 3, 4].includes(again.exit)
        ? told("apply", first) + told("apply again", again)
        : undefined;
    }
    const isDoubtful = second.exit === 1 && DOUBTS.test(second.stderr);
    if (second.exit !== 0 && !isDoubtful) return told("plan", second);
    const drifted = isDoubtful ? undefined : await world.run(drift, { paths: [] });
    if (drifted !== undefined && drifted.exit !== 0) return told("drift", drifted);
    const undone = await world.run(undo, { paths: [], out: "undo.plan" });
    if (undone.exit !== 0 || /somebody/.test(undone.stdout)) return told("undo", undone);
    const pulled = await world.run(pull, { paths: [] });
    if (pulled.exit !== 0 && pulled.exit !== 7) return told("pull", pulled);
    const third = await world.run(plan, { paths: [], detailedExitcode: true });
    if (pulled.exit === 0 && third.exit !== 0) return told("plan after pull", third);
    if (pulled.exit === 0 && third.stdout.includes("[W_FORM]")) return told("notes after pull", third);
    const back = await world.run(apply, { ...rights, plan: "undo.plan" });
    // Where no read has a value that the service needs, the undo plan says that it does not come back.
    const isRefused = /the service responded to /.test(back.stdout) && !undone.stdout.includes("[W_UNDO]");
    return isRefused || !isExplained(back) ? told("undo applied", back) + undone.stdout : undefined;
  } finally {
    await world.close();
  }
}
