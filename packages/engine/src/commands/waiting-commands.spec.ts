import { expect } from 'chai';
import type { PendingCommand, CommandTarget } from './pending-command.js';
import { RunCache } from '../caches/run-cache.js';
import { WaitingCommands } from './waiting-commands.js';

describe('WaitingCommands', () => {
  let runs: RunCache;
  let waiting: WaitingCommands;
  let changeCount: number;
  let onChange: () => void;
  let arrivals: number;
  const rejected: unknown[] = [];

  /** Returns a newly arrived command. */
  function buildPending(target: CommandTarget): PendingCommand {
    arrivals += 1;
    const pending = { target, arrival: arrivals, retryCount: 0, skipCache: false };
    return { ...pending, reject: (error: unknown) => rejected.push(error) } as unknown as PendingCommand;
  }
  const buildPendingForRun = (runId: string): PendingCommand => buildPending({ kind: 'run', runId });
  const add = (...commands: PendingCommand[]): PendingCommand[] => {
    for (const each of commands) waiting.add(each);
    return commands;
  };
  /** Returns the arrival numbers of the waiting commands, in the order of `take()` when no run is busy. */
  const takeArrivalNumbers = (): number[] => {
    const taken: number[] = [];
    for (;;) {
      const batch = waiting.take(1);
      const [pending] = batch;
      if (pending === undefined) return taken;
      taken.push(pending.arrival);
      const runId = waiting.findRunId(pending);
      if (runId !== undefined) waiting.release(runId);
    }
  };

  beforeEach(() => {
    runs = new RunCache(10);
    changeCount = 0;
    onChange = () => undefined;
    arrivals = 0;
    rejected.length = 0;
    waiting = new WaitingCommands(runs, () => {
      changeCount += 1;
      onChange();
    });
  });

  it('should take one command of each run up to the limit, and the next one after the run is released', () => {
    const [a, alsoA, b, c] = add(
      buildPendingForRun('a'),
      buildPendingForRun('a'),
      buildPendingForRun('b'),
      buildPendingForRun('c'),
    );

    expect(waiting.take(2)).to.deep.equal([a, b]);
    expect(waiting.take(2)).to.deep.equal([c]);
    expect(waiting.take(2)).to.deep.equal([]);
    waiting.release('a');
    expect(waiting.take(2)).to.deep.equal([alsoA]);
    expect(changeCount).to.equal(4);
  });

  it('should retry commands of a run in their original order, after commands of other runs', () => {
    // given
    const [first, , second] = add(
      buildPendingForRun('a'),
      buildPendingForRun('b'),
      buildPendingForRun('a'),
      buildPendingForRun('c'),
      buildPendingForRun('a'),
    );
    const take = (expected: PendingCommand | undefined): void => {
      expect(waiting.take(1)).to.deep.equal([expected]);
      waiting.release('a');
    };
    take(first);
    const [b] = waiting.take(1);
    take(second);

    // when
    for (const pending of [second, first, b]) if (pending !== undefined) waiting.requeue(pending);
    waiting.release('b');

    // then
    expect(takeArrivalNumbers()).to.deep.equal([4, 1, 3, 5, 2]);
  });

  it('should preserve the order of commands whose run becomes known later', () => {
    // given
    const approval = { kind: 'approval', approvalId: 'one' } as const;
    const [first] = add(
      buildPending(approval),
      buildPendingForRun('b'),
      buildPending({ kind: 'question', questionId: 'two' }),
      buildPendingForRun('a'),
    );
    expect(waiting.take(1)).to.deep.equal([first]);
    runs.rememberRunId('one', 'a');
    runs.rememberRunId('two', 'a');

    // when
    if (first !== undefined) waiting.requeue(first, true);

    // then
    expect(first).to.include({ skipCache: true, retryCount: 1 });
    expect(takeArrivalNumbers()).to.deep.equal([2, 1, 3, 4]);
  });

  it('should refuse a command with a conflict after 100 retries', () => {
    const pending = buildPendingForRun('a');
    for (let count = 0; count < 101; count += 1) waiting.requeue(pending);
    expect(rejected).to.have.length(1);
    expect(rejected[0]).to.have.property('code', 'conflict');
  });

  it('should return a command of a locked run to its original position after a pause', async () => {
    // given
    const [first] = add(buildPendingForRun('a'), buildPendingForRun('b'), buildPendingForRun('a'));
    waiting.take(1);
    waiting.release('a');
    const unlocked = new Promise<void>((resolve) => (onChange = resolve));

    // when
    if (first !== undefined) waiting.requeueAfterPause(first);

    // then
    expect(waiting.isEmpty).to.equal(false);
    expect(waiting.count).to.equal(2);
    await unlocked;
    expect(takeArrivalNumbers()).to.deep.equal([2, 1, 3]);
    expect(waiting.isEmpty).to.equal(true);
  });
});
