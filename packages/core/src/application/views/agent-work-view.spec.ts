import { expect } from 'chai';
import type { JsonObject, RunEventType, ToolCallSubject } from '@countersign/model';
import { buildAgentStepWork } from './agent-work-view.js';

type Events = Parameters<typeof buildAgentStepWork>[0];

const policyDecision = { decision: 'allow', rationale: 'The call only reads.', riskLevel: 'low' };

function createEvent(
  at: number,
  type: RunEventType,
  data: JsonObject,
  privateData: JsonObject | null = null,
): Events[number] {
  return { at, type, stepId: 's', data, private: privateData };
}

function createTurn(
  at: number,
  turnNumber: number,
  calls: [string, string, JsonObject][],
  usage: JsonObject = {},
): Events[number] {
  return createEvent(
    at,
    'agent.turn',
    {
      turn: turnNumber,
      agent: 'triage',
      definitionDigest: 'sha256:a',
      provider: 'scripted',
      model: 'm',
      requestDigest: 'sha256:r',
      calls: calls.map(([callId, tool]) => ({ callId, tool })),
      inputTokens: 10,
      outputTokens: 2,
      costMicros: 5,
      ...usage,
    },
    {
      text: `Turn ${turnNumber}.`,
      calls: calls.map(([callId, tool, callArguments]) => ({
        callId,
        toolCallId: `t${callId}`,
        tool,
        arguments: callArguments,
      })),
      opaque: null,
    },
  );
}

function createDiscardedResponse(at: number, overrides: JsonObject = {}): Events[number] {
  const data = {
    agent: 'triage',
    definitionDigest: 'sha256:a',
    provider: 'scripted',
    model: 'other',
    code: 'model_declined',
    inputTokens: 10,
    outputTokens: 2,
    costMicros: 5,
  };
  return createEvent(at, 'agent.response_discarded', { ...data, ...overrides }, { message: 'Declined.' });
}

function createCallRequest(
  at: number,
  callId: string,
  needs: string,
  callArguments: JsonObject,
  overrides: JsonObject = {},
): Events[number] {
  return createEvent(
    at,
    'agent.call.requested',
    {
      callId,
      tool: 'x',
      toolDigest: 'sha256:t',
      effect: 'write',
      reversible: false,
      taint: ['webhook'],
      round: 1,
      policyDecision,
      needs,
      edited: false,
      ...overrides,
    },
    { arguments: callArguments, hosts: ['example.org'] },
  );
}

function createApproval(
  approvalId: string,
  callId: string,
  editedBy: string | null,
  requestedAt: number,
): Parameters<typeof buildAgentStepWork>[1][number] {
  return { approvalId, requestedAt, subject: { kind: 'tool_call', callId, editedBy } as ToolCallSubject };
}

describe('buildAgentStepWork()', () => {
  it('should return undefined before the first response of the language model', () => {
    expect(
      buildAgentStepWork([createEvent(1, 'question.asked', { questionId: 'q', callId: null })], [], false),
    ).to.equal(undefined);
  });

  it('should return each turn with its calls, their policy decisions and their results', () => {
    // given
    const events = [
      createTurn(1_000, 1, [
        ['1', 'artifact.read', { name: 'a' }],
        ['2', 'unknown', {}],
      ]),
      createCallRequest(1_000, '1', 'nothing', { name: 'a', whole: true }),
      createEvent(1_000, 'agent.call.dispatched', {
        callId: '1',
        tool: 'artifact.read',
        approvalId: null,
        approvedDigest: null,
      }),
      createEvent(
        1_000,
        'agent.call.refused',
        { callId: '2', tool: 'unknown', code: 'tool_unknown', approvalId: null },
        { toolCallId: 't2', content: { error: 'tool_unknown' } },
      ),
      createEvent(
        2_000,
        'agent.call.completed',
        { callId: '1', tool: 'artifact.read', isError: false },
        { toolCallId: 't1', content: 'text' },
      ),
      createTurn(3_000, 2, []),
    ];

    // when
    const work = buildAgentStepWork(events, [], true);

    // then
    expect(work).to.deep.include({
      agent: 'triage',
      definitionDigest: 'sha256:a',
      provider: 'scripted',
      model: 'm',
      usage: {
        turns: 2,
        toolCalls: 2,
        discardedResponses: 0,
        inputTokens: 20,
        outputTokens: 4,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        estimated: false,
        costMicros: 10,
      },
    });
    const [firstTurn, secondTurn] = work?.turns ?? [];
    expect([firstTurn?.text, secondTurn?.text, secondTurn?.calls]).to.deep.equal(['Turn 1.', 'Turn 2.', []]);
    expect(firstTurn?.calls[0]).to.deep.equal({
      callId: '1',
      tool: 'artifact.read',
      toolDigest: 'sha256:t',
      arguments: { name: 'a', whole: true },
      effect: 'write',
      reversible: false,
      hosts: ['example.org'],
      taint: ['webhook'],
      policyDecision: { ...policyDecision, decidedAt: '1970-01-01T00:00:01.000Z' },
      status: 'completed',
      approvalId: null,
      questionId: null,
      editedBy: null,
      result: 'text',
      isError: false,
      requestedAt: '1970-01-01T00:00:01.000Z',
      completedAt: '1970-01-01T00:00:02.000Z',
    });
    expect(firstTurn?.calls[1]).to.deep.include({
      status: 'refused',
      policyDecision: null,
      toolDigest: null,
      result: { error: 'tool_unknown' },
      isError: true,
    });
  });

  it('should return the status of each open call with its latest approval or question', () => {
    // given
    const events = [
      createTurn(1_000, 1, [
        ['1', 'x', { to: 'a' }],
        ['2', 'human.ask', {}],
        ['3', 'x', {}],
        ['4', 'x', {}],
      ]),
      createCallRequest(1_000, '1', 'approval', { to: 'a' }),
      createCallRequest(1_000, '2', 'answer', {}),
      createEvent(1_000, 'question.asked', { questionId: 'q2', purpose: 'ask', callId: '2' }),
      createEvent(2_000, 'agent.call.lost', { callId: '3', questionId: 'q3' }),
      createCallRequest(3_000, '1', 'approval', { to: 'b' }, { edited: true, round: 2 }),
    ];
    const approvals = [
      createApproval('second', '1', 'ada', 3_000),
      createApproval('first', '1', null, 1_000),
      createApproval('other', '9', null, 1_000),
    ];

    // when
    const calls = buildAgentStepWork(events, approvals, false)?.turns[0]?.calls ?? [];

    // then
    expect(
      calls.map(({ status, approvalId, questionId, editedBy }) => [status, approvalId, questionId, editedBy]),
    ).to.deep.equal([
      ['waits_for_approval', 'second', null, 'ada'],
      ['waits_for_answer', null, 'q2', null],
      ['outcome_unknown', null, 'q3', null],
      ['proposed', null, null, null],
    ]);
    expect(calls[0]?.arguments).to.deep.equal({ to: 'b' });
  });

  it('should mark calls as cancelled when they are still open at the end of the step', () => {
    const events = [createTurn(1_000, 1, [['1', 'x', {}]]), createCallRequest(1_000, '1', 'approval', {})];
    expect(buildAgentStepWork(events, [], true)?.turns[0]?.calls[0]).to.include({
      status: 'cancelled',
      completedAt: null,
    });
  });

  it('should sum cached tokens over all turns and mark the usage as estimated if any turn is', () => {
    const cached = { cacheReadTokens: 3, cacheWriteTokens: 1 };
    const work = buildAgentStepWork(
      [createTurn(1, 1, [], cached), createTurn(2, 2, [], { ...cached, estimated: true })],
      [],
      false,
    );

    expect(work?.usage).to.include({ cacheReadTokens: 6, cacheWriteTokens: 2, estimated: true });
    expect(work?.turns.map(({ usage }) => usage.estimated)).to.deep.equal([false, true]);
  });

  it('should return no cost when a turn has no price', () => {
    expect(
      buildAgentStepWork([createTurn(1, 1, []), createTurn(2, 2, [], { costMicros: null })], [], false)?.usage,
    ).to.include({
      inputTokens: 20,
      costMicros: null,
    });
  });

  it('should return the remaining data of erased events', () => {
    const erasedEvents = [
      createTurn(1_000, 1, [['1', 'x', { secret: true }]]),
      createCallRequest(1_000, '1', 'nothing', {}),
      createEvent(2_000, 'agent.call.completed', { callId: '1', isError: false }, { content: 'x' }),
    ].map((each) => ({ ...each, private: null }));
    const [firstTurn] = buildAgentStepWork(erasedEvents, [], false)?.turns ?? [];
    expect(firstTurn?.text).to.equal(null);
    expect(firstTurn?.calls[0]).to.deep.include({ arguments: null, result: null, status: 'completed', hosts: [] });
  });

  it('should include discarded responses in the totals', () => {
    const work = buildAgentStepWork(
      [
        createDiscardedResponse(1, { cacheReadTokens: 4, estimated: true }),
        createTurn(2, 1, []),
        createDiscardedResponse(3),
      ],
      [],
      false,
    );
    expect(work?.usage).to.deep.equal({
      turns: 1,
      toolCalls: 0,
      discardedResponses: 2,
      inputTokens: 30,
      outputTokens: 6,
      cacheReadTokens: 4,
      cacheWriteTokens: 0,
      estimated: true,
      costMicros: 15,
    });
    expect(work?.model).to.equal('m');
  });

  it('should describe an agent without turns by its last discarded response', () => {
    const work = buildAgentStepWork(
      [createDiscardedResponse(1), createDiscardedResponse(2, { definitionDigest: 'sha256:b', model: 'n' })],
      [],
      false,
    );
    expect(work).to.deep.include({ agent: 'triage', definitionDigest: 'sha256:b', model: 'n', turns: [] });
    expect(work?.usage).to.include({ turns: 0, discardedResponses: 2, inputTokens: 20 });
  });
});
