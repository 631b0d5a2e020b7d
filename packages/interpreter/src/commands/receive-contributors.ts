import type { AddContributorsCommand } from '@countersign/model';
import { addContributors } from '../contributors.js';
import type { Execution } from '../execution.js';

/** Excludes the contributors of a parent or child run from this run's approvals as well. */
export function* receiveContributors(execution: Execution, command: AddContributorsCommand): Generator<void, void> {
  const { contributors, childRunId } = command;
  const { runId, parent, editors } = execution.state;
  const added = [...new Set(contributors)].filter((id) => !editors.includes(id));
  if (added.length === 0) {
    execution.refuse('not_waiting', 'The run has already recorded these contributors.');
    return;
  }
  execution.emit('contributors.added', null, {}, { contributors: added });
  yield* addContributors(execution, added, childRunId === runId ? parent?.runId : childRunId);
}
