import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';
import { workflowIdSchema } from './common.js';

export const engineNameSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .meta({ description: 'Name of an engine, as in `Engine:Adapter`.', example: 'temporal' });

const engineCountSchema = z.object({ engine: engineNameSchema, count: z.int().min(0) }).meta({ id: 'EngineCount' });

const movedEngineSchema = engineNameSchema.nullable();

const countsShape = {
  activeRuns: z
    .array(engineCountSchema)
    .meta({ description: 'The runs of the workflow that have not ended, by engine. They end on this engine.' }),
  servers: z.array(engineCountSchema).meta({ description: 'The running servers, by engine.' }),
};

export const workflowEngineSchema = z
  .object({
    workflowId: workflowIdSchema,
    engine: movedEngineSchema.meta({
      description:
        'The engine to which the workflow was moved. `null`: not moved; a new run belongs to the engine of its parent run, otherwise to the embedded engine if a running server has it, otherwise to the engine of the server that starts it.',
    }),
    ...countsShape,
  })
  .meta({ id: 'WorkflowEngine', description: 'The engine of the new runs of a workflow.' });

export const workflowMovePlanSchema = z
  .object({
    dryRun: z.literal(true),
    workflowId: workflowIdSchema,
    from: movedEngineSchema,
    to: movedEngineSchema,
    ...countsShape,
  })
  .meta({ id: 'WorkflowMovePlan', description: 'The plan of a move to another engine; nothing has been changed.' });

export const moveWorkflowBodySchema = z
  .strictObject({ engine: movedEngineSchema.meta({ description: '`null`: undoes the move.' }) })
  .meta({ id: 'MoveWorkflowBody' });

export type WorkflowEngine = z.infer<typeof workflowEngineSchema>;
export type WorkflowMovePlan = z.infer<typeof workflowMovePlanSchema>;
export type EngineCount = z.infer<typeof engineCountSchema>;
