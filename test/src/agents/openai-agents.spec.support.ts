import { modelOpenaiPlugin } from '@countersign/model-openai';
import { FakeOpenAiServer } from '@countersign/testing';
import { startAgentHost, type AgentHostOptions, type AgentHost } from './agent-host.spec.support.js';

const KEY = 'sk-test-0123456789';

export interface OpenAiAgents extends AgentHost {
  /** The API of the language model. */
  readonly wire: FakeOpenAiServer;
}

export interface OpenAiAgentsOptions extends Omit<AgentHostOptions, 'agents'> {
  /** Definitions by agent name; all agents use the same language model. */
  readonly definitions: Readonly<Record<string, object>>;
  /** Prices per million tokens, by name of the language model. */
  readonly prices?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Starts a server whose agents use the language model `m` of the OpenAI API. Closing it also closes the API. */
export async function startOpenAiAgents({
  definitions,
  prices = {},
  plugins = [],
  configuration = {},
  ...hostOptions
}: OpenAiAgentsOptions): Promise<OpenAiAgents> {
  const wire = new FakeOpenAiServer(KEY);
  const model = { provider: 'openai', name: 'm', timeout: 'PT20S' };
  const script = { rules: [{ answer: { text: 'Never requested.' } }] };
  const host = await startAgentHost({
    agents: Object.fromEntries(
      Object.entries(definitions).map(([name, definition]) => [name, { definition: { model, ...definition }, script }]),
    ),
    plugins: [...plugins, modelOpenaiPlugin],
    configuration: {
      ...configuration,
      Models: { OpenAI: { BaseUrl: `${await wire.listen()}/v1`, ApiKey: KEY, MaxRetries: 0, Prices: prices } },
    },
    ...hostOptions,
  });
  return {
    ...host,
    wire,
    close: async () => {
      await host.close();
      await wire.close();
    },
  };
}
