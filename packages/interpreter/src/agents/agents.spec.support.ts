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

/** Creates a call of a tool that only reads, unless `overrides` states otherwise. */
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

export const write = (
  tool: string,
  callArguments: JsonObject = {},
  overrides: Partial<ProposedCall> = {},
): ProposedCall => call(tool, callArguments, { effect: 'write', reversible: false, ...overrides });

export function ask(text: string, overrides: Partial<QuestionDraft> = {}): ProposedCall {
  const question: QuestionDraft = {
    text,
    options: null,
    answerSchema: null,
    dueInMs: null,
    onDue: { kind: 'incident' },
    ...overrides,
  };
  return call('human.ask', { text }, { question });
}

/** Creates a policy that allows everything, except for the given policy decisions by tool. */
export function policyFor(byTool: Record<string, Partial<PolicyDecision>>): PolicyFunction {
  return (request) => ({ ...allow(request), ...(request.call === null ? {} : byTool[request.call.tool]) });
}

export const agentTask = (id: string, extra = '', properties: Record<string, string> = {}): string =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="agent"/>${extra}<zeebe:properties>${Object.entries(
    properties,
  )
    .map(([name, value]) => `<zeebe:property name="${name}" value="${value}"/>`)
    .join('')}</zeebe:properties></bpmn:extensionElements></bpmn:serviceTask>`;

export const headers = (headersByKey: Record<string, string>): string =>
  `<zeebe:taskHeaders>${Object.entries(headersByKey)
    .map(([key, value]) => `<zeebe:header key="${key}" value="${value}"/>`)
    .join('')}</zeebe:taskHeaders>`;

/** A run with agent steps. Its methods apply to the step of the task `a` by default. */
export class AgentRun extends TestRun {
  static override async of(elements: string): Promise<AgentRun> {
    return new AgentRun((await TestRun.of(elements)).graph);
  }

  /** Starts a run of a process with one task between the start and the end event. */
  static async createWithTask(
    task = agentTask('a'),
    inputs: JsonObject = {},
    prepare: (run: AgentRun) => void = () => undefined,
  ): Promise<AgentRun> {
    const run = await AgentRun.of(start + task + end + flows('start > a', 'a > end'));
    prepare(run);
    run.start(inputs);
    return run;
  }

  turn(
    content: readonly ProposedCall[] | JsonObject | { problems: string[] },
    overrides: Partial<AgentTurn> = {},
    elementId = 'a',
  ): AdvanceResult {
    const isCallList = Array.isArray(content);
    const turn: AgentTurn = {
      agent: 'triage',
      definitionDigest: DIGEST,
      provider: 'scripted',
      model: 'm',
      requestDigest: DIGEST,
      text: null,
      calls: isCallList ? (content as readonly ProposedCall[]) : [],
      opaque: null,
      usage: { inputTokens: 10, outputTokens: 5, costMicros: 100 },
      budget: BUDGET,
      taint: [],
      final: isCallList
        ? null
        : 'problems' in content
          ? { problems: content.problems as string[] }
          : { output: content as JsonObject },
      ...overrides,
    };
    return this.do({ type: 'agent.turn', actor: user('worker'), jobId: this.turnJob(elementId).jobId, turn });
  }

  turnJob(elementId = 'a'): JobWait {
    const found = this.jobs(elementId).find(({ callId }) => callId === undefined);
    if (found === undefined)
      throw new Error(`Element ${elementId} has no job for a turn. There are tokens at: ${this.tokens().join(', ')}.`);
    return found;
  }

  jobs(elementId = 'a'): JobWait[] {
    return (this.at(elementId).waits ?? []).filter((wait): wait is JobWait => wait.kind === 'job');
  }

  agent(elementId = 'a'): AgentState {
    const { agent } = this.at(elementId);
    if (agent === undefined) throw new Error(`Element ${elementId} is not an agent step.`);
    return agent;
  }

  call(tool: string, elementId = 'a'): AgentCall {
    const found = this.agent(elementId).calls.find((each) => each.tool === tool);
    if (found === undefined) throw new Error(`The current turn has no call of ${tool}.`);
    return found;
  }

  callJob(tool: string, elementId = 'a'): JobWait {
    const { callId } = this.call(tool, elementId);
    const found = this.jobs(elementId).find((each) => each.callId === callId);
    if (found === undefined) throw new Error(`The call of ${tool} has no job.`);
    return found;
  }

  result(tool: string, content: Json = 'ok', overrides: Partial<CallResult> = {}): AdvanceResult {
    const { jobId } = this.callJob(tool);
    return this.do({
      type: 'agent.call',
      actor: user('worker'),
      jobId,
      result: { content, isError: false, taint: [], ...overrides },
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
      message: 'The server crashed.',
    });
  }

  question(elementId = 'a'): PendingQuestion {
    const found = (this.at(elementId).waits ?? []).find((wait): wait is QuestionWait => wait.kind === 'question');
    if (found === undefined) throw new Error(`Element ${elementId} has no open question.`);
    return found.question;
  }

  answer(answer: Json, questionId = this.question().questionId, actor: Actor = user('otto')): AdvanceResult {
    return this.do({ type: 'question.answer', actor, questionId, answer });
  }

  getPendingApproval(tool: string, elementId = 'a'): PendingApproval {
    const { callId } = this.call(tool, elementId);
    for (const wait of this.at(elementId).waits ?? [])
      if (wait.kind === 'approval' && wait.callId === callId) return wait.approval;
    throw new Error(`The call of ${tool} has no pending approval.`);
  }

  decide(
    tool: string,
    decision: ApprovalDecision,
    options: { actor?: Actor; edited?: ProposedCall; comment?: string } = {},
  ): AdvanceResult {
    const { approvalId } = this.getPendingApproval(tool);
    const { actor = user('boss'), comment = null, edited } = options;
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

  fireTimer(elementId = 'a'): AdvanceResult {
    const { timerId, dueAt } = this.wait(elementId, 'timer');
    this.now = dueAt;
    return this.do({ type: 'timer.fire', actor: user('clock'), timerId });
  }

  of(type: string): RunEventDraft[] {
    return this.events.filter((event) => event.type === type);
  }
}
