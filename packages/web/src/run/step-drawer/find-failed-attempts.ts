import type { RunEvent } from '@countersign/contract';

export interface FailedAttempt {
  /** Sequence number of the event that records the failure. */
  readonly seq: number;
  readonly at: string;
  /** Number of the attempt, from 1; for a tool call, the attempt of that call. */
  readonly attempt: number | undefined;
  readonly code: string;
  readonly message: string;
}

/**
 * Returns the failed attempts after which the step was retried, automatically or by a recovery. The last failure of a
 * failed step is not included, because it is the error of the step.
 *
 * @param events events of the step
 */
export function findFailedAttempts(events: readonly RunEvent[]): readonly FailedAttempt[] {
  const attempts: FailedAttempt[] = [];
  let currentAttempt: number | undefined = 1;
  let stopEvent: RunEvent | undefined;
  for (const event of events) {
    const attempt = toNumber(event.data['attempt']);
    switch (event.type) {
      case 'step.started':
        currentAttempt = attempt;
        break;
      case 'step.attempt_failed':
        attempts.push(toFailedAttempt(event, attempt));
        if (event.data['callId'] === undefined) currentAttempt = attempt === undefined ? undefined : attempt + 1;
        break;
      case 'step.failed':
        stopEvent = event;
        break;
      case 'step.retried':
        if (stopEvent !== undefined) attempts.push(toFailedAttempt(stopEvent, currentAttempt));
        stopEvent = undefined;
        currentAttempt = attempt;
        break;
    }
  }
  return attempts;
}

function toFailedAttempt({ seq, at, data: { code, message } }: RunEvent, attempt: number | undefined): FailedAttempt {
  return { seq, at, attempt, code: toText(code), message: toText(message) };
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Returns the value if it is a string, or else an empty string, because messages may have been erased. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
