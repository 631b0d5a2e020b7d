import { StoragePort, type Host, type RunWrite } from '@countersign/core';
import type { RunState } from '@countersign/model';

/**
 * Checks every state that a host commits against one rule: a run that has not ended has an open job, a wait, an
 * incident, tokens at a join or at a complex gateway that waits for its reset, or a compensation in progress. Otherwise
 * it could never continue.
 */
export class RunInvariant {
  readonly #violations: string[] = [];

  constructor(host: Host) {
    const storage = host.get(StoragePort);
    const commit = storage.commit.bind(storage);
    storage.commit = (writes) => {
      for (const write of writes) this.#check(write);
      return commit(writes);
    };
  }

  /** @throws {Error} if a run that has not ended can never continue */
  assertHolds(): void {
    if (this.#violations.length > 0)
      throw new Error(`Runs that have not ended and can never continue:\n${this.#violations.join('\n')}`);
  }

  #check({ run, next }: RunWrite): void {
    const state = JSON.parse(next.state) as RunState;
    if (state.outcome !== null || Object.values(state.instances).some(canContinue)) return;
    this.#violations.push(`run ${run.runId} of "${run.workflowId}": ${next.state}`);
  }
}

function canContinue({ waits, incident, joins, resets, compensating }: RunState['instances'][number]): boolean {
  return (
    (waits ?? []).length > 0 ||
    incident !== undefined ||
    Object.keys(joins ?? {}).length > 0 ||
    Object.keys(resets ?? {}).length > 0 ||
    compensating !== undefined
  );
}
