import { createHost, type JsonObject, type LoggerPort, type Plugin } from '@countersign/core';
import {
  isModelError,
  type ModelCall,
  type ModelError,
  ModelProviderContribution,
  type ModelRequest,
} from '@countersign/core/plugin';

/** Creates a host with only one plugin, and records its log. */
export function createModelHost(plugin: Plugin, configuration: JsonObject) {
  const logged: string[] = [];
  const log = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const logger: LoggerPort = { debug: log, info: log, warn: log, error: log };
  const host = createHost({
    plugins: [plugin],
    configuration: { file: { path: '/countersign.config.yaml', content: { Models: configuration } } },
    logger,
  });
  return {
    host,
    logged,
    /** Returns the provider with this name in agent definitions. */
    provider: (id: string): ModelProviderContribution => {
      const found = host.getAll(ModelProviderContribution).find((provider) => provider.id === id);
      if (found === undefined) throw new Error(`There is no provider "${id}".`);
      return found;
    },
  };
}

export function call(overrides: Partial<ModelCall> = {}): ModelCall {
  return { signal: new AbortController().signal, idempotencyKey: 'turn-1', ...overrides };
}

export function request(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'm',
    system: 'You sort issues.',
    messages: [{ role: 'user', text: 'Sort it.' }],
    tools: [],
    outputSchema: null,
    temperature: null,
    maxOutputTokens: 100,
    ...overrides,
  };
}

/** Returns the error of a failed request to a language model. */
export async function captureModelError(promise: Promise<unknown>): Promise<ModelError> {
  const outcome: unknown = await promise.catch((error: unknown) => error);
  if (isModelError(outcome)) return outcome;
  throw new Error('Expected a model error.', { cause: outcome });
}
