import type { Run, WaitingFor } from '@countersign/contract';
import { texts } from '../texts/index.js';

/**
 * Describes in a few words why a run failed, what it waits for or its current step. Empty if it ended without a
 * failure.
 */
export function describeCurrentActivity({
  outcome,
  status,
  waitingFor,
  currentStep,
  error,
}: Pick<Run, 'outcome' | 'status' | 'waitingFor' | 'currentStep' | 'error'>): string {
  if (status === 'failed') return error === null ? (currentStep ?? '') : error.message;
  if (outcome !== null) return '';
  const [first, ...others] = waitingFor;
  if (first === undefined) return currentStep ?? '';
  return others.length === 0 ? waitText(first) : texts.runs.waits.more(waitText(first), others.length);
}

function waitText(wait: WaitingFor): string {
  const { waits } = texts.runs;
  const name = wait.name ?? wait.elementId;
  if (wait.kind !== 'event') return waits[wait.kind](name);
  if (wait.messageName !== null) return waits.message(wait.messageName);
  if (wait.signalName !== null) return waits.signal(wait.signalName);
  return wait.childRunId === null ? waits.condition(name) : waits.childRun(name);
}
