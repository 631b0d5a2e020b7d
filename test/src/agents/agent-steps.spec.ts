import type { RunDetail } from '@countersign/contract';
import type { JsonObject } from '@countersign/core';
import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import {
  requirePendingId,
  waitUntilSettled,
  startAgentHost,
  findAgentStep,
  getAgentWork,
  type AgentHost,
} from './agent-host.spec.support.js';

const call = (tool: string, toolArguments: JsonObject) => ({ tool, arguments: toolArguments });
const scriptedTurn = (number: number, answer: JsonObject) => ({ when: { turn: number }, answer });

/** The scripted turns of each agent. */
const AGENTS = {
  reader: {
    definition: {
      outputSchema: {
        type: 'object',
        properties: { title: { type: 'string' }, did: { type: 'string' } },
        required: ['title', 'did'],
        additionalProperties: false,
      },
    },
    script: {
      price: { input: 1, output: 2 },
      rules: [
        scriptedTurn(1, {
          text: 'I look.',
          calls: [call('notes.read', { note: { $from: 'inputs/title' } }), call('notes.read', { note: 'b' })],
        }),
        scriptedTurn(2, { output: { title: { $from: 'inputs/title' }, did: { $from: 'result/did' } } }),
      ],
    },
  },
  asker: {
    script: {
      rules: [
        scriptedTurn(1, {
          calls: [
            call('human.ask', { question: 'Which label?', options: ['bug', 'idea'] }),
            call('human.ask', { question: 'How many?', answerSchema: { type: 'integer' } }),
          ],
        }),
        scriptedTurn(2, { text: { $text: ['They say ', { $from: 'shown' }] } }),
      ],
    },
  },
  writer: {
    script: {
      rules: [
        scriptedTurn(1, { calls: [call('notes.read', { note: 'a' })] }),
        scriptedTurn(2, { calls: [call('notes.write', { note: 'from outside' })] }),
        {
          when: { isError: true, resultContains: 'not like that' },
          answer: { calls: [call('notes.write', { note: 'better' })] },
        },
        { when: { isError: true }, answer: { text: 'refused' } },
        { answer: { text: 'written' } },
      ],
    },
  },
  spender: {
    definition: { budget: { turns: 2 } },
    script: {
      rules: [
        scriptedTurn(1, { calls: [call('notes.read', { note: 'a' })] }),
        scriptedTurn(2, { calls: [call('notes.read', { note: 'b' })] }),
        { answer: { text: 'at last' } },
      ],
    },
  },
  repairer: {
    definition: { outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
    script: {
      rules: [
        { when: { contains: ['hopeless'] }, answer: { text: 'no' } },
        scriptedTurn(1, { output: { n: 'one' } }),
        { when: { contains: ['At /n'] }, answer: { output: { n: 1 } } },
      ],
    },
  },
  fumbler: {
    script: {
      rules: [
        scriptedTurn(1, { calls: [call('notes.read', { noet: 'a' }), call('shell', { run: 'ls' })] }),
        { when: { isError: true, resultContains: ['There is no such tool', 'noet'] }, answer: { text: 'I see.' } },
      ],
    },
  },
  waiter: {
    script: {
      rules: [scriptedTurn(1, { calls: [call('notes.read', { note: 'slow' })] }), { answer: { text: 'never' } }],
    },
  },
};

describe('agent steps', function () {
  this.timeout(60_000);

  let test: AgentHost;

  before(async () => {
    test = await startAgentHost({ agents: AGENTS });
  });

  after(() => test.close());

  beforeEach(() => {
    test.notes.calls.splice(0);
    test.notes.onCall = (tool) => Promise.resolve({ content: { did: tool }, taint: [] });
  });

  const waitUntilRunSettled = (run: { runId: string }): Promise<RunDetail> =>
    waitUntilSettled(test.operator, run.runId);
  const answer = (run: RunDetail, questionId: string, answerValue: string | number) =>
    test.operator.answerQuestion({ runId: run.runId, questionId, body: { answer: answerValue } });

  it('should run turns and calls and complete with an output that matches the output schema', async () => {
    // when
    const run = await waitUntilRunSettled(
      await test.start({
        workflowId: 'reads',
        headers: { agent: 'reader', prompt: 'Read the notes.', resultVariable: 'found' },
        mappings: { title: '=name' },
        inputs: { name: 'a' },
      }),
    );

    // then
    expect(run).to.deep.include({ status: 'completed', outcome: 'completed' });
    expect(run.variables['found']).to.deep.equal({ title: 'a', did: 'notes.read' });
    expect(findAgentStep(run)).to.deep.include({ agentName: 'reader', status: 'completed', attempt: 1 });
    const work = await getAgentWork(test.operator, run);
    expect(
      work.turns.map(({ calls }) =>
        calls.map(({ tool, status, arguments: toolArguments }) => [tool, status, toolArguments]),
      ),
    ).to.deep.equal([
      [
        ['notes.read', 'completed', { note: 'a', copies: 1 }],
        ['notes.read', 'completed', { note: 'b', copies: 1 }],
      ],
      [],
    ]);
    expect(work.usage).to.deep.include({ turns: 2, toolCalls: 2 });
    expect(work.usage.costMicros).to.be.greaterThan(0);
    expect(new Set(test.notes.calls.map(({ key }) => key)).size).to.equal(2);
  });

  it('should report invalid calls and unknown tools to the language model without calling a tool', async () => {
    // when
    const run = await waitUntilRunSettled(
      await test.start({
        workflowId: 'fumbles',
        headers: { agent: 'fumbler', prompt: 'Try.', resultVariable: 'said' },
      }),
    );

    // then
    expect(run.variables['said']).to.deep.equal({ text: 'I see.' });
    expect(test.notes.calls).to.have.length(0);
  });

  it('should wait for the answers to its questions and pass the answers to the language model', async () => {
    // given
    const run = await waitUntilRunSettled(
      await test.start({ workflowId: 'asks', headers: { agent: 'asker', prompt: 'Ask.', resultVariable: 'said' } }),
    );
    expect(run.status).to.equal('blocked');
    const questions = (await test.operator.listQuestions({ runId: run.runId })).items;
    expect(questions.map(({ text }) => text)).to.have.members(['Which label?', 'How many?']);

    // when
    for (const { questionId, options } of questions) await answer(run, questionId, options === null ? 3 : 'idea');
    const endedRun = await waitUntilRunSettled(run);

    // then
    expect(endedRun.outcome).to.equal('completed');
    const { text } = endedRun.variables['said'] as { text: string };
    expect(text)
      .to.contain('<data source="human.ask">\n{"answer":"idea","answered":true}\n</data>')
      .and.to.contain('<data source="human.ask">\n{"answer":3,"answered":true}\n</data>');
  });

  it('should execute a write exactly as a person approved it, and only once', async () => {
    // given
    test.notes.onCall = (tool) => Promise.resolve({ content: { did: tool } });
    const run = await waitUntilRunSettled(
      await test.start({
        workflowId: 'writes',
        headers: { agent: 'writer', prompt: 'Write.', resultVariable: 'said' },
      }),
    );
    const approvalId = requirePendingId(run, 'approval');
    const approval = await test.approver.getApproval({ approvalId });
    expect(approval.subject).to.deep.include({
      kind: 'tool_call',
      tool: 'notes.write',
      inputs: { note: 'from outside', copies: 1 },
    });
    expect(test.notes.callsTo('notes.write')).to.have.length(0);

    // when
    await test.approver.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: approval.digest } });
    const endedRun = await waitUntilRunSettled(run);

    // then
    expect(endedRun.variables['said']).to.deep.equal({ text: 'written' });
    expect(test.notes.callsTo('notes.write').map(({ input }) => input)).to.deep.equal([
      { note: 'from outside', copies: 1 },
    ]);
  });

  it('should execute a call with the edited arguments and record who edited them', async () => {
    // given
    test.notes.onCall = (tool) => Promise.resolve({ content: { did: tool } });
    const run = await waitUntilRunSettled(
      await test.start({ workflowId: 'edits', headers: { agent: 'writer', prompt: 'Write.', resultVariable: 'said' } }),
    );
    const approvalId = requirePendingId(run, 'approval');

    // when
    const wrong = await test.approver
      .decideApproval({ approvalId, body: { decision: 'approve', editedArguments: { note: '' } } })
      .catch((error: unknown) => error);
    const editedApproval = await test.approver.decideApproval({
      approvalId,
      body: { decision: 'approve', editedArguments: { note: 'corrected' } },
    });
    await test.secondApprover.decideApproval({ approvalId: editedApproval.approvalId, body: { decision: 'approve' } });
    const endedRun = await waitUntilRunSettled(run);

    // then
    expect(wrong).to.have.nested.property('problem.code', 'validation_failed');
    expect(test.notes.callsTo('notes.write').map(({ input }) => input)).to.deep.equal([
      { note: 'corrected', copies: 1 },
    ]);
    const [writeCall] = (await getAgentWork(test.operator, endedRun)).turns
      .flatMap(({ calls }) => calls)
      .filter(({ tool }) => tool === 'notes.write');
    expect(writeCall).to.deep.include({
      editedBy: 'anna',
      status: 'completed',
      arguments: { note: 'corrected', copies: 1 },
    });
  });

  it('should return the comment on a refused call to the agent and continue the agent', async () => {
    // given
    test.notes.onCall = (tool) => Promise.resolve({ content: { did: tool } });
    const run = await waitUntilRunSettled(
      await test.start({
        workflowId: 'refused',
        headers: { agent: 'writer', prompt: 'Write.', resultVariable: 'said' },
      }),
    );

    // when
    await test.approver.decideApproval({
      approvalId: requirePendingId(run, 'approval'),
      body: { decision: 'request_changes', comment: 'not like that' },
    });
    const revisedRun = await waitUntilRunSettled(run);
    const second = await test.approver.getApproval({ approvalId: requirePendingId(revisedRun, 'approval') });
    await test.approver.decideApproval({ approvalId: second.approvalId, body: { decision: 'reject' } });
    const endedRun = await waitUntilRunSettled(run);

    // then
    expect(second.subject).to.deep.include({ inputs: { note: 'better', copies: 1 } });
    expect(endedRun.variables['said']).to.deep.equal({ text: 'refused' });
    expect(test.notes.callsTo('notes.write')).to.have.length(0);
  });

  it('should ask an operator to continue or stop when the budget is exhausted', async () => {
    // given
    const first = await waitUntilRunSettled(
      await test.start({
        workflowId: 'spends',
        headers: { agent: 'spender', prompt: 'Spend.', resultVariable: 'said' },
      }),
    );
    const question = (await test.operator.listQuestions({ runId: first.runId })).items[0];
    expect(question).to.deep.include({ purpose: 'budget', options: ['continue', 'stop'] });

    // when
    await answer(first, question?.questionId ?? '', 'continue');
    const endedRun = await waitUntilRunSettled(first);
    const second = await waitUntilRunSettled(
      await test.start({
        workflowId: 'spends-less',
        headers: { 'agent': 'spender', 'prompt': 'Spend.', 'resultVariable': 'said', 'budget.turns': '1' },
      }),
    );
    await answer(second, requirePendingId(second, 'question'), 'stop');
    const stoppedRun = await waitUntilRunSettled(second);

    // then
    expect(endedRun.variables['said']).to.deep.equal({ text: 'at last' });
    expect((await getAgentWork(test.operator, stoppedRun)).usage.turns).to.equal(1);
    expect(stoppedRun.status).to.equal('failed');
    expect(findAgentStep(stoppedRun)?.error?.code).to.equal('agent_budget_exhausted');
  });

  it('should let the language model repair an invalid output once, then fail the step', async () => {
    // when
    const repairedRun = await waitUntilRunSettled(
      await test.start({
        workflowId: 'repairs',
        headers: { agent: 'repairer', prompt: 'Count.', resultVariable: 'said' },
      }),
    );
    const unrepairedRun = await waitUntilRunSettled(
      await test.start({
        workflowId: 'cannot-repair',
        headers: { agent: 'repairer', prompt: 'Count, hopeless one.', resultVariable: 'said' },
      }),
    );

    // then
    expect(repairedRun.variables['said']).to.deep.equal({ n: 1 });
    expect(unrepairedRun.status).to.equal('failed');
    expect(findAgentStep(unrepairedRun)?.error?.code).to.equal('agent_output_invalid');
    expect((await getAgentWork(test.operator, unrepairedRun)).usage.turns).to.equal(2);
  });

  it('should abort a running call when its run is cancelled', async () => {
    // given
    test.notes.onCall = () => new Promise(() => undefined);
    const { runId } = await test.start({ workflowId: 'waits', headers: { agent: 'waiter', prompt: 'Wait.' } });
    await waitUntil('the call is started', () => Promise.resolve(test.notes.calls.length === 1));

    // when
    await test.operator.cancelRun({ runId, body: { reason: 'enough' } });

    // then
    await waitUntil('the call is aborted', () => Promise.resolve(test.notes.calls[0]?.aborted()));
    const run = await test.operator.getRun({ runId });
    expect(run.outcome).to.equal('cancelled');
    expect((await getAgentWork(test.operator, run)).turns[0]?.calls[0]).to.deep.include({
      status: 'cancelled',
      result: null,
    });
  });

  it('should fail the step with a specific error code when its agent, prompt, tools or headers are invalid', async () => {
    // when
    const codes: unknown[] = [];
    const wrong: Readonly<Record<string, string>>[] = [
      { agent: 'nobody', prompt: 'x' },
      { agent: 'reader' },
      { agent: 'reader', prompt: 'x', tools: 'shell' },
      { agent: 'reader', prompt: 'x', promt: 'y' },
    ];
    for (const [index, headers] of wrong.entries()) {
      codes.push(
        findAgentStep(await waitUntilRunSettled(await test.start({ workflowId: `wrong-${index}`, headers })))?.error
          ?.code,
      );
    }

    // then
    expect(codes).to.deep.equal([
      'agent_unknown',
      'agent_prompt_missing',
      'agent_tool_not_defined',
      'agent_header_invalid',
    ]);
  });
});
