import { describeInexactNumber } from '@countersign/bpmn';
import {
  type AgentBudget,
  type AgentDefinition,
  readAgentName,
  InexactNumberError,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  formatSuggestion,
} from '@countersign/model';
import { TerminalFailure } from '../../contributions/job-handler.js';
import type { AgentTurnJob } from '../../ports/agent-runtime.js';
import { findOutputSchemaError } from './agent-file.js';
import { toMicros } from './money.js';

/**
 * Settings of an agent in one step: its definition with the overrides of the task, narrowed by the task and the policy.
 */
export interface StepSettings {
  readonly system: string;
  /** JSON Schema of the output; `null` for text. */
  readonly outputSchema: JsonObject | null;
  readonly prompt: string;
  /** Inputs that the language model receives, without the prompt. */
  readonly inputs: JsonObject;
  readonly model: string;
  readonly tools: readonly string[];
  readonly budget: AgentBudget;
}

const BUDGET_HEADERS = ['budget.turns', 'budget.toolCalls', 'budget.tokens', 'budget.cost'];
const SUPPORTED_HEADERS = [
  'agent',
  'prompt',
  'system',
  'outputSchema',
  'tools',
  'resultVariable',
  'model',
  ...BUDGET_HEADERS,
];
const MAX_SYSTEM_CHARACTERS = 100_000;

/**
 * Returns the agent name in a task's headers.
 *
 * @throws {TerminalFailure} `agent_not_named`
 */
export function requireAgentName(headers: AgentTurnJob['headers']): string {
  const name = readAgentName(headers);
  if (name !== null) return name;
  throw new TerminalFailure(
    'agent_not_named',
    'The task does not name an agent. Add the task header "agent" with the name of an agent.',
  );
}

/**
 * Combines a definition with the headers of a task. A task may narrow what the definition allows (`tools`, `model`,
 * `budget.…`), but never widen it. Instructions (`system`, `prompt`) and the output format (`outputSchema`) grant
 * nothing, so a task may override them.
 *
 * @throws {TerminalFailure} `agent_header_invalid`, `agent_tool_not_defined`, `agent_prompt_missing`
 */
export function resolveStepSettings(
  definition: AgentDefinition,
  { headers, inputs, toolConstraints }: Pick<AgentTurnJob, 'headers' | 'inputs' | 'toolConstraints'>,
): StepSettings {
  rejectMisspelledHeaders(headers);
  const prompt = readHeader(headers, 'prompt');
  return {
    ...(prompt === undefined ? extractPrompt(inputs) : { prompt, inputs }),
    system: resolveSystemPrompt(definition, readHeader(headers, 'system')),
    outputSchema: resolveOutputSchema(definition, readHeader(headers, 'outputSchema')),
    model: resolveModel(definition, readHeader(headers, 'model')),
    tools: resolveTools(definition, readHeader(headers, 'tools')).filter((tool) => {
      if (toolConstraints === null) return true;
      const { allowed, denied } = toolConstraints;
      // If the policy lists no allowed tools, it restricts only the denied ones; it is still evaluated for each call.
      return !denied.includes(tool) && (allowed.length === 0 || allowed.includes(tool));
    }),
    budget: resolveBudget(definition, headers),
  };
}

function readHeader(headers: AgentTurnJob['headers'], name: string): string | undefined {
  const text = Object.hasOwn(headers, name) ? headers[name]?.trim() : undefined;
  return text === '' ? undefined : text;
}

function rejectMisspelledHeaders(headers: AgentTurnJob['headers']): void {
  for (const name of Object.keys(headers)) {
    if (SUPPORTED_HEADERS.includes(name)) continue;
    const hint = formatSuggestion(name, SUPPORTED_HEADERS);
    if (hint !== '' || name.startsWith('budget.'))
      throw new TerminalFailure(
        'agent_header_invalid',
        `Agents do not support the task header "${name}".${hint || ` Supported headers: ${SUPPORTED_HEADERS.join(', ')}.`}`,
      );
  }
}

function extractPrompt(inputs: JsonObject): Pick<StepSettings, 'prompt' | 'inputs'> {
  const { prompt, ...others } = inputs;
  if (typeof prompt === 'string' && prompt.trim() !== '') return { prompt, inputs: others };
  throw new TerminalFailure(
    'agent_prompt_missing',
    'The agent has no prompt. Add the task header "prompt", or map a string to the input variable "prompt".',
  );
}

function resolveSystemPrompt({ system }: AgentDefinition, override: string | undefined): string {
  if (override === undefined) return system;
  if (override.length <= MAX_SYSTEM_CHARACTERS) return override;
  throw new TerminalFailure(
    'agent_header_invalid',
    `The task header "system" is longer than ${MAX_SYSTEM_CHARACTERS} characters.`,
  );
}

function resolveOutputSchema({ outputSchema }: AgentDefinition, override: string | undefined): JsonObject | null {
  if (override === undefined) return outputSchema;
  const parsed = parseSchema(override);
  const schemaError = 'error' in parsed ? parsed.error : findOutputSchemaError(parsed.schema);
  if ('schema' in parsed && schemaError === undefined) return parsed.schema;
  throw new TerminalFailure(
    'agent_header_invalid',
    `The task header "outputSchema" must be a JSON Schema of an object. ${schemaError}`,
  );
}

function parseSchema(text: string): { readonly schema: JsonObject } | { readonly error: string } {
  try {
    const schema = parseExactJson(text);
    return isJsonObject(schema) ? { schema } : { error: 'It is not a JSON object.' };
  } catch (error) {
    return { error: error instanceof InexactNumberError ? describeInexactNumber(error) : 'It is not a JSON object.' };
  }
}

function resolveModel({ name, model }: AgentDefinition, override: string | undefined): string {
  const allowedModels = [model.name, ...(model.alternatives ?? [])];
  if (override === undefined) return model.name;
  if (allowedModels.includes(override)) return override;
  throw new TerminalFailure(
    'agent_header_invalid',
    `The task header "model" names "${override}", but the agent "${name}" may use only ${allowedModels.join(', ')} (model.alternatives of its definition).`,
  );
}

function resolveTools({ name, tools }: AgentDefinition, override: string | undefined): readonly string[] {
  if (override === undefined) return tools;
  const names = [...new Set(override.split(',').map((tool) => tool.trim()))].filter((tool) => tool !== '');
  const unknownTool = names.find((tool) => !tools.includes(tool));
  if (unknownTool === undefined) return tools.filter((tool) => names.includes(tool));
  throw new TerminalFailure(
    'agent_tool_not_defined',
    `The task header "tools" names "${unknownTool}", which the agent "${name}" does not have.${formatSuggestion(unknownTool, tools)} A task can only omit tools of the definition.`,
  );
}

/**
 * Uses the lower limit of the definition and the task, so that a definition can be narrowed later without changing the
 * BPMN models.
 */
function resolveBudget({ budget }: AgentDefinition, headers: AgentTurnJob['headers']): AgentBudget {
  const readCount = (name: string, min: number): number | undefined => {
    const text = readHeader(headers, name);
    if (text === undefined) return undefined;
    if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
    throw new TerminalFailure(
      'agent_header_invalid',
      `The task header "${name}" must be a whole number of at least ${min}.`,
    );
  };
  const cost = readHeader(headers, 'budget.cost');
  const costMicros = cost === undefined ? undefined : toMicros(cost);
  if (cost !== undefined && costMicros === undefined)
    throw new TerminalFailure(
      'agent_header_invalid',
      'The task header "budget.cost" must be an amount such as 0.50, with at most six decimals.',
    );
  return {
    turns: Math.min(budget.turns, readCount('budget.turns', 1) ?? budget.turns),
    toolCalls: Math.min(budget.toolCalls, readCount('budget.toolCalls', 0) ?? budget.toolCalls),
    tokens: narrowLimit(budget.tokens, readCount('budget.tokens', 1)),
    costMicros: narrowLimit(budget.costMicros, costMicros),
    onExhausted: budget.onExhausted,
  };
}

function narrowLimit(limit: number | null, taskLimit: number | undefined): number | null {
  return limit === null ? (taskLimit ?? null) : Math.min(limit, taskLimit ?? limit);
}
