/**
 * Concurrency groups, as GitHub documents them: a group has one running member and one that waits. A new member takes the place of the one
 * that waits, which is cancelled. With `cancel-in-progress`, the running one is cancelled too. Names of groups are case-insensitive.
 */

/** What a workflow or a job states. */
export interface Concurrency {
  readonly group: string;
  readonly "cancel-in-progress": boolean;
}

/** A place in a group. */
export interface Turn {
  /** Aborted when a newer member cancels this one. */
  readonly signal: AbortSignal;
  /** Lets the next member run. */
  end(): void;
}

/** The groups of a repository. */
export interface ConcurrencyGroups {
  /** Waits for a turn. Undefined if a newer member took the place before it came. */
  enter(concurrency: Concurrency | undefined): Promise<Turn | undefined>;
  /** The number of members that wait. */
  waiting(): number;
}

interface Group {
  running: AbortController | undefined;
  pending: ((turn: Turn | undefined) => void) | undefined;
}

/** Makes groups without members. */
export function createGroups(): ConcurrencyGroups {
  const groups = new Map<string, Group>();

  function begin(group: Group): Turn {
    const controller = new AbortController();
    group.running = controller;
    return {
      signal: controller.signal,
      end: () => {
        const next = group.pending;
        group.running = undefined;
        group.pending = undefined;
        next?.(begin(group));
      },
    };
  }

  return {
    async enter(concurrency) {
      if (concurrency === undefined) return begin({ running: undefined, pending: undefined });
      const name = concurrency.group.toLowerCase();
      const group = groups.get(name) ?? { running: undefined, pending: undefined };
      groups.set(name, group);
      if (group.running === undefined) return begin(group);
      group.pending?.(undefined);
      if (concurrency["cancel-in-progress"]) group.running.abort();
      return new Promise((resolve) => {
        group.pending = resolve;
      });
    },
    waiting: () => [...groups.values()].filter(({ pending }) => pending !== undefined).length,
  };
}
