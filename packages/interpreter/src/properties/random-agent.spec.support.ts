import type {
  Actor,
  AgentTurn,
  Command,
  ElementInstance,
  JobWait,
  JsonObject,
  PolicyDecision,
  PolicyRequest,
  ProposedCall,
} from '@countersign/model';

const WORKER: Actor = { type: 'service', id: 'worker', name: null };

/** Returns the policy decision of the test for a tool call. For the tool `broken`, the policy fails. */
export function decideOnCall({ call }: PolicyRequest): Partial<PolicyDecision> {
  if (call?.tool === 'broken') throw new Error('the policy is broken');
  if (call?.tool === 'denied') return { decision: 'deny' };
  if (call?.tool === 'gated') return { decision: 'require_approval', riskLevel: 'medium' };
  if (call?.tool === 'double')
    return {
      decision: 'require_approval',
      approval: { candidateUsers: ['ada', 'bob', 'cyd'], candidateGroups: [], quorum: 2 },
    };
  return call?.tool === 'accepted' ? { acceptsTaint: true } : {};
}

function proposed(tool: string, how: number, more: Partial<ProposedCall> = {}): ProposedCall {
  const effect = tool === 'read' ? 'read' : 'write';
  const artifacts = how % 2 === 0 ? ['report'] : [];
  return {
    toolCallId: `${tool}-${how}`,
    tool,
    toolDigest: 'sha256:t',
    effect,
    reversible: false,
    hosts: [],
    artifacts,
    arguments: { how },
    problem: null,
    question: null,
    ...more,
  };
}

function ask(how: number, dueInMs: number | null, options: string[] | null = null): ProposedCall {
  const onDue = how % 2 === 0 ? ({ kind: 'continue', answer: null } as const) : ({ kind: 'incident' } as const);
  return proposed('human.ask', how, {
    effect: 'read',
    question: { text: 'Which?', options, answerSchema: null, dueInMs, onDue },
  });
}

type Answer = Pick<AgentTurn, 'calls' | 'final' | 'taint'>;

/** Returns a response of a language model. The first of the responses ends the agent step. */
function answerOf(how: number): Answer {
  const calls = (...all: ProposedCall[]): Answer => ({
    calls: all,
    final: null,
    taint: how % 4 === 3 ? ['webhook'] : [],
  });
  const all: Answer[] = [
    { calls: [], final: { output: {} }, taint: [] },
    calls(proposed('read', how)),
    calls(proposed('gated', how)),
    calls(proposed('read', how), proposed('gated', how), ask(how, null)),
    calls(proposed('write', how), proposed('denied', how)),
    calls(ask(how, 1000)),
    calls(),
    { calls: [], final: { problems: ['wrong'] }, taint: [] },
    calls(proposed('gated', how), proposed('double', how)),
    calls(proposed('broken', how), proposed('read', how)),
    calls(proposed('unknown', how, { problem: { code: 'tool_unknown', message: 'No.' } }), ask(how, 1000, ['a', 'b'])),
    calls(proposed('write', how), proposed('accepted', how), ask(how, 1000)),
    { calls: [], final: { output: { n0: how % 5 } }, taint: ['upload'] },
  ];
  return all[Math.max(how - 1, 0) % all.length] ?? calls();
}

/** An agent turn, or the result of a tool call; `undefined` for a job result like that of any other worker. */
export function agentWork({ jobId, callId }: JobWait, how: number): Command | undefined {
  if (callId !== undefined) return callResult(jobId, how);
  if (how === 0 || how % 8 === 5 || how === 23) return undefined;
  const budget = {
    turns: 3,
    toolCalls: 4,
    tokens: null,
    costMicros: how % 3 === 0 ? 1000 : null,
    onExhausted: how % 2 === 0 ? 'question' : 'incident',
  } as const;
  const usage = { inputTokens: 10, outputTokens: 5, costMicros: how % 9 === 0 ? null : 100 };
  const of = { agent: 'agent', definitionDigest: 'sha256:d', provider: 'p', model: 'm' };
  if (how % 8 === 6) {
    const discarded = [{ ...of, usage, budget: { ...budget, tokens: how % 3 === 1 ? 20 : null } }];
    return { type: 'job.fail', actor: WORKER, jobId, code: 'broken', message: 'No.', retryable: how < 20, discarded };
  }
  const { calls, final, taint } = answerOf(how);
  const turn: AgentTurn = {
    ...of,
    requestDigest: 'sha256:r',
    text: 'Hm.',
    opaque: null,
    usage,
    budget,
    calls,
    final,
    taint,
  };
  return { type: 'agent.turn', actor: WORKER, jobId, turn };
}

function callResult(jobId: string, how: number): Command {
  switch (how % 8) {
    case 4:
      return { type: 'agent.repropose', actor: WORKER, jobId, call: proposed(how % 3 === 0 ? 'read' : 'gated', how) };
    case 5:
      return { type: 'job.fail', actor: WORKER, jobId, code: 'broken', message: 'It broke.', retryable: how % 2 === 0 };
    case 6:
      return { type: 'agent.lose', actor: WORKER, jobId, message: 'It died.' };
    case 7:
      return { type: 'job.error', actor: WORKER, jobId, errorCode: `X${how % 4}`, message: 'It threw.', variables: {} };
    default:
      return {
        type: 'agent.call',
        actor: WORKER,
        jobId,
        result: { content: { how } as JsonObject, isError: how % 5 === 0, taint: how % 3 === 0 ? ['tool:read'] : [] },
      };
  }
}

/** Returns a tool call as edited by its approver; `undefined` without an edit. */
export function editOf({ agent }: ElementInstance, callId: string | undefined, how: number): ProposedCall | undefined {
  const call = agent?.calls.find((each) => each.callId === callId);
  return call === undefined || how % 6 !== 1 ? undefined : proposed(call.tool, how, { arguments: { edited: how } });
}
