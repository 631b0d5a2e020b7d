import type { RunEvent } from '@countersign/contract';
import { expect } from 'chai';
import { findFailedAttempts } from './find-failed-attempts.js';

describe('failed attempts of a step', () => {
  const createEvent = (seq: number, type: string, data: object = {}): RunEvent =>
    ({ seq, at: `moment ${seq}`, type, data }) as unknown as RunEvent;
  const summarizeAttempts = (...events: readonly RunEvent[]): unknown[] =>
    findFailedAttempts(events).map(({ seq, attempt, code, message }) => [seq, attempt, code, message]);
  const startedEvent = createEvent(1, 'step.started', { attempt: 1 });
  const retriedFailure = createEvent(2, 'step.attempt_failed', { attempt: 1, code: 'job_failed', message: 'Busy.' });
  const finalFailure = createEvent(3, 'step.failed', { code: 'job_failed', phase: 'job', message: 'Closed.' });

  it('should include attempts that were retried automatically or by a recovery', () => {
    expect(
      summarizeAttempts(
        startedEvent,
        retriedFailure,
        finalFailure,
        createEvent(4, 'step.retried', { attempt: 3 }),
        createEvent(5, 'step.started', { attempt: 3 }),
        createEvent(6, 'step.completed'),
      ),
    ).to.deep.equal([
      [2, 1, 'job_failed', 'Busy.'],
      [3, 2, 'job_failed', 'Closed.'],
    ]);
  });

  it('should not include the current failure of the step', () => {
    expect(summarizeAttempts(startedEvent, retriedFailure, finalFailure)).to.deep.equal([
      [2, 1, 'job_failed', 'Busy.'],
    ]);
    expect(summarizeAttempts(startedEvent)).to.deep.equal([]);
  });

  it('should number the attempts of the step separately from the attempts of a tool call', () => {
    const callFailure = createEvent(2, 'step.attempt_failed', {
      attempt: 4,
      callId: 'call-1',
      code: 'tool_failed',
      message: 'Busy.',
    });
    expect(
      summarizeAttempts(startedEvent, callFailure, finalFailure, createEvent(4, 'step.retried', { attempt: 2 })),
    ).to.deep.equal([
      [2, 4, 'tool_failed', 'Busy.'],
      [3, 1, 'job_failed', 'Closed.'],
    ]);
  });

  it('should return an empty code and message for an event with erased data', () => {
    expect(summarizeAttempts(createEvent(1, 'step.attempt_failed'))).to.deep.equal([[1, undefined, '', '']]);
  });
});
