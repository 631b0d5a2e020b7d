import { z } from 'zod';
import { digestSchema, elementIdSchema, idSchema } from './common.js';
import { policyDecisionSchema } from './policy-decision.js';
import { listRunsQuerySchema } from './run-commands.js';

/** Maximum number of runs in one policy trial. */
const MAX_RUNS = 1_000;

const filesSchema = z.record(z.string().min(1).max(100), z.string().max(2 * 1024 * 1024)).meta({
  description:
    'The texts of `*.cedar` files, and of one `*.cedarschema`, by name. Without a schema that of the server holds.',
  example: {
    'tools.cedar':
      '@id("reads") permit (principal is Agent, action in [Action::"call", Action::"callUnattended"], resource is Tool) when { resource.effect == "read" };',
  },
});

export const policySchema = z
  .object({
    policyId: z
      .string()
      .meta({ description: 'The name of the directory that it was read from.', example: 'countersign' }),
    digest: digestSchema,
    files: filesSchema,
    inForce: z.boolean().meta({ description: 'Whether this server decides by it now.' }),
  })
  .meta({ id: 'Policy', description: 'A policy that is in force or was.' });

export const tryPolicyBodySchema = z
  .strictObject({
    policies: filesSchema,
    runs: listRunsQuerySchema
      .omit({ limit: true, cursor: true })
      .default({})
      .meta({ description: 'Which runs, as `GET /api/runs` filters them.', override: { default: {} } }),
    limit: z
      .int()
      .min(1)
      .max(MAX_RUNS)
      .default(100)
      .meta({ description: 'How many runs at most, newest first.', override: { default: 100 } }),
  })
  .meta({ id: 'TryPolicyBody' });

const decidedSchema = policyDecisionSchema
  .omit({ decidedAt: true })
  .meta({ id: 'PolicyAnswer', description: 'What a policy says.' });

const placeShape = {
  runId: idSchema,
  stepId: idSchema,
  elementId: elementIdSchema,
  callId: z.string().nullable().meta({ description: 'The call of an agent; `null`: the step itself.' }),
};

export const policyTrialSchema = z
  .object({
    digest: digestSchema.meta({ description: 'The digest that the draft would have in force.' }),
    runs: z.int().min(0),
    decided: z.int().min(0).meta({ description: 'Steps and calls that were decided again.' }),
    changed: z.array(
      z.object({
        ...placeShape,
        tool: z.string().nullable(),
        before: decidedSchema,
        after: decidedSchema,
        weaker: z.boolean().meta({
          description:
            'Less stands in the way than before: it is not denied or not asked about any more, or fewer or other people are asked.',
        }),
      }),
    ),
    problems: z
      .array(z.object({ ...placeShape, problem: z.string() }))
      .meta({ description: 'What could not be decided again, and why.' }),
    truncated: z.boolean().meta({ description: 'There was more than one trial looks at, or lists. Narrow the runs.' }),
  })
  .meta({ id: 'PolicyTrial', description: 'What a draft of the policy would have decided otherwise.' });

export type Policy = z.infer<typeof policySchema>;
export type PolicyTrial = z.infer<typeof policyTrialSchema>;
export type TryPolicyBody = z.input<typeof tryPolicyBodySchema>;
