import type { AddContributorsCommand } from '@countersign/model';
import { addContributors } from '../contributors.js';
import type { Execution } from '../execution.js';

/** People had a hand in the data of a run that this one has called, or that called it: they do not decide here either. */
export function* receiveContributors(execution: Execution, command: AddContributorsCommand): Generator<void, void> {
  const { contributors, childRunId } = command;
  const { runId, parent, editors } = execution.state;
  const added = [...new Set(contributors)].filter((id) => !editors.includes(id));
  if (added.length === 0) {
    execution.refuse('not_waiting', 'The run knows of these contributors.');
    return;
  }
  execution.emit('contributors.added', null, {}, { contributors: added });
  yield* addContributors(execution, added, childRunId === runId ? parent?.runId : childRunId);
}
