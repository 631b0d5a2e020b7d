import { z } from 'zod';
import { elementIdSchema, idSchema, jsonObjectSchema, timestampSchema, workflowIdSchema } from './common.js';
import { runEventTypeSchema } from './run-event.js';

export const changeSchema = z
  .object({
    at: timestampSchema,
    type: runEventTypeSchema.meta({
      description: 'Type of the run event.',
      example: 'approval.requested',
    }),
    runId: idSchema,
    workflowId: workflowIdSchema,
    parentRunId: idSchema.nullable().describe('The run whose call activity started this run.'),
    seq: z.int().min(1).meta({ description: '`seq` of the event in its run.' }),
    stepId: idSchema.nullable(),
    elementId: elementIdSchema.nullable(),
    data: jsonObjectSchema.meta({ description: 'An id from the event, for example `approvalId`.' }),
  })
  .meta({
    id: 'Change',
    description:
      'A run event of any run, without names of persons and free text. It reports that data of a list or an inbox has changed; fetch the current data. ' +
      'On an event named `reset`, reload all lists: earlier changes are no longer stored, or absences have changed.',
  });

export type Change = z.infer<typeof changeSchema>;
