import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import type { CommitResult, RunWrite, StoragePort, StoredRun } from '@countersign/core/ports';
import { expect } from 'chai';
import type { CommandEvaluator } from './command-evaluator.js';
import { CommandQueue } from './command-queue.js';
import { DEFAULT_ENGINE_OPTIONS } from '../engine-options.js';
import type { NewCommand } from './pending-command.js';
import { type CachedRun, RunCache } from '../caches/run-cache.js';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore } as unknown as LoggerPort;
const clock = { now: () => 0 } as ClockPort;
const RUN_A = '01a203ef-7786-736d-a248-d7434faf6ef6';
const RUN_B = '01a203ef-7786-736d-a248-d7434faf6ef7';

type Evaluation = ReturnType<CommandEvaluator['evaluate']>;

describe('CommandQueue', () => {
  let runs: RunCache;
  let onLoad: () => void;
  let evaluate: (runId: string, before: CachedRun | null) => Evaluation;
  let commits: string[][];
  let queue: CommandQueue;

  beforeEach(() => {
    runs = new RunCache(10);
    onLoad = ignore;
    evaluate = (runId) => Promise.resolve(buildEvaluation(runId));
    commits = [];
    const storage = {
      loadRuns: (runIds: readonly string[]): Promise<ReadonlyMap<string, StoredRun>> => {
        onLoad();
        return Promise.resolve(new Map(runIds.map((runId) => [runId, { revision: 1, state: '{}' } as StoredRun])));
      },
      commit: (writes: readonly RunWrite[]): Promise<CommitResult[]> => {
        commits.push(writes.map(({ run }) => run.runId));
        return Promise.resolve(writes.map(() => 'committed'));
      },
    } as unknown as StoragePort;
    const evaluator = {
      currentPolicy: () => ({}),
      evaluate: ({ target }: { target: { runId: string } }, before: CachedRun | null) => evaluate(target.runId, before),
    } as unknown as CommandEvaluator;
    const listener = { committed: ignore, discarded: ignore };
    queue = new CommandQueue(storage, runs, evaluator, listener, clock, quiet, DEFAULT_ENGINE_OPTIONS);
  });

  const buildEvaluation = (runId: string): Awaited<Evaluation> => {
    const write = { run: { runId }, approvalsOpened: [], questionsOpened: [], answer: null };
    return {
      preparedWrite: { after: null, result: { refusal: null }, outcome: {}, write },
      workflow: {},
    } as unknown as Awaited<Evaluation>;
  };
  const submit = (runId: string): Promise<unknown> => {
    const command = { target: { kind: 'run', runId }, context: {}, action: 'run.recover' } as unknown as NewCommand;
    return queue.submit(command).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
  };

  it('should still use a cached run if it leaves the cache while other runs of its batch are loaded', async () => {
    // given
    runs.put(RUN_A, { revision: 1, state: { completedAt: null } } as CachedRun);
    onLoad = () => runs.forget(RUN_A);

    // when
    const responses = [submit(RUN_A), submit(RUN_B)];

    // then
    expect(await Promise.all(responses)).to.deep.equal(['done', 'done']);
    expect(commits).to.deep.equal([[RUN_A, RUN_B]]);
  });

  it('should continue after the evaluation of a command fails', async () => {
    // given
    evaluate = () => Promise.reject(Object.assign(new Error('The thread died.'), { code: 'ERR_WORKER' }));
    expect(await submit(RUN_A)).to.equal('ERR_WORKER');

    // when
    evaluate = (runId) => Promise.resolve(buildEvaluation(runId));

    // then
    expect(await submit(RUN_A)).to.equal('done');
    await queue.waitUntilIdle();
  });

  it('should be idle only after commands that took longer than their batch are committed', async () => {
    // given
    let finish = (_outcome: Awaited<Evaluation>): void => undefined;
    evaluate = (runId) =>
      runId === RUN_A ? new Promise((resolve) => (finish = resolve)) : Promise.resolve(buildEvaluation(runId));
    const [slow, quick] = [submit(RUN_A), submit(RUN_B)];
    expect(await quick).to.equal('done');
    let isIdle = false;
    const idle = queue.waitUntilIdle().then(() => (isIdle = true));

    // when: the run receives another command
    evaluate = (runId) => Promise.resolve(buildEvaluation(runId));
    const next = submit(RUN_A);
    expect(await submit(RUN_B)).to.equal('done');

    // then
    expect([isIdle, commits]).to.deep.equal([false, [[RUN_B], [RUN_B]]]);
    finish(buildEvaluation(RUN_A));
    expect(await Promise.all([slow, next])).to.deep.equal(['done', 'done']);
    await idle;
    expect(commits).to.deep.equal([[RUN_B], [RUN_B], [RUN_A], [RUN_A]]);
  });
});
