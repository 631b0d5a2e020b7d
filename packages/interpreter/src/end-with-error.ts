import type { JsonObject, Taints } from '@countersign/model';
import { cancelAll } from './cancel-instance.js';
import type { Execution } from './execution.js';
import { reportToParent } from './report-to-parent.js';

/**
 * Ends a child run with an error that none of its events catches. The call activity of the parent run then throws the
 * error (BPMN 2.0, 10.5.1 "Error"; Zeebe propagates in the same way). A run without a parent keeps the failed step, so
 * that an operator can recover it.
 *
 * A run that is being cancelled also keeps the failed step, because its remaining compensations would otherwise be
 * lost.
 *
 * @returns whether the run has ended
 */
export function* endWithError(
  execution: Execution,
  code: string,
  message: string,
  variables: JsonObject,
  taints?: Taints,
): Generator<void, boolean> {
  if (execution.state.parent === null || execution.state.cancelling === true) return false;
  yield* cancelAll(execution, 'error');
  execution.update({ outcome: 'failed', completedAt: execution.now, error: { code, message, elementId: null } });
  reportToParent(execution, { kind: 'error', code, message, variables, ...(taints === undefined ? {} : { taints }) });
  execution.emit('run.failed', null, { code });
  return true;
}
