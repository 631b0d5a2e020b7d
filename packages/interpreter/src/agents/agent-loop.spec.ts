import { expect } from 'chai';
import { user } from '../interpreter.spec.support.js';
import { AgentRun, agentTask, BUDGET, call, headers, policyFor } from './agents.spec.support.js';

describe('agent loop', () => {
  it('should dispatch the calls of a turn in parallel, and request the next turn after the last result', async () => {
    // given
    const run = await AgentRun.createWithTask();
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
    expect(run.eventTypes().filter((type) => type.startsWith('agent.'))).to.deep.equal([
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

  it('should record turn texts and call results as private data, and publish only digests', async () => {
    // given
    const run = await AgentRun.createWithTask();
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

  it('should sum up the usage of all turns, and mark the sum as estimated if any turn is estimated', async () => {
    // given
    const run = await AgentRun.createWithTask();
    const usage = { inputTokens: 10, outputTokens: 5, costMicros: 1 };
    const turns = [usage, { ...usage, cacheReadTokens: 7, estimated: true as const }, { ...usage, cacheReadTokens: 2 }];
    // when
    for (const turnUsage of turns) {
      run.turn([call('read.one')], { usage: turnUsage });
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

  it('should write the output to the result variable named in the task header', async () => {
    const run = await AgentRun.createWithTask(agentTask('a', headers({ agent: 'triage', resultVariable: 'triage' })));
    // when
    run.turn({ label: 'bug' });
    // then
    expect(run.variables()).to.deep.equal({ triage: { label: 'bug' } });
  });

  it('should request the next turn when a turn has neither calls nor an output', async () => {
    const run = await AgentRun.createWithTask();
    // when
    run.turn([]);
    // then
    expect(run.turnJob().jobType).to.equal('agent');
  });

  it('should accept a plain job completion of an agent step', async () => {
    const run = await AgentRun.createWithTask();
    run.turn([]);
    // when
    run.complete('a', { label: 'bug' });
    // then
    expect(run.state?.outcome).to.equal('completed');
    expect(run.variables()).to.deep.equal({ label: 'bug' });
  });

  it('should refuse a turn or call result that was already recorded', async () => {
    // given
    const run = await AgentRun.createWithTask();
    const { jobId: turnJobId } = run.turnJob();
    const { command } = (run.turn([call('read.one')]), run.commands.at(-1)!);
    expect(command.type === 'agent.turn' && command.jobId).to.equal(turnJobId);
    const before = run.state;
    // when
    const repeated = run.do(command);
    // then
    expect(repeated.refusal?.code).to.equal('job_not_active');
    expect(repeated.state).to.equal(before);
    // and
    run.result('read.one');
    expect(run.do(run.commands.at(-1)!.command).refusal?.code).to.equal('job_not_active');
  });

  it('should drop the arguments of a completed call from the state', async () => {
    const run = await AgentRun.createWithTask();
    run.turn([call('read.one', { text: 'long' }), call('read.two')]);
    // when
    run.result('read.one');
    // then
    expect(run.call('read.one')).to.deep.include({ status: 'done', arguments: {} });
  });

  it('should refuse an agent turn that is reported for the job of a tool call or for another job type', async () => {
    // given
    const run = await AgentRun.createWithTask();
    run.turn([call('read.one')]);
    const { command } = run.commands.at(-1)!;
    // then
    expect(
      command.type === 'agent.turn' && run.do({ ...command, jobId: run.callJob('read.one').jobId }).refusal?.code,
    ).to.equal('job_not_active');
    // given
    const mailRun = await AgentRun.createWithTask(agentTask('a').replace('type="agent"', 'type="mail"'));
    // then
    expect(
      command.type === 'agent.turn' && mailRun.do({ ...command, jobId: mailRun.turnJob().jobId }).refusal?.code,
    ).to.equal('job_not_active');
  });

  it('should refuse to complete the step while a tool call is open', async () => {
    const run = await AgentRun.createWithTask();
    run.turn([call('read.one')]);
    // when
    const { refusal } = run.complete('a');
    // then
    expect(refusal?.code).to.equal('job_not_active');
    expect(run.callJob('read.one').jobType).to.equal('agent.call');
  });

  it('should return a refusal to the agent for an unknown tool and for a call that the policy denies', async () => {
    // given
    const run = await AgentRun.createWithTask(
      undefined,
      {},
      (each) =>
        (each.policy = policyFor({ 'shell.run': { decision: 'deny', rationale: 'Shell commands are not allowed.' } })),
    );
    // when
    run.turn([
      call('read.unknown', {}, { problem: { code: 'tool_unknown', message: 'There is no such tool.' } }),
      call('shell.run', { command: 'ls' }),
    ]);
    // then
    expect(
      run.of('agent.call.refused').map(({ data, private: privateData }) => [data['code'], privateData?.['content']]),
    ).to.deep.equal([
      ['tool_unknown', { error: 'tool_unknown', message: 'There is no such tool.' }],
      ['policy_denied', { error: 'policy_denied', message: 'Shell commands are not allowed.' }],
    ]);
    expect(run.of('agent.call.requested').map(({ data }) => [data['tool'], data['needs']])).to.deep.equal([
      ['shell.run', 'refusal'],
    ]);
    expect(run.turnJob().jobType).to.equal('agent');
    expect(run.agent().toolCalls).to.equal(2);
  });

  it('should evaluate the policy for each call with its arguments, and raise the risk level of the run accordingly', async () => {
    // given
    const policyRequests: unknown[] = [];
    const run = await AgentRun.createWithTask(undefined, {}, (each) => {
      each.policy = (request) => {
        if (request.call !== null)
          policyRequests.push([request.call.tool, request.call.arguments, request.effect, request.agentName]);
        return policyFor({ 'read.two': { riskLevel: 'high' } })(request);
      };
    });
    // when
    run.turn([call('read.one', { n: 1 }), call('read.two')]);
    // then
    expect(policyRequests).to.deep.equal([
      ['read.one', { n: 1 }, 'read', 'triage'],
      ['read.two', {}, 'read', 'triage'],
    ]);
    expect(run.project().riskLevel).to.equal('high');
  });

  it("should apply the tool constraints of the step's policy decision to each call", async () => {
    // given
    const run = await AgentRun.createWithTask(undefined, {}, (each) => {
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
    const offeredJobs = run.requests.flatMap((request) =>
      request.type === 'job.offer' && request.job.jobType === 'agent' ? [request.job.toolConstraints?.allowed] : [],
    );
    expect(offeredJobs).to.deep.equal([
      ['read.one', 'read.two'],
      ['read.one', 'read.two'],
    ]);
  });

  it('should request one repair of an invalid output, and raise an incident if the repair fails', async () => {
    // given
    const run = await AgentRun.createWithTask();
    // when
    run.turn({ problems: ['label is missing'] });
    // then
    expect(run.of('agent.repair').map(({ data, private: privateData }) => [data, privateData])).to.deep.equal([
      [{ turn: 1 }, { problems: ['label is missing'] }],
    ]);
    // when
    run.turn({ problems: ['label is not a string'] });
    // then
    expect(run.at('a').incident?.code).to.equal('agent_output_invalid');
    expect(run.project().status).to.equal('failed');
    // when
    run.recover();
    // then
    expect(run.of('agent.repair').at(-1)?.private).to.deep.equal({ problems: ['label is not a string'] });
    run.turn({ label: 'bug' });
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should refuse calls whose arguments are too large and calls beyond the maximum per turn', async () => {
    // given
    const run = await AgentRun.createWithTask();
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

  it('should raise an incident when the agent definition changes between turns', async () => {
    const run = await AgentRun.createWithTask();
    run.turn([]);
    // when
    run.turn([], { definitionDigest: 'sha256:other' });
    // then
    expect(run.at('a').incident?.code).to.equal('agent_definition_changed');
    expect(run.of('agent.turn')).to.have.length(1);
  });

  it('should raise an incident when the output contains a variable reserved for approval decisions', async () => {
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
