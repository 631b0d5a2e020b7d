import { expect } from 'chai';
import { inTurns } from './in-turns.js';
import { turnsDuring } from './testing/turns-during.js';

const PIECES = 4;
const LONGER_THAN_A_TURN_MS = 11;

/** Takes longer than an event-loop turn for each piece, regardless of the speed and load of the machine. */
function* long(onPiece: () => void = () => undefined): Generator<void, string> {
  for (let piece = 0; piece < PIECES; piece += 1) {
    for (const end = performance.now() + LONGER_THAN_A_TURN_MS; performance.now() < end;);
    onPiece();
    yield;
  }
  return 'done';
}

describe('inTurns()', () => {
  it('should return a short computation synchronously', () => {
    const short: Iterator<void, number> = { next: () => ({ done: true, value: 7 }) };
    expect(inTurns(short)).to.equal(7);
  });

  it('should yield to the event loop during long work', async () => {
    const { value, turns } = await turnsDuring(() => inTurns(long()));
    expect(value).to.equal('done');
    expect(turns).to.be.at.least(PIECES - 1);
  });

  it('should give each event-loop turn to one of several computations', async () => {
    // given
    let turn = 0;
    const worksOfTurns = new Map<number, Set<string>>();
    const noted = (name: string): Generator<void, string> =>
      long(() => worksOfTurns.set(turn, (worksOfTurns.get(turn) ?? new Set()).add(name)));

    // when they start in the same turn
    await turnsDuring(
      () => Promise.all(['a', 'b', 'c'].map((name) => inTurns(noted(name)))),
      (now) => (turn = now),
    );

    // then
    worksOfTurns.delete(0);
    expect(worksOfTurns.size).to.equal(3 * (PIECES - 1));
    for (const works of worksOfTurns.values()) expect(works.size).to.equal(1);
  });

  it('should propagate an error of the work, synchronous or asynchronous', async () => {
    function* failing(work: Iterable<void>): Generator<void, never> {
      yield* work;
      throw new Error('no');
    }
    expect(() => inTurns(failing([]))).to.throw('no');
    const failure = await Promise.resolve(inTurns(failing(long()))).catch((error: Error) => error.message);
    expect(failure).to.equal('no');
  });
});
