import { z } from 'zod';
import { idSchema, timestampSchema, workflowIdSchema } from './common.js';

export const CHANGE_KINDS = Object.freeze(['run', 'approval', 'question', 'artifact', 'workflow'] as const);

export const changeSchema = z
  .object({
    at: timestampSchema,
    kind: z.enum(CHANGE_KINDS).meta({ description: 'What changed.' }),
    type: z.string().meta({ description: 'The run event behind it, or how the thing changed.', example: 'approval.requested' }),
    runId: idSchema.nullable(),
    workflowId: workflowIdSchema.nullable(),
    approvalId: idSchema.nullable(),
    status: z.string().nullable().meta({ description: 'The status of the changed thing afterwards, where it has one.' }),
  })
  .meta({
    id: 'Change',
    description:
      'That something which a list or an inbox shows has changed; fetch it for its state. ' +
      'An event named `reset` in place of one says that changes before it are no longer kept: load the lists again.',
  });

export type Change = z.infer<typeof changeSchema>;
export type ChangeKind = Change['kind'];
