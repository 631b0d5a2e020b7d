import type { RunEvent } from '@countersign/contract';
import { expect } from 'chai';
import { failedAttempts } from './failed-attempts.js';

describe('failed attempts of a step', () => {
  const event = (seq: number, type: string, data: object = {}): RunEvent =>
    ({ seq, at: `moment ${seq}`, type, data }) as unknown as RunEvent;
  const failing = (...events: readonly RunEvent[]): unknown[] =>
    failedAttempts(events).map(({ seq, attempt, code, message }) => [seq, attempt, code, message]);
  const began = event(1, 'step.started', { attempt: 1 });
  const again = event(2, 'step.attempt_failed', { attempt: 1, code: 'job_failed', message: 'Busy.' });
  const stopped = event(3, 'step.failed', { code: 'job_failed', phase: 'job', message: 'Closed.' });

  it('should include attempts that were retried automatically or by a recovery', () => {
    expect(
      failing(
        began,
        again,
        stopped,
        event(4, 'step.retried', { attempt: 3 }),
        event(5, 'step.started', { attempt: 3 }),
        event(6, 'step.completed'),
      ),
    ).to.deep.equal([
      [2, 1, 'job_failed', 'Busy.'],
      [3, 2, 'job_failed', 'Closed.'],
    ]);
  });

  it('should not include the current failure of the step', () => {
    expect(failing(began, again, stopped)).to.deep.equal([[2, 1, 'job_failed', 'Busy.']]);
    expect(failing(began)).to.deep.equal([]);
  });

  it('should number the attempts of the step separately from the attempts of a tool call', () => {
    const ofCall = event(2, 'step.attempt_failed', {
      attempt: 4,
      callId: 'call-1',
      code: 'tool_failed',
      message: 'Busy.',
    });
    expect(failing(began, ofCall, stopped, event(4, 'step.retried', { attempt: 2 }))).to.deep.equal([
      [2, 4, 'tool_failed', 'Busy.'],
      [3, 1, 'job_failed', 'Closed.'],
    ]);
  });

  it('should handle events with erased data', () => {
    expect(failing(event(1, 'step.attempt_failed'))).to.deep.equal([[1, undefined, '', '']]);
  });
});
