import type { CachedRun } from '@countersign/engine';
import { expect } from 'chai';
import { TimerRunner } from './timer-runner.js';

const RUN_ID = 'run-1';
/** More than one activity fires or attempts. */
const TIMER_COUNT = 130;
const TIMER_IDS = Array.from({ length: TIMER_COUNT }, (_, index) => `timer-${index}`);

describe('TimerRunner', () => {
  let openIds: string[];
  let refusedIds: ReadonlySet<string>;
  let timers: TimerRunner;

  beforeEach(() => {
    openIds = [...TIMER_IDS];
    refusedIds = new Set();
    const log = () => undefined;
    timers = new TimerRunner({
      storage: { listDueStartTimers: async () => [], nextStartTimerAt: async () => null },
      runs: { load: async () => buildRun(openIds) },
      clock: { now: () => TIMER_COUNT },
      log: { debug: log, info: log, warn: log, error: log },
      fireTimer: async ({ timerId }) => {
        if (refusedIds.has(timerId)) throw new Error('refused');
        openIds = openIds.filter((each) => each !== timerId);
      },
      fireStartTimer: async () => undefined,
    });
  });

  const fire = () => timers.fireTimers({ runId: RUN_ID });

  it('should fire a limited number of timers, earliest first', async () => {
    expect((await fire()).hasFailed).to.equal(false);
    expect(openIds).to.deep.equal(TIMER_IDS.slice(20));
  });

  it('should fire timers although there are more earlier ones than it attempts that cannot fire', async () => {
    // given
    refusedIds = new Set(TIMER_IDS.slice(0, 125));
    expect((await fire()).hasFailed).to.equal(true);

    // when
    await fire();

    // then
    expect(openIds).to.deep.equal([...refusedIds]);
  });

  it('should count a run as failing until its timers have fired', async () => {
    // given
    openIds = openIds.slice(0, 2);
    refusedIds = new Set(openIds);
    await fire();
    expect(timers.failingRuns).to.equal(1);

    // when
    refusedIds = new Set();
    await fire();

    // then
    expect(timers.failingRuns).to.equal(0);
  });

  it('should not count a run as failing that ended while its timers could not fire', async () => {
    // given
    refusedIds = new Set(TIMER_IDS);
    const fired = fire();

    // when
    openIds = [];
    timers.forget(RUN_ID);
    await fired;

    // then
    expect(timers.failingRuns).to.equal(0);
  });
});

function buildRun(timerIds: readonly string[]): CachedRun {
  const waits = timerIds.map((timerId) => ({ kind: 'timer', timerId, dueAt: TIMER_IDS.indexOf(timerId) }));
  return { revision: 1, state: { completedAt: null, instances: { one: { waits } } } } as unknown as CachedRun;
}
