import { z } from 'zod';
import { elementIdSchema, idSchema, timestampSchema } from './common.js';

export const WAIT_KINDS = Object.freeze(['approval', 'question', 'event', 'timer'] as const);

const wait = {
  stepId: idSchema,
  elementId: elementIdSchema,
  name: z.string().nullable(),
  since: timestampSchema,
};

export const waitingForSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('approval'), ...wait, approvalId: idSchema, dueAt: timestampSchema.nullable() }).meta({ id: 'ApprovalWait' }),
    z.object({ kind: z.literal('question'), ...wait, questionId: idSchema, dueAt: timestampSchema.nullable() }).meta({ id: 'QuestionWait' }),
    z.object({ kind: z.literal('event'), ...wait, messageName: z.string(), correlationKey: z.string() }).meta({ id: 'EventWait' }),
    z.object({ kind: z.literal('timer'), ...wait, dueAt: timestampSchema }).meta({ id: 'TimerWait' }),
  ])
  .meta({ id: 'WaitingFor', description: 'A pause that the model declares, and what ends it.' });

export type WaitingFor = z.infer<typeof waitingForSchema>;
export type WaitKind = WaitingFor['kind'];
