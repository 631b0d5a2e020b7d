import { expect } from 'chai';
import { ApiError } from '@countersign/core/plugin';
import { TimerLoop, type TimerSource } from './timer-loop.js';

interface Timer {
  readonly id: string;
  readonly run: string;
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const NEVER_POLLS_MS = 2 ** 30;
const BACKOFF = { firstMs: 1_000, maxMs: 300_000, maxTransientMs: 2_000 };

const createNotStorableError = (): ApiError =>
  new ApiError('command_not_storable', 'The state contains half of a surrogate pair.');

/** Waits until all work that needs only event loop turns has finished. */
async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise((next) => setImmediate(next));
}

/** Timers that are all due until they fire. */
class FakeTimerSource implements TimerSource<Timer> {
  readonly rows: Map<string, Timer>;
  readonly getId = ({ id }: Timer): string => id;
  readonly getOwner = ({ run }: Timer): string => run;
  pollCount = 0;

  constructor(count: number) {
    this.rows = new Map(
      Array.from({ length: count }, (_, index) => [`t${index}`, { id: `t${index}`, run: `run-${index}` }]),
    );
  }

  async listDue(_now: number, limit: number, excludedOwners: readonly string[]): Promise<Timer[]> {
    this.pollCount += 1;
    await new Promise((next) => setImmediate(next));
    const excluded = new Set(excludedOwners);
    return [...this.rows.values()].filter(({ run }) => !excluded.has(run)).slice(0, limit);
  }

  async findNextDueTime(): Promise<number | null> {
    return null;
  }

  add(...timers: readonly Timer[]): void {
    for (const timer of timers) this.rows.set(timer.id, timer);
  }
}

const createTimers = (run: string, count: number): Timer[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${run}-${index}`, run }));

describe('TimerLoop', () => {
  let loops: TimerLoop<Timer>[];
  /** Monotonic time in ms, which determines the pauses. */
  let monotonicMs: number;

  beforeEach(() => {
    loops = [];
    monotonicMs = 0;
  });

  afterEach(() => Promise.all(loops.map((loop) => loop.stop())));

  function loop(
    instanceId: string,
    rows: TimerSource<Timer>,
    fire: (timer: Timer) => Promise<void>,
    log: Partial<typeof silent> = {},
  ): TimerLoop<Timer> {
    const options = { instanceId, pollMs: NEVER_POLLS_MS, backoff: BACKOFF, monotonicNow: () => monotonicMs };
    const createdLoop = new TimerLoop('test', options, rows, { now: () => 0 }, { ...silent, ...log }, fire);
    loops.push(createdLoop);
    return createdLoop;
  }

  async function advance(ms: number): Promise<void> {
    monotonicMs += ms;
    for (const each of loops) each.wake();
    await flushPromises();
  }

  it('should fire a small number of due timers in the order in which they are due', async () => {
    const due = new FakeTimerSource(300);
    const fired: string[] = [];
    await new Promise<void>((resolve) => {
      loop('left', due, async ({ id }) => {
        fired.push(id);
        due.rows.delete(id);
        if (due.rows.size === 0) resolve();
      }).start();
    });
    expect(fired).to.deep.equal(Array.from({ length: 300 }, (_, index) => `t${index}`));
  });

  it('should fire each of 10,000 timers exactly once, and share them with another server', async () => {
    // given: two servers that fire at the same speed
    const count = 10_000;
    const due = new FakeTimerSource(count);
    const fired = new Map<string, number>();
    let redundantFirings = 0;
    const finished = new Promise<void>((resolve) => {
      const fire = async ({ id }: Timer): Promise<void> => {
        await new Promise((next) => setImmediate(next));
        // Like a commit, this has no effect if the other server has already fired the timer.
        if (due.rows.delete(id)) fired.set(id, (fired.get(id) ?? 0) + 1);
        else redundantFirings += 1;
        if (due.rows.size === 0) resolve();
      };

      // when
      for (const instanceId of ['left', 'right']) loop(instanceId, due, fire).start();
    });
    await finished;

    // then
    expect(fired.size).to.equal(count);
    expect([...fired.values()].every((times) => times === 1)).to.equal(true);
    expect(redundantFirings, 'redundant firings').to.be.lessThan(count / 4);
  });

  it('should fire timers of cached runs first, so that two servers rarely compete or poll', async () => {
    // given: two servers, each with half of the runs in its cache
    const count = 10_000;
    const due = new FakeTimerSource(count);
    let redundantFirings = 0;
    const finished = new Promise<void>((resolve) => {
      const fire = async ({ id }: Timer): Promise<void> => {
        await new Promise((next) => setImmediate(next));
        if (!due.rows.delete(id)) redundantFirings += 1;
        if (due.rows.size === 0) resolve();
      };
      const cachedByParity = (parity: number): TimerSource<Timer> => ({
        listDue: (now, limit, excludedOwners) => due.listDue(now, limit, excludedOwners),
        findNextDueTime: () => due.findNextDueTime(),
        getId: due.getId,
        getOwner: due.getOwner,
        isCached: ({ id }) => Number(id.slice(1)) % 2 === parity,
      });

      // when
      loop('left', cachedByParity(0), fire).start();
      loop('right', cachedByParity(1), fire).start();
    });
    await finished;

    // then: both servers try only the last timers, because there is room for all of them
    expect(redundantFirings, 'redundant firings').to.be.at.most(500);
    expect(due.pollCount).to.be.lessThan(count / 250);
  });

  it('should log consecutive failures once, and fire the timer after recovery', async () => {
    // given
    const due = new FakeTimerSource(1);
    const entries: string[] = [];
    let attemptCount = 0;
    const fire = async ({ id }: Timer): Promise<void> => {
      attemptCount += 1;
      if (attemptCount < 5) throw new Error('The database is unavailable.');
      due.rows.delete(id);
    };
    loop('left', due, fire, {
      info: () => void entries.push('recovered'),
      warn: () => void entries.push('failed'),
    }).start();
    await flushPromises();

    // when
    for (let attempt = 1; attempt < 5; attempt += 1) await advance(2_000);

    // then
    expect([attemptCount, ...entries]).to.deep.equal([5, 'failed', 'recovered']);
  });

  it('should double the pause after each refusal', async () => {
    // given
    const due = new FakeTimerSource(1);
    let attemptCount = 0;
    const timerLoop = loop('left', due, async () => {
      attemptCount += 1;
      throw createNotStorableError();
    });
    timerLoop.start();
    await flushPromises();
    const attemptsAfter = async (ms: number): Promise<number> => {
      await advance(ms);
      return attemptCount;
    };

    // then
    expect(attemptCount).to.equal(1);
    expect([await attemptsAfter(999), await attemptsAfter(1)]).to.deep.equal([1, 2]);
    expect([await attemptsAfter(1_999), await attemptsAfter(1)]).to.deep.equal([2, 3]);
    expect([await attemptsAfter(3_999), await attemptsAfter(1)]).to.deep.equal([3, 4]);
    expect(timerLoop.failingCount).to.equal(1);
  });

  it('should cap the pause at two seconds after a transient fault', async () => {
    // given
    const due = new FakeTimerSource(1);
    let attemptCount = 0;
    loop('left', due, async () => {
      attemptCount += 1;
      throw new ApiError('service_unavailable', 'The database is unavailable.');
    }).start();
    await flushPromises();
    for (let attempt = 0; attempt < 10; attempt += 1) await advance(2_000);

    // then
    expect(attemptCount).to.equal(11);
  });

  it('should forget the failures of a deleted timer', async () => {
    // given
    const due = new FakeTimerSource(2);
    const timerLoop = loop('left', due, async () => {
      throw createNotStorableError();
    });
    timerLoop.start();
    await flushPromises();
    expect(timerLoop.failingCount).to.equal(2);

    // when
    due.rows.delete('t0');
    await advance(1_000);

    // then
    expect(timerLoop.failingCount).to.equal(1);
  });

  it('should fire timers of other runs while 10,000 timers of one run fail', async () => {
    // given
    const due = new FakeTimerSource(0);
    due.add(...createTimers('large', 10_000), ...createTimers('other', 2));
    let attemptCount = 0;
    const others = new Promise<void>((resolve) => {
      loop('left', due, async ({ id, run }) => {
        if (run === 'large') {
          attemptCount += 1;
          throw createNotStorableError();
        }
        due.rows.delete(id);
        if (due.rows.size === 10_000) resolve();
      }).start();
    });

    // then
    await others;
    expect(attemptCount).to.be.at.most(4);
  });

  it('should fire timers of other runs while 10,000 timers of one run are slow', async () => {
    // given
    const due = new FakeTimerSource(0);
    due.add(...createTimers('large', 10_000), ...createTimers('other', 2));
    let attemptCount = 0;
    let release = (): void => undefined;
    const heldUntilReleased = new Promise<void>((resolve) => (release = resolve));
    const others = new Promise<void>((resolve) => {
      loop('left', due, async ({ id, run }) => {
        if (run === 'large') {
          attemptCount += 1;
          return heldUntilReleased;
        }
        due.rows.delete(id);
        if (due.rows.size === 10_000) resolve();
      }).start();
    });

    // then
    await others;
    expect(attemptCount).to.be.at.most(4);
    due.rows.clear();
    release();
  });

  it('should fire timers without failures before failed timers', async () => {
    // given
    const due = new FakeTimerSource(0);
    due.add(...createTimers('run', 20));
    const fired: string[] = [];
    loop('left', due, async ({ id }) => {
      if (Number(id.split('-')[1]) < 10) throw createNotStorableError();
      fired.push(id);
      due.rows.delete(id);
    }).start();
    await flushPromises();

    // when
    for (let attempt = 0; attempt < 5; attempt += 1) await advance(300_000);

    // then
    expect(fired).to.have.length(10);
  });

  it('should lengthen the pause of a failing timer although other timers of its run fire', async () => {
    // given
    const due = new FakeTimerSource(0);
    due.add({ id: 'dead', run: 'run' });
    let attemptCount = 0;
    loop('left', due, async ({ id }) => {
      if (id === 'dead') {
        attemptCount += 1;
        throw createNotStorableError();
      }
      due.rows.delete(id);
    }).start();
    await flushPromises();

    // when
    for (let second = 1; second <= 15; second += 1) {
      due.add({ id: `alive-${second}`, run: 'run' });
      await advance(1_000);
    }

    // then
    expect(attemptCount).to.equal(5);
  });

  it('should fire other timers while one timer is slow', async () => {
    // given
    const due = new FakeTimerSource(5_000);
    let release = (): void => undefined;
    const heldUntilReleased = new Promise<void>((resolve) => (release = resolve));
    const others = new Promise<void>((resolve) => {
      loop('left', due, async ({ id }) => {
        if (id === 't0') await heldUntilReleased;
        due.rows.delete(id);
        if (due.rows.size === 1) resolve();
      }).start();
    });

    // then
    await others;
    expect([...due.rows.keys()]).to.deep.equal(['t0']);
    release();
  });
});
