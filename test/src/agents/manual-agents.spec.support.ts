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
export interface HeldTurn {
  readonly job: AgentTurnJob;
  /** Proposes calls, or ends the agent with its output. */
  answer(what: readonly ProposedCall[] | JsonObject, more?: Partial<AgentTurn>): void;
}

/** A tool call that the test completes. */
export interface HeldCall {
  readonly job: AgentCallJob;
  /** The server that executes the call. */
  readonly by: string;
  done(content?: Json, more?: Partial<CallResult>): void;
  end(outcome: CallOutcome): void;
  fail(error: Error): void;
}

type Held = { readonly kind: 'turn'; readonly held: HeldTurn } | { readonly kind: 'call'; readonly held: HeldCall };

/** A manual agent runtime for one or several servers: turns and calls stay open until the test completes them. */
export class ManualAgents {
  /** All started calls, and the server that started each. */
  readonly begun: { readonly callId: string; readonly by: string }[] = [];
  private readonly waiting: Held[] = [];
  private readonly takers: { readonly kind: Held['kind']; take(held: Held): void }[] = [];

  turn(): Promise<HeldTurn> {
    return this.next('turn') as Promise<HeldTurn>;
  }

  call(): Promise<HeldCall> {
    return this.next('call') as Promise<HeldCall>;
  }

  plugin(by = 'only'): Plugin {
    const hold = (held: Held): void => this.give(held);
    const { begun } = this;
    class Runtime implements AgentRuntimePort {
      takeTurn(job: AgentTurnJob): Promise<AgentTurn> {
        return new Promise((resolve, reject) => {
          job.signal.addEventListener('abort', () => reject(job.signal.reason as Error), { once: true });
          hold({ kind: 'turn', held: { job, answer: (what, more) => resolve({ ...turnOf(what), ...more }) } });
        });
      }

      makeCall(job: AgentCallJob): Promise<CallOutcome> {
        begun.push({ callId: job.call.callId, by });
        return new Promise((resolve, reject) => {
          const done: HeldCall['done'] = (content = null, more = {}) =>
            resolve({ kind: 'result', result: { content, isError: false, taint: [], ...more } });
          hold({ kind: 'call', held: { job, by, done, end: resolve, fail: reject } });
        });
      }

      propose(): ProposedCall {
        throw new Error('Nobody asks for that.');
      }
    }
    injectable()(Runtime);
    return definePlugin({ id: 'manual-agents', register: ({ bind }) => bind(AgentRuntimePort, Runtime) });
  }

  private next(kind: Held['kind']): Promise<HeldTurn | HeldCall> {
    const index = this.waiting.findIndex((held) => held.kind === kind);
    const [held] = index < 0 ? [] : this.waiting.splice(index, 1);
    if (held !== undefined) return Promise.resolve(held.held);
    return new Promise((resolve) => this.takers.push({ kind, take: ({ held: taken }) => resolve(taken) }));
  }

  private give(held: Held): void {
    const index = this.takers.findIndex(({ kind }) => kind === held.kind);
    if (index < 0) this.waiting.push(held);
    else this.takers.splice(index, 1)[0]?.take(held);
  }
}

function turnOf(what: readonly ProposedCall[] | JsonObject): AgentTurn {
  const isCalls = Array.isArray(what);
  return {
    agent: 'triager',
    definitionDigest: `sha256:${'a'.repeat(64)}`,
    provider: 'manual',
    model: 'hand',
    requestDigest: `sha256:${'b'.repeat(64)}`,
    text: 'So be it.',
    calls: isCalls ? (what as readonly ProposedCall[]) : [],
    opaque: null,
    usage: { inputTokens: 10, outputTokens: 5, costMicros: 100 },
    budget: { turns: 20, toolCalls: 100, tokens: null, costMicros: null, onExhausted: 'question' },
    taint: [],
    final: isCalls ? null : { output: what as JsonObject },
  };
}

/** Creates a call of a tool with a write effect. */
export function write(tool: string, given: JsonObject = {}, more: Partial<ProposedCall> = {}): ProposedCall {
  const facts = {
    toolDigest: `sha256:${'c'.repeat(64)}`,
    effect: 'write',
    reversible: false,
    hosts: [],
    artifacts: [],
  } as const;
  return { toolCallId: `m-${tool}`, tool, arguments: given, problem: null, question: null, ...facts, ...more };
}

export function ask(text: string, options: readonly string[] | null = null): ProposedCall {
  return write(
    'human.ask',
    { text },
    { effect: 'read', question: { text, options, answerSchema: null, dueInMs: null, onDue: { kind: 'incident' } } },
  );
}
