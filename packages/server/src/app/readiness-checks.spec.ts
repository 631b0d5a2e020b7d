import type { ReadinessResult } from '@countersign/core';
import { expect } from 'chai';
import { ReadinessChecks } from './readiness-checks.js';

describe('ReadinessChecks', () => {
  let now: number;
  let looks: number;
  let warnings: number;
  let result: () => Promise<ReadinessResult>;
  let checks: ReadinessChecks;
  const check = {
    name: 'disk',
    check: () => {
      looks += 1;
      return result();
    },
  };

  beforeEach(() => {
    [now, looks, warnings] = [0, 0, 0];
    result = () => Promise.resolve({ status: 'ok', detail: 'fine' });
    checks = new ReadinessChecks({ warn: () => (warnings += 1) }, () => now);
  });

  it('should run a check once for all callers within the maximum age of its result', async () => {
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => checks.look(check, 1_000)));
    expect(answers).to.deep.equal(Array(1_000).fill({ name: 'disk', status: 'ok', detail: 'fine' }));
    now = 999;
    await checks.look(check, 1_000);
    expect(looks).to.equal(1);
    now = 1_000;
    await checks.look(check, 1_000);
    expect(looks).to.equal(2);
  });

  it('should run the check again for a caller who accepts no cached result', async () => {
    await checks.look(check, 1_000);
    result = () => Promise.resolve({ status: 'warn', detail: 'nearly full' });
    expect(await checks.look(check, 0)).to.include({ status: 'warn' });
    expect(await checks.look(check, 1_000), 'the newest counts for all').to.include({ status: 'warn' });
    expect(looks).to.equal(2);
  });

  it('should report a failing check and log the failure once', async () => {
    result = () => Promise.reject(new Error('/var/lib is gone'));
    const answers = await Promise.all([1, 2, 3].map(() => checks.look(check, 1_000)));
    expect(answers).to.deep.equal(
      Array(3).fill({ name: 'disk', status: 'fail', detail: 'not responding; see the log' }),
    );
    expect(warnings).to.equal(1);
  });

  it('should not start a second check while the first one hangs, and report a failure to all callers', async () => {
    // given
    let end: (result: ReadinessResult) => void = () => undefined;
    result = () => new Promise((resolve) => (end = resolve));
    const first = checks.look(check, 0);
    now = 900;

    // when
    const others = [checks.look(check, 0), checks.look(check, 1_000)];

    // then
    expect(await Promise.all([first, ...others])).to.deep.equal(
      Array(3).fill({ name: 'disk', status: 'fail', detail: 'not responding; see the log' }),
    );
    expect(looks).to.equal(1);

    // when: the check finally responds
    end({ status: 'ok', detail: 'fine' });
    await new Promise(setImmediate);
    result = () => Promise.resolve({ status: 'ok', detail: 'fine' });
    expect(await checks.look(check, 0)).to.include({ status: 'ok' });
    expect(looks).to.equal(2);
  });
});
