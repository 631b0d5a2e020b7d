import { expect } from 'chai';
import { FailureLog } from './failure-log.js';

describe('FailureLog', () => {
  let now: number;
  let lines: [Record<string, unknown>, string][];
  let failures: FailureLog;

  beforeEach(() => {
    now = 0;
    lines = [];
    const recordLine = (fields: object, message: string) =>
      void lines.push([fields as Record<string, unknown>, message]);
    failures = new FailureLog(
      { info: recordLine, warn: recordLine },
      'jobs cannot be claimed',
      { loop: 'jobs' },
      () => now,
    );
  });

  const failRepeatedly = (times: number, everyMs: number) => {
    for (let count = 0; count < times; count += 1, now += everyMs)
      failures.recordFailure(new Error(`failure ${count}`));
  };

  it('should log the first failure immediately, then one entry per minute with the number of failures', () => {
    failRepeatedly(121, 1_000);

    expect(lines.map(([{ failuresSinceLastEntry }]) => failuresSinceLastEntry)).to.eql([undefined, 60, 60]);
    expect(lines[0]?.[0]).to.include({ loop: 'jobs' });
  });

  it('should add the details of the logged failure to its entry', () => {
    failures.recordFailure(new Error('refused'), { runId: 'r1' });
    failures.recordFailure(new Error('refused'), { runId: 'r2' });

    expect(lines.map(([{ loop, runId }]) => ({ loop, runId }))).to.eql([{ loop: 'jobs', runId: 'r1' }]);
  });

  it('should log a recovery once, and only after a failure', () => {
    failures.recordSuccess();
    failRepeatedly(5, 1_000);
    failures.recordSuccess();
    failures.recordSuccess();

    expect(lines.map(([, message]) => message)).to.eql(['jobs cannot be claimed', 'recovered: jobs cannot be claimed']);
    expect(lines[1]?.[0]).to.include({ seconds: 5 });
  });

  it('should not log more often when failures and successes alternate', () => {
    for (let count = 0; count < 30; count += 1) {
      failRepeatedly(1, 1_000);
      failures.recordSuccess();
    }

    expect(lines.filter(([, message]) => !message.startsWith('recovered'))).to.have.length(1);
    expect(lines).to.have.length(2);
  });
});
