import { createHost, type JsonObject, type Plugin } from '@countersign/core';
import { type RunArtifacts, type ToolCall, ToolContribution, type ToolOutput } from '@countersign/core/plugin';
import { outboundHttpPlugin } from '@countersign/outbound-http';

/** Tools of a plugin, created like a host creates them. */
export interface ToolBench {
  tool(name: string): ToolContribution;
  /** Whether the schema accepts the arguments. */
  acceptsInput(name: string, input: unknown): boolean;
  /** Makes a call with arguments that the schema accepts. */
  call<Content>(name: string, input: object, overrides?: Partial<ToolCall>): Promise<ToolOutput<Content>>;
  /** Returns the error of a refused call. */
  callAndGetError(name: string, input: object, overrides?: Partial<ToolCall>): Promise<Error>;
}

const NO_ARTIFACTS: RunArtifacts = {
  list: async () => [],
  read: async () => undefined,
  put: async () => {
    throw new Error('this tool has nothing to store');
  },
};

export function toolBench(plugin: Plugin, content: JsonObject): ToolBench {
  const host = createHost({
    plugins: [outboundHttpPlugin, plugin],
    configuration: { file: { path: '/countersign.config.yaml', content } },
  });
  const tools = new Map(host.getAll(ToolContribution).map((tool) => [tool.name, tool]));
  const bench: ToolBench = {
    tool: (name) => {
      const found = tools.get(name);
      if (found === undefined) throw new Error(`no tool is named ${name}`);
      return found;
    },
    acceptsInput: (name, input) => bench.tool(name).input.safeParse(input).success,
    call: (name, input, overrides = {}) => {
      const tool = bench.tool(name);
      return tool.call(tool.input.parse(input), toolCall(overrides)) as Promise<ToolOutput<never>>;
    },
    callAndGetError: async (name, input, overrides) => {
      const outcome: unknown = await bench.call(name, input, overrides).catch((error: unknown) => error);
      if (outcome instanceof Error) return outcome;
      throw new Error('It was not refused.', { cause: outcome });
    },
  };
  return bench;
}

export function toolCall(overrides: Partial<ToolCall> = {}): ToolCall {
  return {
    idempotencyKey: '01890000-0000-7000-8000-000000000001',
    runId: 'run',
    workflowId: 'workflow',
    elementId: 'task',
    stepId: 'step',
    agentName: 'clerk',
    attempt: 1,
    signal: new AbortController().signal,
    variables: {},
    inputs: {},
    taints: {},
    artifacts: NO_ARTIFACTS,
    ...overrides,
  };
}
