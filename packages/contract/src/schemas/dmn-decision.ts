import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';
import { digestSchema, principalSchema, timestampSchema, versionSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape, queryInteger } from './query.js';

export const dmnDecisionIdSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .meta({ description: 'Id of the DMN decision.', example: 'release-risk' });

const dmnDecisionTypeSchema = z.enum(['decisionTable', 'literalExpression']).meta({ id: 'DmnDecisionType' });

const decisionRequirementsIdSchema = z
  .string()
  .meta({ description: 'Id of the `definitions` element of the DMN file.', example: 'release' });

export const dmnDecisionVersionSchema = z
  .object({ version: versionSchema, digest: digestSchema, deployedAt: timestampSchema, deployedBy: principalSchema })
  .meta({ id: 'DmnDecisionVersion' });

const dmnDecisionShape = {
  decisionId: dmnDecisionIdSchema,
  name: z.string(),
  decisionType: dmnDecisionTypeSchema,
  version: versionSchema,
  versions: z.array(dmnDecisionVersionSchema).meta({ description: 'All versions, newest first.' }),
  digest: digestSchema.meta({ description: 'Digest of the DMN file.' }),
  decisionRequirementsId: decisionRequirementsIdSchema,
  requiredDecisions: z
    .array(dmnDecisionIdSchema)
    .meta({ description: 'The DMN decisions of the same file whose results this DMN decision uses.' }),
};

export const dmnDecisionSchema = z
  .object(dmnDecisionShape)
  .meta({ id: 'DmnDecision', description: 'A DMN decision, which business rule tasks evaluate.' });
export const dmnDecisionDetailSchema = z
  .object({ ...dmnDecisionShape, dmnXml: z.string() })
  .meta({ id: 'DmnDecisionDetail' });
export const dmnDecisionListSchema = buildListSchema(dmnDecisionSchema, 'DmnDecisionList');

export const deployedDecisionsSchema = z
  .object({
    decisionRequirementsId: decisionRequirementsIdSchema,
    name: z.string().nullable(),
    digest: digestSchema.meta({ description: 'Digest of the DMN file.' }),
    decisions: z
      .array(
        z.object({
          decisionId: dmnDecisionIdSchema,
          name: z.string(),
          decisionType: dmnDecisionTypeSchema,
          version: versionSchema,
        }),
      )
      .meta({ description: 'In the order of the file. The versions of each DMN decision are numbered separately.' }),
  })
  .meta({ id: 'DeployedDecisions' });

export const listDecisionsQuerySchema = z.strictObject(pageQueryShape);
export const getDecisionQuerySchema = z.strictObject({
  version: queryInteger(versionSchema).optional().meta({ description: 'Default: the latest.' }),
});

export type DmnDecision = z.infer<typeof dmnDecisionSchema>;
export type DmnDecisionDetail = z.infer<typeof dmnDecisionDetailSchema>;
export type DmnDecisionVersion = z.infer<typeof dmnDecisionVersionSchema>;
export type DeployedDecisions = z.infer<typeof deployedDecisionsSchema>;
