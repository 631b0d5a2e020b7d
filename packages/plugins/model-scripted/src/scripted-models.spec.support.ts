import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, ModelCompletion, ModelCall, ModelMessage, ModelRequest } from '@countersign/core/plugin';
import { ScriptedModels } from './scripted-models.js';

/** Scripts of one test, removed after the test. */
export class Scripts {
  private directory: string | undefined;

  async write(name: string, content: Json | string): Promise<string> {
    this.directory ??= await mkdtemp(join(tmpdir(), 'countersign-scripts-'));
    const path = join(this.directory, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  async startModels(): Promise<ScriptedModels> {
    const models = new ScriptedModels({ Models: { Scripted: { Directory: this.directory } } });
    await models.start();
    return models;
  }

  /** Starts the language model "m" with these rules. */
  async startModel(rules: Json): Promise<ScriptedModels> {
    await this.write('m.json', { rules });
    return this.startModels();
  }

  async remove(): Promise<void> {
    if (this.directory !== undefined) await rm(this.directory, { recursive: true });
  }
}

export const CALL: ModelCall = { signal: new AbortController().signal, idempotencyKey: 'k' };

export function createRequest(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'm',
    system: 'You sort issues.',
    messages: [{ role: 'user', text: 'Sort it. {"issue": {"number": 7, "labels": ["a/b", "x"]}}' }],
    tools: ['issue_read', 'issue_label'].map((name) => ({
      name,
      description: `Does ${name}.`,
      inputSchema: { type: 'object' },
    })),
    outputSchema: null,
    temperature: null,
    maxOutputTokens: 1_000,
    ...overrides,
  };
}

/** Returns the request that follows a completion whose calls had these results. */
export function createFollowUpRequest(
  previousRequest: ModelRequest,
  response: ModelCompletion,
  ...contents: readonly (string | { readonly error: string })[]
): ModelRequest {
  const { text, calls, opaque } = response;
  const results = calls.map(({ id }, index) => {
    const content = contents[index] ?? 'ok';
    return typeof content === 'string'
      ? { callId: id, content, isError: false }
      : { callId: id, content: content.error, isError: true };
  });
  const assistantMessage: ModelMessage = { role: 'assistant', text, calls, opaque };
  return {
    ...previousRequest,
    messages: [
      ...previousRequest.messages,
      assistantMessage,
      ...(results.length === 0 ? [] : [{ role: 'tool' as const, results }]),
    ],
  };
}
