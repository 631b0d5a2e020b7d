import { z } from 'zod';

const textsSchema = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .transform((texts) => [texts].flat());

/** Conditions that must all be met. A rule without conditions always matches. */
const ConditionsSchema = z.strictObject({
  turn: z.int().min(1).optional().describe('Number of the turn, from 1.'),
  lastTool: z.string().min(1).optional().describe('A tool that returned one of the newest results.'),
  isError: z.boolean().optional().describe('Whether one of the newest results is an error.'),
  contains: textsSchema
    .optional()
    .describe('Texts that must all occur in the messages to the language model so far, except tool results.'),
  resultContains: textsSchema.optional().describe('Texts that must all occur in the newest results.'),
  equals: z.record(z.string(), z.json()).optional().describe('Values by their path, such as inputs/issue/number.'),
});

const Call = z.strictObject({ tool: z.string().min(1), arguments: z.json() });

const ScriptedResponseSchema = z
  .strictObject({
    text: z.json().optional().describe('A text, or a reference that is replaced by one ($from, $text).'),
    calls: z.array(Call).default([]),
    output: z.json().optional().describe('The response as JSON, instead of a text.'),
    stop: z.enum(['length', 'refusal']).optional(),
    delayMs: z.int().min(0).default(0).describe('Delay before the response, in ms.'),
  })
  .refine(({ text, output }) => text === undefined || output === undefined, 'Set either "text" or "output", not both.');

const Failure = z.strictObject({
  code: z.enum([
    'model_rate_limited',
    'model_unavailable',
    'model_timeout',
    'model_answer_malformed',
    'model_unauthorized',
    'model_request_refused',
  ]),
  message: z.string().min(1),
  retryable: z.boolean().default(false),
  retryAfterMs: z.int().min(0).optional(),
});

const Rule = z.union([
  z.strictObject({ when: ConditionsSchema.default({}), answer: ScriptedResponseSchema }),
  z.strictObject({ when: ConditionsSchema.default({}), fail: Failure }),
  z.strictObject({
    when: ConditionsSchema.default({}),
    obey: z
      .literal(true)
      .describe(
        'Executes the next instruction in the data (<<CALL tool {…}>>); does not respond if no instruction is left.',
      ),
  }),
]);

/** The script of one model. The first rule whose conditions are met responds. */
export const ScriptSchema = z.strictObject({
  model: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the language model in agent definitions; by default the name of the file.'),
  description: z.string().optional(),
  price: z
    .strictObject({ input: z.number().min(0), output: z.number().min(0) })
    .optional()
    .describe('Prices per million tokens.'),
  rules: z.array(Rule).min(1),
});

export type Script = z.infer<typeof ScriptSchema>;
export type Rule = z.infer<typeof Rule>;
export type Conditions = z.infer<typeof ConditionsSchema>;
export type ScriptedResponse = z.infer<typeof ScriptedResponseSchema>;
