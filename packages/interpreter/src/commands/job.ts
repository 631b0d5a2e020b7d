import {
  AGENT_JOB_TYPE,
  type CompleteJobCommand,
  type ElementInstance,
  type FailJobCommand,
  computeExponentialBackoffMs,
  type JobWait,
  type JsonObject,
  taintAll,
  type ThrowJobErrorCommand,
  mergeTaintSources,
} from '@countersign/model';
import { isTurnJob } from '../agents/agent-state.js';
import { isBudgetExhausted, stopForDiscardedUsage } from '../agents/budget.js';
import { recordDiscardedResponses } from '../agents/record-discarded-responses.js';
import { endWithError } from '../end-with-error.js';
import { throwError } from '../events/throw-errors-and-escalations.js';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { endJob, findJob } from '../jobs.js';
import { findReservedName } from '../reserved-variables.js';
import { scheduleLeave } from '../steps.js';

/** Completes a job: its output becomes variables, and the token continues. */
export function completeJob(execution: Execution, command: CompleteJobCommand): void {
  // The result of an agent's call is not the result of its step.
  const found = findJob(execution, command.jobId, ({ callId }) => callId === undefined);
  if (found === undefined) return;
  const { instance, wait } = found;
  endWithResult(
    execution,
    endJob(execution, found),
    command.output,
    getOutputTaintSources(instance, wait, command.agentName),
  );
}

/** Ends a step with its output, from a job or from an agent: the output becomes variables, and the token continues. */
export function endWithResult(
  execution: Execution,
  instance: ElementInstance,
  output: JsonObject,
  sources: readonly string[],
): void {
  const reservedName = findReservedName(execution.graph, output);
  if (reservedName !== undefined) {
    const failure = new StepFailure(
      'result_variable_reserved',
      `The job's result names "${reservedName}", which only approval decisions may write. Correct the worker and recover the run.`,
    );
    raiseIncident(execution, instance, failure, 'job');
    return;
  }
  scheduleLeave(execution, instance, output, taintAll(output, sources));
}

/** Handles a failed job: retries it with exponential backoff, then raises an incident. */
export function failJob(execution: Execution, command: FailJobCommand): void {
  const found = findJob(execution, command.jobId);
  if (found === undefined) return;
  const { wait } = found;
  const { key } = found.instance;
  const discarded = isTurnJob(wait) ? (command.discarded ?? []) : [];
  recordDiscardedResponses(execution, key, discarded, command);
  const instance = execution.get(key);
  const { retryBackoffMs, retryBackoffMaxMs } = execution.context.settings;
  if (!command.retryable || wait.retries <= 1) {
    const failure = new StepFailure(command.code, command.message, command.retryable, wait.callId);
    raiseIncident(execution, endJob(execution, { instance, wait }), failure, 'job');
    return;
  }
  const response = discarded.at(-1);
  if (response !== undefined && isBudgetExhausted(instance, response.budget)) {
    endJob(execution, { instance, wait });
    stopForDiscardedUsage(execution, key, response);
    return;
  }
  const failedAttempt = wait.attempt ?? instance.attempt;
  const pauseMs = computeExponentialBackoffMs(failedAttempt, retryBackoffMs, retryBackoffMaxMs);
  const dueAt = execution.now + Math.max(pauseMs, command.retryAfterMs ?? 0);
  const attempt = failedAttempt + 1;
  const isCallJob = wait.attempt !== undefined;
  const retriedWait: JobWait = {
    ...wait,
    retries: wait.retries - 1,
    backoffUntil: dueAt,
    ...(isCallJob ? { attempt } : {}),
  };
  execution.put({
    ...instance,
    ...(isCallJob ? {} : { attempt }),
    waits: (instance.waits ?? []).map((each) => (each === wait ? retriedWait : each)),
  });
  execution.request({ type: 'job.reschedule', jobId: wait.jobId, dueAt, attempt });
  execution.emit(
    'step.attempt_failed',
    instance,
    {
      code: command.code,
      ...(wait.callId === undefined ? {} : { callId: wait.callId }),
      attempt: failedAttempt,
      retriesLeft: retriedWait.retries,
      nextAttemptAt: new Date(dueAt).toISOString(),
    },
    { message: command.message },
  );
}

/**
 * Throws an error that a job reports (Zeebe: `ThrowError`). If the BPMN model does not catch it, the step gets an
 * incident.
 */
export function* throwJobError(execution: Execution, command: ThrowJobErrorCommand): Generator<void, void> {
  const found = findJob(execution, command.jobId);
  if (found === undefined) return;
  const instance = endJob(execution, found);
  const { errorCode, message, variables } = command;
  const taints = taintAll(variables, getOutputTaintSources(found.instance, found.wait, null));
  const { callId } = found.wait;
  execution.emit(
    'error.thrown',
    instance,
    { code: errorCode, ...(callId === undefined ? {} : { callId }) },
    { message, ...(Object.keys(variables).length === 0 ? {} : { variables }) },
  );
  if (
    findReservedName(execution.graph, variables) === undefined &&
    (yield* throwError(execution, instance, errorCode, variables, taints))
  )
    return;
  if (yield* endWithError(execution, errorCode, message, variables, taints)) return;
  const failure = new StepFailure(
    'unhandled_error',
    `The worker threw the error "${errorCode}", and no event catches it: ${message}`,
  );
  raiseIncident(execution, instance, failure, 'job');
}

/**
 * Returns the taint sources of a worker's output, which is always untrusted. The output of an agent also carries the
 * taint of everything that the agent has read.
 */
function getOutputTaintSources(
  { agent }: ElementInstance,
  { jobType }: JobWait,
  agentName: string | null,
): readonly string[] {
  return jobType === AGENT_JOB_TYPE
    ? mergeTaintSources([`agent:${agent?.agent ?? agentName ?? ''}`], agent?.taint ?? [])
    : [`tool:${jobType}`];
}
