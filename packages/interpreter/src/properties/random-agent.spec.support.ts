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

function buildCall(tool: string, variant: number, overrides: Partial<ProposedCall> = {}): ProposedCall {
  const effect = tool === 'read' ? 'read' : 'write';
  const artifacts = variant % 2 === 0 ? ['report'] : [];
  return {
    toolCallId: `${tool}-${variant}`,
    tool,
    toolDigest: 'sha256:t',
    effect,
    reversible: false,
    hosts: [],
    artifacts,
    arguments: { how: variant },
    problem: null,
    question: null,
    ...overrides,
  };
}

function buildQuestionCall(variant: number, dueInMs: number | null, options: string[] | null = null): ProposedCall {
  const onDue = variant % 2 === 0 ? ({ kind: 'continue', answer: null } as const) : ({ kind: 'incident' } as const);
  return buildCall('human.ask', variant, {
    effect: 'read',
    question: { text: 'Which?', options, answerSchema: null, dueInMs, onDue },
  });
}

type CompletionSketch = Pick<AgentTurn, 'calls' | 'final' | 'taint'>;

/** Returns a completion of a language model. The first completion in the list ends the agent step. */
function chooseCompletion(variant: number): CompletionSketch {
  const calls = (...all: ProposedCall[]): CompletionSketch => ({
    calls: all,
    final: null,
    taint: variant % 4 === 3 ? ['webhook'] : [],
  });
  const all: CompletionSketch[] = [
    { calls: [], final: { output: {} }, taint: [] },
    calls(buildCall('read', variant)),
    calls(buildCall('gated', variant)),
    calls(buildCall('read', variant), buildCall('gated', variant), buildQuestionCall(variant, null)),
    calls(buildCall('write', variant), buildCall('denied', variant)),
    calls(buildQuestionCall(variant, 1000)),
    calls(),
    { calls: [], final: { problems: ['wrong'] }, taint: [] },
    calls(buildCall('gated', variant), buildCall('double', variant)),
    calls(buildCall('broken', variant), buildCall('read', variant)),
    calls(
      buildCall('unknown', variant, { problem: { code: 'tool_unknown', message: 'The tool is unknown.' } }),
      buildQuestionCall(variant, 1000, ['a', 'b']),
    ),
    calls(buildCall('write', variant), buildCall('accepted', variant), buildQuestionCall(variant, 1000)),
    { calls: [], final: { output: { n0: variant % 5 } }, taint: ['upload'] },
  ];
  return all[Math.max(variant - 1, 0) % all.length] ?? calls();
}

/**
 * Returns an agent turn or the result of a tool call; `undefined` if the worker reports an ordinary job result instead.
 */
export function chooseAgentCommand({ jobId, callId }: JobWait, variant: number): Command | undefined {
  if (callId !== undefined) return buildCallResultCommand(jobId, variant);
  if (variant === 0 || variant % 8 === 5 || variant === 23) return undefined;
  const budget = {
    turns: 3,
    toolCalls: 4,
    tokens: null,
    costMicros: variant % 3 === 0 ? 1000 : null,
    onExhausted: variant % 2 === 0 ? 'question' : 'incident',
  } as const;
  const usage = { inputTokens: 10, outputTokens: 5, costMicros: variant % 9 === 0 ? null : 100 };
  const agentIdentity = { agent: 'agent', definitionDigest: 'sha256:d', provider: 'p', model: 'm' };
  if (variant % 8 === 6) {
    const discarded = [{ ...agentIdentity, usage, budget: { ...budget, tokens: variant % 3 === 1 ? 20 : null } }];
    return {
      type: 'job.fail',
      actor: WORKER,
      jobId,
      code: 'broken',
      message: 'The turn failed.',
      retryable: variant < 20,
      discarded,
    };
  }
  const { calls, final, taint } = chooseCompletion(variant);
  const turn: AgentTurn = {
    ...agentIdentity,
    requestDigest: 'sha256:r',
    text: 'Thinking.',
    opaque: null,
    usage,
    budget,
    calls,
    final,
    taint,
  };
  return { type: 'agent.turn', actor: WORKER, jobId, turn };
}

function buildCallResultCommand(jobId: string, variant: number): Command {
  switch (variant % 8) {
    case 4:
      return {
        type: 'agent.repropose',
        actor: WORKER,
        jobId,
        call: buildCall(variant % 3 === 0 ? 'read' : 'gated', variant),
      };
    case 5:
      return {
        type: 'job.fail',
        actor: WORKER,
        jobId,
        code: 'broken',
        message: 'The tool call failed.',
        retryable: variant % 2 === 0,
      };
    case 6:
      return { type: 'agent.lose', actor: WORKER, jobId, message: 'The worker died.' };
    case 7:
      return {
        type: 'job.error',
        actor: WORKER,
        jobId,
        errorCode: `X${variant % 4}`,
        message: 'The tool call threw an error.',
        variables: {},
      };
    default:
      return {
        type: 'agent.call',
        actor: WORKER,
        jobId,
        result: {
          content: { how: variant } as JsonObject,
          isError: variant % 5 === 0,
          taint: variant % 3 === 0 ? ['tool:read'] : [],
        },
      };
  }
}

/** Returns a tool call as edited by its approver; `undefined` without an edit. */
export function chooseEdit(
  { agent }: ElementInstance,
  callId: string | undefined,
  variant: number,
): ProposedCall | undefined {
  const call = agent?.calls.find((each) => each.callId === callId);
  return call === undefined || variant % 6 !== 1
    ? undefined
    : buildCall(call.tool, variant, { arguments: { edited: variant } });
}
