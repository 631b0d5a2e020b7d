import { z } from 'zod';
import { idSchema, jsonObjectSchema, jsonValueSchema, timestampSchema } from './common.js';
import { listOf } from './list.js';
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
          'Of the agent: the name of its definition. Of a person: their name, else the subject of their token.',
      }),
    }),
    stepId: idSchema,
    text: z.string().meta({
      description:
        'The question or the answer (one that is no text as JSON), or what became of a question that nobody answered.',
    }),
    questionId: idSchema.meta({ description: 'The question that the message asks, answers or closes.' }),
    options: z.array(z.string()).nullable().meta({ description: 'Of a question: one of these is the answer.' }),
    answerSchema: jsonObjectSchema.nullable().meta({
      description:
        'Of a question: JSON Schema (2020-12) of the answer. Without it and without options the answer is a text.',
    }),
    status: questionStatusSchema.nullable().meta({ description: 'Of a question; `null` on messages that are none.' }),
    answer: jsonValueSchema.meta({ description: 'The answer as it was given; `null` on messages that are none.' }),
  })
  .meta({ id: 'ConversationMessage' });

export const conversationSchema = listOf(conversationMessageSchema, 'Conversation');
export const listConversationQuerySchema = z.strictObject(pageQueryShape);

export type ConversationMessage = z.infer<typeof conversationMessageSchema>;
