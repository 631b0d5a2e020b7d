import type { CancelCommand } from '../../domain/commands.js';
import { recordedActor } from '../../domain/principal.js';
import { cancelAll } from '../cancel-instance.js';
import type { Execution } from '../execution.js';

/** An operator ends the run. What comes back from its jobs afterwards has no effect. */
export function cancel(execution: Execution, command: CancelCommand): void {
  execution.emit('run.cancel_requested', null, {}, {
    actor: { ...recordedActor(command.actor) },
    reason: command.reason,
  });
  cancelAll(execution, 'run_cancelled');
  execution.update({ outcome: 'cancelled', completedAt: execution.now });
  execution.emit('run.cancelled', null, {});
}
