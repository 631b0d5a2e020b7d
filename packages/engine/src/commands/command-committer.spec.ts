import type { LoggerPort } from '@countersign/core/plugin';
import type { CommitResult, RunWrite, StoragePort } from '@countersign/core/ports';
import { FailureLog } from '@countersign/core/plugin';
import { expect } from 'chai';
import { CommandCommitter } from './command-committer.js';
import type { PendingCommand } from './pending-command.js';
import type { PreparedCommand } from './prepared-command.js';
import { RunCache } from '../caches/run-cache.js';
import { UnwrittenCommands } from './unwritten-commands.js';
import { WaitingCommands } from './waiting-commands.js';

const quiet: LoggerPort = { debug: ignore, info: ignore, warn: ignore, error: ignore } as unknown as LoggerPort;

function ignore(): void {
  // Log output is not tested.
}

describe('CommandCommitter', () => {
  let results: readonly CommitResult[];
  let appendAudit: () => Promise<void>;
  let committed: string[];
  let discarded: string[];
  let responses: Map<string, Promise<unknown>>;
  let waiting: WaitingCommands;
  let committer: CommandCommitter;
  let invalidated: string[];

  beforeEach(() => {
    appendAudit = () => Promise.resolve();
    [committed, discarded, invalidated, responses] = [[], [], [], new Map()];
    const storage = {
      commit: () => Promise.resolve(results),
      appendAudit: () => appendAudit(),
      findApproval: () => Promise.reject(new Error('The database is unavailable.')),
    } as unknown as StoragePort;
    const runs = new RunCache(10);
    waiting = new WaitingCommands(runs, ignore);
    const failures = new FailureLog(quiet, 'failed');
    const clock = { now: () => 0 } as ConstructorParameters<typeof UnwrittenCommands>[2];
    committer = new CommandCommitter(
      storage,
      runs,
      {
        forgetDecisions: () => invalidated.push('decisions'),
        forgetWorkflow: () => invalidated.push('workflow'),
        wasMoved: async (workflowId) => workflowId === 'moved',
      },
      {
        committed: ({ run }) => committed.push(run.runId),
        discarded: ({ run }) => discarded.push(run.runId),
      },
      waiting,
      new UnwrittenCommands(storage, waiting, clock, failures),
      quiet,
      { batches: failures, unknownOutcomes: failures, failedWrites: failures },
    );
  });

  /** Returns a prepared command with a vote in a run, ready to be written. */
  function buildPreparedCommand(
    runId: string,
    { refusal = null, respond = null, target = { kind: 'approval', approvalId: runId } }: Record<string, unknown> = {},
  ): PreparedCommand {
    let settle: Pick<PendingCommand, 'resolve' | 'reject'> | undefined;
    const response = new Promise<unknown>((resolve, reject) => (settle = { resolve, reject }));
    responses.set(
      runId,
      response.then(
        () => 'done',
        (error: { code?: string; message: string }) => error.code ?? error.message,
      ),
    );
    const pending = {
      ...settle,
      target,
      action: 'approval.vote',
      context: { actor: { type: 'user', id: 'ada' }, from: null, traceId: null },
      fence: null,
      cause: null,
      retryCount: 0,
      respond,
    };
    const write = { run: { runId }, approvalsOpened: [], questionsOpened: [], decisionsUsed: [], storedResponse: null };
    const preparedWrite = { after: null, result: { refusal }, outcome: {}, write: write as unknown as RunWrite };
    return { pending, runId, preparedWrite, write, workflow: {} } as unknown as PreparedCommand;
  }
  const readResponses = async (...runIds: string[]): Promise<unknown[]> =>
    Promise.all(runIds.map((runId) => responses.get(runId)));

  it('should respond to all committed commands before it records a refusal', async () => {
    // given
    results = ['revoked', 'committed', 'committed'];
    let isAudited = false;
    let record = ignore;
    appendAudit = () =>
      new Promise((resolve) => {
        record = () => {
          isAudited = true;
          resolve();
        };
      });

    // when
    const commit = committer.commit(['a', 'b', 'c'].map((runId) => buildPreparedCommand(runId)));
    expect(await readResponses('b', 'c')).to.deep.equal(['done', 'done']);

    // then
    expect(isAudited).to.equal(false);
    expect(committed).to.deep.equal(['b', 'c']);
    expect(discarded).to.deep.equal(['a']);
    record();
    await commit;
    expect(await readResponses('a')).to.deep.equal(['signing_key_revoked']);
  });

  it('should respond to all committed commands if the refusal of another command cannot be recorded', async () => {
    results = ['revoked', 'committed'];
    appendAudit = () => Promise.reject(new Error('The database is unavailable.'));

    await committer.commit(['a', 'b'].map((runId) => buildPreparedCommand(runId)));

    expect(await readResponses('a', 'b')).to.deep.equal(['service_unavailable', 'done']);
    expect(committed).to.deep.equal(['b']);
  });

  it('should respond to all other commands if the response to one command fails', async () => {
    // given
    results = ['committed', 'committed', 'committed'];
    const respond = (): never => {
      throw new Error('response failed');
    };
    const refusal = { code: 'approval_already_resolved', message: '' };

    // when
    await committer.commit([
      buildPreparedCommand('a', { respond }),
      buildPreparedCommand('b', { refusal }),
      buildPreparedCommand('c'),
    ]);

    // then: the refusal reports that another vote was faster, although its author is unknown
    expect(await readResponses('a', 'b', 'c')).to.deep.equal(['response failed', 'approval_already_resolved', 'done']);
    expect(committed).to.deep.equal(['a', 'b', 'c']);
  });

  it('should retry the start of a specific version only if its workflow was moved', async () => {
    // given
    results = ['conflict', 'conflict'];
    const createTarget = (workflowId: string) => ({ kind: 'new', workflowId, version: 1, onlyNewest: true });

    // when
    await committer.commit([
      buildPreparedCommand('a', { target: { ...createTarget('moved'), runId: 'a' } }),
      buildPreparedCommand('b', { target: { ...createTarget('deployed'), runId: 'b' } }),
    ]);

    // then
    expect(waiting.count).to.equal(1);
    expect(await readResponses('b')).to.deep.equal(['workflow_version_superseded']);
  });

  it('should retry commands after a conflict, stale dependency, used key or lock, and refuse the others', async () => {
    results = ['conflict', 'outdated', 'answered', 'fenced', 'crowded', 'locked'];

    await committer.commit(['a', 'b', 'c', 'd', 'e', 'f'].map((runId) => buildPreparedCommand(runId)));

    expect(discarded).to.have.length(6);
    expect(waiting.count).to.equal(3);
    expect(invalidated).to.deep.equal(['decisions']);
    expect(await readResponses('d', 'e')).to.deep.equal(['job_not_active', 'called_runs_exceeded']);
    // The locked command waits until its pause ends.
    expect(waiting.isEmpty).to.equal(false);
  });
});
