import { z } from 'zod';
import { hashSchema, idSchema, principalSchema } from './common.js';
import { cursorSchema } from './query.js';

const reasonSchema = z.string().min(1).max(2000).regex(/\S/).meta({
  description: 'The reason. It is stored with the record of the erasure, so leave out names.',
  example: 'Request DSR-2026-118',
});

export const erasePersonalDataBodySchema = z
  .strictObject({
    reason: reasonSchema,
    person: principalSchema
      .optional()
      .meta({ description: 'The person whose data is erased. Default: all personal data and payloads of the run.' }),
  })
  .meta({ id: 'ErasePersonalData' });

const buildEventPositionsSchema = (description: string) => z.array(z.int().min(1)).meta({ description });

export const personalDataErasureSchema = z
  .object({
    dryRun: z.boolean(),
    runId: idSchema,
    scope: z.enum(['run', 'person']),
    events: buildEventPositionsSchema('`seq` of the run events whose private parts are erased.'),
    auditEvents: buildEventPositionsSchema("`seq` of the run's audit events whose private parts are erased."),
    serverAuditEvents: buildEventPositionsSchema(
      "Positions of entries about the run in the server's audit chain whose private parts are erased.",
    ),
    approvals: z.int().min(0).meta({ description: 'Number of approvals that change.' }),
    questions: z.int().min(0),
    notifications: z.int().min(0).meta({
      description: 'Number of notifications whose bodies are erased. Undelivered notifications are never sent.',
    }),
    inboundEvents: z.int().min(0),
    artifacts: z.array(z.object({ artifactId: idSchema, sha256: hashSchema })).meta({
      description:
        'Artifacts whose names or uploaders are erased. Their bytes remain in the artifact store, under these digests.',
    }),
    relatedRuns: z.array(idSchema).meta({
      description: 'The parent run and up to 200 child runs, whose data is not erased.',
    }),
  })
  .meta({
    id: 'PersonalDataErasure',
    description: 'The data that an erasure removes. All lists are empty if there is nothing left to erase.',
  });

export const erasePersonBodySchema = z
  .strictObject({
    person: principalSchema.meta({ description: 'The person whose data is erased.' }),
    reason: reasonSchema,
    cursor: cursorSchema.optional().meta({ description: '`nextCursor` of the previous response.' }),
  })
  .meta({ id: 'ErasePerson' });

export const personErasureSchema = z
  .object({
    dryRun: z.boolean(),
    runs: z
      .array(
        z.object({ runId: idSchema, status: z.enum(['planned', 'erased', 'not_ended']) }).meta({ id: 'ErasedRun' }),
      )
      .meta({
        description:
          'The runs that name the person, at most 50. `not_ended`: unchanged, because the run still needs its data.',
      }),
    serverAuditEvents: buildEventPositionsSchema(
      "Positions in the server's audit chain whose private parts are erased.",
    )
      .nullable()
      .meta({
        description:
          "Positions in the server's audit chain whose private parts are erased; `null` until all runs have been processed.",
      }),
    nextCursor: cursorSchema
      .nullable()
      .meta({ description: 'Send it as `cursor` to continue; `null` when everything is erased.' }),
  })
  .meta({ id: 'PersonErasure' });

export type ErasePersonBody = z.infer<typeof erasePersonBodySchema>;
export type PersonErasure = z.infer<typeof personErasureSchema>;
export type ErasePersonalDataBody = z.infer<typeof erasePersonalDataBodySchema>;
export type PersonalDataErasure = z.infer<typeof personalDataErasureSchema>;
