import { expect } from 'chai';
import { runTimeSliced } from './time-slicing.js';
import { countEventLoopTurns } from './testing/count-event-loop-turns.js';

const STEP_COUNT = 4;
const STEP_DURATION_MS = 11;

/** Takes longer than a time slice for each step, regardless of the speed and load of the machine. */
function* longWork(onStep: () => void = () => undefined): Generator<void, string> {
  for (let step = 0; step < STEP_COUNT; step += 1) {
    for (const end = performance.now() + STEP_DURATION_MS; performance.now() < end;);
    onStep();
    yield;
  }
  return 'done';
}

describe('runTimeSliced()', () => {
  it('should return a short computation synchronously', () => {
    const shortWork: Iterator<void, number> = { next: () => ({ done: true, value: 7 }) };
    expect(runTimeSliced(shortWork)).to.equal(7);
  });

  it('should yield to the event loop during long work', async () => {
    const { value, turns } = await countEventLoopTurns(() => runTimeSliced(longWork()));
    expect(value).to.equal('done');
    expect(turns).to.be.at.least(STEP_COUNT - 1);
  });

  it('should run only one of several concurrent computations in each event-loop turn', async () => {
    // given
    let turn = 0;
    const namesByTurn = new Map<number, Set<string>>();
    const recordTurn = (name: string): Generator<void, string> =>
      longWork(() => namesByTurn.set(turn, (namesByTurn.get(turn) ?? new Set()).add(name)));

    // when they start in the same turn
    await countEventLoopTurns(
      () => Promise.all(['a', 'b', 'c'].map((name) => runTimeSliced(recordTurn(name)))),
      (currentTurn) => (turn = currentTurn),
    );

    // then
    namesByTurn.delete(0);
    expect(namesByTurn.size).to.equal(3 * (STEP_COUNT - 1));
    for (const names of namesByTurn.values()) expect(names.size).to.equal(1);
  });

  it('should propagate an error of the work, synchronous or asynchronous', async () => {
    function* failingWork(work: Iterable<void>): Generator<void, never> {
      yield* work;
      throw new Error('work failed');
    }
    expect(() => runTimeSliced(failingWork([]))).to.throw('work failed');
    const failure = await Promise.resolve(runTimeSliced(failingWork(longWork()))).catch(
      (error: Error) => error.message,
    );
    expect(failure).to.equal('work failed');
  });
});
