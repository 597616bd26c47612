/** Checks configurations while somebody types: the files at once, and what only other commands read when the typing pauses. */

import { type Clock, systemClock } from "../../core/clock.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { EditedProject } from "./edited-project.ts";

/** Milliseconds without a change before a check: keys that are pressed together are one change. */
const PAUSE = 30;

/** Milliseconds without a change before routing tests and other environments are checked. */
const LONG_PAUSE = 500;

/** Receives the findings of a configuration. */
type ShowFindings = (project: EditedProject, findings: readonly Diagnostic[]) => Promise<void>;

/** Checks configurations after a pause. A change in the meantime puts the check off. */
export class Checker {
  readonly #clock: Clock;
  readonly #show: ShowFindings;
  readonly #others = new Map<EditedProject, readonly Diagnostic[]>();

  constructor(clock: Clock = systemClock, show: ShowFindings) {
    this.#clock = clock;
    this.#show = show;
  }

  /** Begins a check, which shows the findings when it is done. */
  check(project: EditedProject): void {
    // What no code catches ends the program, as in every command.
    void this.#run(project, project.turn);
  }

  async #run(project: EditedProject, turn: number): Promise<void> {
    await this.#clock.sleep(PAUSE);
    if (turn !== project.turn) return;
    const { findings, configuration } = await project.current();
    await this.#show(project, [...findings, ...(this.#others.get(project) ?? [])]);
    await this.#clock.sleep(LONG_PAUSE);
    if (turn !== project.turn || configuration === undefined) return;
    const hasErrors = findings.some(({ severity }) => severity === "error");
    // With errors in the files, those of other environments are the same ones.
    const others = hasErrors ? [] : await project.otherFindings(configuration);
    this.#others.set(project, others);
    if (turn === project.turn) await this.#show(project, [...findings, ...others]);
  }
}
