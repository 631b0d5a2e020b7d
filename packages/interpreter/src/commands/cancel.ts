import { type CancelCommand, toRecordedActor } from '@countersign/model';
import { compensate, collectCompensations } from '../compensation/index.js';
import { reportToParent } from '../report-to-parent.js';
import { cancelAll } from '../cancel-instance.js';
import type { Execution } from '../execution.js';

/** Cancels the run for an operator. Later results of its jobs have no effect. */
export function* cancel(execution: Execution, command: CancelCommand): Generator<void, void> {
  if (execution.state.cancelling === true) {
    execution.refuse(
      'run_cancelling',
      'The run is already being cancelled: its completed steps are being compensated.',
    );
    return;
  }
  execution.emit(
    'run.cancel_requested',
    null,
    {},
    {
      actor: { ...toRecordedActor(command.actor) },
      reason: command.reason,
    },
  );
  const { root } = execution.state;
  const queue = collectCompensations(execution, root);
  yield* cancelAll(execution, 'run_cancelled');
  if (command.actor.type !== 'system') {
    reportToParent(execution, { kind: 'failed', code: 'child_cancelled', message: 'The child run was cancelled.' });
  }
  const { compensations: _taken, ...process } = execution.get(root);
  execution.put(process);
  if (yield* compensate(execution, root, queue, 'cancelRun')) {
    execution.update({ cancelling: true });
    return;
  }
  execution.update({ outcome: 'cancelled', completedAt: execution.now });
  execution.emit('run.cancelled', null, {});
}
