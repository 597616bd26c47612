/** What can happen to a workspace and its files, and what has to hold afterwards, each as a command of a model. */

import type { AsyncCommand } from "fast-check";
import { apply } from "../../src/app/apply/apply-command.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { InvalidConfiguration } from "../../src/core/diagnostic.ts";
import { EXIT } from "../../src/core/exit-codes.ts";
import type { Fields } from "../../src/core/json.ts";
import type { Plan } from "../../src/plan/model/plan.ts";
import { isEmpty } from "../../src/view/plan/verdict.ts";
import { type Declarations, type Edit, edited, type List, oneOf } from "./declarations.ts";
import { type Differences, differences } from "./differences.ts";
import { documentOf } from "./document.ts";
import { byHand, type Hand } from "./hands.ts";
import { copies, refusals } from "./meetings.ts";
import type { Disturbance, ModelService } from "./service.ts";
import { trespasses } from "./unmanaged.ts";
import { having, rowsOf, textsIn, type Workspace } from "./workspace.ts";

/** Which lists a run is about, and what people do in it: what belongs together meets more often than by chance. */
export interface Theme {
  readonly lists: readonly List[];
  readonly deeds: readonly string[];
}

/** The simple model: what is declared. Everything else is what the service holds. */
export interface Model {
  readonly theme: Theme;
  declared: Declarations;
}

/** An edit of the files, and a deed, while it is open which lists the run is about. */
export type OpenEdit = Omit<Edit, "list"> & { readonly list: number };
export type OpenHand = Omit<Hand, "does"> & { readonly deed: number };

/** What a run works on, and how often what was reached. */
export interface Real {
  readonly service: ModelService;
  readonly reached: Map<string, number>;
}

type Step = AsyncCommand<Model, Real>;

/** A step that works on whatever the run is about: it tells what that was. */
abstract class OpenStep implements Step {
  #did = "not run";

  check(): boolean {
    return true;
  }

  abstract run(model: Model, real: Real): Promise<void>;

  protected did(what: string): void {
    this.#did = what;
  }

  toString(): string {
    return this.#did;
  }
}

/** The person edits the files. */
export class EditFiles extends OpenStep {
  readonly #edit: OpenEdit;

  constructor(edit: OpenEdit) {
    super();
    this.#edit = edit;
  }

  async run(model: Model, { reached }: Real): Promise<void> {
    this.did(editFiles(model, this.#edit));
    note(reached, `edit: ${this.#edit.does}`);
  }
}

/** Edits, and says what. */
function editFiles(model: Model, { list: index, does, at, variant }: OpenEdit): string {
  const list = oneOf(model.theme.lists, index).at;
  model.declared = edited(model.declared, { list, does, at, variant });
  return `edit ${list}: ${does} ${at}/${variant}`;
}

/** A person edits the service. */
export class EditByHand extends OpenStep {
  readonly #hand: OpenHand;

  constructor(hand: OpenHand) {
    super();
    this.#hand = hand;
  }

  async run({ theme }: Model, { service, reached }: Real): Promise<void> {
    const { does, status, request } = await byHand(handIn(theme, this.#hand), service);
    this.did(`by hand ${request}: ${status}`);
    note(reached, status < 300 ? `hand: ${does}` : `hand, refused: ${does}`);
  }
}

/** Somebody looks for drift: the exit code is whether there is a difference, and nothing is sent but GET. */
export class LookForDrift implements Step {
  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const { service, reached } = real;
    const scene = sceneOf(model, real);
    service.takeWrites();
    const exit = await service.command(drift, { ...FLAGS }, scene.document);
    expectNoWrite(service);
    expectJudged(exit, scene);
    note(reached, `drift: ${exit}`);
  }

  toString(): string {
    return "drift";
  }
}

/** A whole apply. */
export class Apply implements Step {
  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const scene = sceneOf(model, real);
    const plan = await planned(scene);
    if (plan === undefined) return;
    expectJudged(isEmpty(plan) ? EXIT.success : EXIT.changes, scene);
    await applyWhole(plan, scene);
  }

  toString(): string {
    return "apply";
  }
}

/** The files are edited, and the apply is stopped at a write; the next one finishes it. */
export class ApplyDisturbed extends OpenStep {
  readonly #edit: OpenEdit;
  readonly #at: number;
  readonly #how: Disturbance;

  constructor(edit: OpenEdit, at: number, how: Disturbance) {
    super();
    this.#edit = edit;
    this.#at = at;
    this.#how = how;
  }

  async run(model: Model, real: Real): Promise<void> {
    const what = editFiles(model, this.#edit);
    this.did(`${what}, apply, ${this.#how} at ${this.#at}`);
    const scene = sceneOf(model, real);
    const plan = await planned(scene);
    if (plan === undefined || plan.operations.length === 0) return;
    const at = this.#at % plan.operations.length;
    await real.service.apply(plan, at, this.#how);
    expectUntouched(scene);
    note(real.reached, `stopped: ${this.#how}`);
    await finish(scene);
  }
}

/** A plan is saved, somebody edits the service, and the saved plan is applied: as it was, or not at all. */
export class ApplySaved extends OpenStep {
  readonly #hand: OpenHand;

  constructor(hand: OpenHand) {
    super();
    this.#hand = hand;
  }

  async run(model: Model, real: Real): Promise<void> {
    const { service, reached } = real;
    const scene = sceneOf(model, real);
    const { document, before } = scene;
    service.takeWrites();
    const saved = await service.command(plan, { ...FLAGS, out: "saved.plan" }, document);
    expectNoWrite(service);
    expect((saved === EXIT.success) === (refusals(document, before).length === 0), `saving a plan: ${service.said}`);
    if (saved !== EXIT.success) return;
    const { request, status } = await byHand(handIn(model.theme, this.#hand), service);
    this.did(`save a plan, by hand ${request}: ${status}, apply it`);
    const now = { ...scene, before: service.look() };
    const isChanged = JSON.stringify(now.before) !== JSON.stringify(before);
    const exit = await service.command(apply, { ...FLAGS, ...CONSENT, plan: "saved.plan" }, document);
    note(reached, `saved: ${exit}${isChanged ? " after an edit by hand" : ""}`);
    if (exit === EXIT.stale || exit === EXIT.error) {
      expectNoWrite(service);
      expect(isChanged, `a plan is refused although nobody did anything: ${service.said}`);
      // What is mentioned may have been taken away.
      const isOutdated = JSON.stringify(documentOf(model.declared, now.before)) !== JSON.stringify(document);
      const reasons = refusals(document, now.before);
      expect(exit === EXIT.stale || isOutdated || reasons.length > 0, `applying a saved plan: ${service.said}`);
      return;
    }
    // Which incidents hold an entry is not always to be seen: what is refused for their sake stays, as the plan says it may.
    const { incidents } = now.before;
    const [then, since] = [scene, now].map((one) =>
      differencesIn(one, { ...one.before, incidents }).certain.join("; "),
    );
    expect(then === since, `a saved plan is applied although since then ${since}`);
    expectUntouched(now);
    if (exit === EXIT.partial && isExcused(now)) return;
    expect(exit === EXIT.success, `applying a saved plan ends with ${exit}: ${service.said}`);
    await expectSettled(now);
  }
}

/** What every command is told, and what `apply` is. */
const FLAGS = { paths: [], rate: 1_000_000, quiet: true };
const CONSENT = {
  yes: true,
  allowDelete: true,
  maxRemovals: { entries: 1000 },
  acceptRoutingWindow: true,
  secretsOut: "tokens.json",
};

interface Scene {
  readonly real: Real;
  readonly document: Fields;
  readonly before: Workspace;
}

function sceneOf({ declared }: Model, real: Real): Scene {
  const before = real.service.look();
  return { real, document: documentOf(declared, before), before };
}

/** Makes a plan, with GET alone; undefined where none can be made, which must be foreseen. */
async function planned({ real: { service, reached }, document, before }: Scene): Promise<Plan | undefined> {
  service.takeWrites();
  const reasons = refusals(document, before);
  try {
    const plan = await service.plan(document);
    expect(reasons.length === 0, `a plan is made although ${reasons.join(", ")}`);
    expect(plan.blocked.length === 0, `the plan is blocked: ${plan.blocked.map(({ message }) => message).join(", ")}`);
    return plan;
  } catch (error) {
    if (!(error instanceof InvalidConfiguration) || reasons.length === 0) throw error;
    note(reached, "no plan");
    return undefined;
  } finally {
    expectNoWrite(service);
    expect(JSON.stringify(service.look()) === JSON.stringify(before), "a plan has changed something");
  }
}

/** Whoever looks sees a difference exactly where there is one; where names are not clear, that. */
function expectJudged(exit: number, scene: Scene): void {
  const reasons = refusals(scene.document, scene.before);
  const wanted = reasons.length > 0 ? EXIT.error : undefined;
  expect((exit === EXIT.error) === (wanted === EXIT.error), `drift: ${exit}, ${scene.real.service.said}`);
  if (exit === EXIT.error) return;
  const { certain, possible } = differencesIn(scene, scene.before);
  expect(exit === EXIT.changes || certain.length === 0, `drift: ${exit}, but ${certain.join("; ")}`);
  const isClean = certain.length + possible.length === 0;
  expect(exit === EXIT.success || !isClean, `there is no difference, but ${scene.real.service.said}`);
}

/** Applies and looks at everything: the result, the next plan, the next apply. */
async function applyWhole(plan: Plan, scene: Scene): Promise<void> {
  const { real, document } = scene;
  const { service, reached } = real;
  const { outcomes } = await service.apply(plan);
  const bad = outcomes.find(({ status }) => !["done", "fell_back", "retained"].includes(status));
  if (bad !== undefined) {
    const { method, path, body } = bad.operation;
    const error = "error" in bad ? bad.error.message : "";
    expect(isExcused(scene), `${bad.status}: ${method} ${path} ${JSON.stringify(body)} ${error}`);
    expectUntouched(scene);
    note(reached, "apply: a rename was refused");
    return;
  }
  expectUntouched(scene);
  await service.verify(document);
  await expectSettled(scene);
  note(reached, plan.operations.length === 0 ? "apply: nothing to do" : "apply");
  for (const { status } of outcomes) if (status !== "done") note(reached, `apply: ${status}`);
}

/** The workspace is as declared: by looking at it, by the next plan, and by the next apply. */
async function expectSettled(scene: Scene): Promise<void> {
  const { service } = scene.real;
  const { certain } = differencesIn(scene, service.look());
  expect(certain.length === 0, `after an apply: ${certain.join("; ")}`);
  service.takeWrites();
  const next = await service.plan(scene.document);
  expect(next.operations.length + next.changes.length === 0, `the next plan: ${JSON.stringify(next.changes)}`);
  await service.apply(next);
  expectNoWrite(service);
}

/** After a stopped run one more apply, or at most two, reach what is declared. */
async function finish(scene: Scene): Promise<void> {
  const { service } = scene.real;
  for (const isLast of [false, true]) {
    const now = { ...scene, before: service.look() };
    const plan = await planned(now);
    expect(plan !== undefined, "no plan can be made after a stopped run");
    if (plan === undefined) return;
    if (isLast) return applyWhole(plan, now);
    const { outcomes } = await service.apply(plan);
    expectUntouched(scene);
    const isWhole = outcomes.every(({ status }) => ["done", "fell_back", "retained"].includes(status));
    if (!isWhole && isExcused(now)) return;
    await service.verify(scene.document);
  }
}

function differencesIn({ real: { service }, document }: Scene, live: Workspace): Differences {
  return differences(document, live, service.dialects.readable === "full");
}

function expectUntouched({ real: { service }, document, before }: Scene): void {
  const after = service.look();
  const found = trespasses(document, before, after);
  expect(found.length === 0, `nobody manages it: ${found.join("; ")}`);
  const old = copies(document, before);
  for (const [address, count] of copies(document, after)) {
    expect(count <= Math.max(1, old.get(address) ?? 0), `${address} is there ${count} times`);
  }
}

/** Whether a declared rename of an option must be refused: it is in use, and the service takes it for a removal. */
function isExcused({ real: { service }, document, before }: Scene): boolean {
  if (service.dialects.options !== "replace") return false;
  const used = new Set(
    [...before.conditions, ...before.incidents].flatMap((row) =>
      textsIn([row.values ?? null, row.custom_values ?? null]),
    ),
  );
  return rowsOf(document.custom_fields).some(({ slug, options }) => {
    const field = before.custom_fields.find((row) => row.slug === slug);
    const live = having(before.options, "field_id", field?.id);
    return rowsOf(options).some(({ renamed_from: former }) =>
      live.some(({ id, label }) => label === former && used.has(String(id))),
    );
  });
}

function expectNoWrite(service: ModelService): void {
  const writes = service.takeWrites();
  expect(writes.length === 0, `it only reads, but sent ${writes.join(", ")}`);
}

function expect(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

function note(reached: Map<string, number>, what: string): void {
  reached.set(what, (reached.get(what) ?? 0) + 1);
}

function handIn({ deeds }: Theme, { deed, at, variant }: OpenHand): Hand {
  return { does: oneOf(deeds, deed), at, variant };
}
