import { AgentCatalogue, AgentRuntimePort, definePlugin, type Plugin, ToolPinPort } from '@countersign/core';
import type { AgentTurnJob, CallOutcome } from '@countersign/core/plugin';
import type { AgentTurn, ProposedCall } from '@countersign/model';
import { injectable } from 'inversify';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const BUDGET = { turns: 10, toolCalls: 10, tokens: null, costMicros: null, onExhausted: 'question' } as const;

/** The text of the question that the agent asks. */
export const QUESTION = 'Which colour?';

const QUESTION_CALL: ProposedCall = {
  tool: 'human.ask',
  toolDigest: DIGEST,
  effect: 'read',
  reversible: false,
  hosts: [],
  artifacts: [],
  toolCallId: '1',
  arguments: {},
  problem: null,
  question: {
    text: QUESTION,
    options: ['red', 'green'],
    answerSchema: null,
    dueInMs: null,
    onDue: { kind: 'continue', answer: null },
  },
};

/** An agent without a language model: it asks a question in its first turn, and has finished in the second. */
@injectable()
class AskingAgent implements AgentRuntimePort, AgentCatalogue, ToolPinPort {
  async runTurn({ headers, state }: AgentTurnJob): Promise<AgentTurn> {
    const isFirst = state === null;
    return {
      agent: headers['agent'] ?? '',
      definitionDigest: DIGEST,
      provider: 'none',
      model: 'none',
      requestDigest: DIGEST,
      text: null,
      calls: isFirst ? [QUESTION_CALL] : [],
      opaque: null,
      usage: { inputTokens: 1, outputTokens: 1, costMicros: 0 },
      budget: BUDGET,
      taint: [],
      final: isFirst ? null : { output: { asked: true } },
    };
  }

  executeCall(): Promise<CallOutcome> {
    return Promise.reject(new Error('The agent calls no tools.'));
  }

  proposeCall(): ProposedCall {
    return QUESTION_CALL;
  }

  agents(): [] {
    return [];
  }

  tools(): [] {
    return [];
  }

  async list(): Promise<[]> {
    return [];
  }

  acceptTool(): never {
    throw new Error('There are no tools.');
  }
}

export const askingAgentPlugin: Plugin = definePlugin({
  id: 'asking-agent',
  register({ bind }) {
    bind(AgentRuntimePort, AskingAgent);
    bind(AgentCatalogue, AskingAgent);
    bind(ToolPinPort, AskingAgent);
  },
});

/** Returns the service task `ask` of the agent. */
export const AGENT_TASK =
  '<bpmn:serviceTask id="ask"><bpmn:extensionElements><zeebe:taskDefinition type="agent" /><zeebe:taskHeaders>' +
  '<zeebe:header key="agent" value="asker" /><zeebe:header key="tools" value="human.ask" />' +
  '</zeebe:taskHeaders></bpmn:extensionElements></bpmn:serviceTask>';
