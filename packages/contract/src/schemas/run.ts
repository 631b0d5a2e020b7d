import { RUN_OUTCOMES, RUN_STATUSES } from '@countersign/model';
import { z } from 'zod';
import { artifactSchema } from './artifact.js';
import {
  digestSchema,
  elementIdSchema,
  idSchema,
  jsonObjectSchema,
  principalSchema,
  timestampSchema,
  versionSchema,
  workflowIdSchema,
} from './common.js';
import { buildListSchema } from './list.js';
import { riskLevelSchema } from './policy-decision.js';
import { stepSchema } from './step.js';
import { waitingForSchema } from './waiting-for.js';
import { engineNameSchema } from './workflow-engine.js';

export const runStatusSchema = z.enum(RUN_STATUSES).meta({
  id: 'RunStatus',
  description:
    '`active`: a step executes or is about to execute. `blocked`: nothing executes and a step waits in a declared pause. ' +
    '`failed`: nothing executes or waits and a step is in error (`outcome` is null), or the run has ended as failed, cancelled or rejected.',
});
export const runOutcomeSchema = z.enum(RUN_OUTCOMES).meta({ id: 'RunOutcome', description: 'How the run ended.' });

export const runErrorSchema = z
  .object({
    code: z.string(),
    message: z.string(),
    elementId: elementIdSchema.nullable(),
  })
  .meta({ id: 'RunError' });

const runShape = {
  runId: idSchema,
  engine: engineNameSchema.meta({ description: 'The engine that executes the run. It never changes.' }),
  workflowId: workflowIdSchema,
  workflowVersion: versionSchema,
  workflowDigest: digestSchema.meta({ description: 'Digest of the BPMN file.' }),
  status: runStatusSchema,
  outcome: runOutcomeSchema.nullable().meta({ description: '`null` until the run ends.' }),
  cancelling: z
    .boolean()
    .meta({ description: 'Whether the run is being cancelled and its compensation is in progress.' }),
  currentStep: elementIdSchema
    .nullable()
    .meta({ description: 'The element at which the run waits or failed; the oldest if there are several.' }),
  pendingApprovals: z.int().min(0),
  pendingQuestions: z.int().min(0),
  incidents: z.int().min(0).meta({ description: 'Steps in error that recovery can retry.' }),
  waitingFor: z.array(waitingForSchema),
  riskLevel: riskLevelSchema,
  startedAt: timestampSchema,
  startedBy: principalSchema,
  updatedAt: timestampSchema,
  completedAt: timestampSchema.nullable(),
  businessKey: z.string().nullable(),
  parentRunId: idSchema.nullable(),
  error: runErrorSchema.nullable(),
  recoverable: z.boolean().meta({ description: 'Whether `incidents` is more than 0.' }),
};

export const runSchema = z
  .object(runShape)
  .meta({ id: 'Run', description: 'One execution of a workflow, as in lists.' });

export const runDetailSchema = z
  .object({
    ...runShape,
    inputs: jsonObjectSchema,
    variables: jsonObjectSchema,
    steps: z.array(stepSchema).meta({ description: 'In the order in which they were entered.' }),
    artifacts: z.array(artifactSchema).meta({ description: 'The latest version of each name.' }),
  })
  .meta({ id: 'RunDetail', description: 'One execution of a workflow with its step history.' });

export const runListSchema = buildListSchema(runSchema, 'RunList');

export type Run = z.infer<typeof runSchema>;
export type RunDetail = z.infer<typeof runDetailSchema>;
export type RunStatus = Run['status'];
export type RunOutcome = NonNullable<Run['outcome']>;
export type RunError = z.infer<typeof runErrorSchema>;
