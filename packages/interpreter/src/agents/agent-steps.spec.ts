import { expect } from 'chai';
import { advance } from '../advance.js';
import { end, flows, compileGraph, job, start, user } from '../interpreter.spec.support.js';
import { AgentRun, agentTask, ask, call, headers, policyFor, write } from './agents.spec.support.js';

const requireApprovalForComments = (run: AgentRun): void =>
  void (run.policy = policyFor({ 'issue.comment': { decision: 'require_approval' } }));

describe('agent steps in a run', () => {
  it('should withdraw the open job, approval and question of the agent when the run is cancelled', async () => {
    // given
    const run = await AgentRun.createWithTask(undefined, {}, requireApprovalForComments);
    run.turn([call('read.one'), write('issue.comment'), ask('Now?')]);
    const { jobId } = run.callJob('read.one');
    const { approvalId } = run.getPendingApproval('issue.comment');
    const { questionId } = run.question();
    // when
    const { requests } = run.do({ type: 'cancel', actor: user('otto'), reason: null });
    // then
    expect(run.state?.outcome).to.equal('cancelled');
    expect(
      requests.map((request) => [
        request.type,
        'jobId' in request ? request.jobId : 'change' in request ? Object.values(request.change)[0] : '',
      ]),
    ).to.deep.equal([
      ['approval.change', approvalId],
      ['question.change', questionId],
      ['job.withdraw', jobId],
    ]);
    expect(
      run.do({ type: 'agent.call', actor: user('worker'), jobId, result: { content: 1, isError: false, taint: [] } })
        .refusal?.code,
    ).to.equal('run_already_ended');
  });

  it('should run in parallel in the instances of a multi-instance loop', async () => {
    // given
    const loop =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" outputCollection="labels" outputElement="=label"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';
    const task = agentTask('a').replace('</bpmn:serviceTask>', `${loop}</bpmn:serviceTask>`);
    const run = await AgentRun.of(start + task + end + flows('start > a', 'a > end'));
    run.start({ items: [1, 2] });
    const findTurnJobId = (iteration: number): string =>
      Object.values(run.state!.instances)
        .filter(({ loopCounter }) => loopCounter === iteration)
        .flatMap(({ waits }) => (waits ?? []).flatMap((wait) => (wait.kind === 'job' ? [wait.jobId] : [])))[0]!;
    const runTurn = (
      iteration: number,
      calls: ReturnType<typeof call>[],
      final: { output: { label: string } } | null,
    ) => {
      const jobId = findTurnJobId(iteration);
      return run.do({
        type: 'agent.turn',
        actor: user('worker'),
        jobId,
        turn: {
          agent: 't',
          definitionDigest: 'd',
          provider: 'p',
          model: 'm',
          requestDigest: 'r',
          text: null,
          calls,
          opaque: null,
          usage: { inputTokens: 1, outputTokens: 1, costMicros: 1 },
          budget: { turns: 9, toolCalls: 9, tokens: null, costMicros: null, onExhausted: 'incident' },
          taint: [],
          final,
        },
      });
    };
    // when
    runTurn(2, [], { output: { label: 'two' } });
    runTurn(1, [], null);
    runTurn(1, [], { output: { label: 'one' } });
    // then
    expect(run.variables()['labels']).to.deep.equal(['one', 'two']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should run an agent step as a compensation handler', async () => {
    // given
    const handler = agentTask('undo').replace(
      '<bpmn:serviceTask id="undo"',
      '<bpmn:serviceTask id="undo" isForCompensation="true"',
    );
    const run = await AgentRun.of(
      `${start}${job('work')}<bpmn:boundaryEvent id="c" attachedToRef="work"><bpmn:compensateEventDefinition id="cd"/></bpmn:boundaryEvent>${handler}<bpmn:association id="as" sourceRef="c" targetRef="undo" associationDirection="One"/>` +
        `<bpmn:endEvent id="end"><bpmn:compensateEventDefinition id="ce"/></bpmn:endEvent>${flows('start > work', 'work > end')}`,
    );
    run.start();
    run.complete('work');
    // when
    run.turn([call('read.one')], {}, 'undo');
    const { jobId } = run.callJob('read.one', 'undo');
    run.do({ type: 'agent.call', actor: user('worker'), jobId, result: { content: 1, isError: false, taint: [] } });
    run.turn({}, {}, 'undo');
    // then
    expect(run.eventTypes()).to.include('step.compensated');
    expect(run.state?.outcome).to.equal('completed');
  });

  describe('in a migration', () => {
    const compileProcess = (task: string): Promise<Awaited<ReturnType<typeof compileGraph>>> =>
      compileGraph(start + task + end + flows('start > a', 'a > end'));

    async function migrate(run: AgentRun, task: string, claimedJobs: ReadonlySet<string> = new Set()) {
      const target = await compileProcess(task);
      const command = {
        type: 'migrate',
        actor: user('ada'),
        workflowVersion: 2,
        workflowDigest: 'sha256:2',
        mapping: {},
        comment: null,
      } as const;
      const result = advance(run.graph, run.state, command, { ...run.context(), target, claimedJobs });
      run.state = result.state;
      run.events.push(...result.events);
      return result;
    }

    it('should keep turns, questions and jobs, and request a new approval round for pending calls', async () => {
      // given
      const run = await AgentRun.createWithTask(undefined, {}, requireApprovalForComments);
      run.turn([write('issue.comment'), ask('Now?'), call('read.one')]);
      const before = run.getPendingApproval('issue.comment');
      const [question, readJob] = [run.question(), run.callJob('read.one')];
      // when
      const { refusal } = await migrate(run, agentTask('a'));
      // then
      expect(refusal).to.equal(null);
      const after = run.getPendingApproval('issue.comment');
      expect(after).to.deep.include({ round: 2, previousApprovalId: before.approvalId });
      expect(after.digest).to.not.equal(before.digest);
      expect(run.question()).to.deep.equal(question);
      expect(run.callJob('read.one')).to.deep.equal(readJob);
      expect(run.agent()).to.deep.include({ turns: 1, toolCalls: 3 });
    });

    it('should request approval again for a call approved in the previous version, unless a worker has claimed its job', async () => {
      for (const isClaimed of [false, true]) {
        // given
        const run = await AgentRun.createWithTask(undefined, {}, requireApprovalForComments);
        run.turn([write('issue.comment')]);
        const approved = run.getPendingApproval('issue.comment');
        run.decide('issue.comment', 'approve');
        const { jobId } = run.callJob('issue.comment');
        // when
        const { refusal, requests } = await migrate(run, agentTask('a'), new Set(isClaimed ? [jobId] : []));
        // then
        expect(refusal).to.equal(null);
        const withdrawn = requests.filter((request) => request.type === 'job.withdraw');
        if (isClaimed) {
          expect(run.callJob('issue.comment').jobId).to.equal(jobId);
          expect(withdrawn).to.deep.equal([]);
        } else {
          expect(run.jobs()).to.deep.equal([]);
          expect(withdrawn).to.deep.equal([{ type: 'job.withdraw', jobId, ifUnclaimed: true }]);
          const reopenedApproval = run.getPendingApproval('issue.comment');
          expect(reopenedApproval).to.deep.include({ round: 2, previousApprovalId: approved.approvalId, votes: [] });
          expect(reopenedApproval.digest).to.not.equal(approved.digest);
        }
      }
    });

    it('should keep the job of the pending turn', async () => {
      const run = await AgentRun.createWithTask();
      run.turn([]);
      const before = run.turnJob();
      // when
      await migrate(run, agentTask('a'));
      // then
      expect(run.jobs()).to.deep.equal([before]);
    });

    it('should migrate a failed step whose calls are unclaimed', async () => {
      // given
      const run = await AgentRun.createWithTask();
      run.turn([call('read.one'), call('read.two')]);
      run.failCall('read.one', false);
      // when
      const { refusal } = await migrate(run, agentTask('a', headers({ agent: 'other' })));
      // then
      expect(refusal).to.equal(null);
      expect(run.at('a').incident?.code).to.equal('broken');
      run.recover();
      expect(run.jobs()).to.have.length(2);
    });

    it("should offer unclaimed calls again when the step's job changes, and refuse the migration if one is claimed", async () => {
      // given
      const run = await AgentRun.createWithTask();
      run.turn([call('read.one'), call('read.two')]);
      const before = run.jobs().map(({ jobId }) => jobId);
      // then
      expect(
        (await migrate(run, agentTask('a', headers({ agent: 'other' })), new Set([before[1]!]))).refusal?.code,
      ).to.equal('migration_refused');
      // when
      const { refusal, requests } = await migrate(run, agentTask('a', headers({ agent: 'other' })));
      // then
      expect(refusal).to.equal(null);
      expect(requests.filter(({ type }) => type === 'job.withdraw')).to.have.length(2);
      expect(run.jobs().map(({ callId }) => callId)).to.deep.equal([
        run.call('read.one').callId,
        run.call('read.two').callId,
      ]);
      expect(run.jobs().some(({ jobId }) => before.includes(jobId))).to.equal(false);
    });

    it('should refuse the migration if the step is no longer an agent step', async () => {
      // given
      const run = await AgentRun.createWithTask();
      run.turn([ask('Now?')]);
      // when
      const { refusal } = await migrate(run, job('a', '', 'mail'));
      // then
      expect(JSON.stringify(refusal?.details)).to.contain('job_in_progress');
    });
  });
});
