import type { CachedRun } from '@countersign/engine';
import { ApiError } from '@countersign/model';
import { expect } from 'chai';
import { TimerRunner } from './timer-runner.js';

const RUN_ID = 'run-1';
/** More than one activity fires. */
const TIMER_COUNT = 130;
const TIMER_IDS = Array.from({ length: TIMER_COUNT }, (_, index) => `timer-${index}`);

describe('TimerRunner', () => {
  let openIds: string[];
  let refusedIds: ReadonlySet<string>;
  let timers: TimerRunner;
  let failure: Error;

  beforeEach(() => {
    openIds = [...TIMER_IDS];
    refusedIds = new Set();
    failure = new ApiError('command_not_storable', 'refused');
    const log = () => undefined;
    timers = new TimerRunner({
      storage: { listDueStartTimers: async () => [], nextStartTimerAt: async () => null },
      runs: { load: async () => buildRun(openIds) },
      clock: { now: () => TIMER_COUNT },
      log: { debug: log, info: log, warn: log, error: log },
      fireTimer: async ({ timerId }) => {
        if (refusedIds.has(timerId)) throw failure;
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

  it('should fire timers although more earlier ones cannot fire than it fires at once', async () => {
    // given
    refusedIds = new Set(TIMER_IDS.slice(0, 125));

    // when
    const { hasFailed } = await fire();

    // then
    expect(hasFailed).to.equal(true);
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
    await fired;

    // then
    expect(timers.failingRuns).to.equal(0);
  });

  it('should not count a run as failing after a command has closed its timers', async () => {
    // given
    refusedIds = new Set(TIMER_IDS);
    await fire();
    expect(timers.failingRuns).to.equal(1);

    // when
    timers.handleCommitted(RUN_ID, buildRun([]));

    // then
    expect(timers.failingRuns).to.equal(0);
  });

  it('should attempt no further timer after a failure that concerns all of them', async () => {
    // given
    refusedIds = new Set(TIMER_IDS.slice(0, 1));
    failure = new Error('The database is unreachable.');

    // when
    const { hasFailed } = await fire();

    // then
    expect(hasFailed).to.equal(true);
    expect(openIds).to.deep.equal(TIMER_IDS);
    await fire();
    expect(openIds, 'attempted last').to.deep.equal([TIMER_IDS[0], ...TIMER_IDS.slice(21)]);
  });
});

function buildRun(timerIds: readonly string[]): CachedRun {
  const waits = timerIds.map((timerId) => ({ kind: 'timer', timerId, dueAt: TIMER_IDS.indexOf(timerId) }));
  return { revision: 1, state: { completedAt: null, instances: { one: { waits } } } } as unknown as CachedRun;
}
