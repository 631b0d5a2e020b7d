import { RUN_START_KINDS } from '@countersign/model';
import { z } from 'zod';
import {
  digestSchema,
  elementIdSchema,
  jsonObjectSchema,
  principalSchema,
  timestampSchema,
  versionSchema,
  workflowIdSchema,
} from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape, queryInteger } from './query.js';

export const workflowVersionSchema = z
  .object({ version: versionSchema, digest: digestSchema, deployedAt: timestampSchema, deployedBy: principalSchema })
  .meta({ id: 'WorkflowVersion' });

export const workflowElementSchema = z
  .object({ elementId: elementIdSchema, type: z.string().meta({ example: 'userTask' }), name: z.string().nullable() })
  .meta({ id: 'WorkflowElement' });

export const runStartSchema = z
  .object({
    elementId: elementIdSchema,
    kind: z.enum(RUN_START_KINDS).meta({ description: '`none`: started by a request or a call activity.' }),
    value: z
      .string()
      .nullable()
      .meta({ description: 'Name of the message or signal, the time, or the condition; `null` for `none`.' }),
  })
  .meta({ id: 'RunStart' });

const workflowShape = {
  workflowId: workflowIdSchema,
  name: z.string().nullable(),
  version: versionSchema,
  versions: z.array(workflowVersionSchema).meta({ description: 'All versions, newest first.' }),
  digest: digestSchema.meta({ description: 'Digest of the BPMN file.' }),
  description: z.string().nullable(),
  inputSchema: jsonObjectSchema
    .nullable()
    .meta({ description: 'JSON Schema of the inputs, if the workflow declares one.' }),
  starts: z.array(runStartSchema).nullable().meta({
    description:
      'The start events of the workflow. Without a start event of kind `none`, `POST /api/runs` is refused with `no_start_event`. In lists `null` if the start events were not recorded when the version was deployed.',
  }),
  elements: z.array(workflowElementSchema),
};

export const workflowSchema = z.object(workflowShape).meta({ id: 'Workflow' });
export const workflowDetailSchema = z.object({ ...workflowShape, bpmnXml: z.string() }).meta({ id: 'WorkflowDetail' });
export const modelWarningSchema = z
  .object({
    severity: z.enum(['error', 'warning']).meta({ description: '`error`: the element can never work as modelled.' }),
    rule: z.string().meta({ example: 'never-joins' }),
    elementId: elementIdSchema.nullable(),
    message: z.string(),
  })
  .meta({ id: 'ModelWarning' });

export const deployedWorkflowSchema = z
  .object({
    ...workflowShape,
    bpmnXml: z.string(),
    alsoDeployed: z.array(z.object({ workflowId: workflowIdSchema, version: versionSchema })).meta({
      description: 'The other executable processes of the file, in file order. The response describes the first.',
    }),
    warnings: z.array(modelWarningSchema).meta({
      description: 'Findings of the checks; the BPMN model is deployed anyway. `countersign lint` reports more.',
    }),
  })
  .meta({ id: 'DeployedWorkflow' });

export const deploymentPlanSchema = z
  .object({
    dryRun: z.literal(true),
    processes: z
      .array(
        z.object({
          workflowId: workflowIdSchema,
          name: z.string().nullable(),
          version: versionSchema.meta({ description: 'The version number that the process would get.' }),
          unchanged: z
            .boolean()
            .meta({ description: 'Whether exactly these bytes are deployed as that version already.' }),
        }),
      )
      .meta({
        description: 'The executable processes of the file, in file order; empty if the BPMN model would be refused.',
      }),
    refusals: z
      .array(
        z.object({
          elementId: z
            .string()
            .nullable()
            .meta({ description: 'Id of the element as in the file, even if the id is too long.' }),
          code: z.string(),
          message: z.string(),
          line: z.int().min(1).nullable().meta({ description: 'Line in the file, counted from 1, if known.' }),
        }),
      )
      .meta({
        description: 'The reasons why the BPMN model would be refused as a whole; empty if it would be deployed.',
      }),
    warnings: z
      .array(modelWarningSchema)
      .meta({ description: 'Findings of the checks that a deployment would return.' }),
    elements: z
      .array(workflowElementSchema)
      .meta({ description: 'Elements of all executable processes; empty if the BPMN model would be refused.' }),
  })
  .meta({ id: 'DeploymentPlan', description: 'The plan of a deployment; nothing has been changed.' });

export const workflowListSchema = buildListSchema(workflowSchema, 'WorkflowList');

export const listWorkflowsQuerySchema = z.strictObject(pageQueryShape);
export const getWorkflowQuerySchema = z.strictObject({
  version: queryInteger(versionSchema).optional().meta({ description: 'Default: the latest.' }),
});

export type Workflow = z.infer<typeof workflowSchema>;
export type WorkflowDetail = z.infer<typeof workflowDetailSchema>;
export type DeployedWorkflow = z.infer<typeof deployedWorkflowSchema>;
export type DeploymentPlan = z.infer<typeof deploymentPlanSchema>;
export type WorkflowVersion = z.infer<typeof workflowVersionSchema>;
export type RunStart = z.infer<typeof runStartSchema>;
export type WorkflowElement = z.infer<typeof workflowElementSchema>;
