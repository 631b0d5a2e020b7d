import 'reflect-metadata';
import { Container } from 'inversify';
import {
  type AgentCall,
  type AgentDefinition,
  type AgentState,
  canonicalJson,
  type Json,
  type JsonObject,
  type RunEvent,
  type RunEventType,
  sha256Hex,
} from '@countersign/model';
import {
  ModelProviderContribution,
  type ModelCompletion,
  type ModelCall,
  type ModelRequest,
} from '../../contributions/model-provider.js';
import { ToolContribution } from '../../contributions/tool.js';
import { ToolSourceContribution } from '../../contributions/tool-source.js';
import type { AgentCallJob, AgentTurnJob } from '../../ports/agent-runtime.js';
import { DefinitionStore, type Definition } from '../../ports/definitions.js';
import { LoggerPort } from '../../ports/logger.js';
import { AgentDefinitions } from './agent-definitions.js';
import { AgentSettings } from './agent-settings.js';
import { BuiltInAgentRuntime } from './built-in-agent-runtime.js';
import { KnownSecrets } from '../../ports/known-secrets.js';

export const DEFINITION: AgentDefinition = {
  name: 'triage',
  description: null,
  model: { provider: 'fake', name: 'fake-1', temperature: null, maxOutputTokens: 1_000, timeoutMs: 5_000 },
  system: 'You sort issues.',
  tools: ['human.ask', 'notes.read', 'notes.write'],
  outputSchema: null,
  budget: { turns: 20, toolCalls: 50, tokens: 200_000, costMicros: null, onExhausted: 'question' },
};

/** A language model that returns prepared responses and records its requests. */
export class FakeModel implements ModelProviderContribution {
  readonly id = 'fake';
  readonly requests: ModelRequest[] = [];
  respond: (request: ModelRequest, call: ModelCall) => Promise<ModelCompletion> | ModelCompletion = () =>
    createTextCompletion('done');
  prices = new Map<string, { input: number; output: number }>();

  async complete(request: ModelRequest, call: ModelCall): Promise<ModelCompletion> {
    this.requests.push(request);
    return this.respond(request, call);
  }

  check(): Promise<string> {
    return Promise.resolve('The provider responds.');
  }

  price(model: string) {
    return this.prices.get(model);
  }
}

export function createTextCompletion(text: string | null, overrides: Partial<ModelCompletion> = {}): ModelCompletion {
  return {
    text,
    calls: [],
    stop: 'end',
    usage: { inputTokens: 10, outputTokens: 5 },
    model: 'fake-1-2026',
    opaque: null,
    ...overrides,
  };
}

export function createToolCallCompletion(
  ...calls: readonly { readonly name: string; readonly arguments: Json; readonly id?: string }[]
): ModelCompletion {
  return createTextCompletion(null, {
    stop: 'calls',
    calls: calls.map(({ id, name, arguments: callArguments }, index) => ({
      id: id ?? `t${index + 1}`,
      name,
      arguments: callArguments,
    })),
  });
}

/** An in-memory definition store. */
export class FakeDefinitionStore implements DefinitionStore {
  readonly definitionsByKey = new Map<string, Definition>();

  async saveDefinitions(definitions: readonly Definition[]): Promise<void> {
    for (const definition of definitions)
      this.definitionsByKey.set(`${definition.kind} ${definition.digest}`, definition);
  }

  async findDefinition(kind: Definition['kind'], digest: string): Promise<Definition | undefined> {
    return this.definitionsByKey.get(`${kind} ${digest}`);
  }
}

export interface AgentRuntimeOptions {
  readonly definitions?: readonly AgentDefinition[];
  readonly tools?: readonly ToolContribution[];
  readonly sources?: readonly ToolSourceContribution[];
  readonly secrets?: KnownSecrets;
  readonly toolTimeoutMs?: number;
  readonly directories?: readonly string[];
}

/** Creates the built-in agent runtime with fake dependencies. */
export async function createAgentRuntime(options: AgentRuntimeOptions = {}) {
  const container = new Container({ defaultScope: 'Singleton', autobind: true });
  const model = new FakeModel();
  const store = new FakeDefinitionStore();
  const logged: string[] = [];
  const log = (_fields: object, message: string): void => void logged.push(message);
  container.bind(ModelProviderContribution).toConstantValue(model);
  for (const tool of options.tools ?? []) container.bind(ToolContribution).toConstantValue(tool);
  for (const source of options.sources ?? []) container.bind(ToolSourceContribution).toConstantValue(source);
  container.bind(DefinitionStore).toConstantValue(store);
  container.bind(KnownSecrets).toConstantValue(options.secrets ?? { current: [] });
  container.bind(AgentSettings).toConstantValue({
    directories: options.directories ?? [],
    defaultModel: undefined,
    toolTimeoutMs: options.toolTimeoutMs ?? 5_000,
  });
  container.bind(LoggerPort).toConstantValue({ debug: log, info: log, warn: log, error: log });
  await container.get(AgentDefinitions).activate(
    (options.definitions ?? [DEFINITION]).map((definition) => ({
      definition,
      digest: computeDefinitionDigest(definition),
      file: 'agents/triage.yaml',
      findLine: () => 1,
    })),
  );
  return { runtime: container.get(BuiltInAgentRuntime), model, store, logged, container };
}

export function computeDefinitionDigest(definition: AgentDefinition): string {
  return `sha256:${sha256Hex(canonicalJson(definition))}`;
}

const BASE_JOB = {
  jobId: 'job-1',
  runId: 'run-1',
  workflowId: 'workflow',
  stepId: 'step-1',
  elementId: 'Agent',
  attempt: 1,
  variables: {},
  inputs: {},
  taints: {},
  toolConstraints: null,
  artifacts: {
    list: () => Promise.resolve([]),
    read: () => Promise.resolve(undefined),
    put: () => Promise.reject(new Error('artifacts are not available in this test')),
  },
};

export function createTurnJob(overrides: Partial<AgentTurnJob> = {}): AgentTurnJob {
  return {
    ...BASE_JOB,
    headers: { agent: 'triage', prompt: 'Sort this issue.' },
    signal: new AbortController().signal,
    state: null,
    loadHistory: () => Promise.resolve([]),
    reportDiscarded: () => undefined,
    ...overrides,
  };
}

export function createCallJob(call: AgentCall, overrides: Partial<AgentCallJob> = {}): AgentCallJob {
  return {
    ...BASE_JOB,
    headers: { agent: 'triage' },
    signal: new AbortController().signal,
    state: createAgentState(),
    call,
    isRedelivered: false,
    ...overrides,
  };
}

export function createAgentState(definition: AgentDefinition = DEFINITION): AgentState {
  return {
    agent: definition.name,
    definitionDigest: computeDefinitionDigest(definition),
    turns: 1,
    toolCalls: 1,
    usage: { inputTokens: 10, outputTokens: 5, costMicros: null },
    budget: definition.budget,
    extensions: 0,
    taint: [],
    calls: [],
  };
}

/** Builds the recorded events of one step from drafts. */
export function buildHistory(
  ...drafts: readonly { readonly type: RunEventType; readonly data: object; readonly private: object | null }[]
): RunEvent[] {
  return drafts.map(({ type, data, private: privateData }, index) => ({
    seq: index + 1,
    at: 1_000 + index,
    type,
    stepId: 'step-1',
    elementId: 'Agent',
    data: data as JsonObject,
    private: privateData as JsonObject | null,
    salt: null,
    commitment: null,
    previousHash: '',
    hash: '',
  }));
}
