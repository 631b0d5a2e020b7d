import { z } from 'zod';
import { hashSchema, principalSchema, timestampSchema } from './common.js';
import { evidenceAuditEventSchema, evidenceGapSchema } from './evidence-pack.js';
import { queryInteger } from './query.js';

/** Identifies the format of an exported part of the server's audit chain. */
export const AUDIT_TRAIL_SCHEMA_ID = 'urn:countersign:schema:audit-trail:1';

const chainLinkSchema = z.object({ seq: z.int().min(0), hash: hashSchema });

export const auditTrailSchema = z
  .object({
    schema: z.literal(AUDIT_TRAIL_SCHEMA_ID),
    generatedAt: timestampSchema,
    generatedBy: principalSchema,
    server: z.object({ version: z.string(), serverId: z.string() }),
    auditEvents: z
      .array(evidenceAuditEventSchema)
      .meta({ description: 'In the order of the chain. Each `hash` is computed with `runId: null`.' }),
    laterErasures: z.array(evidenceAuditEventSchema).meta({
      description:
        'Later entries that list erased data of this part, in `target.auditEvents`. Each `hash` can be verified separately.',
    }),
    notCovered: z.array(evidenceGapSchema).meta({
      description: 'Facts that the chain does not prove; `events` contains the `seq` of the affected `auditEvents`.',
    }),
    chain: z.object({
      algorithm: z.literal('sha256'),
      canonicalisation: z.literal('RFC 8785'),
      genesis: hashSchema.meta({ description: 'The `previousHash` of the first entry of the chain.' }),
      previous: chainLinkSchema.meta({
        description: 'The entry before the first of `auditEvents`: `head` of the previous part.',
      }),
      head: chainLinkSchema.meta({ description: 'The last of `auditEvents`.' }),
    }),
    nextAfter: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: '`after` for the next part; `null` if this part reaches the end of the chain.' }),
  })
  .meta({
    id: 'AuditTrail',
    description: "A part of the server's audit chain, with everything that is needed to verify it without the server.",
  });

export const exportAuditTrailQuerySchema = z.strictObject({
  after: queryInteger(z.int().min(0))
    .default(0)
    .meta({ description: 'Position after which the part starts.', override: { default: 0 } }),
  limit: queryInteger(z.int().min(1).max(5_000))
    .default(1_000)
    .meta({ description: 'Maximum number of entries.', override: { default: 1_000 } }),
});

export type AuditTrail = z.infer<typeof auditTrailSchema>;
