import type { RunEvent } from '@countersign/contract';

export interface FailedAttempt {
  /** Of the event that tells of it. */
  readonly seq: number;
  readonly at: string;
  /** Counted from 1; of a call of an agent, the attempts of that call. */
  readonly attempt: number | undefined;
  readonly code: string;
  readonly message: string;
}

/**
 * The attempts that failed and were followed by another one, by itself or by a recovery. With what a step has stopped at is
 * no part of them: that is its error.
 * @param events of the step
 */
export function failedAttempts(events: readonly RunEvent[]): readonly FailedAttempt[] {
  const failed: FailedAttempt[] = [];
  let current: number | undefined = 1;
  let stopped: RunEvent | undefined;
  for (const event of events) {
    const attempt = numberOf(event.data['attempt']);
    switch (event.type) {
      case 'step.started':
        current = attempt;
        break;
      case 'step.attempt_failed':
        failed.push(failureOf(event, attempt));
        if (event.data['callId'] === undefined) current = attempt === undefined ? undefined : attempt + 1;
        break;
      case 'step.failed':
        stopped = event;
        break;
      case 'step.retried':
        if (stopped !== undefined) failed.push(failureOf(stopped, current));
        stopped = undefined;
        current = attempt;
        break;
    }
  }
  return failed;
}

function failureOf({ seq, at, data: { code, message } }: RunEvent, attempt: number | undefined): FailedAttempt {
  return { seq, at, attempt, code: textOf(code), message: textOf(message) };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Messages may have been erased by now. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
