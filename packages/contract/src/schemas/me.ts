import { z } from 'zod';
import { principalSchema, roleSchema, timestampSchema } from './common.js';

export const meSchema = z
  .object({
    subject: principalSchema,
    name: z.string().nullable(),
    userNames: z.array(z.string()).meta({
      description:
        'Other names by which workflows and people may name this person (`Auth:UserNameClaim`); their case does not count.',
    }),
    kind: z.enum(['user', 'service', 'agent']).meta({ description: 'Only a user decides approvals.' }),
    role: roleSchema
      .nullable()
      .meta({ description: 'The highest of `roles`; `null` where the token carries none that is known.' }),
    roles: z.array(roleSchema),
    groups: z.array(z.string()),
    may: z.object({ startRun: z.boolean(), deploy: z.boolean() }).meta({
      description:
        'Whether the role is enough for what configuration gives a role to (`Auth:StartRunRole`, `Auth:DeployRole`), as of now. For all else the role says it.',
    }),
    expiresAt: timestampSchema.nullable(),
  })
  .meta({ id: 'Me', description: 'Whose token this is.' });

export type Me = z.infer<typeof meSchema>;
