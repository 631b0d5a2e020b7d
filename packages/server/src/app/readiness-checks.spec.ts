import type { ReadinessResult } from '@countersign/core';
import { expect } from 'chai';
import { ReadinessChecks } from './readiness-checks.js';

describe('ReadinessChecks', () => {
  let now: number;
  let runCount: number;
  let warnings: number;
  let runResult: () => Promise<ReadinessResult>;
  let checks: ReadinessChecks;
  const check = {
    name: 'disk',
    check: () => {
      runCount += 1;
      return runResult();
    },
  };

  beforeEach(() => {
    [now, runCount, warnings] = [0, 0, 0];
    runResult = () => Promise.resolve({ status: 'ok', detail: 'fine' });
    checks = new ReadinessChecks({ warn: () => (warnings += 1) }, () => now);
  });

  it('should run a check once for all callers within the maximum age of its result', async () => {
    const results = await Promise.all(Array.from({ length: 1_000 }, () => checks.runCheck(check, 1_000)));
    expect(results).to.deep.equal(Array(1_000).fill({ name: 'disk', status: 'ok', detail: 'fine' }));
    now = 999;
    await checks.runCheck(check, 1_000);
    expect(runCount).to.equal(1);
    now = 1_000;
    await checks.runCheck(check, 1_000);
    expect(runCount).to.equal(2);
  });

  it('should run the check again for a caller who accepts no cached result', async () => {
    await checks.runCheck(check, 1_000);
    runResult = () => Promise.resolve({ status: 'warn', detail: 'nearly full' });
    expect(await checks.runCheck(check, 0)).to.include({ status: 'warn' });
    expect(await checks.runCheck(check, 1_000), 'other callers receive the newest result').to.include({
      status: 'warn',
    });
    expect(runCount).to.equal(2);
  });

  it('should report a failing check and log the failure once', async () => {
    runResult = () => Promise.reject(new Error('/var/lib is gone'));
    const results = await Promise.all([1, 2, 3].map(() => checks.runCheck(check, 1_000)));
    expect(results).to.deep.equal(
      Array(3).fill({ name: 'disk', status: 'fail', detail: 'not responding; see the log' }),
    );
    expect(warnings).to.equal(1);
  });

  it('should not start a second check while the first one hangs, and report a failure to all callers', async () => {
    // given
    let finishCheck: (result: ReadinessResult) => void = () => undefined;
    runResult = () => new Promise((resolve) => (finishCheck = resolve));
    const first = checks.runCheck(check, 0);
    now = 900;

    // when
    const others = [checks.runCheck(check, 0), checks.runCheck(check, 1_000)];

    // then
    expect(await Promise.all([first, ...others])).to.deep.equal(
      Array(3).fill({ name: 'disk', status: 'fail', detail: 'not responding; see the log' }),
    );
    expect(runCount).to.equal(1);

    // when: the check finally responds
    finishCheck({ status: 'ok', detail: 'fine' });
    await new Promise(setImmediate);
    runResult = () => Promise.resolve({ status: 'ok', detail: 'fine' });
    expect(await checks.runCheck(check, 0)).to.include({ status: 'ok' });
    expect(runCount).to.equal(2);
  });
});
