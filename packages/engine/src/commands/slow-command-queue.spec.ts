import { expect } from 'chai';
import { SlowCommandQueue } from './slow-command-queue.js';
import type { PendingCommand } from './pending-command.js';
import type { PreparedCommand } from './prepared-command.js';

const flushPromises = async (): Promise<void> => {
  for (let count = 0; count < 3; count += 1) await new Promise(setImmediate);
};

/** A slow command whose evaluation the test settles. */
interface Evaluation {
  readonly pending: PendingCommand;
  readonly done: (isWritten?: boolean) => void;
  readonly fails: (error: Error) => void;
}

describe('SlowCommandQueue', () => {
  let slowCommandQueue: SlowCommandQueue;
  /** Started commits, each with the runs that it writes. */
  let commits: { readonly runs: string[]; readonly end: (error?: Error) => void }[];
  let finished: string[];
  let failed: [string, string][];
  const names = new Map<PendingCommand, string>();

  beforeEach(() => {
    commits = [];
    finished = [];
    failed = [];
    slowCommandQueue = new SlowCommandQueue(
      {
        commit: (prepared) =>
          new Promise((resolve, reject) => {
            const end = (error?: Error): void => (error === undefined ? resolve() : reject(error));
            commits.push({ runs: prepared.map(({ runId }) => runId), end });
          }),
        onFailed: (commands, error) => {
          for (const each of commands) failed.push([names.get(each) ?? '', (error as Error).message]);
        },
        onFinished: (runId) => finished.push(runId),
      },
      3,
    );
  });

  function add(runId: string): Evaluation {
    const pending = { retryCount: 0 } as unknown as PendingCommand;
    names.set(pending, runId);
    let done: Evaluation['done'] = () => undefined;
    let fails: Evaluation['fails'] = () => undefined;
    const evaluating = new Promise<PreparedCommand | undefined>((resolve, reject) => {
      done = (isWritten = true) => resolve(isWritten ? ({ runId, pending } as unknown as PreparedCommand) : undefined);
      fails = reject;
    });
    slowCommandQueue.add(runId, pending, evaluating);
    return { pending, done, fails };
  }

  it('should commit ready commands in successive batches of limited size', async () => {
    // given
    const evaluations = ['a', 'b', 'c', 'd', 'e', 'f'].map(add);
    const [first, ...others] = evaluations;
    first?.done();
    await flushPromises();

    // when
    for (const { done } of others) done();
    await flushPromises();

    // then
    expect(commits.map(({ runs }) => runs)).to.deep.equal([['a']]);
    expect(finished).to.deep.equal([]);
    commits[0]?.end();
    await flushPromises();
    commits[1]?.end();
    await flushPromises();
    expect(commits.map(({ runs }) => runs)).to.deep.equal([['a'], ['b', 'c', 'd'], ['e', 'f']]);
    expect(finished).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(slowCommandQueue.isIdle).to.equal(false);
    commits[2]?.end();
    await flushPromises();
    expect(finished).to.have.length(6);
    expect(slowCommandQueue.isIdle).to.equal(true);
    expect(failed).to.deep.equal([]);
  });

  it('should finish a command that needs no commit or whose evaluation fails', async () => {
    add('a').done(false);
    add('b').fails(new Error('thread died'));
    await flushPromises();

    expect(commits).to.deep.equal([]);
    expect(finished).to.deep.equal(['a', 'b']);
    expect(failed).to.deep.equal([['b', 'thread died']]);
    expect(slowCommandQueue.isIdle).to.equal(true);
  });

  it('should continue after a failed commit, and report only commands that are not retried', async () => {
    // given
    const [a, b] = [add('a'), add('b')];
    const c = add('c');
    for (const { done } of [a, b, c]) done();
    await flushPromises();
    expect(commits.map(({ runs }) => runs)).to.deep.equal([['a']]);
    commits[0]?.end();
    await flushPromises();

    // when
    b.pending.retryCount += 1;
    commits[1]?.end(new Error('unavailable'));
    await flushPromises();

    // then
    expect(failed).to.deep.equal([['c', 'unavailable']]);
    expect(finished).to.deep.equal(['a', 'b', 'c']);
    add('d').done();
    await flushPromises();
    expect(commits.at(-1)?.runs).to.deep.equal(['d']);
  });

  it('should have room while fewer commands wait for a commit than two transactions can contain', async () => {
    // given: one command is being written
    const evaluations = Array.from({ length: 7 }, (_, index) => add(String(index)));
    evaluations[0]?.done();
    await flushPromises();
    for (const { done } of evaluations.slice(1)) done();
    await flushPromises();
    let hasRoom = false;
    void slowCommandQueue.waitForRoom().then(() => (hasRoom = true));
    await flushPromises();
    expect(hasRoom).to.equal(false);

    // when
    commits[0]?.end();
    await flushPromises();

    // then
    expect(hasRoom).to.equal(true);
    expect(finished).to.deep.equal(['0']);
  });

  it('should have room while fewer than 64 commands are being evaluated', async () => {
    // given
    let hasRoom = false;
    const evaluations = Array.from({ length: 64 }, (_, index) => add(String(index)));
    void slowCommandQueue.waitForRoom().then(() => (hasRoom = true));
    await flushPromises();
    expect(hasRoom).to.equal(false);

    // when
    evaluations[0]?.done();
    await flushPromises();

    // then
    expect(hasRoom).to.equal(true);
    expect(finished).to.deep.equal([]);
    for (const { done } of evaluations) done();
  });
});
