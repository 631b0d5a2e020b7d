import { ENGINE_CAPABILITY_NAMES } from '@countersign/model';
import { z } from 'zod';
import { principalSchema, roleSchema, timestampSchema } from './common.js';

export const engineCapabilitySchema = z
  .enum(ENGINE_CAPABILITY_NAMES)
  .meta({ id: 'EngineCapability', description: 'What an engine may be unable to do. Later versions may add values.' });

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
    engine: z
      .object({
        name: z.string().meta({ example: 'embedded' }),
        unsupported: z.array(engineCapabilitySchema).meta({
          description:
            'What the engine cannot do. Requests for it get the error `not_supported_by_engine`, so user interfaces do not offer it.',
        }),
      })
      .meta({ description: 'The engine of the server.' }),
  })
  .meta({ id: 'Me', description: 'The user of the token.' });

export type EngineCapability = z.infer<typeof engineCapabilitySchema>;
export type Me = z.infer<typeof meSchema>;
