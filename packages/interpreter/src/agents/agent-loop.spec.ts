import { expect } from 'chai';
import { user } from '../interpreter.spec.support.js';
import { AgentRun, agentTask, BUDGET, call, headers, policyFor } from './agents.spec.support.js';

describe('the loop of an agent', () => {
  it('should make the calls of a turn side by side, ask for the next turn when all are done, and end with the output', async () => {
    // given
    const run = await AgentRun.ofTask();
    // when
    run.turn([call('read.one', { n: 1 }), call('read.two')]);
    // then
    expect(run.jobs().map(({ jobType, attempt }) => [jobType, attempt])).to.deep.equal([
      ['agent.call', 1],
      ['agent.call', 1],
    ]);
    // when
    run.result('read.two', { found: 2 });
    // then
    expect(run.jobs().map(({ jobType }) => jobType)).to.deep.equal(['agent.call']);
    // when
    run.result('read.one', { found: 1 });
    // then
    expect(run.jobs().map(({ jobType }) => jobType)).to.deep.equal(['agent']);
    expect(run.agent()).to.deep.include({
      turns: 1,
      toolCalls: 2,
      calls: [],
      usage: { inputTokens: 10, outputTokens: 5, costMicros: 100 },
    });
    // when
    run.turn({ label: 'bug' });
    // then
    expect(run.state?.outcome).to.equal('completed');
    expect(run.variables()).to.deep.equal({ label: 'bug' });
    expect(run.types().filter((type) => type.startsWith('agent.'))).to.deep.equal([
      'agent.turn',
      'agent.call.requested',
      'agent.call.dispatched',
      'agent.call.requested',
      'agent.call.dispatched',
      'agent.call.completed',
      'agent.call.completed',
      'agent.turn',
    ]);
  });

  it('should record what the model said, and what came of each call, in private, and digests of it', async () => {
    // given
    const run = await AgentRun.ofTask();
    // when
    run.turn([call('read.one', { n: 1 })], { text: 'Let me see.', opaque: { thought: 'x' } });
    run.result('read.one', { found: 1 });
    // then
    const { callId } = run.of('agent.call.dispatched')[0]!.data;
    const [turn] = run.of('agent.turn');
    expect(turn!.data).to.deep.include({
      turn: 1,
      agent: 'triage',
      calls: [{ callId, tool: 'read.one' }],
      inputTokens: 10,
      outputTokens: 5,
      costMicros: 100,
    });
    expect(turn!.private).to.deep.equal({
      text: 'Let me see.',
      calls: [{ callId, toolCallId: 'm-read.one', tool: 'read.one', arguments: { n: 1 } }],
      opaque: { thought: 'x' },
    });
    const [completed] = run.of('agent.call.completed');
    expect(completed!.data['contentDigest']).to.match(/^sha256:[0-9a-f]{64}$/);
    expect(completed!.private).to.deep.equal({ toolCallId: 'm-read.one', content: { found: 1 } });
    expect(JSON.stringify(run.state)).to.not.contain('Let me see').and.not.contain('found');
  });

  it('should add up what its turns used, and remember that some of it is estimated', async () => {
    // given
    const run = await AgentRun.ofTask();
    const usage = { inputTokens: 10, outputTokens: 5, costMicros: 1 };
    const turns = [usage, { ...usage, cacheReadTokens: 7, estimated: true as const }, { ...usage, cacheReadTokens: 2 }];
    // when
    for (const used of turns) {
      run.turn([call('read.one')], { usage: used });
      run.result('read.one', {});
    }
    // then
    expect(run.agent().usage).to.deep.equal({
      inputTokens: 30,
      outputTokens: 15,
      cacheReadTokens: 9,
      estimated: true,
      costMicros: 3,
    });
    expect(run.of('agent.turn').map(({ data }) => data['estimated'])).to.deep.equal([undefined, true, undefined]);
  });

  it('should give its output to the variable that the header names', async () => {
    const run = await AgentRun.ofTask(agentTask('a', headers({ agent: 'triage', resultVariable: 'triage' })));
    // when
    run.turn({ label: 'bug' });
    // then
    expect(run.variables()).to.deep.equal({ triage: { label: 'bug' } });
  });

  it('should ask for the next turn where a turn has neither calls nor an output', async () => {
    const run = await AgentRun.ofTask();
    // when
    run.turn([]);
    // then
    expect(run.turnJob().jobType).to.equal('agent');
  });

  it('should be completed plainly too, as any job', async () => {
    const run = await AgentRun.ofTask();
    run.turn([]);
    // when
    run.complete('a', { label: 'bug' });
    // then
    expect(run.state?.outcome).to.equal('completed');
    expect(run.variables()).to.deep.equal({ label: 'bug' });
  });

  it('should record a turn, and the result of a call, once', async () => {
    // given
    const run = await AgentRun.ofTask();
    const { jobId: turnJob } = run.turnJob();
    const { command } = (run.turn([call('read.one')]), run.commands.at(-1)!);
    expect(command.type === 'agent.turn' && command.jobId).to.equal(turnJob);
    const before = run.state;
    // when
    const again = run.do(command);
    // then
    expect(again.refusal?.code).to.equal('job_not_active');
    expect(again.state).to.equal(before);
    // and
    run.result('read.one');
    expect(run.do(run.commands.at(-1)!.command).refusal?.code).to.equal('job_not_active');
  });

  it('should keep no arguments of a call that is done', async () => {
    const run = await AgentRun.ofTask();
    run.turn([call('read.one', { text: 'long' }), call('read.two')]);
    // when
    run.result('read.one');
    // then
    expect(run.call('read.one')).to.deep.include({ status: 'done', arguments: {} });
  });

  it('should take the turn of an agent for no work of another job', async () => {
    // given
    const run = await AgentRun.ofTask();
    run.turn([call('read.one')]);
    const { command } = run.commands.at(-1)!;
    // then
    expect(
      command.type === 'agent.turn' && run.do({ ...command, jobId: run.callJob('read.one').jobId }).refusal?.code,
    ).to.equal('job_not_active');
    // given
    const other = await AgentRun.ofTask(agentTask('a').replace('type="agent"', 'type="mail"'));
    // then
    expect(
      command.type === 'agent.turn' && other.do({ ...command, jobId: other.turnJob().jobId }).refusal?.code,
    ).to.equal('job_not_active');
  });

  it('should take the end of a call for no end of the step', async () => {
    const run = await AgentRun.ofTask();
    run.turn([call('read.one')]);
    // when
    const { refusal } = run.complete('a');
    // then
    expect(refusal?.code).to.equal('job_not_active');
    expect(run.callJob('read.one').jobType).to.equal('agent.call');
  });

  it('should tell the model of calls that cannot be made, and of those that the policy denies', async () => {
    // given
    const run = await AgentRun.ofTask(
      undefined,
      {},
      (each) => (each.policy = policyFor({ 'shell.run': { decision: 'deny', rationale: 'No shell.' } })),
    );
    // when
    run.turn([
      call('read.non', {}, { problem: { code: 'tool_unknown', message: 'There is no such tool.' } }),
      call('shell.run', { command: 'ls' }),
    ]);
    // then
    expect(
      run.of('agent.call.refused').map(({ data, private: told }) => [data['code'], told?.['content']]),
    ).to.deep.equal([
      ['tool_unknown', { error: 'tool_unknown', message: 'There is no such tool.' }],
      ['policy_denied', { error: 'policy_denied', message: 'No shell.' }],
    ]);
    expect(run.of('agent.call.requested').map(({ data }) => [data['tool'], data['needs']])).to.deep.equal([
      ['shell.run', 'refusal'],
    ]);
    expect(run.turnJob().jobType).to.equal('agent');
    expect(run.agent().toolCalls).to.equal(2);
  });

  it('should ask the policy about each call, with its arguments, and let the risk of the run follow', async () => {
    // given
    const seen: unknown[] = [];
    const run = await AgentRun.ofTask(undefined, {}, (each) => {
      each.policy = (request) => {
        if (request.call !== null)
          seen.push([request.call.tool, request.call.arguments, request.effect, request.agentName]);
        return policyFor({ 'read.two': { riskLevel: 'high' } })(request);
      };
    });
    // when
    run.turn([call('read.one', { n: 1 }), call('read.two')]);
    // then
    expect(seen).to.deep.equal([
      ['read.one', { n: 1 }, 'read', 'triage'],
      ['read.two', {}, 'read', 'triage'],
    ]);
    expect(run.project().riskLevel).to.equal('high');
  });

  it('should hold to what the policy says of tools in front of the step', async () => {
    // given
    const run = await AgentRun.ofTask(undefined, {}, (each) => {
      each.policy = (request) => {
        const decision = policyFor({})(request);
        const toolConstraints = {
          allowed: ['read.one', 'read.two'],
          denied: ['read.one'],
          requireApproval: ['read.two'],
          limits: {},
        };
        return request.call === null ? { ...decision, toolConstraints } : decision;
      };
    });
    // when
    run.turn([call('read.one'), call('read.two'), call('read.three')]);
    // then
    expect(run.of('agent.call.requested').map(({ data }) => data['needs'])).to.deep.equal([
      'refusal',
      'approval',
      'refusal',
    ]);
    // when
    run.decide('read.two', 'approve');
    run.result('read.two');
    // then
    const offered = run.requests.flatMap((request) =>
      request.type === 'job.offer' && request.job.jobType === 'agent' ? [request.job.toolConstraints?.allowed] : [],
    );
    expect(offered).to.deep.equal([
      ['read.one', 'read.two'],
      ['read.one', 'read.two'],
    ]);
  });

  it('should let an answer that does not fit be mended once', async () => {
    // given
    const run = await AgentRun.ofTask();
    // when
    run.turn({ problems: ['label is missing'] });
    // then
    expect(run.of('agent.repair').map(({ data, private: told }) => [data, told])).to.deep.equal([
      [{ turn: 1 }, { problems: ['label is missing'] }],
    ]);
    // when
    run.turn({ problems: ['label is no text'] });
    // then
    expect(run.at('a').incident?.code).to.equal('agent_output_invalid');
    expect(run.project().status).to.equal('failed');
    // when
    run.recover();
    // then
    expect(run.of('agent.repair').at(-1)?.private).to.deep.equal({ problems: ['label is no text'] });
    run.turn({ label: 'bug' });
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should refuse what is too large, and more calls than a turn may have', async () => {
    // given
    const run = await AgentRun.ofTask();
    const large = call('write.large', { text: 'ä'.repeat(140_000) });
    // when
    run.turn([large, ...Array.from({ length: 64 }, (_, index) => call(`read.${index}`))], {
      budget: { ...BUDGET, toolCalls: 100 },
    });
    // then
    expect(run.of('agent.call.refused').map(({ data }) => [data['tool'], data['code']])).to.deep.equal([
      ['write.large', 'tool_arguments_too_large'],
      ['read.63', 'too_many_calls'],
    ]);
    expect(JSON.stringify(run.state).length).to.be.below(100_000);
  });

  it('should fail a turn of another definition than the one it began with', async () => {
    const run = await AgentRun.ofTask();
    run.turn([]);
    // when
    run.turn([], { definitionDigest: 'sha256:other' });
    // then
    expect(run.at('a').incident?.code).to.equal('agent_definition_changed');
    expect(run.of('agent.turn')).to.have.length(1);
  });

  it('should make nothing of a result that names what only decisions write', async () => {
    // given
    const approve =
      '<bpmn:userTask id="approve"><bpmn:extensionElements><zeebe:userTask/></bpmn:extensionElements></bpmn:userTask>';
    const run = await AgentRun.of(
      `<bpmn:startEvent id="start"/>${agentTask('a')}${approve}<bpmn:endEvent id="end"/>${['start_a', 'a_approve', 'approve_end'].map((id) => `<bpmn:sequenceFlow id="${id}" sourceRef="${id.split('_')[0]!}" targetRef="${id.split('_')[1]!}"/>`).join('')}`,
    );
    run.start({}, user('starter'));
    // when
    run.turn({ approval: { decision: 'approve' } });
    // then
    expect(run.at('a').incident?.code).to.equal('result_variable_reserved');
  });
});
