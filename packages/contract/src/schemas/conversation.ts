import { z } from 'zod';
import { idSchema, jsonObjectSchema, jsonValueSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';
import { questionStatusSchema } from './question.js';

export const conversationMessageSchema = z
  .object({
    messageId: idSchema,
    at: timestampSchema,
    author: z.object({
      kind: z.enum(['agent', 'human', 'system']),
      name: z.string().meta({
        description:
          'For an agent, the name of its definition. For a user, their name, or else the subject of their token.',
      }),
    }),
    stepId: idSchema,
    text: z.string().meta({
      description:
        'The question, the answer (as JSON if it is not a string), or the outcome of an unanswered question.',
    }),
    questionId: idSchema.meta({ description: 'The question that the message asks, answers or closes.' }),
    options: z.array(z.string()).nullable().meta({ description: 'For a question: the possible answers.' }),
    answerSchema: jsonObjectSchema.nullable().meta({
      description:
        'For a question: JSON Schema (2020-12) of the answer. Without a schema and options, the answer is a string.',
    }),
    status: questionStatusSchema.nullable().meta({ description: 'For a question; `null` on other messages.' }),
    answer: jsonValueSchema.meta({ description: 'The answer as it was submitted; `null` on other messages.' }),
  })
  .meta({ id: 'ConversationMessage' });

export const conversationSchema = buildListSchema(conversationMessageSchema, 'Conversation');
export const listConversationQuerySchema = z.strictObject(pageQueryShape);

export type ConversationMessage = z.infer<typeof conversationMessageSchema>;
