import { expect } from 'chai';
import { TimerLoop, type TimerRows } from './timer-loop.js';

interface Timer {
  readonly id: string;
  readonly run: string;
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const NEVER_POLLS_MS = 2 ** 30;

/** Timers that are all due, until they are fired. */
class Due implements TimerRows<Timer> {
  readonly rows: Map<string, Timer>;
  readonly idOf = ({ id }: Timer): string => id;
  readonly ownerOf = ({ run }: Timer): string => run;
  looks = 0;

  constructor(count: number) {
    this.rows = new Map(
      Array.from({ length: count }, (_, index) => [`t${index}`, { id: `t${index}`, run: `run-${index}` }]),
    );
  }

  async due(_now: number, limit: number): Promise<Timer[]> {
    this.looks += 1;
    await new Promise((next) => setImmediate(next));
    return [...this.rows.values()].slice(0, limit);
  }

  async nextAt(): Promise<number | null> {
    return this.rows.size === 0 ? null : 0;
  }
}

describe('TimerLoop', () => {
  let loops: TimerLoop<Timer>[];

  beforeEach(() => {
    loops = [];
  });

  afterEach(() => Promise.all(loops.map((loop) => loop.stop())));

  function loop(instanceId: string, rows: TimerRows<Timer>, fire: (timer: Timer) => Promise<void>): TimerLoop<Timer> {
    const made = new TimerLoop('test', instanceId, rows, { now: () => 0 }, silent, NEVER_POLLS_MS, fire);
    loops.push(made);
    return made;
  }

  it('should fire few that are due in the order in which they are due', async () => {
    const due = new Due(300);
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

  it('should fire all of very many, none twice, and share them with another server instead of racing it', async () => {
    // given two servers that fire as fast as each other
    const count = 10_000;
    const due = new Due(count);
    const fired = new Map<string, number>();
    let inVain = 0;
    const finished = new Promise<void>((resolve) => {
      const fire = async ({ id }: Timer): Promise<void> => {
        await new Promise((next) => setImmediate(next));
        // As in a commit: whoever comes second finds nothing to do.
        if (due.rows.delete(id)) fired.set(id, (fired.get(id) ?? 0) + 1);
        else inVain += 1;
        if (due.rows.size === 0) resolve();
      };

      // when
      for (const instanceId of ['left', 'right']) loop(instanceId, due, fire).start();
    });
    await finished;

    // then
    expect(fired.size).to.equal(count);
    expect([...fired.values()].every((times) => times === 1)).to.equal(true);
    expect(inVain, 'fired in vain').to.be.lessThan(count / 4);
  });

  it('should fire the timers of runs at hand first, so that servers with different ones hardly ever race, and look seldom', async () => {
    // given two servers, each of which has half of the runs at hand
    const count = 10_000;
    const due = new Due(count);
    let inVain = 0;
    const finished = new Promise<void>((resolve) => {
      const fire = async ({ id }: Timer): Promise<void> => {
        await new Promise((next) => setImmediate(next));
        if (!due.rows.delete(id)) inVain += 1;
        if (due.rows.size === 0) resolve();
      };
      const atHand = (parity: number): TimerRows<Timer> => ({
        due: (now, limit) => due.due(now, limit),
        nextAt: () => due.nextAt(),
        idOf: due.idOf,
        ownerOf: due.ownerOf,
        isAtHand: ({ id }) => Number(id.slice(1)) % 2 === parity,
      });

      // when
      loop('left', atHand(0), fire).start();
      loop('right', atHand(1), fire).start();
    });
    await finished;

    // then only the last ones, of which there is room for all, may be tried by both
    expect(inVain, 'fired in vain').to.be.at.most(500);
    expect(due.looks).to.be.lessThan(count / 250);
  });

  it('should log failures that follow one another once, and fire what failed', async () => {
    // given
    const due = new Due(1);
    const entries: string[] = [];
    let tries = 0;
    await new Promise<void>((resolve) => {
      const fire = async ({ id }: Timer): Promise<void> => {
        tries += 1;
        if (tries < 5) throw new Error('The database is away.');
        due.rows.delete(id);
        resolve();
      };
      const log = { ...silent, info: () => void entries.push('recovered'), warn: () => void entries.push('failed') };
      const made = new TimerLoop('test', 'left', due, { now: () => 0 }, log, 1, fire);
      loops.push(made);
      made.start();
    });

    // then
    expect([tries, ...entries]).to.deep.equal([5, 'failed']);
  });

  it('should pause after each failure, not only after the first', async () => {
    // given a timer that can't be fired
    const due = new Due(1);
    let tries = 0;
    const tried = loop('left', due, async () => {
      tries += 1;
      throw new Error('The database refuses this run.');
    });
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
    };
    tried.start();
    await settled();

    // when
    tried.wake();
    await settled();
    tried.wake();
    await settled();

    // then
    expect(tries).to.equal(3);
  });

  it('should go on with others while one takes long', async () => {
    // given
    const due = new Due(5_000);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const others = new Promise<void>((resolve) => {
      loop('left', due, async ({ id }) => {
        if (id === 't0') await held;
        due.rows.delete(id);
        if (due.rows.size === 1) resolve();
      }).start();
    });

    // then
    await others;
    expect([...due.rows.keys()]).to.deep.equal(['t0']);
    letGo();
  });
});
