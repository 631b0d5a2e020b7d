import { z } from 'zod';
import {
  digestSchema,
  idSchema,
  jsonObjectSchema,
  jsonValueSchema,
  principalSchema,
  timestampSchema,
} from './common.js';
import { policyDecisionSchema } from './policy-decision.js';
import { pageQueryShape } from './query.js';

export const AGENT_CALL_STATUSES = Object.freeze([
  'proposed',
  'waits_for_approval',
  'waits_for_answer',
  'dispatched',
  'completed',
  'refused',
  'outcome_unknown',
  'cancelled',
] as const);

const usageShape = {
  inputTokens: z.int().min(0).meta({ description: 'All input of the language model, cached or not.' }),
  outputTokens: z.int().min(0).meta({ description: 'All output of the language model, including reasoning.' }),
  cacheReadTokens: z
    .int()
    .min(0)
    .meta({ description: 'The part of the input that was read from the cache of the provider.' }),
  cacheWriteTokens: z.int().min(0).meta({ description: 'The part of the input that was written to the cache.' }),
  estimated: z
    .boolean()
    .meta({ description: 'Whether the numbers are estimated, because the provider did not report all of them.' }),
  costMicros: z.number().min(0).nullable().meta({
    description: 'Millionths of the currency of the configured prices; `null` if a price is unknown.',
  }),
};

export const agentUsageSchema = z.object(usageShape).meta({ id: 'AgentUsage' });

export const agentBudgetSchema = z
  .object({
    turns: z.int().min(1),
    toolCalls: z.int().min(0),
    tokens: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Maximum number of input and output tokens together; `null`: not limited.' }),
    costMicros: z.number().min(0).nullable().meta({
      description: 'Maximum cost, in millionths of the currency of the configured prices; `null`: not limited.',
    }),
    onExhausted: z.enum(['question', 'incident']).meta({
      description:
        'What happens when the budget is exhausted: a user is asked whether to continue, or the step gets an incident.',
    }),
  })
  .meta({ id: 'AgentBudget', description: 'The budget of a step.' });

export const agentCallSchema = z
  .object({
    callId: idSchema.meta({ description: 'Id of the call, unchanged by edits and attempts.' }),
    tool: z.string().meta({ example: 'codehost.issue.comment' }),
    toolDigest: digestSchema.nullable(),
    arguments: jsonObjectSchema
      .nullable()
      .meta({ description: 'The arguments of the last policy decision; `null` after an erasure.' }),
    effect: z.enum(['read', 'write']).nullable(),
    reversible: z.boolean().nullable(),
    hosts: z.array(z.string()),
    taint: z.array(z.string()).meta({ description: 'Sources of the untrusted data in the arguments.' }),
    policyDecision: policyDecisionSchema.nullable().meta({
      description: '`null` if no policy decision was possible: an unknown tool, or invalid arguments.',
    }),
    status: z.enum(AGENT_CALL_STATUSES),
    approvalId: idSchema.nullable().meta({ description: 'The last approval requested for the call.' }),
    questionId: idSchema.nullable().meta({ description: 'The last question about the call.' }),
    editedBy: principalSchema.nullable().meta({ description: 'The user who edited the arguments.' }),
    result: jsonValueSchema.meta({
      description: 'The result that the language model received; `null` until there is one.',
    }),
    isError: z.boolean().nullable(),
    requestedAt: timestampSchema,
    completedAt: timestampSchema.nullable(),
  })
  .meta({ id: 'AgentCall', description: 'A tool call that an agent proposed.' });

export const agentTurnSchema = z
  .object({
    turn: z.int().min(1),
    at: timestampSchema,
    text: z.string().nullable(),
    requestDigest: digestSchema.meta({ description: 'Digest of the request to the language model.' }),
    provider: z.string(),
    model: z.string().meta({ description: 'The language model that responded, as named by the provider.' }),
    usage: agentUsageSchema,
    calls: z.array(agentCallSchema),
  })
  .meta({ id: 'AgentTurn', description: 'One response of the language model, and the results of its tool calls.' });

export const agentWorkShape = {
  agent: z.string().meta({ description: 'Name of the agent definition.' }),
  definitionDigest: digestSchema,
  provider: z.string().meta({ description: 'Model provider of the last turn.' }),
  model: z.string().meta({ description: 'Language model of the last turn.' }),
  usage: z
    .object({
      turns: z.int().min(0),
      toolCalls: z.int().min(0),
      discardedResponses: z.int().min(0).meta({
        description: 'Unusable responses of the language model: refused, malformed, incomplete or too late.',
      }),
      ...usageShape,
    })
    .meta({
      id: 'AgentStepUsage',
      description: 'Usage of all turns of the step, including unusable responses, which are billed, too.',
    }),
  turns: z.array(agentTurnSchema).meta({ description: 'The turns, oldest first.' }),
};

export const agentWorkSchema = z
  .object({
    ...agentWorkShape,
    budget: agentBudgetSchema
      .nullable()
      .meta({ description: 'The budget of the step; `null` if the step has ended and its budget is no longer known.' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next turns; `null` on the last page.' }),
  })
  .meta({ id: 'AgentWork', description: 'The activity of an agent in a step.' });

export const agentWorkQuerySchema = z.strictObject(pageQueryShape);

export type AgentWork = z.infer<typeof agentWorkSchema>;
export type AgentTurn = z.infer<typeof agentTurnSchema>;
export type AgentCall = z.infer<typeof agentCallSchema>;
export type AgentUsage = z.infer<typeof agentUsageSchema>;
export type AgentBudget = z.infer<typeof agentBudgetSchema>;
