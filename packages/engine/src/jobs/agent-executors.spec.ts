import {
  type AgentCallJob,
  ApiError,
  type AgentRuntimePort,
  type AgentTurnJob,
  type CallOutcome,
  RetryableFailure,
  TerminalFailure,
} from '@countersign/core/plugin';
import type { ClaimedJob } from '@countersign/core/ports';
import {
  AGENT_CALL_JOB_TYPE,
  AGENT_JOB_TYPE,
  type AgentCall,
  type AgentState,
  type AgentTurn,
  type PinnedArtifact,
  type RunState,
} from '@countersign/model';
import { expect } from 'chai';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CompiledVersion } from '../caches/workflow-cache.js';
import { createAgentExecutors, type AgentResults, type AgentSources } from './agent-executors.js';
import { runJob } from './run-job.js';

const WORKFLOW = {
  graph: {
    nodes: new Map([['triage', { kind: 'jobTask', headers: { agent: 'triager' }, inputs: [{ target: ['issue'] }] }]]),
  },
} as unknown as CompiledVersion;
const TURN: AgentTurn = {
  agent: 'triager',
  definitionDigest: 'sha256:a',
  provider: 'scripted',
  model: 'm',
  requestDigest: 'sha256:b',
  text: 'Done.',
  calls: [],
  opaque: null,
  usage: { inputTokens: 1, outputTokens: 2, costMicros: null },
  budget: { turns: 1, toolCalls: 1, tokens: null, costMicros: null, onExhausted: 'incident' },
  taint: [],
  final: { output: {} },
};

const buildCall = (overrides: Partial<AgentCall> = {}): AgentCall => ({
  callId: 'call',
  toolCallId: 'tool-call',
  tool: 'label',
  toolDigest: 'sha256:t',
  effect: 'write',
  reversible: true,
  hosts: [],
  artifacts: [],
  arguments: { name: 'bug' },
  problem: null,
  question: null,
  taint: [],
  round: 1,
  pinned: [],
  status: 'job',
  ...overrides,
});

const job = (overrides: Partial<ClaimedJob> = {}): ClaimedJob => ({
  jobId: 'job',
  runId: 'run',
  stepId: 'step',
  elementId: 'triage',
  jobType: AGENT_CALL_JOB_TYPE,
  attempt: 1,
  toolConstraints: null,
  epoch: 1,
  callId: 'call',
  ...overrides,
});

function buildState(call: AgentCall | undefined, retries = 3): RunState {
  const agent =
    call &&
    ({
      agent: 'triager',
      definitionDigest: 'sha256:a',
      turns: 1,
      toolCalls: 1,
      taint: [],
      calls: [call],
    } as unknown as AgentState);
  const root = {
    key: 1,
    stepId: 'root',
    elementId: 'process',
    parent: null,
    variables: { issue: 'outer', mail: 'm', own: 'o' },
    taints: { issue: ['webhook'], mail: ['webhook'] },
  };
  const step = {
    key: 2,
    stepId: 'step',
    elementId: 'triage',
    parent: 1,
    variables: { issue: { title: 't' } },
    taints: {},
    ...(agent === undefined ? {} : { agent }),
    waits: [{ kind: 'job', jobId: 'job', jobType: AGENT_CALL_JOB_TYPE, retries, callId: 'call', attempt: 1 }],
  };
  return { workflowId: 'w', instances: { 1: root, 2: step } } as unknown as RunState;
}

describe('createAgentExecutors()', () => {
  /** Records the submitted results by name. `first` resolves with the first result. */
  class ReportRecorder {
    private resolve: (reported: readonly unknown[]) => void = () => undefined;
    readonly first = new Promise<readonly unknown[]>((resolve) => (this.resolve = resolve));

    record(name: string) {
      return async (claimedJob: ClaimedJob, ...rest: unknown[]): Promise<undefined> => {
        this.resolve([name, claimedJob.epoch, ...rest]);
        return undefined;
      };
    }
  }

  const unexpectedCall = (): never => expect.fail('unexpected call');
  const NO_SOURCES: AgentSources = {
    storage: { listArtifacts: unexpectedCall, findArtifact: unexpectedCall, listAgentEvents: unexpectedCall },
    contents: { open: unexpectedCall },
    policy: {},
    destinations: { assertUnchanged: () => undefined },
  };

  interface RunningCall {
    readonly ended: Promise<void>;
    abort(): void;
  }

  function createRunner(
    runtime: Partial<AgentRuntimePort>,
    sources: AgentSources = NO_SOURCES,
  ): { run: (claimedJob: ClaimedJob, state: RunState) => RunningCall; reported: Promise<readonly unknown[]> } {
    const reported = new ReportRecorder();
    const results: AgentResults = {
      recordTurn: reported.record('turn'),
      failTurn: reported.record('failTurn'),
      recordCall: reported.record('call'),
      recordNewProposal: reported.record('repropose'),
      recordUnknownOutcome: reported.record('lose'),
      retryWithUnknownOutcome: reported.record('open'),
      putArtifact: unexpectedCall,
    };
    const executors = createAgentExecutors(
      { runTurn: unexpectedCall, executeCall: unexpectedCall, proposeCall: unexpectedCall, ...runtime },
      results,
      sources,
    );
    const failures = { fail: reported.record('fail'), throwError: reported.record('error') };
    return {
      run: (claimedJob, state) => {
        const abortController = new AbortController();
        const { signal } = abortController;
        const currentClaim = (): ClaimedJob => claimedJob;
        return {
          ended: runJob({ executors, failures }, { job: claimedJob, state, workflow: WORKFLOW, signal, currentClaim }),
          abort: () => abortController.abort(new Error('the step was cancelled')),
        };
      },
      reported: reported.first,
    };
  }

  async function runCall(
    makeCall: AgentRuntimePort['executeCall'],
    jobOverrides: Partial<ClaimedJob> = {},
    call = buildCall(),
    retries = 3,
  ): Promise<readonly unknown[]> {
    const { run, reported } = createRunner({ executeCall: makeCall });
    void run(job(jobOverrides), buildState(call, retries));
    return reported;
  }

  const result = (content: unknown): CallOutcome =>
    ({ kind: 'result', result: { content, isError: false, taint: [] } }) as CallOutcome;

  it('should pass variables, taints and history of the step to the agent runtime, and submit the turn', async () => {
    // given
    let given: AgentTurnJob | undefined;
    const events = [{ type: 'agent.turn' }];
    const storage = { ...NO_SOURCES.storage, listAgentEvents: async (...of: unknown[]) => [...events, of] as never };
    const { run, reported } = createRunner(
      { runTurn: async (turnJob) => ((given = turnJob), TURN) },
      { ...NO_SOURCES, storage },
    );
    const state = buildState(buildCall());

    // when
    void run(job({ jobType: AGENT_JOB_TYPE, epoch: 4 }), state);

    // then
    expect(await reported).to.deep.equal(['turn', 4, TURN]);
    expect(given).to.deep.include({
      variables: { issue: { title: 't' }, mail: 'm', own: 'o' },
      inputs: { issue: { title: 't' } },
      taints: { mail: ['webhook'] },
      headers: { agent: 'triager' },
      attempt: 1,
    });
    expect(given?.state).to.deep.equal(state.instances[2]?.agent);
    expect(given?.state === state.instances[2]?.agent).to.equal(false);
    expect(await given?.loadHistory()).to.deep.equal([...events, ['run', 'step']]);
  });

  describe('a failed turn', () => {
    const { agent, definitionDigest, provider, model, usage, budget } = TURN;
    const response = { agent, definitionDigest, provider, model, usage, budget };

    async function captureTurnReport(takeTurn: AgentRuntimePort['runTurn']): Promise<readonly unknown[]> {
      const { run, reported } = createRunner({ runTurn: takeTurn });
      void run(job({ jobType: AGENT_JOB_TYPE }), buildState(buildCall()));
      return reported;
    }

    it('should be submitted with the discarded responses', async () => {
      const reported = await captureTurnReport(async ({ reportDiscarded }) => {
        reportDiscarded(response);
        throw new RetryableFailure('model_unavailable', 'The connection was closed.', 5);
      });
      expect(reported).to.deep.equal([
        'failTurn',
        1,
        { code: 'model_unavailable', message: 'The connection was closed.', retryable: true, retryAfterMs: 5 },
        [response],
      ]);
    });

    it('should be submitted like any job failure if no response was discarded', async () => {
      const reported = await captureTurnReport(async () => {
        throw new TerminalFailure('model_unauthorized', 'The API key is missing.');
      });
      expect(reported).to.deep.equal([
        'fail',
        1,
        { code: 'model_unauthorized', message: 'The API key is missing.', retryable: false },
      ]);
    });

    it('should include the usage of a turn that the engine refuses as not storable', async () => {
      const failed = new ReportRecorder();
      const results = {
        recordTurn: async () => {
          throw new ApiError('command_not_storable', 'The result is too large.');
        },
        failTurn: failed.record('failTurn'),
      } as unknown as AgentResults;
      const executors = createAgentExecutors(
        { runTurn: async () => TURN, executeCall: unexpectedCall, proposeCall: unexpectedCall },
        results,
        NO_SOURCES,
      );
      const failures = { fail: failed.record('fail'), throwError: failed.record('error') };
      const claimedJob = job({ jobType: AGENT_JOB_TYPE });
      await runJob(
        { executors, failures },
        {
          job: claimedJob,
          state: buildState(buildCall()),
          workflow: WORKFLOW,
          signal: new AbortController().signal,
          currentClaim: () => claimedJob,
        },
      );
      expect(await failed.first).to.deep.equal([
        'failTurn',
        1,
        { code: 'command_not_storable', message: 'The result is too large.', retryable: false },
        [response],
      ]);
    });

    it('should include the usage of a turn that is not valid JSON', async () => {
      const [name, , failure, responses] = await captureTurnReport(async () => ({ ...TURN, opaque: Number.NaN }));
      expect([name, responses]).to.deep.equal(['failTurn', [response]]);
      expect(failure).to.include({ code: 'job_result_invalid', retryable: false });
    });
  });

  it('should submit the outcome of a call: a result, a changed tool or an unknown outcome', async () => {
    const by = { agentName: 'triager', call: buildCall() };
    expect(await runCall(async () => result({ id: 1 }))).to.deep.equal([
      'call',
      1,
      by,
      { content: { id: 1 }, isError: false, taint: [] },
    ]);
    expect(
      await runCall(async () => ({ kind: 'changed', call: buildCall({ toolDigest: 'sha256:new' }) })),
    ).to.deep.equal(['repropose', 1, by, buildCall({ toolDigest: 'sha256:new' })]);
    expect(await runCall(async () => ({ kind: 'unknown', message: 'The tool did not\0 respond.' }))).to.deep.equal([
      'lose',
      1,
      by,
      'The tool did not respond.',
    ]);
  });

  it('should repropose a write if the policy has changed, unless the call may have been executed', async () => {
    // given
    const work = async (
      policy: AgentSources['policy'],
      call: AgentCall,
      jobOverrides: Partial<ClaimedJob> = {},
    ): Promise<readonly unknown[]> => {
      const { run, reported } = createRunner({ executeCall: async () => result('made') }, { ...NO_SOURCES, policy });
      void run(job(jobOverrides), buildState(call));
      return reported;
    };
    const policy = { describeCurrent: () => ({ policyId: 'p', digest: 'sha256:now' }) };
    const before = buildCall({ approvedDigest: 'sha256:approved', policy: { id: 'p', digest: 'sha256:before' } });
    const { callId: _id, taint: _taint, round: _round, pinned: _pinned, status: _status, ...proposal } = buildCall();
    // then
    expect(await work(policy, before)).to.deep.equal([
      'repropose',
      1,
      { agentName: 'triager', call: before },
      proposal,
    ]);
    expect((await work(policy, before, { epoch: 2 }))[0]).to.equal('call');
    expect((await work(policy, buildCall({ policy: { id: 'p', digest: 'sha256:now' } })))[0]).to.equal('call');
    expect((await work(policy, buildCall({ ...before, effect: 'read' })))[0]).to.equal('call');
    expect((await work({}, before))[0]).to.equal('call');
  });

  it('should pass a copy of the call to the agent runtime', async () => {
    const call = buildCall();
    await runCall(
      async (given) => {
        given.call.arguments['name'] = 'wontfix';
        return result(null);
      },
      {},
      call,
    );
    expect(call.arguments).to.deep.equal({ name: 'bug' });
  });

  it('should mark a call as redelivered if an earlier claim ended without a reported failure', async () => {
    const isRedelivered = async (jobOverrides: Partial<ClaimedJob>): Promise<boolean> => {
      let seen: AgentCallJob | undefined;
      await runCall(async (callJob) => ((seen = callJob), result(null)), jobOverrides);
      return seen!.isRedelivered;
    };
    expect(await isRedelivered({ epoch: 1, attempt: 1 })).to.equal(false);
    expect(await isRedelivered({ epoch: 2, attempt: 1 })).to.equal(true);
    expect(await isRedelivered({ epoch: 3, attempt: 3 })).to.equal(false);
    expect(await isRedelivered({ epoch: 4, attempt: 3 })).to.equal(true);
  });

  it('should fail a call that was not executed, permanently if a retry cannot help', async () => {
    expect((await runCall(() => Promise.reject(new RetryableFailure('busy', 'Try again later.', 5))))[0]).to.equal(
      'fail',
    );
    expect(await runCall(() => Promise.reject(new TerminalFailure('gone', 'The tool was removed.')))).to.deep.include({
      code: 'gone',
      message: 'The tool was removed.',
      retryable: false,
    });
  });

  it('should report the outcome of a write as unknown unless a retry can look it up', async () => {
    const rejectWith = (error: Error) => () => Promise.reject(error);
    const write = buildCall();
    const read = buildCall({ effect: 'read' });
    const redelivered = { epoch: 2 };

    expect((await runCall(rejectWith(new Error('socket hang up'))))[0]).to.equal('lose');
    expect((await runCall(rejectWith(new Error('socket hang up')), {}, read))[0]).to.equal('fail');
    // While attempts are left, the next attempt can look the outcome up.
    expect((await runCall(rejectWith(new RetryableFailure('busy', '')), redelivered, write, 2))[0]).to.equal('fail');
    expect((await runCall(rejectWith(new RetryableFailure('busy', '')), redelivered, write, 1))[0]).to.equal('lose');
    expect((await runCall(rejectWith(new TerminalFailure('gone', '')), redelivered))[0]).to.equal('lose');
    expect((await runCall(rejectWith(new RetryableFailure('busy', '')), redelivered, read, 1))[0]).to.equal('fail');
    expect((await runCall(rejectWith(new RetryableFailure('busy', '')), {}, write, 1))[0]).to.equal('fail');
  });

  it('should look up the outcome of a call again while retries are left', async () => {
    const open = async (): Promise<CallOutcome> => ({
      kind: 'open',
      code: 'tool_lookup_failed',
      message: 'Offline.',
      retryAfterMs: 7,
    });
    const by = { agentName: 'triager', call: buildCall() };
    expect(await runCall(open)).to.deep.equal([
      'open',
      1,
      by,
      { code: 'tool_lookup_failed', message: 'Offline.', retryable: true, retryAfterMs: 7 },
    ]);
    expect(await runCall(open, {}, buildCall(), 1)).to.deep.equal(['lose', 1, by, 'Offline.']);
  });

  it('should not repropose a write with a changed tool if it may have been executed', async () => {
    const changed = async (): Promise<CallOutcome> => ({
      kind: 'changed',
      call: buildCall({ toolDigest: 'sha256:new' }),
    });
    expect((await runCall(changed, { epoch: 2 }))[0]).to.equal('lose');
    expect((await runCall(changed, { epoch: 2 }, buildCall({ effect: 'read' })))[0]).to.equal('repropose');
  });

  it('should record a call as executed if its result cannot be stored', async () => {
    const [name, , , callResult] = await runCall(async () => result({ text: 'a\0b' }));
    expect(name).to.equal('call');
    expect(callResult)
      .to.deep.include({ isError: true, taint: ['tool:label'] })
      .and.have.nested.property('content.error', 'job_result_invalid');
  });

  it('should permanently fail a turn that cannot be stored', async () => {
    const { run, reported } = createRunner({ runTurn: async () => ({ ...TURN, text: 'a\0b' }) });
    void run(job({ jobType: AGENT_JOB_TYPE }), buildState(undefined));
    expect((await reported)[2]).to.include({ code: 'job_result_invalid', retryable: false });
  });

  it('should abort the call of a cancelled step, and submit its result but not its abort error', async () => {
    // given
    const aborted: unknown[] = [];
    const waitForAbort = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const finishing = createRunner({
      executeCall: async ({ signal }) => (await waitForAbort(signal), aborted.push('finished'), result('made')),
    });
    const stopping = createRunner({
      executeCall: async ({ signal }) => (
        await waitForAbort(signal),
        aborted.push('stopped'),
        Promise.reject(signal.reason as Error)
      ),
    });

    // when
    const calls = [finishing, stopping].map(({ run }) => run(job(), buildState(buildCall())));
    for (const call of calls) call.abort();
    await Promise.all(calls.map(({ ended }) => ended));

    // then
    expect((await finishing.reported)[0]).to.equal('call');
    expect(await Promise.race([stopping.reported, Promise.resolve('nothing')])).to.equal('nothing');
    expect(aborted).to.have.members(['finished', 'stopped']);
  });

  it('should ignore a call that no longer exists, and refuse the reserved job type in a task', async () => {
    const missingCall = createRunner({});
    await missingCall.run(job(), buildState(buildCall({ callId: 'another' }))).ended;
    expect(await Promise.race([missingCall.reported, Promise.resolve('nothing')])).to.equal('nothing');

    const { callId: _none, ...jobWithoutCall } = job();
    const { run, reported } = createRunner({});
    void run(jobWithoutCall, buildState(undefined));
    expect((await reported)[2]).to.include({ code: 'job_type_reserved', retryable: false });
  });

  it('should read artifacts in the pinned version unless a version is given, and check their digest', async () => {
    // given
    const record = (name: string, version: number) => ({
      runId: 'run',
      artifactId: `${name}${version}`,
      name,
      version,
      size: 1,
      sha256: `${name}${version}`,
      contentType: 'text/plain',
      createdAt: 0,
      createdBy: 'ada',
    });
    const records = [record('log', 1), record('log', 2), record('log', 3), record('late', 1)];
    const storage = {
      ...NO_SOURCES.storage,
      listArtifacts: async () => records,
      findArtifact: async (_run: string, name: string, version?: number) =>
        records.findLast((each) => each.name === name && (version === undefined || each.version === version)),
    };
    const contents = {
      open: async (sha256: string) => (sha256 === 'log3' ? undefined : Readable.from([`content of ${sha256}`])),
    };
    const pinned: PinnedArtifact[] = [
      { name: 'log', version: 2, sha256: 'log2' },
      { name: 'late', version: null, sha256: null },
    ];
    const read = async (...nameAndVersion: [string, number?]): Promise<string | undefined> => {
      let found: string | undefined;
      const { run, reported } = createRunner(
        {
          executeCall: async ({ artifacts }) => {
            const artifact = await artifacts.read(...nameAndVersion);
            found = artifact && (await text(artifact.content));
            return result((await artifacts.list()).map(({ artifactId }) => artifactId));
          },
        },
        { ...NO_SOURCES, storage, contents },
      );
      void run(job(), buildState(buildCall({ pinned, effect: 'read' })));
      const [name, , ...rest] = await reported;
      return name === 'call'
        ? (expect(rest[1]).to.have.property('content').that.has.members(['log3', 'late1']), found)
        : JSON.stringify(rest);
    };

    // then
    expect(await read('log')).to.equal('content of log2');
    expect(await read('log', 1)).to.equal('content of log1');
    expect(await read('late')).to.equal(undefined);
    expect(await read('late', 1)).to.equal('content of late1');
    expect(await read('none')).to.equal(undefined);
    expect(await read('log', 3)).to.include('is not available');
    pinned[0] = { name: 'log', version: 2, sha256: 'other' };
    expect(await read('log')).to.include('is not available');
  });
});
