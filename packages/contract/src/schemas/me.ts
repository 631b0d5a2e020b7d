import { z } from 'zod';
import { principalSchema, roleSchema, timestampSchema } from './common.js';

export const meSchema = z
  .object({
    subject: principalSchema,
    name: z.string().nullable(),
    userNames: z.array(z.string()).meta({
      description:
        'Further names by which workflows and users may name this user (`Auth:UserNameClaim`), case-insensitive.',
    }),
    kind: z.enum(['user', 'service', 'agent']).meta({ description: 'Only a user may vote.' }),
    role: roleSchema
      .nullable()
      .meta({ description: 'The highest of `roles`; `null` if the token contains no known role.' }),
    roles: z.array(roleSchema),
    groups: z.array(z.string()),
    may: z.object({ startRun: z.boolean(), deploy: z.boolean() }).meta({
      description:
        'Whether the role is sufficient for actions whose role is configurable (`Auth:StartRunRole`, `Auth:DeployRole`). All other permissions follow from the role.',
    }),
    expiresAt: timestampSchema.nullable(),
  })
  .meta({ id: 'Me', description: 'The user of the token.' });

export type Me = z.infer<typeof meSchema>;
