import {
  type AgentCallJob,
  AgentRuntimePort,
  type AgentTurnJob,
  type CallOutcome,
  definePlugin,
  type Plugin,
} from '@countersign/core/plugin';
import type { AgentTurn, ProposedCall } from '@countersign/model';
import { injectable } from 'inversify';
import type pg from 'pg';

/** Calls that the agent proposes in its first turn; its second turn is the last. */
const CALLS: readonly ProposedCall[] = [
  call('note', 'write'),
  call('note', 'write'),
  call('report', 'write'),
  call('changing', 'read'),
  call('lost', 'write'),
  {
    ...call('human.ask', 'read'),
    question: {
      text: 'Which version?',
      options: ['1', '2'],
      answerSchema: null,
      dueInMs: null,
      onDue: { kind: 'incident' },
    },
  },
];

function call(tool: string, effect: 'read' | 'write'): ProposedCall {
  return {
    toolCallId: `m-${tool}`,
    tool,
    toolDigest: 'sha256:first',
    effect,
    reversible: false,
    hosts: [],
    artifacts: [],
    arguments: {},
    problem: null,
    question: null,
  };
}

/**
 * Creates a plugin with an agent whose calls record effects under their call ids in the side table of jobs. The table
 * accepts each effect only once. A repeated call therefore fails, unless it was reported as a possible repeat.
 */
export function createEffectAgentsPlugin(effects: pg.Pool): Plugin {
  class Runtime implements AgentRuntimePort {
    async runTurn({ state }: AgentTurnJob): Promise<AgentTurn> {
      const isFirst = state === null;
      return {
        agent: 'noter',
        definitionDigest: 'sha256:agent',
        provider: 'none',
        model: 'none',
        requestDigest: 'sha256:request',
        text: null,
        calls: isFirst ? CALLS : [],
        opaque: null,
        usage: { inputTokens: 1, outputTokens: 1, costMicros: null },
        budget: { turns: 20, toolCalls: 20, tokens: null, costMicros: null, onExhausted: 'incident' },
        taint: [],
        final: isFirst ? null : { output: { noted: true } },
      };
    }

    async executeCall(job: AgentCallJob): Promise<CallOutcome> {
      const { call: toolCall, isRedelivered, runId, elementId } = job;
      if (toolCall.tool === 'changing' && toolCall.toolDigest === 'sha256:first')
        return { kind: 'changed', call: { ...toolCall, toolDigest: 'sha256:second' } };
      if (toolCall.tool === 'lost') return { kind: 'unknown', message: 'The outcome is unknown.' };
      const { rowCount } = await effects.query('INSERT INTO effects VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
        toolCall.callId,
        runId,
        `${elementId} ${toolCall.tool}`,
        process.pid,
      ]);
      // This also applies if the worker that started the call is slow and about to lose its lease.
      if (rowCount === 0 && !isRedelivered)
        throw new Error(`The call ${toolCall.callId} was repeated, although it was not reported as a possible repeat.`);
      if (toolCall.tool === 'report') await job.artifacts.put('report.txt', `Report of ${runId}`, 'text/plain');
      return { kind: 'result', result: { content: 'made', isError: false, taint: [] } };
    }

    proposeCall(): ProposedCall {
      throw new Error('Calls cannot be edited here.');
    }
  }
  injectable()(Runtime);
  return definePlugin({ id: 'effect-agents', register: ({ bind }) => bind(AgentRuntimePort, Runtime) });
}
