import type {
  Actor,
  AdvanceResult,
  AgentBudget,
  AgentCall,
  AgentState,
  AgentTurn,
  ApprovalDecision,
  CallResult,
  JobWait,
  Json,
  JsonObject,
  PendingApproval,
  PendingQuestion,
  PolicyDecision,
  PolicyFunction,
  ProposedCall,
  QuestionDraft,
  QuestionWait,
  RunEventDraft,
} from '@countersign/model';
import { allow, end, flows, start, TestRun, user } from '../interpreter.spec.support.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;

export const BUDGET: AgentBudget = {
  turns: 20,
  toolCalls: 50,
  tokens: null,
  costMicros: null,
  onExhausted: 'question',
};

/** A tool call that reads nothing and changes nothing, unless `more` states otherwise. */
export function call(
  tool: string,
  callArguments: JsonObject = {},
  overrides: Partial<ProposedCall> = {},
): ProposedCall {
  return {
    toolCallId: `m-${tool}`,
    tool,
    toolDigest: DIGEST,
    effect: 'read',
    reversible: true,
    hosts: [],
    artifacts: [],
    arguments: callArguments,
    problem: null,
    question: null,
    ...overrides,
  };
}

export const write = (tool: string, given: JsonObject = {}, more: Partial<ProposedCall> = {}): ProposedCall =>
  call(tool, given, { effect: 'write', reversible: false, ...more });

export function ask(text: string, more: Partial<QuestionDraft> = {}): ProposedCall {
  const question: QuestionDraft = {
    text,
    options: null,
    answerSchema: null,
    dueInMs: null,
    onDue: { kind: 'incident' },
    ...more,
  };
  return call('human.ask', { text }, { question });
}

/** A policy that allows everything, with other policy decisions for calls of the given tools. */
export function policyFor(byTool: Record<string, Partial<PolicyDecision>>): PolicyFunction {
  return (request) => ({ ...allow(request), ...(request.call === null ? {} : byTool[request.call.tool]) });
}

export const agentTask = (id: string, extra = '', properties: Record<string, string> = {}): string =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="agent"/>${extra}<zeebe:properties>${Object.entries(
    properties,
  )
    .map(([name, value]) => `<zeebe:property name="${name}" value="${value}"/>`)
    .join('')}</zeebe:properties></bpmn:extensionElements></bpmn:serviceTask>`;

export const headers = (all: Record<string, string>): string =>
  `<zeebe:taskHeaders>${Object.entries(all)
    .map(([key, value]) => `<zeebe:header key="${key}" value="${value}"/>`)
    .join('')}</zeebe:taskHeaders>`;

/** A run with an active agent step in the task `a`. */
export class AgentRun extends TestRun {
  static override async of(elements: string): Promise<AgentRun> {
    return new AgentRun((await TestRun.of(elements)).graph);
  }

  /** One agent step between start and end. */
  static async createWithTask(
    task = agentTask('a'),
    inputs: JsonObject = {},
    set: (run: AgentRun) => void = () => undefined,
  ): Promise<AgentRun> {
    const run = await AgentRun.of(start + task + end + flows('start > a', 'a > end'));
    set(run);
    run.start(inputs);
    return run;
  }

  turn(
    what: readonly ProposedCall[] | JsonObject | { problems: string[] },
    more: Partial<AgentTurn> = {},
    at = 'a',
  ): AdvanceResult {
    const isCalls = Array.isArray(what);
    const turn: AgentTurn = {
      agent: 'triage',
      definitionDigest: DIGEST,
      provider: 'scripted',
      model: 'm',
      requestDigest: DIGEST,
      text: null,
      calls: isCalls ? (what as readonly ProposedCall[]) : [],
      opaque: null,
      usage: { inputTokens: 10, outputTokens: 5, costMicros: 100 },
      budget: BUDGET,
      taint: [],
      final: isCalls
        ? null
        : 'problems' in what
          ? { problems: what.problems as string[] }
          : { output: what as JsonObject },
      ...more,
    };
    return this.do({ type: 'agent.turn', actor: user('worker'), jobId: this.turnJob(at).jobId, turn });
  }

  turnJob(at = 'a'): JobWait {
    const found = this.jobs(at).find(({ callId }) => callId === undefined);
    if (found === undefined) throw new Error(`no turn of ${at} is due; tokens at ${this.tokens().join(', ')}`);
    return found;
  }

  jobs(at = 'a'): JobWait[] {
    return (this.at(at).waits ?? []).filter((wait): wait is JobWait => wait.kind === 'job');
  }

  agent(at = 'a'): AgentState {
    const { agent } = this.at(at);
    if (agent === undefined) throw new Error(`no agent at ${at}`);
    return agent;
  }

  call(tool: string, at = 'a'): AgentCall {
    const found = this.agent(at).calls.find((each) => each.tool === tool);
    if (found === undefined) throw new Error(`no call of ${tool}`);
    return found;
  }

  callJob(tool: string, at = 'a'): JobWait {
    const { callId } = this.call(tool, at);
    const found = this.jobs(at).find((each) => each.callId === callId);
    if (found === undefined) throw new Error(`the call of ${tool} is not being made`);
    return found;
  }

  result(tool: string, content: Json = 'ok', more: Partial<CallResult> = {}): AdvanceResult {
    const { jobId } = this.callJob(tool);
    return this.do({
      type: 'agent.call',
      actor: user('worker'),
      jobId,
      result: { content, isError: false, taint: [], ...more },
    });
  }

  failCall(tool: string, retryable: boolean): AdvanceResult {
    return this.do({
      type: 'job.fail',
      actor: user('worker'),
      jobId: this.callJob(tool).jobId,
      code: 'broken',
      message: 'It broke.',
      retryable,
    });
  }

  loseCall(tool: string): AdvanceResult {
    return this.do({
      type: 'agent.lose',
      actor: user('worker'),
      jobId: this.callJob(tool).jobId,
      message: 'The server died.',
    });
  }

  question(at = 'a'): PendingQuestion {
    const found = (this.at(at).waits ?? []).find((wait): wait is QuestionWait => wait.kind === 'question');
    if (found === undefined) throw new Error(`${at} asks nothing`);
    return found.question;
  }

  answer(answer: Json, questionId = this.question().questionId, actor: Actor = user('otto')): AdvanceResult {
    return this.do({ type: 'question.answer', actor, questionId, answer });
  }

  requireApproval(tool: string, at = 'a'): PendingApproval {
    const { callId } = this.call(tool, at);
    for (const wait of this.at(at).waits ?? [])
      if (wait.kind === 'approval' && wait.callId === callId) return wait.approval;
    throw new Error(`nobody is asked about ${tool}`);
  }

  decide(
    tool: string,
    decision: ApprovalDecision,
    more: { actor?: Actor; edited?: ProposedCall; comment?: string } = {},
  ): AdvanceResult {
    const { approvalId } = this.requireApproval(tool);
    const { actor = user('boss'), comment = null, edited } = more;
    return this.do({
      type: 'approval.vote',
      actor,
      approvalId,
      decision,
      comment,
      expectedDigest: null,
      expectedRound: null,
      ...(edited === undefined ? {} : { edited }),
    });
  }

  recover(): AdvanceResult {
    return this.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });
  }

  fireTimer(at = 'a'): AdvanceResult {
    const { timerId, dueAt } = this.wait(at, 'timer');
    this.now = dueAt;
    return this.do({ type: 'timer.fire', actor: user('clock'), timerId });
  }

  of(type: string): RunEventDraft[] {
    return this.events.filter((event) => event.type === type);
  }
}
