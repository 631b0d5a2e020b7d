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
import { collidingNames } from './tool-names.js';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const TOOL = /^[\w.:/-]{1,128}$/;
const MAX_TIMEOUT_MS = 3_600_000;

const limit = (text: string) => z.int('Expected a whole number.').min(1).describe(text);

const ModelSchema = z.strictObject({
  provider: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Id of the model provider, such as openai, anthropic or scripted. Neither it nor "name": what Agents:DefaultModel says.',
    ),
  name: z.string().min(1).max(200).optional().describe('The model, as the provider names it.'),
  alternatives: z
    .array(z.string().min(1).max(200))
    .max(20)
    .default([])
    .describe('Other models of the provider that a step may take by its task header "model".'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(null)
    .describe('0 to 2; by default what the provider takes.'),
  maxOutputTokens: z.int().min(1).max(1_000_000).default(4_096).describe('Tokens of one answer, at most.'),
  timeout: z
    .string()
    .default('PT2M')
    .refine((text) => timeoutMs(text) !== undefined, 'Expected an ISO 8601 duration such as PT2M, of one hour at most.')
    .describe('How long one answer may take: an ISO 8601 duration such as PT2M.'),
});

const BudgetSchema = z.strictObject({
  turns: limit('Turns of the model.').default(20),
  toolCalls: z
    .int('Expected a whole number.')
    .min(0)
    .default(50)
    .describe('Calls that the model proposes, refused ones included.'),
  tokens: limit('Tokens of input and output together; null: not limited.').nullable().default(200_000),
  cost: z
    .union([z.number(), z.string()])
    .refine(
      (cost) => toMicros(cost) !== undefined,
      'Expected an amount of money such as 0.50, of six decimals at most.',
    )
    .nullable()
    .default(null)
    .describe('Money, in the currency that prices are configured in; null: not limited.'),
  onExhausted: z
    .enum(['question', 'incident'])
    .default('question')
    .describe('What happens then: an operator is asked whether it may continue, or the step becomes an incident.'),
});

/** Schema of `agents/*.yaml`. */
export const AgentFileSchema = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(NAME, 'Write it in small letters, digits and hyphens, such as issue-triage.')
    .describe('How the task header "agent" names it.'),
  description: z.string().max(2_000).nullable().default(null).describe('For people.'),
  model: ModelSchema.refine(
    ({ provider, name }) => (provider === undefined) === (name === undefined),
    'Give "provider" and "name" both, or neither for Agents:DefaultModel.',
  ).prefault({}),
  system: z.string().min(1).max(100_000).describe('The system prompt.'),
  tools: z
    .array(z.string().regex(TOOL, 'Expected the name of a tool, such as artifact.read.'))
    .max(100)
    .default([])
    .superRefine((names, context) => {
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) context.addIssue({ code: 'custom', message: `"${twice}" stands here twice.` });
      const [pair] = collidingNames([...new Set(names)]);
      if (pair !== undefined)
        context.addIssue({
          code: 'custom',
          message: `Models can't tell "${pair[0]}" from "${pair[1]}": both are "${pair[2]}" to them.`,
        });
    })
    .describe('Tools that it may propose calls of.'),
  outputSchema: z
    .record(z.string(), z.json())
    .nullable()
    .default(null)
    .superRefine((schema, context) => {
      const fault = schema === null ? undefined : faultOfOutput(schema);
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    })
    .describe('A JSON Schema (2020-12) of an object: the answer. Without it the answer is a text.'),
  budget: BudgetSchema.prefault({}).describe('What a step may use up.'),
});

/**
 * Converts a file to a definition with defaults applied. Returns `undefined` if neither the file nor the default names
 * a language model.
 */
export function definitionOf(
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
      timeoutMs: timeoutMs(timeout) ?? 0,
    },
    system,
    tools,
    outputSchema,
    budget: { turns, toolCalls, tokens, costMicros: cost === null ? null : (toMicros(cost) ?? 0), onExhausted },
  };
}

function timeoutMs(text: string): number | undefined {
  const parsed = parseIsoDuration(text);
  const milliseconds = parsed === undefined || parsed.negative ? undefined : addIsoDuration(0, parsed);
  return milliseconds === undefined || milliseconds < 1 || milliseconds > MAX_TIMEOUT_MS ? undefined : milliseconds;
}

/** Returns why a schema cannot be used to validate output, or `undefined` if it can. */
export function faultOfOutput(schema: JsonObject): string | undefined {
  const problem = findJsonProblem(schema);
  if (problem !== undefined) return `At ${problem.pointer}: ${problem.message}`;
  if (schema['type'] !== 'object') return 'It must be the schema of an object: "type: object".';
  const fault = findSchemaError(schema);
  return fault === undefined ? undefined : `It is not a usable JSON Schema: ${fault}.`;
}
