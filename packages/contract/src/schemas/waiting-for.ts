import { z } from 'zod';
import { elementIdSchema, idSchema, timestampSchema } from './common.js';

export const WAIT_KINDS = Object.freeze(['approval', 'question', 'event', 'timer'] as const);

const waitShape = {
  stepId: idSchema,
  elementId: elementIdSchema,
  name: z.string().nullable(),
  since: timestampSchema,
};

export const waitingForSchema = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('approval'), ...waitShape, approvalId: idSchema, dueAt: timestampSchema.nullable() })
      .meta({ id: 'ApprovalWait' }),
    z
      .object({ kind: z.literal('question'), ...waitShape, questionId: idSchema, dueAt: timestampSchema.nullable() })
      .meta({ id: 'QuestionWait' }),
    z
      .object({
        kind: z.literal('event'),
        ...waitShape,
        messageName: z.string().nullable(),
        correlationKey: z.string().nullable(),
        signalName: z.string().nullable(),
        childRunId: idSchema.nullable(),
      })
      .meta({
        id: 'EventWait',
        description: 'A message, a signal, the end of a child run, or (if all are null) a condition.',
      }),
    z.object({ kind: z.literal('timer'), ...waitShape, dueAt: timestampSchema }).meta({ id: 'TimerWait' }),
  ])
  .meta({ id: 'WaitingFor', description: 'A pause that the BPMN model declares, and what ends it.' });

export type WaitingFor = z.infer<typeof waitingForSchema>;
export type WaitKind = WaitingFor['kind'];
