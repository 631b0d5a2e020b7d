import { z } from 'zod';
import { digestSchema, elementIdSchema, idSchema } from './common.js';
import { policyDecisionSchema } from './policy-decision.js';
import { listRunsQuerySchema } from './run-commands.js';

/** Maximum number of runs in one policy trial. */
const MAX_TRIAL_RUNS = 1_000;

const filesSchema = z.record(z.string().min(1).max(100), z.string().max(2 * 1024 * 1024)).meta({
  description:
    'Contents of `*.cedar` files, and of at most one `*.cedarschema` file, by file name. Without a schema, the schema of the server applies.',
  example: {
    'tools.cedar':
      '@id("reads") permit (principal is Agent, action in [Action::"call", Action::"callUnattended"], resource is Tool) when { resource.effect == "read" };',
  },
});

export const policySchema = z
  .object({
    policyId: z
      .string()
      .meta({ description: 'Name of the directory from which the policy was loaded.', example: 'countersign' }),
    digest: digestSchema,
    files: filesSchema,
    inForce: z.boolean().meta({ description: 'Whether the policy is in force on this server now.' }),
  })
  .meta({ id: 'Policy', description: 'A current or former policy.' });

export const tryPolicyBodySchema = z
  .strictObject({
    policies: filesSchema,
    runs: listRunsQuerySchema
      .omit({ limit: true, cursor: true })
      .default({})
      .meta({ description: 'Filter for runs, as in `GET /api/runs`.', override: { default: {} } }),
    limit: z
      .int()
      .min(1)
      .max(MAX_TRIAL_RUNS)
      .default(100)
      .meta({ description: 'Maximum number of runs, newest first.', override: { default: 100 } }),
  })
  .meta({ id: 'TryPolicyBody' });

const trialDecisionSchema = policyDecisionSchema
  .omit({ decidedAt: true })
  .meta({ id: 'PolicyAnswer', description: 'A policy decision.' });

const trialLocationShape = {
  runId: idSchema,
  stepId: idSchema,
  elementId: elementIdSchema,
  callId: z.string().nullable().meta({ description: 'Id of the tool call; `null`: the step itself.' }),
};

export const policyTrialSchema = z
  .object({
    digest: digestSchema.meta({ description: 'Digest of the draft.' }),
    runs: z.int().min(0),
    decided: z.int().min(0).meta({ description: 'Number of steps and tool calls that were evaluated again.' }),
    changed: z.array(
      z.object({
        ...trialLocationShape,
        tool: z.string().nullable(),
        before: trialDecisionSchema,
        after: trialDecisionSchema,
        weaker: z.boolean().meta({
          description:
            'Whether the draft is less strict: it no longer denies or requires an approval, or requires fewer or other candidates.',
        }),
      }),
    ),
    problems: z
      .array(z.object({ ...trialLocationShape, problem: z.string() }))
      .meta({ description: 'Policy requests that could not be evaluated again, with the reason.' }),
    truncated: z.boolean().meta({ description: 'Whether a limit of the trial was reached. Narrow the filter.' }),
  })
  .meta({ id: 'PolicyTrial', description: 'The decisions that differ under a draft policy.' });

export type Policy = z.infer<typeof policySchema>;
export type PolicyTrial = z.infer<typeof policyTrialSchema>;
export type TryPolicyBody = z.input<typeof tryPolicyBodySchema>;
