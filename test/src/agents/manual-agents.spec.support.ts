import {
  type AgentCallJob,
  AgentRuntimePort,
  type AgentTurnJob,
  type CallOutcome,
  definePlugin,
  type Json,
  type JsonObject,
  type Plugin,
} from '@countersign/core/plugin';
import type { AgentTurn, CallResult, ProposedCall } from '@countersign/model';
import { injectable } from 'inversify';

/** An agent turn that the test completes. */
export interface ManualTurn {
  readonly job: AgentTurnJob;
  /** Proposes calls, or ends the agent with its output. */
  respond(outcome: readonly ProposedCall[] | JsonObject, overrides?: Partial<AgentTurn>): void;
}

/** A tool call that the test completes. */
export interface ManualCall {
  readonly job: AgentCallJob;
  /** The server that executes the call. */
  readonly serverName: string;
  succeed(content?: Json, overrides?: Partial<CallResult>): void;
  finish(outcome: CallOutcome): void;
  fail(error: Error): void;
}

type ManualWork =
  { readonly kind: 'turn'; readonly work: ManualTurn } | { readonly kind: 'call'; readonly work: ManualCall };

/** A manual agent runtime for one or several servers: turns and calls stay open until the test completes them. */
export class ManualAgents {
  /** All started calls, and the server that started each. */
  readonly startedCalls: { readonly callId: string; readonly serverName: string }[] = [];
  private readonly pending: ManualWork[] = [];
  private readonly waiters: { readonly kind: ManualWork['kind']; resolve(work: ManualWork): void }[] = [];

  nextTurn(): Promise<ManualTurn> {
    return this.nextOfKind('turn') as Promise<ManualTurn>;
  }

  nextCall(): Promise<ManualCall> {
    return this.nextOfKind('call') as Promise<ManualCall>;
  }

  plugin(serverName = 'only'): Plugin {
    const enqueue = (work: ManualWork): void => this.enqueue(work);
    const { startedCalls } = this;
    class Runtime implements AgentRuntimePort {
      runTurn(job: AgentTurnJob): Promise<AgentTurn> {
        return new Promise((resolve, reject) => {
          job.signal.addEventListener('abort', () => reject(job.signal.reason as Error), { once: true });
          enqueue({
            kind: 'turn',
            work: { job, respond: (outcome, overrides) => resolve({ ...toAgentTurn(outcome), ...overrides }) },
          });
        });
      }

      executeCall(job: AgentCallJob): Promise<CallOutcome> {
        startedCalls.push({ callId: job.call.callId, serverName });
        return new Promise((resolve, reject) => {
          const succeed: ManualCall['succeed'] = (content = null, overrides = {}) =>
            resolve({ kind: 'result', result: { content, isError: false, taint: [], ...overrides } });
          enqueue({ kind: 'call', work: { job, serverName, succeed, finish: resolve, fail: reject } });
        });
      }

      proposeCall(): ProposedCall {
        throw new Error('The manual runtime does not support edited calls.');
      }
    }
    injectable()(Runtime);
    return definePlugin({ id: 'manual-agents', register: ({ bind }) => bind(AgentRuntimePort, Runtime) });
  }

  private nextOfKind(kind: ManualWork['kind']): Promise<ManualTurn | ManualCall> {
    const index = this.pending.findIndex((pendingWork) => pendingWork.kind === kind);
    const [held] = index < 0 ? [] : this.pending.splice(index, 1);
    if (held !== undefined) return Promise.resolve(held.work);
    return new Promise((resolve) => this.waiters.push({ kind, resolve: ({ work: nextWork }) => resolve(nextWork) }));
  }

  private enqueue(work: ManualWork): void {
    const index = this.waiters.findIndex(({ kind }) => kind === work.kind);
    if (index < 0) this.pending.push(work);
    else this.waiters.splice(index, 1)[0]?.resolve(work);
  }
}

function toAgentTurn(outcome: readonly ProposedCall[] | JsonObject): AgentTurn {
  const hasCalls = Array.isArray(outcome);
  return {
    agent: 'triager',
    definitionDigest: `sha256:${'a'.repeat(64)}`,
    provider: 'manual',
    model: 'hand',
    requestDigest: `sha256:${'b'.repeat(64)}`,
    text: 'Done.',
    calls: hasCalls ? (outcome as readonly ProposedCall[]) : [],
    opaque: null,
    usage: { inputTokens: 10, outputTokens: 5, costMicros: 100 },
    budget: { turns: 20, toolCalls: 100, tokens: null, costMicros: null, onExhausted: 'question' },
    taint: [],
    final: hasCalls ? null : { output: outcome as JsonObject },
  };
}

/** Creates a call of a tool with a write effect. */
export function createWriteCall(
  tool: string,
  input: JsonObject = {},
  overrides: Partial<ProposedCall> = {},
): ProposedCall {
  const callFields = {
    toolDigest: `sha256:${'c'.repeat(64)}`,
    effect: 'write',
    reversible: false,
    hosts: [],
    artifacts: [],
  } as const;
  return {
    toolCallId: `m-${tool}`,
    tool,
    arguments: input,
    problem: null,
    question: null,
    ...callFields,
    ...overrides,
  };
}

export function createQuestionCall(text: string, options: readonly string[] | null = null): ProposedCall {
  return createWriteCall(
    'human.ask',
    { text },
    { effect: 'read', question: { text, options, answerSchema: null, dueInMs: null, onDue: { kind: 'incident' } } },
  );
}
