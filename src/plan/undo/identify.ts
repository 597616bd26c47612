/**
 * The live resource and the snapshot that a change of a run is about. Kinds with a pin may have several resources of one name, so the id in
 * the requests of the change decides; in every other kind the address does.
 */

import type { Fields } from "../../core/json.ts";
import { wireNamesOf } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { isSameAnswer } from "../../kinds/values/same-answer.ts";
import { isSameField } from "../../kinds/values/same-field.ts";
import { rowReading } from "../../workspace/match/known-values.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { type Change, fingerprint, type Plan } from "../model/plan.ts";
import { changedIds, idIn, type ResourceSnapshot, type RunSnapshot } from "../model/snapshot.ts";

const NOTHING = fingerprint(null);

export interface UndoneRun {
  readonly plan: Plan;
  readonly before: RunSnapshot;
  /** Ids of the operations that were carried out. */
  readonly done: ReadonlySet<string>;
  /** Responses to its creations, by operation. */
  readonly created: ReadonlyMap<string, Fields>;
  /** Fingerprints of what the service stored otherwise than it was sent: operation → name of the field in the row → fingerprint. Default: none. */
  readonly stored?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Addresses of resources that the undo leaves as they are, with the reason. Default: none. */
  readonly kept?: ReadonlyMap<string, string>;
}

/** Finds the resources of the changes of one run. */
export class RunResources {
  readonly #run: UndoneRun;
  readonly #live: ResolvedState;
  /** Ids that the run met or made: no resource with one of them is a later re-creation. */
  readonly #ownIds: ReadonlySet<string>;

  constructor(run: UndoneRun, live: ResolvedState) {
    this.#run = run;
    this.#live = live;
    const changed = run.plan.changes.flatMap((change) => this.#pins(change));
    const recorded = run.before.entries.flatMap(({ pin }) => pin ?? []);
    this.#ownIds = new Set([...changed, ...recorded]);
  }

  /** Live resources with the address. */
  named({ kind, address }: Pick<Change, "kind" | "address">): readonly LiveResource[] {
    return this.#live.all(kind).filter((resource) => resource.address === address);
  }

  /** The live resource of a change; undefined if there is none. A resource that an undo has created again counts as the former one. */
  live(change: Change): LiveResource | undefined {
    const [pin] = this.#pins(change);
    const named = this.named(change);
    const only = named.length === 1 ? named[0] : undefined;
    if (pin === undefined) return only;
    const own = this.#live.all(change.kind).find(({ id }) => id === pin);
    if (own !== undefined || this.#hasDuplicates(change)) return own;
    return only !== undefined && !this.#ownIds.has(only.id) ? only : undefined;
  }

  /** Whether several live resources may be that of the change. */
  isAmbiguous(change: Change): boolean {
    return this.#pins(change).length === 0 && this.named(change).length > 1;
  }

  /** The snapshot of the resource of a change, by its former name if the run renamed it. */
  snapshot(change: Change, live: LiveResource): ResourceSnapshot | undefined {
    const { entries } = this.#run.before;
    const [pin] = this.#pins(change);
    const renamed = change.fields.find(({ path }) => path === `/${live.keyField}`)?.before;
    return (
      entries.find((one) => one.kind === change.kind && pin !== undefined && one.pin === pin) ??
      entries.find(
        ({ kind, scope, key, address, pin: other }) =>
          kind === change.kind &&
          (pin === undefined || other === undefined) &&
          (address === change.address || (scope === live.scope && key === renamed)),
      )
    );
  }

  /** Snapshots of the resource that a change deleted, and of those that were deleted with it. */
  deleted(change: Change): readonly ResourceSnapshot[] {
    const [pin] = this.#pins(change);
    return this.#run.before.entries.filter(
      (snapshot) =>
        (snapshot.address === change.address &&
          (pin === undefined || snapshot.pin === undefined || snapshot.pin === pin)) ||
        change.cascades?.includes(snapshot.address) === true,
    );
  }

  /**
   * Live resources that may be the deleted one of a change, created again since. Where the run deleted several of the name, only those with
   * the deleted fields: the others may be those of another change.
   */
  recreations(change: Change, fields: Fields, declarable: (resource: LiveResource) => Fields): readonly LiveResource[] {
    const later = this.named(change).filter(({ id }) => !this.#ownIds.has(id));
    const deletions = this.#run.plan.changes.filter(
      ({ action, address }) => action === "delete" && address === change.address,
    );
    if (deletions.length < 2) return later;
    return later.filter((resource) => {
      const current = declarable(resource);
      return Object.entries(fields).every(([name, value]) =>
        isSameField(resource.kind, name, current[name] ?? null, value),
      );
    });
  }

  /** The response to the creation of the resource of a change; undefined if the run did not create it. */
  creation({ operations }: Change): Fields | undefined {
    return operations.map((id) => this.#run.created.get(id)).find((created) => created !== undefined);
  }

  /** The fields of a resource as the response to its creation shows them; none if the run did not create it. */
  createdFields(change: Change, live: LiveResource, declarable: (resource: LiveResource) => Fields): Fields {
    const row = this.creation(change);
    if (row === undefined) return {};
    const decode = live.kind.codec?.decode?.(this.#live, live.scope) ?? ((fields: Fields) => fields);
    const read = rowReading(live.kind, [...this.#live.kinds.values()]);
    return declarable({ ...live, row, fields: decode(read(row)) });
  }

  /** Whether a field of the resource of a change is as the service stored it then, whatever was sent. */
  isAsStored(change: Change, name: string, { kind, row }: LiveResource): boolean {
    const created = this.creation(change);
    const stored = change.operations.map((id) => this.#run.stored?.get(id) ?? {});
    const answersOf = (wire: string): readonly string[] => [
      ...(created?.[wire] === undefined ? [] : [fingerprint(created[wire])]),
      ...stored.flatMap((answer) => answer[wire] ?? []),
    ];
    const wires = wireNamesOf(kind, name);
    const shown = wires.filter((wire) => row[wire] !== undefined);
    const isSame = (wire: string): boolean =>
      answersOf(wire).includes(fingerprint(row[wire] ?? null)) || isSameAnswer(created?.[wire], row[wire]);
    const [first] = shown;
    // What neither the response to the creation nor the row shows is returned nowhere, or by no read.
    if (first === undefined)
      return (
        wires.some((wire) => answersOf(wire).includes(NOTHING)) ||
        (created !== undefined && wires.every((wire) => answersOf(wire).length === 0))
      );
    return isSame(first) && shown.every((wire) => answersOf(wire).length === 0 || isSame(wire));
  }

  /** The address of a change, with the id where several resources had the name. */
  label(change: Change): string {
    const [pin] = this.#pins(change);
    return pin !== undefined && this.#hasDuplicates(change) ? `${change.address} (${pin})` : change.address;
  }

  #hasDuplicates({ kind, address }: Change): boolean {
    return this.#run.before.entries.filter((one) => one.kind === kind && one.address === address).length > 1;
  }

  /** The id of the resource of a change, in a kind with a pin; empty if the run does not show it. */
  #pins(change: Change): readonly string[] {
    const kind = this.#live.kinds.get(change.kind);
    if (kind?.identity.pin === undefined) return [];
    const created = this.creation(change);
    return created === undefined ? changedIds(kind, change, this.#run.plan) : idIn(kind, created);
  }
}
