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
  inputTokens: z.int().min(0).meta({ description: 'All that the model was given, cached or not.' }),
  outputTokens: z.int().min(0).meta({ description: 'All that it wrote, thoughts included.' }),
  cacheReadTokens: z.int().min(0).meta({ description: 'Of the input, what was read from the cache of the provider.' }),
  cacheWriteTokens: z.int().min(0).meta({ description: 'Of the input, what was written to it.' }),
  estimated: z.boolean().meta({ description: 'Whether the provider did not count, or not all of it.' }),
  costMicros: z.number().min(0).nullable().meta({
    description: 'Millionths of the currency that prices are configured in; `null` where a price is not known.',
  }),
};

export const agentUsageSchema = z.object(usageShape).meta({ id: 'AgentUsage' });

export const agentBudgetSchema = z
  .object({
    turns: z.int().min(1),
    toolCalls: z.int().min(0),
    tokens: z.int().min(1).nullable().meta({ description: 'Input and output together; `null`: not limited.' }),
    costMicros: z.number().min(0).nullable().meta({ description: 'Millionths; `null`: not limited.' }),
    onExhausted: z
      .enum(['question', 'incident'])
      .meta({ description: 'What happens then: a person is asked whether to go on, or the step is an incident.' }),
  })
  .meta({ id: 'AgentBudget', description: 'What a step may use up.' });

export const agentCallSchema = z
  .object({
    callId: idSchema.meta({ description: 'Of this call forever, over edits and attempts.' }),
    tool: z.string().meta({ example: 'codehost.issue.comment' }),
    toolDigest: digestSchema.nullable(),
    arguments: jsonObjectSchema
      .nullable()
      .meta({ description: 'As they were decided on last; `null` after an erasure.' }),
    effect: z.enum(['read', 'write']).nullable(),
    reversible: z.boolean().nullable(),
    hosts: z.array(z.string()),
    taint: z.array(z.string()).meta({ description: 'Where the data came from that no person vouches for.' }),
    policyDecision: policyDecisionSchema.nullable().meta({
      description: '`null` where the call could not be decided on: an unknown tool, or arguments that do not fit.',
    }),
    status: z.enum(AGENT_CALL_STATUSES),
    approvalId: idSchema.nullable().meta({ description: 'The last approval that was asked for it.' }),
    questionId: idSchema.nullable().meta({ description: 'The last question about it.' }),
    editedBy: principalSchema.nullable().meta({ description: 'Who changed the arguments.' }),
    result: jsonValueSchema.meta({ description: 'What the model was told; `null` as long as there is nothing.' }),
    isError: z.boolean().nullable(),
    requestedAt: timestampSchema,
    completedAt: timestampSchema.nullable(),
  })
  .meta({ id: 'AgentCall', description: 'A call of a tool that an agent proposed.' });

export const agentTurnSchema = z
  .object({
    turn: z.int().min(1),
    at: timestampSchema,
    text: z.string().nullable(),
    requestDigest: digestSchema.meta({ description: 'Of all that the model was asked.' }),
    provider: z.string(),
    model: z.string().meta({ description: 'As the provider names what answered.' }),
    usage: agentUsageSchema,
    calls: z.array(agentCallSchema),
  })
  .meta({ id: 'AgentTurn', description: 'One answer of the model, and what became of the calls in it.' });

export const agentWorkShape = {
  agent: z.string().meta({ description: 'Name of the definition.' }),
  definitionDigest: digestSchema,
  provider: z.string().meta({ description: 'Of the last turn.' }),
  model: z.string().meta({ description: 'Of the last turn.' }),
  usage: z
    .object({
      turns: z.int().min(0),
      toolCalls: z.int().min(0),
      discardedResponses: z.int().min(0).meta({
        description: 'Responses of the model that could not be used: refused, malformed, broken off, or too late.',
      }),
      ...usageShape,
    })
    .meta({
      id: 'AgentStepUsage',
      description: 'Of all turns of the step, and of the responses that could not be used, which are paid for too.',
    }),
  turns: z.array(agentTurnSchema).meta({ description: 'Oldest first.' }),
};

export const agentWorkSchema = z
  .object({
    ...agentWorkShape,
    budget: agentBudgetSchema
      .nullable()
      .meta({ description: 'That the step works under; `null` where it is over and nothing tells any more.' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Give it as `cursor` for further turns; `null` on the last page.' }),
  })
  .meta({ id: 'AgentWork', description: 'What an agent did in a step.' });

export const agentWorkQuerySchema = z.strictObject(pageQueryShape);

export type AgentWork = z.infer<typeof agentWorkSchema>;
export type AgentTurn = z.infer<typeof agentTurnSchema>;
export type AgentCall = z.infer<typeof agentCallSchema>;
export type AgentUsage = z.infer<typeof agentUsageSchema>;
export type AgentBudget = z.infer<typeof agentBudgetSchema>;
