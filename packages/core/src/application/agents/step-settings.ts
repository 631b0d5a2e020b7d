import { inexactSchema } from '@countersign/bpmn';
import {
  type AgentBudget,
  type AgentDefinition,
  agentNameOf,
  InexactNumberError,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  suggestion,
} from '@countersign/model';
import { TerminalFailure } from '../../contributions/job-handler.js';
import type { AgentTurnJob } from '../../ports/agent-runtime.js';
import { faultOfOutput } from './agent-file.js';
import { toMicros } from './money.js';

/**
 * Settings of an agent in one step: its definition, with the texts of the task, narrowed by the task and the policy.
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
const HEADERS = ['agent', 'prompt', 'system', 'outputSchema', 'tools', 'resultVariable', 'model', ...BUDGET_HEADERS];
const MAX_SYSTEM = 100_000;

/**
 * Returns the agent name in a task's headers.
 *
 * @throws {TerminalFailure} `agent_not_named`
 */
export function agentName(headers: AgentTurnJob['headers']): string {
  const name = agentNameOf(headers);
  if (name !== null) return name;
  throw new TerminalFailure(
    'agent_not_named',
    'The task names no agent. Add the task header "agent" with the name of an agent.',
  );
}

/**
 * Combines a definition with the headers of a task. A task may narrow what the definition allows (`tools`, `model`,
 * `budget.…`), but never widen it. Instructions (`system`, `prompt`) and the output format (`outputSchema`) grant
 * nothing, so a task may override them.
 *
 * @throws {TerminalFailure} `agent_header_invalid`, `agent_tool_not_defined`, `agent_prompt_missing`
 */
export function stepSettings(
  definition: AgentDefinition,
  { headers, inputs, toolConstraints }: Pick<AgentTurnJob, 'headers' | 'inputs' | 'toolConstraints'>,
): StepSettings {
  refuseMisspelt(headers);
  const prompt = header(headers, 'prompt');
  return {
    ...(prompt === undefined ? promptOfInputs(inputs) : { prompt, inputs }),
    system: systemOf(definition, header(headers, 'system')),
    outputSchema: outputSchemaOf(definition, header(headers, 'outputSchema')),
    model: modelOf(definition, header(headers, 'model')),
    tools: toolsOf(definition, header(headers, 'tools')).filter((tool) => {
      if (toolConstraints === null) return true;
      const { allowed, denied } = toolConstraints;
      // A policy without a tool list does not restrict the tools; it is still evaluated for each call.
      return !denied.includes(tool) && (allowed.length === 0 || allowed.includes(tool));
    }),
    budget: budgetOf(definition, headers),
  };
}

function header(headers: AgentTurnJob['headers'], name: string): string | undefined {
  const text = Object.hasOwn(headers, name) ? headers[name]?.trim() : undefined;
  return text === '' ? undefined : text;
}

function refuseMisspelt(headers: AgentTurnJob['headers']): void {
  for (const name of Object.keys(headers)) {
    if (HEADERS.includes(name)) continue;
    const meant = suggestion(name, HEADERS);
    if (meant !== '' || name.startsWith('budget.'))
      throw new TerminalFailure(
        'agent_header_invalid',
        `Agents do not support the task header "${name}".${meant || ` Supported headers: ${HEADERS.join(', ')}.`}`,
      );
  }
}

function promptOfInputs(inputs: JsonObject): Pick<StepSettings, 'prompt' | 'inputs'> {
  const { prompt, ...others } = inputs;
  if (typeof prompt === 'string' && prompt.trim() !== '') return { prompt, inputs: others };
  throw new TerminalFailure(
    'agent_prompt_missing',
    'The agent has no prompt. Add the task header "prompt", or map a text to the input variable "prompt".',
  );
}

function systemOf({ system }: AgentDefinition, wanted: string | undefined): string {
  if (wanted === undefined) return system;
  if (wanted.length <= MAX_SYSTEM) return wanted;
  throw new TerminalFailure(
    'agent_header_invalid',
    `The task header "system" is longer than ${MAX_SYSTEM} characters.`,
  );
}

function outputSchemaOf({ outputSchema }: AgentDefinition, wanted: string | undefined): JsonObject | null {
  if (wanted === undefined) return outputSchema;
  const read = readSchema(wanted);
  const fault = 'fault' in read ? read.fault : faultOfOutput(read.schema);
  if ('schema' in read && fault === undefined) return read.schema;
  throw new TerminalFailure(
    'agent_header_invalid',
    `The task header "outputSchema" must be a JSON Schema of an object. ${fault}`,
  );
}

function readSchema(text: string): { readonly schema: JsonObject } | { readonly fault: string } {
  try {
    const schema = parseExactJson(text);
    return isJsonObject(schema) ? { schema } : { fault: 'It is not a JSON object.' };
  } catch (error) {
    return { fault: error instanceof InexactNumberError ? inexactSchema(error) : 'It is not a JSON object.' };
  }
}

function modelOf({ name, model }: AgentDefinition, wanted: string | undefined): string {
  const known = [model.name, ...(model.alternatives ?? [])];
  if (wanted === undefined) return model.name;
  if (known.includes(wanted)) return wanted;
  throw new TerminalFailure(
    'agent_header_invalid',
    `The task header "model" names "${wanted}", but the agent "${name}" may use only ${known.join(', ')} (model.alternatives of its definition).`,
  );
}

function toolsOf({ name, tools }: AgentDefinition, wanted: string | undefined): readonly string[] {
  if (wanted === undefined) return tools;
  const names = [...new Set(wanted.split(',').map((tool) => tool.trim()))].filter((tool) => tool !== '');
  const foreign = names.find((tool) => !tools.includes(tool));
  if (foreign === undefined) return tools.filter((tool) => names.includes(tool));
  throw new TerminalFailure(
    'agent_tool_not_defined',
    `The task header "tools" names "${foreign}", which the agent "${name}" does not have.${suggestion(foreign, tools)} A task can only omit tools of the definition.`,
  );
}

/** Uses the smaller of two limits, so that a definition can be narrowed later without changing the BPMN models. */
function budgetOf({ budget }: AgentDefinition, headers: AgentTurnJob['headers']): AgentBudget {
  const count = (name: string, least: number): number | undefined => {
    const text = header(headers, name);
    if (text === undefined) return undefined;
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new TerminalFailure(
      'agent_header_invalid',
      `The task header "${name}" must be a whole number of at least ${least}.`,
    );
  };
  const cost = header(headers, 'budget.cost');
  const costMicros = cost === undefined ? undefined : toMicros(cost);
  if (cost !== undefined && costMicros === undefined)
    throw new TerminalFailure(
      'agent_header_invalid',
      'The task header "budget.cost" must be an amount such as 0.50, with at most six decimals.',
    );
  return {
    turns: Math.min(budget.turns, count('budget.turns', 1) ?? budget.turns),
    toolCalls: Math.min(budget.toolCalls, count('budget.toolCalls', 0) ?? budget.toolCalls),
    tokens: smaller(budget.tokens, count('budget.tokens', 1)),
    costMicros: smaller(budget.costMicros, costMicros),
    onExhausted: budget.onExhausted,
  };
}

function smaller(limit: number | null, narrower: number | undefined): number | null {
  return limit === null ? (narrower ?? null) : Math.min(limit, narrower ?? limit);
}
