import { z } from 'zod';
import { hashSchema, idSchema, jsonObjectSchema, principalSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';

export const auditEventSchema = z
  .object({
    auditId: idSchema,
    at: timestampSchema,
    actor: principalSchema.nullable().meta({ description: '`null` if the caller was not signed in.' }),
    action: z.string().meta({ description: 'Dotted name of the action.', example: 'approval.decide' }),
    target: z.object({ type: z.string().meta({ example: 'approval' }), id: z.string() }).nullable(),
    result: z.enum(['ok', 'refused', 'failed']),
    from: z.string().nullable().meta({ description: 'Network address of the caller.' }),
    data: jsonObjectSchema,
    erased: z
      .boolean()
      .meta({ description: 'Whether `actor`, `from` and `data` are missing because they were erased.' }),
    hash: hashSchema,
  })
  .meta({ id: 'AuditEvent', description: 'An action of a user, agent or connector, or a refused attempt.' });

export const auditEventListSchema = buildListSchema(auditEventSchema, 'AuditEventList');

export const listAuditEventsQuerySchema = z.strictObject({
  ...pageQueryShape,
  runId: idSchema
    .optional()
    .meta({ description: 'Only audit events of this run. With this filter, the role operator is sufficient.' }),
  actor: principalSchema.optional(),
  after: idSchema
    .optional()
    .meta({ description: 'An `auditId`: returns later audit events, oldest first. Without it, newest first.' }),
});

export type AuditEvent = z.infer<typeof auditEventSchema>;
/** The filters after validation, with defaults. */
export type ListAuditEventsQuery = z.output<typeof listAuditEventsQuerySchema>;
