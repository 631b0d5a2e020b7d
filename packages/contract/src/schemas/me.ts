import { z } from 'zod';
import { principalSchema, roleSchema, timestampSchema } from './common.js';

export const meSchema = z
  .object({
    subject: principalSchema,
    name: z.string().nullable(),
    kind: z.enum(['user', 'service', 'agent']).meta({ description: 'Only a user decides approvals.' }),
    role: roleSchema.nullable().meta({ description: 'The highest of `roles`; `null` where the token carries none that is known.' }),
    roles: z.array(roleSchema),
    groups: z.array(z.string()),
    expiresAt: timestampSchema.nullable(),
  })
  .meta({ id: 'Me', description: 'Whose token this is.' });

export type Me = z.infer<typeof meSchema>;
