import { z } from 'zod';
import { elementIdSchema, idSchema, jsonObjectSchema, timestampSchema, workflowIdSchema } from './common.js';
import { runEventTypeSchema } from './run-event.js';

export const changeSchema = z
  .object({
    at: timestampSchema,
    type: runEventTypeSchema.meta({
      description: 'The type of the run event behind it.',
      example: 'approval.requested',
    }),
    runId: idSchema,
    workflowId: workflowIdSchema,
    parentRunId: idSchema.nullable().describe('The run whose call activity started this one.'),
    seq: z.int().min(1).meta({ description: 'The `seq` of that event in its run.' }),
    stepId: idSchema.nullable(),
    elementId: elementIdSchema.nullable(),
    data: jsonObjectSchema.meta({ description: 'Of that event; for example `approvalId`.' }),
  })
  .meta({
    id: 'Change',
    description:
      'A run event of any run, without persons and free text: something that a list or an inbox shows has changed; fetch it for its state. ' +
      'An event named `reset` in place of one says: load the lists again, as changes before it are no longer kept, or other people are away than before.',
  });

export type Change = z.infer<typeof changeSchema>;
