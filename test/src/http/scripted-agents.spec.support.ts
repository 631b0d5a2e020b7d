import {
  AgentCatalogue,
  type AvailableAgent,
  AgentRuntimePort,
  ApiError,
  definePlugin,
  type Plugin,
  type AvailableTool,
  type ToolPin,
  ToolPinPort,
} from '@countersign/core';
import type { AgentCallJob, AgentTurnJob, CallOutcome, Json, JsonObject } from '@countersign/core/plugin';
import type { Actor, AgentCall, AgentTurn, ProposedCall, QuestionDraft } from '@countersign/model';
import { processModel } from '@countersign/testing';
import { injectable } from 'inversify';

export const createDigest = (letter: string): string => `sha256:${letter.repeat(64)}`;

/** Response of the language model in a turn: calls, the output, or the problems of an invalid output. */
export type ScriptedTurn =
  | { readonly text?: string; readonly calls: readonly ScriptedCall[]; readonly taint?: readonly string[] }
  | { readonly output: JsonObject }
  | { readonly problems: readonly string[] };
export interface ScriptedCall {
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly question?: Partial<QuestionDraft>;
  readonly problem?: ProposedCall['problem'];
}

/**
 * Agent runtime whose language models are functions of the turn. Its tools are `note` (writes; `text` is a string),
 * `look` (reads) and `human.ask`; it records the calls that it executes.
 */
export class ScriptedAgents {
  readonly executedCalls: Pick<AgentCall, 'tool' | 'arguments' | 'callId'>[] = [];
  /** Functions that return the outcome of a call, by tool. */
  readonly results = new Map<string, (call: AgentCallJob) => Promise<CallOutcome> | CallOutcome>();
  readonly pins: ToolPin[] = [];
  readonly budget: AgentTurn['budget'] = {
    turns: 10,
    toolCalls: 10,
    tokens: null,
    costMicros: null,
    onExhausted: 'question',
  };

  constructor(
    private readonly models: Record<string, (turn: number, job: AgentTurnJob) => ScriptedTurn | Promise<ScriptedTurn>>,
  ) {}

  plugin(): Plugin {
    const takeTurn = (job: AgentTurnJob): Promise<AgentTurn> => this.takeTurn(job);
    const makeCall = (job: AgentCallJob): Promise<CallOutcome> => this.makeCall(job);
    const { pins } = this;
    const agents = (): AvailableAgent[] =>
      Object.keys(this.models)
        .sort()
        .map((name) => this.createAvailableAgent(name));
    class Runtime implements AgentRuntimePort {
      readonly runTurn = takeTurn;
      readonly executeCall = makeCall;
      readonly proposeCall = proposeEditedCall;
    }
    class Catalogue implements AgentCatalogue {
      readonly agents = agents;
      tools(): AvailableTool[] {
        return ['note', 'look', 'human.ask'].sort().map((name) => ({ name, source: 'builtin', ...describeTool(name) }));
      }
    }
    class Pins implements ToolPinPort {
      async list(): Promise<ToolPin[]> {
        return pins;
      }

      async acceptTool(name: string, accepted: string, actor: Actor): Promise<ToolPin> {
        const index = pins.findIndex((pin) => pin.name === name);
        if (index < 0) throw new ApiError('tool_not_found', 'The tool does not exist.');
        if (pins[index]?.offered?.digest !== accepted)
          throw new ApiError('stale_digest', 'The digest is not the current one.');
        const pin = { ...pins[index]!, accepted: { digest: accepted, at: 0, by: actor.id }, stopped: null };
        pins[index] = pin;
        return pin;
      }
    }
    for (const each of [Runtime, Catalogue, Pins]) injectable()(each);
    return definePlugin({
      id: 'scripted-agents',
      register({ bind }) {
        bind(AgentRuntimePort, Runtime);
        bind(AgentCatalogue, Catalogue);
        bind(ToolPinPort, Pins);
      },
    });
  }

  private createAvailableAgent(name: string): AvailableAgent {
    const model = { provider: 'scripted', name, temperature: null, maxOutputTokens: 100, timeoutMs: 1_000 };
    return {
      digest: createDigest('d'),
      definition: {
        name,
        description: null,
        model,
        system: 'Secret instructions.',
        tools: ['note', 'look', 'human.ask'],
        outputSchema: null,
        budget: this.budget,
      },
    };
  }

  private async takeTurn(job: AgentTurnJob): Promise<AgentTurn> {
    const agent = job.headers['agent'] ?? '';
    const turn = (job.state?.turns ?? 0) + 1;
    const scriptedTurn = (await this.models[agent]?.(turn, job)) ?? { output: {} };
    const { budget } = this;
    const shared = {
      agent,
      definitionDigest: createDigest('d'),
      provider: 'scripted',
      model: agent,
      requestDigest: createDigest('e'),
      opaque: null,
      usage: { inputTokens: 7, outputTokens: 3, costMicros: 2 },
      budget,
      taint: [],
    };
    if (!('calls' in scriptedTurn)) return { ...shared, text: null, calls: [], final: scriptedTurn };
    return {
      ...shared,
      taint: scriptedTurn.taint ?? [],
      text: scriptedTurn.text ?? null,
      calls: scriptedTurn.calls.map((scriptedCall, index) => toProposedCall(scriptedCall, `${turn}.${index}`)),
      final: null,
    };
  }

  private async makeCall(job: AgentCallJob): Promise<CallOutcome> {
    const { tool, arguments: toolArguments, callId } = job.call;
    this.executedCalls.push({ tool, arguments: toolArguments, callId });
    const outcome = this.results.get(tool);
    return outcome === undefined ? toResult(`made ${tool}`) : outcome(job);
  }
}

export function toResult(content: Json): CallOutcome {
  return { kind: 'result', result: { content, isError: false, taint: [] } };
}

const NOTE_SCHEMA: JsonObject = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', title: 'Text of the note' } },
};

function describeTool(name: string): Omit<AvailableTool, 'name' | 'source'> {
  return {
    description: `Description of ${name}.`,
    inputSchema: name === 'note' ? NOTE_SCHEMA : { type: 'object' },
    effect: name === 'note' ? 'write' : 'read',
    reversible: false,
    digest: createDigest('f'),
  };
}

function toProposedCall(scriptedCall: ScriptedCall, toolCallId: string): ProposedCall {
  const { tool, arguments: toolArguments = {}, question, problem = null } = scriptedCall;
  const { effect, reversible } = describeTool(tool);
  const questionDraft: QuestionDraft = {
    text: 'What now?',
    options: null,
    answerSchema: null,
    dueInMs: null,
    onDue: { kind: 'continue', answer: null },
    ...question,
  };
  return {
    tool,
    toolDigest: createDigest('f'),
    effect,
    reversible,
    hosts: tool === 'note' ? ['notes.example.org'] : [],
    artifacts: [],
    toolCallId,
    arguments: toolArguments,
    problem,
    question: tool === 'human.ask' ? questionDraft : null,
  };
}

function proposeEditedCall(call: AgentCall, edited: JsonObject): ProposedCall {
  if (typeof edited['text'] !== 'string' || Object.keys(edited).length > 1) {
    throw new ApiError('validation_failed', 'The tool does not accept these arguments.', {
      errors: [{ pointer: '/arguments/text', code: 'invalid_type', message: 'Must be a string.' }],
    });
  }
  const { toolCallId, tool } = call;
  return toProposedCall({ tool, arguments: edited }, toolCallId);
}

/** Returns a process with a single agent task. */
export function agentModel(id: string, agent: string, headers = '', extensions = ''): string {
  const task =
    `<bpmn:serviceTask id="work" name="Work"><bpmn:extensionElements><zeebe:taskDefinition type="agent" />` +
    `<zeebe:taskHeaders><zeebe:header key="agent" value="${agent}" /><zeebe:header key="tools" value="note, look, human.ask" />${headers}</zeebe:taskHeaders>${extensions}</bpmn:extensionElements></bpmn:serviceTask>`;
  return processModel(
    id,
    `<bpmn:startEvent id="start" />${task}<bpmn:endEvent id="end" />`,
    'start > work',
    'work > end',
  );
}
