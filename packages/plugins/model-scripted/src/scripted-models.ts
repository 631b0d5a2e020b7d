import { setTimeout as wait } from 'node:timers/promises';
import { truncateText } from '@countersign/model';
import { inject, injectable } from 'inversify';
import {
  type LifecycleContribution,
  type ModelCompletion,
  type ModelCall,
  ModelError,
  type ModelPrice,
  type ModelProviderContribution,
  type ModelRequest,
} from '@countersign/core/plugin';
import { buildInstructionResponse, buildScriptedResponse } from './build-response.js';
import { ScriptedModelsConfiguration } from './configuration.js';
import { Conversation } from './conversation.js';
import { MissingValueError } from './fill-values.js';
import { loadScripts } from './load-scripts.js';
import { matchesConditions } from './matches-conditions.js';
import { findNextInstruction } from './find-next-instruction.js';
import type { Rule, Script } from './script.js';

/**
 * Language models with scripted responses, for examples and tests. A response depends only on the request, so every
 * process returns the same response to the same request. If no rule responds, the request fails.
 */
@injectable()
export class ScriptedModels implements ModelProviderContribution, LifecycleContribution {
  readonly id = 'scripted';
  readonly name = 'model-scripted';
  private scripts: ReadonlyMap<string, Script> = new Map();

  constructor(@inject(ScriptedModelsConfiguration) private readonly configuration: ScriptedModelsConfiguration) {}

  /**
   * Loads the scripts.
   *
   * @throws {StartupError} `model_scripts_invalid` if any script is invalid, because a server does not start with
   *   only some of its scripts
   */
  async start(): Promise<void> {
    const { Directory, File } = this.configuration.Models.Scripted;
    this.scripts = await loadScripts(Directory, File);
  }

  async stop(): Promise<void> {
    // There are no resources to release.
  }

  async complete(request: ModelRequest, { signal }: ModelCall): Promise<ModelCompletion> {
    signal.throwIfAborted();
    const script = this.scripts.get(request.model);
    if (script === undefined)
      throw requestRefused(`There is no script for the language model "${request.model}". ${this.describeScripts()}`);
    const conversation = new Conversation(request);
    try {
      for (const rule of script.rules) {
        const response = matchesConditions(rule.when, conversation)
          ? await applyRule(rule, conversation, signal)
          : undefined;
        if (response !== undefined) return response;
      }
    } catch (error) {
      if (error instanceof MissingValueError)
        throw requestRefused(
          `The script of the language model "${request.model}" refers to "${error.reference}", which does not exist. ${describeRequest(conversation)}`,
        );
      throw error;
    }
    throw requestRefused(
      `No rule in the script of the language model "${request.model}" matches. ${describeRequest(conversation)}`,
    );
  }

  async check(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    return this.describeScripts();
  }

  price(model: string): ModelPrice | undefined {
    return this.scripts.get(model)?.price;
  }

  private describeScripts(): string {
    const names = [...this.scripts.keys()];
    return names.length === 0
      ? 'There are no scripts.'
      : `There are scripts for ${names.map((name) => `"${name}"`).join(', ')}.`;
  }
}

async function applyRule(
  rule: Rule,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<ModelCompletion | undefined> {
  if ('fail' in rule)
    throw new ModelError(rule.fail.code, rule.fail.message, rule.fail.retryable, rule.fail.retryAfterMs);
  if ('obey' in rule) {
    const instruction = findNextInstruction(conversation);
    return instruction === undefined ? undefined : buildInstructionResponse(instruction, conversation);
  }
  const { delayMs } = rule.answer;
  if (delayMs > 0) await delay(delayMs, signal);
  return buildScriptedResponse(rule.answer, conversation);
}

/**
 * Waits for the delay.
 *
 * @throws the abort reason of the signal, if it is aborted
 */
async function delay(delayMs: number, signal: AbortSignal): Promise<void> {
  await wait(delayMs, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

/** Describes the request for the author of the script. */
function describeRequest(conversation: Conversation): string {
  const { turn, lastResults, request } = conversation;
  const results = lastResults.map(
    ({ tool, content, isError }) => `${tool}${isError ? ' (error)' : ''}: ${excerpt(content)}`,
  );
  const lastInput =
    results.length > 0
      ? `the results ${results.join('; ')}`
      : `the message ${excerpt(conversation.listPrompts().at(-1) ?? '')}`;
  return `This is turn ${turn}. Tools: ${request.tools.map(({ name }) => name).join(', ') || 'none'}. The language model received ${lastInput}.`;
}

const EXCERPT_LENGTH = 400;

function excerpt(text: string): string {
  return JSON.stringify(truncateText(text, EXCERPT_LENGTH));
}

function requestRefused(message: string): ModelError {
  return new ModelError('model_request_refused', message, false);
}
