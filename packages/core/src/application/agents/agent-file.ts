import { z } from 'zod';
import { findSchemaError } from '@countersign/bpmn';
import {
  addIsoDuration,
  type AgentDefinition,
  findJsonProblem,
  type JsonObject,
  parseIsoDuration,
} from '@countersign/model';
import type { DefaultModel } from './agent-settings.js';
import { toMicros } from './money.js';
import { findNameCollisions } from './tool-names.js';

const AGENT_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const TOOL_NAME = /^[\w.:/-]{1,128}$/;
const MAX_TIMEOUT_MS = 3_600_000;

const positiveInteger = (description: string) => z.int('Expected a whole number.').min(1).describe(description);

const ModelSchema = z.strictObject({
  provider: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Id of the model provider, such as openai, anthropic or scripted. If both "provider" and "name" are omitted, Agents:DefaultModel applies.',
    ),
  name: z.string().min(1).max(200).optional().describe('Name of the language model at the provider.'),
  alternatives: z
    .array(z.string().min(1).max(200))
    .max(20)
    .default([])
    .describe('Other language models of the provider that a step may select with its task header "model".'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(null)
    .describe('0 to 2. Defaults to the value of the provider.'),
  maxOutputTokens: z.int().min(1).max(1_000_000).default(4_096).describe('Maximum number of tokens in one response.'),
  timeout: z
    .string()
    .default('PT2M')
    .refine(
      (text) => parseTimeoutMs(text) !== undefined,
      'Expected an ISO 8601 duration such as PT2M, at most one hour.',
    )
    .describe('Maximum time for one response: an ISO 8601 duration such as PT2M.'),
});

const BudgetSchema = z.strictObject({
  turns: positiveInteger('Maximum number of turns of the language model.').default(20),
  toolCalls: z
    .int('Expected a whole number.')
    .min(0)
    .default(50)
    .describe('Maximum number of calls that the language model proposes, including refused calls.'),
  tokens: positiveInteger('Maximum number of input and output tokens together; null: no limit.')
    .nullable()
    .default(200_000),
  cost: z
    .union([z.number(), z.string()])
    .refine(
      (cost) => toMicros(cost) !== undefined,
      'Expected an amount of money such as 0.50, with at most six decimals.',
    )
    .nullable()
    .default(null)
    .describe('Maximum cost, in the currency of the configured prices; null: no limit.'),
  onExhausted: z
    .enum(['question', 'incident'])
    .default('question')
    .describe(
      'What happens when the budget is exhausted: an operator is asked whether the agent may continue, or an incident is raised on the step.',
    ),
});

/** Schema of `agents/*.yaml`. */
export const AgentFileSchema = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(AGENT_NAME, 'Use lower-case letters, digits and hyphens, such as issue-triage.')
    .describe('Name of the agent, which the task header "agent" refers to.'),
  description: z.string().max(2_000).nullable().default(null).describe('Description of the agent for people.'),
  model: ModelSchema.refine(
    ({ provider, name }) => (provider === undefined) === (name === undefined),
    'Give both "provider" and "name", or omit both to use Agents:DefaultModel.',
  ).prefault({}),
  system: z.string().min(1).max(100_000).describe('The system prompt.'),
  tools: z
    .array(z.string().regex(TOOL_NAME, 'Expected the name of a tool, such as artifact.read.'))
    .max(100)
    .default([])
    .superRefine((names, context) => {
      const duplicate = names.find((name, index) => names.indexOf(name) !== index);
      if (duplicate !== undefined) context.addIssue({ code: 'custom', message: `"${duplicate}" is listed twice.` });
      const [collision] = findNameCollisions([...new Set(names)]);
      if (collision !== undefined)
        context.addIssue({
          code: 'custom',
          message: `Language models cannot distinguish "${collision[0]}" from "${collision[1]}": they receive both as "${collision[2]}".`,
        });
    })
    .describe('Tools that the agent may propose to call.'),
  outputSchema: z
    .record(z.string(), z.json())
    .nullable()
    .default(null)
    .superRefine((schema, context) => {
      const schemaError = schema === null ? undefined : findOutputSchemaError(schema);
      if (schemaError !== undefined) context.addIssue({ code: 'custom', message: schemaError });
    })
    .describe('A JSON Schema (2020-12) of the output, which must be an object. If omitted, the output is text.'),
  budget: BudgetSchema.prefault({}).describe('Limits for one step.'),
});

/**
 * Converts a file to a definition with defaults applied. Returns `undefined` if neither the file nor the default names
 * a language model.
 */
export function toAgentDefinition(
  file: z.output<typeof AgentFileSchema>,
  defaultModel: DefaultModel | undefined,
): AgentDefinition | undefined {
  const { name, description, system, tools, outputSchema } = file;
  const { alternatives, temperature, maxOutputTokens, timeout } = file.model;
  const provider = file.model.provider ?? defaultModel?.provider;
  const model = file.model.name ?? defaultModel?.name;
  if (provider === undefined || model === undefined) return undefined;
  const { turns, toolCalls, tokens, cost, onExhausted } = file.budget;
  return {
    name,
    description,
    model: {
      provider,
      name: model,
      ...(alternatives.length === 0 ? {} : { alternatives }),
      temperature,
      maxOutputTokens,
      timeoutMs: parseTimeoutMs(timeout) ?? 0,
    },
    system,
    tools,
    outputSchema,
    budget: { turns, toolCalls, tokens, costMicros: cost === null ? null : (toMicros(cost) ?? 0), onExhausted },
  };
}

function parseTimeoutMs(text: string): number | undefined {
  const duration = parseIsoDuration(text);
  const milliseconds = duration === undefined || duration.negative ? undefined : addIsoDuration(0, duration);
  return milliseconds === undefined || milliseconds < 1 || milliseconds > MAX_TIMEOUT_MS ? undefined : milliseconds;
}

/** Returns why a schema cannot be used to validate output, or `undefined` if it can. */
export function findOutputSchemaError(schema: JsonObject): string | undefined {
  const problem = findJsonProblem(schema);
  if (problem !== undefined) return `At ${problem.pointer}: ${problem.message}`;
  if (schema['type'] !== 'object') return 'It must be the JSON Schema of an object, with "type: object".';
  const schemaError = findSchemaError(schema);
  return schemaError === undefined ? undefined : `It is not a usable JSON Schema: ${schemaError}.`;
}
