import { POLICY_OUTCOMES, RISK_LEVELS } from '@countersign/model';
import { z } from 'zod';
import { digestSchema, jsonObjectSchema, timestampSchema } from './common.js';

/** The possible decisions of the policy. */
export const POLICY_DECISIONS = POLICY_OUTCOMES;

export const riskLevelSchema = z
  .enum(RISK_LEVELS)
  .meta({ id: 'RiskLevel', description: 'A risk level; the values are listed from lowest to highest.' });

export const riskFactorSchema = z
  .object({
    code: z.string().meta({ example: 'touches_auth' }),
    description: z.string().meta({ example: 'Changes files under auth/.' }),
    weight: z.number().meta({ description: 'Weight of the factor, comparable only within one policy.', example: 3 }),
  })
  .meta({ id: 'RiskFactor' });

export const toolConstraintsSchema = z
  .object({
    allowed: z.array(z.string()).meta({ description: 'Tools that the step may use.' }),
    denied: z.array(z.string()),
    requireApproval: z.array(z.string()).meta({ description: 'Tools for which every call requires an approval.' }),
    limits: jsonObjectSchema.meta({ description: 'Limits by name, for example `maxCalls`.' }),
  })
  .meta({ id: 'ToolConstraints' });

export const policyDecisionSchema = z
  .object({
    decision: z.enum(POLICY_DECISIONS),
    rationale: z.string(),
    riskLevel: riskLevelSchema,
    riskFactors: z.array(riskFactorSchema),
    toolConstraints: toolConstraintsSchema,
    policyId: z.string().meta({ example: 'countersign' }),
    policyDigest: digestSchema,
    decidedBy: z
      .array(z.string())
      .optional()
      .meta({
        description: 'Ids of the policies that determined the decision. Empty if no policy permits the step or call.',
        example: ['tool.read'],
      }),
    acceptsTaint: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if a policy explicitly allows this write with untrusted arguments.' }),
    approval: z
      .object({
        candidateUsers: z.array(z.string()),
        candidateGroups: z.array(z.string()),
        quorum: z.number().int().positive(),
      })
      .optional()
      .meta({ description: 'The candidates, if the policy names them.' }),
    decidedAt: timestampSchema,
  })
  .meta({
    id: 'PolicyDecision',
    description: 'The policy decision on a step or a tool call, made before its execution.',
  });

export type RiskLevel = z.infer<typeof riskLevelSchema>;
export type RiskFactor = z.infer<typeof riskFactorSchema>;
export type ToolConstraints = z.infer<typeof toolConstraintsSchema>;
export type PolicyDecision = z.infer<typeof policyDecisionSchema>;
