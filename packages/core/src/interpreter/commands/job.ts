import type { CompleteJobCommand, FailJobCommand, ThrowJobErrorCommand } from '../../domain/commands.js';
import type { ElementInstance, JobWait } from '../../domain/run-state.js';
import { endWithError } from '../end-with-error.js';
import { throwError } from '../events/throw-error.js';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { reservedName } from '../reserved-variables.js';
import { leaveLater } from '../steps.js';

interface FoundJob {
  readonly instance: ElementInstance;
  readonly wait: JobWait;
}

/** A worker did the job: its output goes into the variables, and the token moves on. */
export function completeJob(execution: Execution, command: CompleteJobCommand): void {
  const found = findJob(execution, command.jobId);
  if (found === undefined) return;
  const instance = endJob(execution, found);
  const reserved = reservedName(execution.graph, command.output);
  if (reserved !== undefined) {
    const failure = new StepFailure(
      'result_variable_reserved',
      `The job's result names "${reserved}", which only decisions write. Correct the worker and recover the run.`,
    );
    raiseIncident(execution, instance, failure, 'job');
    return;
  }
  leaveLater(execution, instance, command.output);
}

/** A worker could not do it: tried again with growing pauses, then an incident. */
export function failJob(execution: Execution, command: FailJobCommand): void {
  const found = findJob(execution, command.jobId);
  if (found === undefined) return;
  const { instance, wait } = found;
  const { retryBackoffMs, retryBackoffMaxMs } = execution.context.settings;
  if (!command.retryable || wait.retries <= 1) {
    const failure = new StepFailure(command.code, command.message, command.retryable);
    raiseIncident(execution, endJob(execution, found), failure, 'job');
    return;
  }
  const pause = Math.min(retryBackoffMs * 2 ** Math.min(instance.attempt - 1, 30), retryBackoffMaxMs);
  const dueAt = execution.now + Math.max(pause, command.retryAfterMs ?? 0);
  const attempt = instance.attempt + 1;
  const again: JobWait = { ...wait, retries: wait.retries - 1, backoffUntil: dueAt };
  execution.put({
    ...instance,
    attempt,
    waits: (instance.waits ?? []).map((each) => (each.kind === 'job' ? again : each)),
  });
  execution.request({ type: 'job.reschedule', jobId: wait.jobId, dueAt, attempt });
  execution.emit(
    'step.attempt_failed',
    instance,
    {
      code: command.code,
      attempt: instance.attempt,
      retriesLeft: again.retries,
      nextAttemptAt: new Date(dueAt).toISOString(),
    },
    { message: command.message },
  );
}

/** The work met an error that the model may catch (Zeebe: `ThrowError`); if it does not, the step is an incident. */
export function throwJobError(execution: Execution, command: ThrowJobErrorCommand): void {
  const found = findJob(execution, command.jobId);
  if (found === undefined) return;
  const instance = endJob(execution, found);
  const { errorCode: code, message, variables } = command;
  execution.emit('error.thrown', instance, { code }, { message });
  if (reservedName(execution.graph, variables) === undefined && throwError(execution, instance, code, variables)) return;
  if (endWithError(execution, code, message, variables)) return;
  const failure = new StepFailure('unhandled_error', `The work threw the error "${code}", which nothing catches: ${message}`);
  raiseIncident(execution, instance, failure, 'job');
}

/** A result that comes too late (the step is gone) has no effect and no refusal: the worker did its best. */
function findJob(execution: Execution, jobId: string): FoundJob | undefined {
  for (const instance of execution.all()) {
    const wait = instance.waits?.find((each): each is JobWait => each.kind === 'job' && each.jobId === jobId);
    if (wait !== undefined) return { instance, wait };
  }
  execution.refuse('job_not_active', 'The step that this job belonged to has ended.');
  return undefined;
}

function endJob(execution: Execution, { instance, wait }: FoundJob): ElementInstance {
  execution.request({ type: 'job.withdraw', jobId: wait.jobId });
  const waits = (instance.waits ?? []).filter((each) => each !== wait);
  const { waits: _old, ...bare } = instance;
  return execution.put(waits.length === 0 ? bare : { ...bare, waits });
}
