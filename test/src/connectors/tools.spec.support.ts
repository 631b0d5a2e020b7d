import { createHost, type JsonObject, type Plugin } from '@countersign/core';
import { type RunArtifacts, type ToolCall, ToolContribution, type ToolOutput } from '@countersign/core/plugin';
import { outboundHttpPlugin } from '@countersign/outbound-http';

/** Tools of a plugin, created as in a host. */
export interface ToolBench {
  tool(name: string): ToolContribution;
  /** Returns whether the schema accepts the arguments. */
  acceptsInput(name: string, input: unknown): boolean;
  /** Makes a call with arguments that the schema accepts. */
  call<Content>(name: string, input: object, overrides?: Partial<ToolCall>): Promise<ToolOutput<Content>>;
  /** Makes a call that must fail, and returns its error. */
  callAndGetError(name: string, input: object, overrides?: Partial<ToolCall>): Promise<Error>;
}

const NO_ARTIFACTS: RunArtifacts = {
  list: async () => [],
  read: async () => undefined,
  put: async () => {
    throw new Error('Tools must not store artifacts in these tests.');
  },
};

export function createToolBench(plugin: Plugin, content: JsonObject): ToolBench {
  const host = createHost({
    plugins: [outboundHttpPlugin, plugin],
    configuration: { file: { path: '/countersign.config.yaml', content } },
  });
  const tools = new Map(host.getAll(ToolContribution).map((tool) => [tool.name, tool]));
  const bench: ToolBench = {
    tool: (name) => {
      const found = tools.get(name);
      if (found === undefined) throw new Error(`There is no tool "${name}".`);
      return found;
    },
    acceptsInput: (name, input) => bench.tool(name).input.safeParse(input).success,
    call: (name, input, overrides = {}) => {
      const tool = bench.tool(name);
      return tool.call(tool.input.parse(input), buildToolCall(overrides)) as Promise<ToolOutput<never>>;
    },
    callAndGetError: async (name, input, overrides) => {
      const result: unknown = await bench.call(name, input, overrides).catch((error: unknown) => error);
      if (result instanceof Error) return result;
      throw new Error('Expected the call to fail, but it succeeded.', { cause: result });
    },
  };
  return bench;
}

export function buildToolCall(overrides: Partial<ToolCall> = {}): ToolCall {
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
