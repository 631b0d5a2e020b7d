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
import type { CompiledVersion } from '../workflow-cache.js';
import { agentWork, type AgentResults, type AgentSources } from './agent-work.js';
import { JobRunner } from './job-runner.js';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
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

const callOf = (overrides: Partial<AgentCall> = {}): AgentCall => ({
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

function stateOf(call: AgentCall | undefined, retries = 3): RunState {
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

describe('agentWork()', () => {
  /** Records the submitted results by name. `first` resolves with the first result. */
  class Handed {
    private resolve: (handed: readonly unknown[]) => void = () => undefined;
    readonly first = new Promise<readonly unknown[]>((resolve) => (this.resolve = resolve));

    take(name: string) {
      return async (by: ClaimedJob, ...rest: unknown[]): Promise<undefined> => {
        this.resolve([name, by.epoch, ...rest]);
        return undefined;
      };
    }
  }

  const nothing = (): never => expect.fail('nobody asks for that');
  const none: AgentSources = {
    storage: { listArtifacts: nothing, findArtifact: nothing, listAgentEvents: nothing },
    contents: { open: nothing },
    policy: {},
    destinations: { refuseOthers: () => undefined },
  };

  function runnerOf(
    runtime: Partial<AgentRuntimePort>,
    sources: AgentSources = none,
  ): { runner: JobRunner; handed: Promise<readonly unknown[]> } {
    const handed = new Handed();
    const results: AgentResults = {
      turn: handed.take('turn'),
      failTurn: handed.take('failTurn'),
      call: handed.take('call'),
      repropose: handed.take('repropose'),
      lose: handed.take('lose'),
      retryWithUnknownOutcome: handed.take('open'),
      putArtifact: nothing,
    };
    const works = agentWork({ takeTurn: nothing, makeCall: nothing, propose: nothing, ...runtime }, results, sources);
    return {
      runner: new JobRunner(works, { fail: handed.take('fail'), throwError: handed.take('error') }, silent, 10),
      handed: handed.first,
    };
  }

  async function made(
    makeCall: AgentRuntimePort['makeCall'],
    given: Partial<ClaimedJob> = {},
    call = callOf(),
    retries = 3,
  ): Promise<readonly unknown[]> {
    const { runner, handed } = runnerOf({ makeCall });
    runner.start(job(given), stateOf(call, retries), WORKFLOW);
    return handed;
  }

  const result = (content: unknown): CallOutcome =>
    ({ kind: 'result', result: { content, isError: false, taint: [] } }) as CallOutcome;

  it('should pass variables, taints and history of the step to the agent runtime, and submit the turn', async () => {
    // given
    let given: AgentTurnJob | undefined;
    const events = [{ type: 'agent.turn' }];
    const storage = { ...none.storage, listAgentEvents: async (...of: unknown[]) => [...events, of] as never };
    const { runner, handed } = runnerOf(
      { takeTurn: async (turnJob) => ((given = turnJob), TURN) },
      { ...none, storage },
    );
    const state = stateOf(callOf());

    // when
    runner.start(job({ jobType: AGENT_JOB_TYPE, epoch: 4 }), state, WORKFLOW);

    // then
    expect(await handed).to.deep.equal(['turn', 4, TURN]);
    expect(given).to.deep.include({
      variables: { issue: { title: 't' }, mail: 'm', own: 'o' },
      inputs: { issue: { title: 't' } },
      taints: { mail: ['webhook'] },
      headers: { agent: 'triager' },
      attempt: 1,
    });
    expect(given?.state).to.deep.equal(state.instances[2]?.agent);
    expect(given?.state === state.instances[2]?.agent).to.equal(false);
    expect(await given?.history()).to.deep.equal([...events, ['run', 'step']]);
  });

  describe('a failed turn', () => {
    const { agent, definitionDigest, provider, model, usage, budget } = TURN;
    const response = { agent, definitionDigest, provider, model, usage, budget };

    async function handedBy(takeTurn: AgentRuntimePort['takeTurn']): Promise<readonly unknown[]> {
      const { runner, handed } = runnerOf({ takeTurn });
      runner.start(job({ jobType: AGENT_JOB_TYPE }), stateOf(callOf()), WORKFLOW);
      return handed;
    }

    it('should be submitted with the discarded responses', async () => {
      const handed = await handedBy(async ({ discarded }) => {
        discarded(response);
        throw new RetryableFailure('model_unavailable', 'It broke off.', 5);
      });
      expect(handed).to.deep.equal([
        'failTurn',
        1,
        { code: 'model_unavailable', message: 'It broke off.', retryable: true, retryAfterMs: 5 },
        [response],
      ]);
    });

    it('should be submitted like any job failure if no response was discarded', async () => {
      const handed = await handedBy(async () => {
        throw new TerminalFailure('model_unauthorized', 'No key.');
      });
      expect(handed).to.deep.equal(['fail', 1, { code: 'model_unauthorized', message: 'No key.', retryable: false }]);
    });

    it('should include the usage of a turn that the engine refuses as not storable', async () => {
      const failed = new Handed();
      const results = {
        turn: async () => {
          throw new ApiError('command_not_storable', 'It is too large.');
        },
        failTurn: failed.take('failTurn'),
      } as unknown as AgentResults;
      const works = agentWork({ takeTurn: async () => TURN, makeCall: nothing, propose: nothing }, results, none);
      const failures = { fail: failed.take('fail'), throwError: failed.take('error') };
      new JobRunner(works, failures, silent, 10).start(job({ jobType: AGENT_JOB_TYPE }), stateOf(callOf()), WORKFLOW);
      expect(await failed.first).to.deep.equal([
        'failTurn',
        1,
        { code: 'command_not_storable', message: 'It is too large.', retryable: false },
        [response],
      ]);
    });

    it('should include the usage of a turn that is not valid JSON', async () => {
      const [name, , failure, responses] = await handedBy(async () => ({ ...TURN, opaque: Number.NaN }));
      expect([name, responses]).to.deep.equal(['failTurn', [response]]);
      expect(failure).to.include({ code: 'job_result_invalid', retryable: false });
    });
  });

  it('should submit the outcome of a call: a result, a changed tool or an unknown outcome', async () => {
    const by = { agentName: 'triager', call: callOf() };
    expect(await made(async () => result({ id: 1 }))).to.deep.equal([
      'call',
      1,
      by,
      { content: { id: 1 }, isError: false, taint: [] },
    ]);
    expect(await made(async () => ({ kind: 'changed', call: callOf({ toolDigest: 'sha256:new' }) }))).to.deep.equal([
      'repropose',
      1,
      by,
      callOf({ toolDigest: 'sha256:new' }),
    ]);
    expect(await made(async () => ({ kind: 'unknown', message: 'It did not\0 answer.' }))).to.deep.equal([
      'lose',
      1,
      by,
      'It did not answer.',
    ]);
  });

  it('should repropose a write if the policy has changed, unless the call may have been executed', async () => {
    // given
    const work = async (
      policy: AgentSources['policy'],
      call: AgentCall,
      given: Partial<ClaimedJob> = {},
    ): Promise<readonly unknown[]> => {
      const { runner, handed } = runnerOf({ makeCall: async () => result('made') }, { ...none, policy });
      runner.start(job(given), stateOf(call), WORKFLOW);
      return handed;
    };
    const policy = { inForce: () => ({ policyId: 'p', digest: 'sha256:now' }) };
    const before = callOf({ approvedDigest: 'sha256:approved', policy: { id: 'p', digest: 'sha256:before' } });
    const { callId: _id, taint: _taint, round: _round, pinned: _pinned, status: _status, ...proposal } = callOf();
    // then
    expect(await work(policy, before)).to.deep.equal([
      'repropose',
      1,
      { agentName: 'triager', call: before },
      proposal,
    ]);
    expect((await work(policy, before, { epoch: 2 }))[0]).to.equal('call');
    expect((await work(policy, callOf({ policy: { id: 'p', digest: 'sha256:now' } })))[0]).to.equal('call');
    expect((await work(policy, callOf({ ...before, effect: 'read' })))[0]).to.equal('call');
    expect((await work({}, before))[0]).to.equal('call');
  });

  it('should pass a copy of the call to the agent runtime', async () => {
    const call = callOf();
    await made(
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
    const isRedelivered = async (given: Partial<ClaimedJob>): Promise<boolean> => {
      let seen: AgentCallJob | undefined;
      await made(async (callJob) => ((seen = callJob), result(null)), given);
      return seen!.isRedelivered;
    };
    expect(await isRedelivered({ epoch: 1, attempt: 1 })).to.equal(false);
    expect(await isRedelivered({ epoch: 2, attempt: 1 })).to.equal(true);
    expect(await isRedelivered({ epoch: 3, attempt: 3 })).to.equal(false);
    expect(await isRedelivered({ epoch: 4, attempt: 3 })).to.equal(true);
  });

  it('should fail a call that was not executed, permanently if a retry cannot help', async () => {
    expect((await made(() => Promise.reject(new RetryableFailure('busy', 'Later.', 5))))[0]).to.equal('fail');
    expect(await made(() => Promise.reject(new TerminalFailure('gone', 'Never.')))).to.deep.include({
      code: 'gone',
      message: 'Never.',
      retryable: false,
    });
  });

  it('should report a write with an unknown outcome as lost unless a retry can look the outcome up', async () => {
    const fails = (error: Error) => () => Promise.reject(error);
    const write = callOf();
    const read = callOf({ effect: 'read' });
    const lost = { epoch: 2 };

    expect((await made(fails(new Error('socket hang up'))))[0]).to.equal('lose');
    expect((await made(fails(new Error('socket hang up')), {}, read))[0]).to.equal('fail');
    // While attempts are left, the next attempt can look the outcome up.
    expect((await made(fails(new RetryableFailure('busy', '')), lost, write, 2))[0]).to.equal('fail');
    expect((await made(fails(new RetryableFailure('busy', '')), lost, write, 1))[0]).to.equal('lose');
    expect((await made(fails(new TerminalFailure('gone', '')), lost))[0]).to.equal('lose');
    expect((await made(fails(new RetryableFailure('busy', '')), lost, read, 1))[0]).to.equal('fail');
    expect((await made(fails(new RetryableFailure('busy', '')), {}, write, 1))[0]).to.equal('fail');
  });

  it('should retry to look up the outcome of a call while retries are left', async () => {
    const open = async (): Promise<CallOutcome> => ({
      kind: 'open',
      code: 'tool_lookup_failed',
      message: 'Offline.',
      retryAfterMs: 7,
    });
    const by = { agentName: 'triager', call: callOf() };
    expect(await made(open)).to.deep.equal([
      'open',
      1,
      by,
      { code: 'tool_lookup_failed', message: 'Offline.', retryable: true, retryAfterMs: 7 },
    ]);
    expect(await made(open, {}, callOf(), 1)).to.deep.equal(['lose', 1, by, 'Offline.']);
  });

  it('should not repropose a write with a changed tool if it may have been executed', async () => {
    const changed = async (): Promise<CallOutcome> => ({ kind: 'changed', call: callOf({ toolDigest: 'sha256:new' }) });
    expect((await made(changed, { epoch: 2 }))[0]).to.equal('lose');
    expect((await made(changed, { epoch: 2 }, callOf({ effect: 'read' })))[0]).to.equal('repropose');
  });

  it('should record a call as executed if its result cannot be stored', async () => {
    const [name, , , told] = await made(async () => result({ text: 'a\0b' }));
    expect(name).to.equal('call');
    expect(told)
      .to.deep.include({ isError: true, taint: ['tool:label'] })
      .and.have.nested.property('content.error', 'job_result_invalid');
  });

  it('should permanently fail a turn that cannot be stored', async () => {
    const { runner, handed } = runnerOf({ takeTurn: async () => ({ ...TURN, text: 'a\0b' }) });
    runner.start(job({ jobType: AGENT_JOB_TYPE }), stateOf(undefined), WORKFLOW);
    expect((await handed)[2]).to.include({ code: 'job_result_invalid', retryable: false });
  });

  it('should abort the call of a cancelled step, and submit its result but not its abort error', async () => {
    // given
    const aborted: unknown[] = [];
    const until = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const finishes = runnerOf({
      makeCall: async ({ signal }) => (await until(signal), aborted.push('finished'), result('made')),
    });
    const stops = runnerOf({
      makeCall: async ({ signal }) => (
        await until(signal),
        aborted.push('stopped'),
        Promise.reject(signal.reason as Error)
      ),
    });

    // when
    for (const { runner } of [finishes, stops]) {
      runner.start(job(), stateOf(callOf()), WORKFLOW);
      runner.abort('job', 'the step was cancelled');
    }

    // then
    expect((await finishes.handed)[0]).to.equal('call');
    await stops.runner.stop(10_000);
    expect(await Promise.race([stops.handed, Promise.resolve('nothing')])).to.equal('nothing');
    expect(aborted).to.have.members(['finished', 'stopped']);
  });

  it('should ignore a call that no longer exists, and refuse the reserved job type in a task', async () => {
    const gone = runnerOf({});
    gone.runner.start(job(), stateOf(callOf({ callId: 'another' })), WORKFLOW);
    await gone.runner.stop(10_000);
    expect(await Promise.race([gone.handed, Promise.resolve('nothing')])).to.equal('nothing');

    const { callId: _none, ...plain } = job();
    const { runner, handed } = runnerOf({});
    runner.start(plain, stateOf(undefined), WORKFLOW);
    expect((await handed)[2]).to.include({ code: 'job_type_reserved', retryable: false });
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
    const all = [record('log', 1), record('log', 2), record('log', 3), record('late', 1)];
    const storage = {
      ...none.storage,
      listArtifacts: async () => all,
      findArtifact: async (_run: string, name: string, version?: number) =>
        all.findLast((each) => each.name === name && (version === undefined || each.version === version)),
    };
    const contents = {
      open: async (sha256: string) => (sha256 === 'log3' ? undefined : Readable.from([`content of ${sha256}`])),
    };
    const pinned: PinnedArtifact[] = [
      { name: 'log', version: 2, sha256: 'log2' },
      { name: 'late', version: null, sha256: null },
    ];
    const read = async (...what: [string, number?]): Promise<string | undefined> => {
      let found: string | undefined;
      const { runner, handed } = runnerOf(
        {
          makeCall: async ({ artifacts }) => {
            const artifact = await artifacts.read(...what);
            found = artifact && (await text(artifact.content));
            return result((await artifacts.list()).map(({ artifactId }) => artifactId));
          },
        },
        { ...none, storage, contents },
      );
      runner.start(job(), stateOf(callOf({ pinned, effect: 'read' })), WORKFLOW);
      const [name, , ...rest] = await handed;
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
