import { z } from 'zod';
import { idSchema, jsonObjectSchema, jsonValueSchema, timestampSchema } from './common.js';
import { listOf } from './list.js';

export const conversationMessageSchema = z
  .object({
    messageId: idSchema,
    at: timestampSchema,
    author: z.object({ kind: z.enum(['agent', 'human', 'system']), name: z.string() }),
    stepId: idSchema.nullable(),
    text: z.string(),
    questionId: idSchema.nullable().meta({ description: 'Set where the message asks, or answers, a question.' }),
    options: z.array(z.string()).nullable(),
    answerSchema: jsonObjectSchema.nullable().meta({ description: 'JSON Schema of the answer.' }),
    status: z.enum(['pending', 'answered', 'withdrawn', 'expired']).nullable().meta({ description: 'Of the question.' }),
  })
  .meta({ id: 'ConversationMessage' });

export const conversationSchema = listOf(conversationMessageSchema, 'Conversation');
export const answerBodySchema = z.strictObject({ answer: jsonValueSchema }).meta({ id: 'AnswerQuestion' });

export type ConversationMessage = z.infer<typeof conversationMessageSchema>;
export type AnswerBody = z.infer<typeof answerBodySchema>;
