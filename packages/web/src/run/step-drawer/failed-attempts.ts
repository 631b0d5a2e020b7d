import type { RunEvent } from '@countersign/contract';

export interface FailedAttempt {
  /** Sequence number of the event that records the failure. */
  readonly seq: number;
  readonly at: string;
  /** From 1; for a tool call, the attempt of that call. */
  readonly attempt: number | undefined;
  readonly code: string;
  readonly message: string;
}

/**
 * Returns the failed attempts that were followed by another one, by a retry or a recovery. The failure that stopped a
 * step is not included: that is the error of the step.
 *
 * @param events events of the step
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

/** Messages may have been erased. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
